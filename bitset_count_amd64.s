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
// sixteens are counted, through a table of nibbles. Two changes to it:
//
// Three fresh vectors are added before the ones come in, which halves the chain
// of dependent additions through the ones: at 8 KiB on Zen 4 78 GB/s and not 67.
//
// The tree keeps the vector units busy and the others idle, so each round of
// countAVX2 counts 16 more words with POPCNT: 89 GB/s, and 82 with 32 words. By
// llvm-mca's models that is 19 % more bytes a cycle on Zen 3 and 5 % on Skylake,
// and 12 % less on Haswell. With two operands the loads are the limit, and words
// beside the tree lost more in the second-level cache than they gained in the
// first.

#include "textflag.h"
#include "bitset_count_amd64.h"

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

// func countAVX2(p *uint64, n int) int
// n >= 0, here and below.
TEXT ·countAVX2(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), x
	MOVQ n+8(FP), left
	COUNT256(LOAD1, WORD1, BESIDE1, 80, ADVANCE1)
	MOVQ AX, ret+16(FP)
	RET

// LOAD_OF0 to LOAD_OF3 are LOAD1 for the four quarters of the operand.

#define LOAD_OF0(off, v) VMOVDQU off(x), v
#define LOAD_OF1(off, v) VMOVDQU off(R8), v
#define LOAD_OF2(off, v) VMOVDQU off(R9), v
#define LOAD_OF3(off, v) VMOVDQU off(R10), v

// countStreamAVX2 reads four places at once, two cache lines of each in turn:
// 10 to 20 % faster than countAVX2 from 32 to 128 MiB, and within 8 % of it at 256
// MiB (22 to 24 GB/s, with huge pages 29). What lost there, in a sketch in C with
// huge pages, where 256-bit loads read 27 GB/s and 512-bit ones 24 (medians):
// 512-bit loads with PREFETCHT0 0.5 to 8 KiB ahead, 21 to 24, PREFETCHNTA 1 to 4
// KiB ahead, 21 to 26, PREFETCHT1 4 KiB ahead, 27; 256-bit loads with any of them,
// 18 to 23; two or four places 4 KiB apart, 15 to 18; POPCNT of every word, 24.

// func countStreamAVX2(p *uint64, quarter int) int
// Counts 4*quarter words; quarter >= 16, a multiple of 16.
TEXT ·countStreamAVX2(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), x
	MOVQ quarter+8(FP), left
	LEAQ (x)(left*8), R8
	LEAQ (R8)(left*8), R9
	LEAQ (R9)(left*8), R10
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3
	VPXOR X4, X4, X4
	VPXOR X7, X7, X7
	VMOVDQU      nibbleCounts<>(SB), table
	VPBROADCASTQ lowNibbles<>(SB), low
round:
	FOUR(LOAD_OF0, 0, Y11)
	FOUR(LOAD_OF1, 0, Y12)
	CSA(fours, Y11, Y12, Y11, Y10)
	FOUR(LOAD_OF2, 0, Y12)
	FOUR(LOAD_OF3, 0, Y13)
	CSA(fours, Y12, Y13, Y12, Y10)
	CSA(eights, Y11, Y12, Y11, Y10)
	WEIGHED(Y11, $4, Y10)
	ADDQ $128, x
	ADDQ $128, R8
	ADDQ $128, R9
	ADDQ $128, R10
	SUBQ $16, left
	JNZ  round
	WEIGHED(eights, $3, Y10)
	WEIGHED(fours, $2, Y10)
	WEIGHED(twos, $1, Y10)
	WEIGHED(ones, $0, Y10)
	SUM_LANES(AX)
	VZEROUPPER
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
