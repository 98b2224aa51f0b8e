// What the AVX-512 kernels on rows share: registers, and macros that add the lanes of
// eight rows across.

#define countsp DI  // counts: where the next one goes
#define queryp  SI  // query
#define rowsp   DX  // rows: the next one
#define size    R8  // bytes of a row
#define left    R10 // rows left

// MANY_ADD_LANES sets a to the sums of neighbouring lanes of a and b, which
// alternate in it.
// in: a, b; out: a; clobbers: Z9
#define MANY_ADD_LANES(a, b) \
	VPUNPCKLQDQ b, a, Z9 \
	VPUNPCKHQDQ b, a, a  \
	VPADDQ      Z9, a, a

// MANY_ADD_QUARTERS sets a to the sums of neighbouring pairs of lanes of a and b:
// those of a come first, then those of b.
// in: a, b; out: a; clobbers: Z9
#define MANY_ADD_QUARTERS(a, b) \
	VSHUFI64X2 $0x88, b, a, Z9 \
	VSHUFI64X2 $0xdd, b, a, a  \
	VPADDQ     Z9, a, a

// MANY_SUM_ROWS sets lane i of Z0 to the sum of Z<i>'s lanes.
// in: Z0 to Z7; out: Z0; clobbers: Z2, Z4, Z6, Z9
#define MANY_SUM_ROWS \
	MANY_ADD_LANES(Z0, Z1)    \
	MANY_ADD_LANES(Z2, Z3)    \
	MANY_ADD_LANES(Z4, Z5)    \
	MANY_ADD_LANES(Z6, Z7)    \
	MANY_ADD_QUARTERS(Z0, Z2) \
	MANY_ADD_QUARTERS(Z4, Z6) \
	MANY_ADD_QUARTERS(Z0, Z4)
