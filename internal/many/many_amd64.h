// Macros that the kernels of this room share. Counting by nibbles (AVX2): the
// count of a byte is that of its two halves, each looked up by VPSHUFB (Muła,
// Kurz, Lemire, "Faster Population Counts Using AVX2 Instructions", 2018).

DATA manyNibbleCounts<>+0x00(SB)/8, $0x0302020102010100
DATA manyNibbleCounts<>+0x08(SB)/8, $0x0403030203020201
DATA manyNibbleCounts<>+0x10(SB)/8, $0x0302020102010100
DATA manyNibbleCounts<>+0x18(SB)/8, $0x0403030203020201
GLOBL manyNibbleCounts<>(SB), RODATA|NOPTR, $32

DATA manyLowNibbles<>+0x00(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL manyLowNibbles<>(SB), RODATA|NOPTR, $8

#define total Y0 // four sums of 64 bits
#define table Y5 // manyNibbleCounts
#define low   Y6 // manyLowNibbles
#define zero  Y7

// MANY_COUNT_CONSTANTS sets what the counting macros need.
// out: table, low, zero
#define MANY_COUNT_CONSTANTS \
	VPXOR        X7, X7, X7                    \
	VMOVDQU      manyNibbleCounts<>(SB), table \
	VPBROADCASTQ manyLowNibbles<>(SB), low

// MANY_COUNT_BYTES replaces each byte of v by its count, at most 8.
// in: v, table, low; out: v; clobbers: t
#define MANY_COUNT_BYTES(v, t) \
	VPSRLW  $4, v, t    \
	VPAND   low, v, v   \
	VPAND   low, t, t   \
	VPSHUFB v, table, v \
	VPSHUFB t, table, t \
	VPADDB  t, v, v

// MANY_ADD_BYTES adds the bytes of v to total, eight into each lane.
// in: v, zero, total; out: total; clobbers: v
#define MANY_ADD_BYTES(v) \
	VPSADBW zero, v, v      \
	VPADDQ  v, total, total

// MANY_SUM_LANES sets r to the sum of the four lanes of total.
// in: total; out: r; clobbers: Y0, Y1
#define MANY_SUM_LANES(r) \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ  X1, X0, X0      \
	VPSRLDQ $8, X0, X1      \
	VPADDQ  X1, X0, X0      \
	VMOVQ   X0, r
