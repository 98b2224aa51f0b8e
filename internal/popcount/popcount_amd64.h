// What the kernels share that count: registers, and macros that add up lanes and
// words. count_amd64.s explains the tree.

#define aptr   SI  // the next word of a, b and dst; of p, where that is all
#define bptr   DI
#define dstptr R14
#define left   CX  // words left

// COUNT_LANES adds up the four lanes of Y0, of 64 bits each.
// in: Y0; out: r; clobbers: Y0, Y1
#define COUNT_LANES(r) \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ  X1, X0, X0      \
	VPSRLDQ $8, X0, X1      \
	VPADDQ  X1, X0, X0      \
	VMOVQ   X0, r

// ---- AVX2: the tree ----

// The number of bits of each nibble, twice.
DATA nibbleCounts<>+0x00(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+0x08(SB)/8, $0x0403030203020201
DATA nibbleCounts<>+0x10(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+0x18(SB)/8, $0x0403030203020201
GLOBL nibbleCounts<>(SB), RODATA|NOPTR, $32

DATA lowNibbles<>+0x00(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowNibbles<>(SB), RODATA|NOPTR, $8

#define total  Y0 // four sums of 64 bits
#define ones   Y1 // each bit of these stands for 1, 2, 4 or 8
#define twos   Y2
#define fours  Y3
#define eights Y4
#define table  Y5 // nibbleCounts
#define low    Y6 // lowNibbles in each lane
#define zero   Y7

#define sum0 AX // of words that POPCNT counts
#define sum1 R8
#define sum2 R9
#define sum3 R10

// COUNT_NO_WORDS sets the sums of words to 0.
// out: sum0 to sum3
#define COUNT_NO_WORDS \
	XORL sum0, sum0 \
	XORL sum1, sum1 \
	XORL sum2, sum2 \
	XORL sum3, sum3

// COUNT_SUM_WORDS adds up the sums of words.
// in: sum0 to sum3; out: sum0; clobbers: sum2
#define COUNT_SUM_WORDS \
	ADDQ sum1, sum0 \
	ADDQ sum3, sum2 \
	ADDQ sum2, sum0

// COUNT_NO_TREE sets all places of the tree to 0 and loads its constants.
// out: Y0 to Y7
#define COUNT_NO_TREE \
	VPXOR X0, X0, X0 \
	VPXOR X1, X1, X1 \
	VPXOR X2, X2, X2 \
	VPXOR X3, X3, X3 \
	VPXOR X4, X4, X4 \
	VPXOR X7, X7, X7 \
	VMOVDQU      nibbleCounts<>(SB), table \
	VPBROADCASTQ lowNibbles<>(SB), low

// COUNT_BYTES replaces each byte of v by the number of its bits, at most 8.
// in: v, table, low; out: v; clobbers: t
#define COUNT_BYTES(v, t) \
	VPSRLW  $4, v, t    \
	VPAND   low, v, v   \
	VPAND   low, t, t   \
	VPSHUFB v, table, v \
	VPSHUFB t, table, t \
	VPADDB  t, v, v

// COUNT_WEIGHED adds the number of bits of v, times 1 << shift, to total.
// in: v, total, table, low, zero; out: total; clobbers: v, t
#define COUNT_WEIGHED(v, shift, t) \
	COUNT_BYTES(v, t)         \
	VPSADBW zero, v, v        \
	VPSLLQ  shift, v, v       \
	VPADDQ  v, total, total

// COUNT_CSA is a full adder in each place of a bit: sum + a + b = sum + 2 carry.
// in: sum, a, b; out: sum, carry, which may be a; clobbers: t
#define COUNT_CSA(sum, a, b, carry, t) \
	VPXOR a, sum, t       \
	VPAND a, sum, carry   \
	VPXOR b, t, sum       \
	VPAND b, t, t         \
	VPOR  t, carry, carry

// COUNT_FOUR adds the four vectors at off to ones and twos. FETCH(off, v) sets v
// to a vector.
// in: ones, twos; out: ones, twos, carry, which stands for 4; clobbers: Y8, Y9, Y10, Y14
#define COUNT_FOUR(FETCH, off, carry) \
	FETCH(off, Y8)                         \
	FETCH(off+32, Y9)                      \
	FETCH(off+64, Y14)                     \
	COUNT_CSA(Y8, Y9, Y14, carry, Y10)     \
	FETCH(off+96, Y9)                      \
	COUNT_CSA(ones, Y8, Y9, Y8, Y10)       \
	COUNT_CSA(twos, carry, Y8, carry, Y10)

// COUNT_TREE_64 adds sixteen vectors to the tree, and the number of bits of the
// sixteens that come out of it to total.
// in, out: total, ones, twos, fours, eights; clobbers: Y8 to Y14
#define COUNT_TREE_64(FETCH) \
	COUNT_FOUR(FETCH, 0, Y11)             \
	COUNT_FOUR(FETCH, 128, Y12)           \
	COUNT_CSA(fours, Y11, Y12, Y11, Y10)  \
	COUNT_FOUR(FETCH, 256, Y12)           \
	COUNT_FOUR(FETCH, 384, Y13)           \
	COUNT_CSA(fours, Y12, Y13, Y12, Y10)  \
	COUNT_CSA(eights, Y11, Y12, Y11, Y10) \
	COUNT_WEIGHED(Y11, $4, Y10)

// COUNT_TREE_END adds what is in the tree to total.
// in: total, ones, twos, fours, eights; out: total; clobbers: Y1 to Y4, Y10
#define COUNT_TREE_END \
	COUNT_WEIGHED(eights, $3, Y10) \
	COUNT_WEIGHED(fours, $2, Y10)  \
	COUNT_WEIGHED(twos, $1, Y10)   \
	COUNT_WEIGHED(ones, $0, Y10)

// COUNT_WORDS_4 adds the number of bits of four words at off to the sums.
// FETCH1(off, t, sum) does one, with t for scratch.
// in, out: sum0 to sum3; clobbers: R11, R12, R13, DX
#define COUNT_WORDS_4(FETCH1, off) \
	FETCH1(off, R11, sum0)    \
	FETCH1(off+8, R12, sum1)  \
	FETCH1(off+16, R13, sum2) \
	FETCH1(off+24, DX, sum3)

// COUNT_16 counts sixteen words, half of them as vectors. No byte exceeds 16, and
// VPSADBW adds eight of them into a lane, so nothing overflows.
// in, out: total, sum0 to sum3; clobbers: Y8 to Y11, R11, R12, R13, DX
#define COUNT_16(FETCH, FETCH1) \
	FETCH(0, Y8)              \
	FETCH(32, Y9)             \
	COUNT_BYTES(Y8, Y10)      \
	COUNT_WORDS_4(FETCH1, 64) \
	COUNT_BYTES(Y9, Y11)      \
	COUNT_WORDS_4(FETCH1, 96) \
	VPADDB  Y9, Y8, Y8        \
	VPSADBW zero, Y8, Y8      \
	VPADDQ  Y8, total, total

// ---- AVX-512: VPOPCNTQ ----

#define head R8 // words of the first vector, then their bytes
#define mask K1

// POPCNT_64 adds the counts of 64 words to the sums. POPCNT(off, v) sets each lane of
// v to the number of bits of a word.
// in: Z0 to Z3; out: Z0 to Z3; clobbers: Z4 to Z7
#define POPCNT_64(POPCNT) \
	POPCNT(0, Z4)     \
	POPCNT(64, Z5)    \
	POPCNT(128, Z6)   \
	POPCNT(192, Z7)   \
	VPADDQ Z4, Z0, Z0 \
	VPADDQ Z5, Z1, Z1 \
	VPADDQ Z6, Z2, Z2 \
	VPADDQ Z7, Z3, Z3 \
	POPCNT(256, Z4)   \
	POPCNT(320, Z5)   \
	POPCNT(384, Z6)   \
	POPCNT(448, Z7)   \
	VPADDQ Z4, Z0, Z0 \
	VPADDQ Z5, Z1, Z1 \
	VPADDQ Z6, Z2, Z2 \
	VPADDQ Z7, Z3, Z3

// POPCNT_ZERO sets all sums but the first to 0.
// out: Z1 to Z3
#define POPCNT_ZERO \
	VPXOR X1, X1, X1 \
	VPXOR X2, X2, X2 \
	VPXOR X3, X3, X3

// POPCNT_JOIN adds up the four sums, lane by lane.
// in: Z0 to Z3; out: Z0; clobbers: Z2
#define POPCNT_JOIN \
	VPADDQ Z1, Z0, Z0 \
	VPADDQ Z3, Z2, Z2 \
	VPADDQ Z2, Z0, Z0

// POPCNT_HALVES adds the upper half of Z0 to the lower one.
// in: Z0; out: Y0; clobbers: Y1
#define POPCNT_HALVES \
	VEXTRACTI64X4 $1, Z0, Y1 \
	VPADDQ        Y1, Y0, Y0

// POPCNT_FIRST clears all but the first lanes of v, and POPCNT_LAST all but the last
// lanes of v, which has LANES of them.
// in: lanes, v; out: v; clobbers: AX, mask
#define POPCNT_FIRST(lanes, v) \
	MOVL        $-1, AX       \
	BZHIL       lanes, AX, AX \
	KMOVB       AX, mask      \
	VMOVDQA64.Z v, mask, v

#define POPCNT_LAST(lanes, LANES, v) \
	MOVL        $(((1<<LANES)-1)<<LANES), AX \
	SHRXL       lanes, AX, AX   \
	KMOVB       AX, mask        \
	VMOVDQA64.Z v, mask, v
