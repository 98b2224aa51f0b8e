// Macros that walk over many sets: what sets_amd64.s and sets_count_amd64.s share.

#define dstp   DI  // dst
#define setsp  SI  // sets: the slices' headers
#define sets_k DX  // k, how many there are
#define off    CX  // how many bytes into the sets
#define end    R8  // where they end, in bytes
#define header R9  // the next slice's header
#define left   R10 // sets left
#define s      R11 // the set at hand, its first word
#define ahead  R12 // whether to prefetch: far

// MANY_FIRST_SET begins a walk over the sets.
// in: setsp, sets_k; out: s, header, left
#define MANY_FIRST_SET \
	MOVQ (setsp), s      \
	LEAQ 24(setsp), header \
	LEAQ -1(sets_k), left

// MANY_NEXT_SET goes on to the next set.
// in: header; out: s, header
#define MANY_NEXT_SET \
	MOVQ (header), s   \
	ADDQ $24, header

// MANY_PREFETCH asks for the cache line of s that is line lines after the 16 that
// follow off. It goes to the second-level cache.
#define MANY_PREFETCH(line) \
	PREFETCHT1 (1024+64*line)(s)(off*1)

#define MANY_PREFETCH4 \
	MANY_PREFETCH(0) \
	MANY_PREFETCH(1) \
	MANY_PREFETCH(2) \
	MANY_PREFETCH(3)

#define MANY_PREFETCH8 \
	MANY_PREFETCH4   \
	MANY_PREFETCH(4) \
	MANY_PREFETCH(5) \
	MANY_PREFETCH(6) \
	MANY_PREFETCH(7)

// What is done to a vector v of four words at off + at.

#define MANY_READ(at, v)   VMOVDQU at(s)(off*1), v   // v = s[…]
#define MANY_AND(at, v)    VPAND at(s)(off*1), v, v  // v &= s[…]
#define MANY_OR(at, v)     VPOR at(s)(off*1), v, v   // v |= s[…]
#define MANY_WRITE(at, v)  VMOVDQU v, at(dstp)(off*1) // dst[…] = v

// MANY_DO64 does one of the above to 64 words, in Y0 to Y15.
#define MANY_DO64(DO) \
	DO(0, Y0)    \
	DO(32, Y1)   \
	DO(64, Y2)   \
	DO(96, Y3)   \
	DO(128, Y4)  \
	DO(160, Y5)  \
	DO(192, Y6)  \
	DO(224, Y7)  \
	DO(256, Y8)  \
	DO(288, Y9)  \
	DO(320, Y10) \
	DO(352, Y11) \
	DO(384, Y12) \
	DO(416, Y13) \
	DO(448, Y14) \
	DO(480, Y15)

// MANY_DO32 does one of the above to 32 words, in Y8 to Y15.
#define MANY_DO32(DO) \
	DO(0, Y8)    \
	DO(32, Y9)   \
	DO(64, Y10)  \
	DO(96, Y11)  \
	DO(128, Y12) \
	DO(160, Y13) \
	DO(192, Y14) \
	DO(224, Y15)
