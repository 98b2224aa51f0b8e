//go:build !purego

// Cardinalities: popcount(a) and popcount(a op b).
//
// The AVX-512 kernels count each lane of 64 bits with VPOPCNTQ and add up in
// four vectors of 64-bit sums, which cannot overflow. At 8 KiB on Zen 4 they
// read 197 GB/s, against a limit of 212.
//
// The AVX2 kernels are the carry-save adder tree of Muła, Kurz and Lemire,
// "Faster Population Counts Using AVX2 Instructions" (2018): sixteen vectors are
// added bit by bit into vectors of ones, twos, fours and eights, and only the
// sixteens are counted, through a table of nibbles. The tree keeps the vector
// units busy and the others idle, so each round of countAVX2 also counts some
// words with POPCNT: at 8 KiB 85 to 88 GB/s with 32 words beside the 64 of the
// tree, 78 with 16, 67 with none. llvm-mca sees a gain on Skylake too (19.9
// bytes a cycle against 18.4). With two operands the loads are the limit, and
// words beside the tree gained 5 % in the first-level cache and lost 8 % beyond.

#include "textflag.h"

#define x    SI
#define y    DI
#define left CX

#define ADVANCE1(bytes) \
	ADDQ bytes, x

#define ADVANCE2(bytes) \
	ADDQ bytes, x \
	ADDQ bytes, y

#define ARGS2 \
	MOVQ a+0(FP), x    \
	MOVQ b+8(FP), y    \
	MOVQ n+16(FP), left

// ---- AVX-512 ----

#define head R8
#define mask K1

// POP1 and POP2 set each lane of v to the count of x, or of x op y, at distance
// off. v is a vector of 256 or 512 bits.

#define POP1(off, v) \
	VPOPCNTQ off(x), v

#define POP2(VOP, off, v) \
	VMOVDQU64 off(y), v    \
	VOP       off(x), v, v \
	VPOPCNTQ  v, v

#define POP_AND(off, v)    POP2(VPANDQ, off, v)
#define POP_OR(off, v)     POP2(VPORQ, off, v)
#define POP_XOR(off, v)    POP2(VPXORQ, off, v)
#define POP_ANDNOT(off, v) POP2(VPANDNQ, off, v) // complements v, which is y

// LAST clears all but the last lanes of v, which has LANES of them.
// Clobbers AX, mask.
#define LAST(lanes, LANES, v) \
	MOVL        $(((1<<LANES)-1)<<LANES), AX \
	SHRXL       lanes, AX, AX   \
	KMOVB       AX, mask        \
	VMOVDQA64.Z v, mask, v

// COUNT512 sets AX to the sum over all words, at least four of them.
//
// The first vector stands for 1 to 8 words. It ends where the whole vectors
// that follow are aligned (64 words off by one: 97 GB/s, and 87 without), or for
// short operands so that nothing is left after them. The ends read no word
// outside the operands, not even masked out: where that is in a page that is
// not mapped, the masked load takes an assist of 80 ns.
// Clobbers x, y, left, head, mask, Z0 to Z7.
#define COUNT512(POP, ADVANCE) \
	CMPQ   left, $8          \
	JLT    halves            \
	LEAQ   -1(left), head    \
	ANDQ   $7, head          \
	INCQ   head              \
	CMPQ   left, $32         \
	JLE    first             \
	MOVQ   x, head           \
	SHRQ   $3, head          \
	ORQ    $-8, head         \
	NEGQ   head              \
first: \
	POP(0, Z0)               \
	MOVL   $-1, AX           \
	BZHIL  head, AX, AX      \
	KMOVB  AX, mask          \
	VMOVDQA64.Z Z0, mask, Z0 \
	SUBQ   head, left        \
	JZ     sum               \
	SHLQ   $3, head          \
	ADVANCE(head)            \
	VPXOR  X1, X1, X1        \
	VPXOR  X2, X2, X2        \
	VPXOR  X3, X3, X3        \
	SUBQ   $64, left         \
	JLT    few               \
loop64: \
	POP(0, Z4)               \
	POP(64, Z5)              \
	POP(128, Z6)             \
	POP(192, Z7)             \
	VPADDQ Z4, Z0, Z0        \
	VPADDQ Z5, Z1, Z1        \
	VPADDQ Z6, Z2, Z2        \
	VPADDQ Z7, Z3, Z3        \
	POP(256, Z4)             \
	POP(320, Z5)             \
	POP(384, Z6)             \
	POP(448, Z7)             \
	VPADDQ Z4, Z0, Z0        \
	VPADDQ Z5, Z1, Z1        \
	VPADDQ Z6, Z2, Z2        \
	VPADDQ Z7, Z3, Z3        \
	ADVANCE($512)            \
	SUBQ   $64, left         \
	JGE    loop64            \
few: \
	ADDQ   $64-8, left       \
	JLT    last              \
loop8: \
	POP(0, Z4)               \
	VPADDQ Z4, Z0, Z0        \
	ADVANCE($64)             \
	SUBQ   $8, left          \
	JGE    loop8             \
last: \
	ADDQ   $8, left          \
	JZ     join              \
	LEAQ   -64(left*8), head \
	ADVANCE(head)            \
	POP(0, Z4)               \
	LAST(left, 8, Z4)        \
	VPADDQ Z4, Z0, Z0        \
join: \
	VPADDQ Z1, Z0, Z0        \
	VPADDQ Z3, Z2, Z2        \
	VPADDQ Z2, Z0, Z0        \
sum: \
	VEXTRACTI64X4 $1, Z0, Y1 \
	VPADDQ Y1, Y0, Y0        \
	JMP    lanes             \
halves: \
	POP(0, Y0)               \
	SUBQ   $4, left          \
	LEAQ   (left*8), head    \
	ADVANCE(head)            \
	POP(0, Y1)               \
	LAST(left, 4, Y1)        \
	VPADDQ Y1, Y0, Y0        \
lanes: \
	SUM_LANES(AX)            \
	VZEROUPPER

// SUM_LANES sets r to the sum of the four lanes of Y0. Clobbers Y0, Y1.
#define SUM_LANES(r) \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ  X1, X0, X0      \
	VPSRLDQ $8, X0, X1      \
	VPADDQ  X1, X0, X0      \
	VMOVQ   X0, r

// func countAVX512(p *uint64, n int) int
// n >= 4, here and below.
TEXT ·countAVX512(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), x
	MOVQ n+8(FP), left
	COUNT512(POP1, ADVANCE1)
	MOVQ AX, ret+16(FP)
	RET

// func andCountAVX512(a, b *uint64, n int) int
TEXT ·andCountAVX512(SB), NOSPLIT, $0-32
	ARGS2
	COUNT512(POP_AND, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

// func orCountAVX512(a, b *uint64, n int) int
TEXT ·orCountAVX512(SB), NOSPLIT, $0-32
	ARGS2
	COUNT512(POP_OR, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

// func xorCountAVX512(a, b *uint64, n int) int
TEXT ·xorCountAVX512(SB), NOSPLIT, $0-32
	ARGS2
	COUNT512(POP_XOR, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

// func andNotCountAVX512(a, b *uint64, n int) int
TEXT ·andNotCountAVX512(SB), NOSPLIT, $0-32
	ARGS2
	COUNT512(POP_ANDNOT, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

#undef head
#undef mask

// ---- AVX2 ----

DATA nibbleCounts<>+0x00(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+0x08(SB)/8, $0x0403030203020201
DATA nibbleCounts<>+0x10(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+0x18(SB)/8, $0x0403030203020201
GLOBL nibbleCounts<>(SB), RODATA|NOPTR, $32

DATA lowNibbles<>+0x00(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowNibbles<>(SB), RODATA|NOPTR, $8

#define total  Y0 // four lanes of 64 bits
#define ones   Y1
#define twos   Y2
#define fours  Y3
#define eights Y4
#define table  Y5
#define low    Y6
#define zero   Y7

#define n0 AX // sums of counted words
#define n1 R8
#define n2 R9
#define n3 R10

// LOAD1 and LOAD2 set v to the vector of x, or of x op y, at distance off.

#define LOAD1(off, v) \
	VMOVDQU off(x), v

#define LOAD2(VOP, off, v) \
	VMOVDQU off(y), v    \
	VOP     off(x), v, v

#define LOAD_AND(off, v)    LOAD2(VPAND, off, v)
#define LOAD_OR(off, v)     LOAD2(VPOR, off, v)
#define LOAD_XOR(off, v)    LOAD2(VPXOR, off, v)
#define LOAD_ANDNOT(off, v) LOAD2(VPANDN, off, v) // complements v, which is y

// WORD1 and WORD2 add the count of the word of x, or of x op y, to sum.
// Clobbers t.

#define WORD1(off, t, sum) \
	POPCNTQ off(x), t \
	ADDQ    t, sum

#define WORD2(OP, off, t, sum) \
	MOVQ    off(y), t \
	OP(off, t)        \
	POPCNTQ t, t      \
	ADDQ    t, sum

#define ANDW(off, t)    ANDQ off(x), t
#define ORW(off, t)     ORQ off(x), t
#define XORW(off, t)    XORQ off(x), t
#define ANDNOTW(off, t) ANDNQ off(x), t, t

#define WORD_AND(off, t, sum)    WORD2(ANDW, off, t, sum)
#define WORD_OR(off, t, sum)     WORD2(ORW, off, t, sum)
#define WORD_XOR(off, t, sum)    WORD2(XORW, off, t, sum)
#define WORD_ANDNOT(off, t, sum) WORD2(ANDNOTW, off, t, sum)

// WORDS4 adds four words from distance off on. Clobbers R11, R12, R13, DX.
#define WORDS4(WORD, off) \
	WORD(off, R11, n0)    \
	WORD(off+8, R12, n1)  \
	WORD(off+16, R13, n2) \
	WORD(off+24, DX, n3)

// BESIDE adds the words that each quarter of a round counts beside the tree.

#define BESIDE1(quarter) \
	WORDS4(WORD1, 512+64*quarter) \
	WORDS4(WORD1, 544+64*quarter)

#define BESIDE_NONE(quarter)

// BYTES replaces each byte of v by its count, at most 8. Clobbers t.
#define BYTES(v, t) \
	VPSRLW  $4, v, t    \
	VPAND   low, v, v   \
	VPAND   low, t, t   \
	VPSHUFB v, table, v \
	VPSHUFB t, table, t \
	VPADDB  t, v, v

// WEIGHED adds the counts of v, times 1 << shift, to total. Clobbers v, t.
#define WEIGHED(v, shift, t) \
	BYTES(v, t)               \
	VPSADBW zero, v, v        \
	VPSLLQ  shift, v, v       \
	VPADDQ  v, total, total

// CSA is a full adder in each place: sum, carry = sum + a + b. carry may be a.
// Clobbers t.
#define CSA(sum, a, b, carry, t) \
	VPXOR a, sum, t       \
	VPAND a, sum, carry   \
	VPXOR b, t, sum       \
	VPAND b, t, t         \
	VPOR  t, carry, carry

// FOUR adds the four vectors at off to ones and twos; carry is what overflows
// into fours. Clobbers Y8, Y9, Y10.
#define FOUR(LOAD, off, carry) \
	LOAD(off, Y8)                    \
	LOAD(off+32, Y9)                 \
	CSA(ones, Y8, Y9, carry, Y10)    \
	LOAD(off+64, Y8)                 \
	LOAD(off+96, Y9)                 \
	CSA(ones, Y8, Y9, Y8, Y10)       \
	CSA(twos, carry, Y8, carry, Y10)

// COUNT256 sets AX to the sum over all words, ROUND of them a round: 64 in the
// tree and ROUND-64 beside it. The rest is taken by sixteens, half of them
// vectors, and by words. Fewer than 16 words touch no vector register.
//
// The bytes of two vectors' counts sum to at most 16, and VPSADBW adds eight of
// them into a lane of 64 bits, so nothing overflows.
// Clobbers x, y, left, DX, R8 to R13, Y0 to Y13.
#define COUNT256(LOAD, WORD, BESIDE, ROUND, ADVANCE) \
	XORL   n0, n0                   \
	XORL   n1, n1                   \
	XORL   n2, n2                   \
	XORL   n3, n3                   \
	CMPQ   left, $16                \
	JLT    words                    \
	VPXOR  X0, X0, X0               \
	VPXOR  X1, X1, X1               \
	VPXOR  X2, X2, X2               \
	VPXOR  X3, X3, X3               \
	VPXOR  X4, X4, X4               \
	VPXOR  X7, X7, X7               \
	VMOVDQU      nibbleCounts<>(SB), table \
	VPBROADCASTQ lowNibbles<>(SB), low     \
	SUBQ   $ROUND, left             \
	JLT    few                      \
round: \
	FOUR(LOAD, 0, Y11)              \
	BESIDE(0)                       \
	FOUR(LOAD, 128, Y12)            \
	BESIDE(1)                       \
	CSA(fours, Y11, Y12, Y11, Y10)  \
	FOUR(LOAD, 256, Y12)            \
	BESIDE(2)                       \
	FOUR(LOAD, 384, Y13)            \
	BESIDE(3)                       \
	CSA(fours, Y12, Y13, Y12, Y10)  \
	CSA(eights, Y11, Y12, Y11, Y10) \
	WEIGHED(Y11, $4, Y10)           \
	ADVANCE($8*ROUND)               \
	SUBQ   $ROUND, left             \
	JGE    round                    \
	WEIGHED(eights, $3, Y10)        \
	WEIGHED(fours, $2, Y10)         \
	WEIGHED(twos, $1, Y10)          \
	WEIGHED(ones, $0, Y10)          \
few: \
	ADDQ   $ROUND-16, left          \
	JLT    lanes                    \
loop16: \
	LOAD(0, Y8)                     \
	LOAD(32, Y9)                    \
	BYTES(Y8, Y10)                  \
	WORDS4(WORD, 64)                \
	BYTES(Y9, Y11)                  \
	WORDS4(WORD, 96)                \
	VPADDB  Y9, Y8, Y8              \
	VPSADBW zero, Y8, Y8            \
	VPADDQ  Y8, total, total        \
	ADVANCE($128)                   \
	SUBQ   $16, left                \
	JGE    loop16                   \
lanes: \
	SUM_LANES(DX)                   \
	VZEROUPPER                      \
	ADDQ   DX, n0                   \
	ADDQ   $16, left                \
words: \
	SUBQ   $4, left                 \
	JLT    last                     \
loop4: \
	WORDS4(WORD, 0)                 \
	ADVANCE($32)                    \
	SUBQ   $4, left                 \
	JGE    loop4                    \
last: \
	ADDQ   $4, left                 \
	JZ     done                     \
loop1: \
	WORD(0, DX, n0)                 \
	ADVANCE($8)                     \
	DECQ   left                     \
	JNZ    loop1                    \
done: \
	ADDQ   n1, n0                   \
	ADDQ   n3, n2                   \
	ADDQ   n2, n0

// func countAVX2(p *uint64, n int) int
// n >= 0, here and below.
TEXT ·countAVX2(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), x
	MOVQ n+8(FP), left
	COUNT256(LOAD1, WORD1, BESIDE1, 96, ADVANCE1)
	MOVQ AX, ret+16(FP)
	RET

// func andCountAVX2(a, b *uint64, n int) int
TEXT ·andCountAVX2(SB), NOSPLIT, $0-32
	ARGS2
	COUNT256(LOAD_AND, WORD_AND, BESIDE_NONE, 64, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

// func orCountAVX2(a, b *uint64, n int) int
TEXT ·orCountAVX2(SB), NOSPLIT, $0-32
	ARGS2
	COUNT256(LOAD_OR, WORD_OR, BESIDE_NONE, 64, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

// func xorCountAVX2(a, b *uint64, n int) int
TEXT ·xorCountAVX2(SB), NOSPLIT, $0-32
	ARGS2
	COUNT256(LOAD_XOR, WORD_XOR, BESIDE_NONE, 64, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET

// func andNotCountAVX2(a, b *uint64, n int) int
TEXT ·andNotCountAVX2(SB), NOSPLIT, $0-32
	ARGS2
	COUNT256(LOAD_ANDNOT, WORD_ANDNOT, BESIDE_NONE, 64, ADVANCE2)
	MOVQ AX, ret+24(FP)
	RET
