//go:build !purego

// Set operations into a destination that are counted on the way. Those on many
// operands are in bitset_sets_amd64.s.
//
// AVX-512 takes vectors of 256 bits, for the sake of the stores: 1 % slower than
// the operation alone at 8 KiB on Zen 4, and with 512 bits 7 %.
//
// With AVX2 the tree of the cardinalities decides: 1.7 times the operation alone
// in the first-level cache, and 1.0 to 1.1 times beyond, where both wait for
// memory. No less than 1.5 times is possible on Zen 4: 15 adders of five
// instructions and a table for sixteen vectors, and the operation itself, are 6.2
// vector instructions a vector, of which four run a cycle, while the operation
// alone is stored in 1.05 cycles. (Intel's cores with three vector ports and one
// store a cycle: 2.0.) What did not help, in runs where this took 1.69 or 1.84:
// counting two of 18 vectors with POPCNT from dst, half a round later (1.62 at 8
// KiB, but 1.95 instead of 1.53 at 64 words and 1.02 instead of 1.00 at 256 KiB)
// or at once (1.97 instead of 1.84); doing eight words of 72 in general registers
// (1.73 of 1.84); the instructions of a round in the order of a list scheduler for
// four ports (1.77 of 1.84).

#include "textflag.h"
#include "bitset_count_amd64.h"

#define to R14

#define ADVANCE3(bytes) \
	ADDQ bytes, x  \
	ADDQ bytes, y  \
	ADDQ bytes, to

#define ARGS3 \
	MOVQ dst+0(FP), to  \
	MOVQ a+8(FP), x     \
	MOVQ b+16(FP), y    \
	MOVQ n+24(FP), left

// PAIR512 computes a vector of 128 or 256 bits at distance off and adds its
// counts to sum. Clobbers v.
#define PAIR512(VOP, off, v, sum) \
	VMOVDQU64 off(y), v    \
	VOP       off(x), v, v \
	VMOVDQU64 v, off(to)   \
	VPOPCNTQ  v, v         \
	VPADDQ    v, sum, sum

// WORD512 is PAIR512 for one word. Clobbers X0, X1.
#define WORD512(VOP, sum) \
	VMOVQ    (y), X0    \
	VMOVQ    (x), X1    \
	VOP      X1, X0, X0 \
	VMOVQ    X0, (to)   \
	VPOPCNTQ X0, X0     \
	VPADDQ   X0, sum, sum

// COUNTED512 sets AX to the count of what it writes: as BINARY in
// bitset_amd64.s, with sums. Those of less than 256 bits have a register of
// their own, because adding 128 bits clears the other half.
// Clobbers x, y, to, left, Y0 to Y8.
#define COUNTED512(VOP) \
	VPXOR   X4, X4, X4        \
	VPXOR   X5, X5, X5        \
	VPXOR   X6, X6, X6        \
	VPXOR   X7, X7, X7        \
	VPXOR   X8, X8, X8        \
	CMPQ    left, $64         \
	JLT     rounds            \
	TESTQ   $8, to            \
	JZ      pair              \
	WORD512(VOP, X8)          \
	ADVANCE3($8)              \
	DECQ    left              \
pair: \
	TESTQ   $16, to           \
	JZ      rounds            \
	PAIR512(VOP, 0, X0, X8)   \
	ADVANCE3($16)             \
	SUBQ    $2, left          \
rounds: \
	SUBQ    $32, left         \
	JLT     few               \
loop32: \
	PAIR512(VOP, 0, Y0, Y4)   \
	PAIR512(VOP, 32, Y1, Y5)  \
	PAIR512(VOP, 64, Y2, Y6)  \
	PAIR512(VOP, 96, Y3, Y7)  \
	PAIR512(VOP, 128, Y0, Y4) \
	PAIR512(VOP, 160, Y1, Y5) \
	PAIR512(VOP, 192, Y2, Y6) \
	PAIR512(VOP, 224, Y3, Y7) \
	ADVANCE3($256)            \
	SUBQ    $32, left         \
	JGE     loop32            \
few: \
	ADDQ    $32-4, left       \
	JLT     two               \
loop4: \
	PAIR512(VOP, 0, Y0, Y4)   \
	ADVANCE3($32)             \
	SUBQ    $4, left          \
	JGE     loop4             \
two: \
	TESTQ   $2, left          \
	JZ      one               \
	PAIR512(VOP, 0, X0, X8)   \
	ADVANCE3($16)             \
one: \
	TESTQ   $1, left          \
	JZ      done              \
	WORD512(VOP, X8)          \
done: \
	VPADDQ  Y5, Y4, Y4        \
	VPADDQ  Y7, Y6, Y6        \
	VPADDQ  Y6, Y4, Y0        \
	VPADDQ  Y8, Y0, Y0        \
	SUM_LANES(AX)             \
	VZEROUPPER

// func andWithCountAVX512(dst, a, b *uint64, n int) int
// n >= 0, and dst may be a or b, here and below.
TEXT ·andWithCountAVX512(SB), NOSPLIT, $0-40
	ARGS3
	COUNTED512(VPANDQ)
	MOVQ AX, ret+32(FP)
	RET

// func orWithCountAVX512(dst, a, b *uint64, n int) int
TEXT ·orWithCountAVX512(SB), NOSPLIT, $0-40
	ARGS3
	COUNTED512(VPORQ)
	MOVQ AX, ret+32(FP)
	RET

// func xorWithCountAVX512(dst, a, b *uint64, n int) int
TEXT ·xorWithCountAVX512(SB), NOSPLIT, $0-40
	ARGS3
	COUNTED512(VPXORQ)
	MOVQ AX, ret+32(FP)
	RET

// func andNotWithCountAVX512(dst, a, b *uint64, n int) int
TEXT ·andNotWithCountAVX512(SB), NOSPLIT, $0-40
	ARGS3
	COUNTED512(VPANDNQ)
	MOVQ AX, ret+32(FP)
	RET

// PUT256 and PUTW are LOAD2 and WORD2 that also store what they count.

#define PUT256(VOP, off, v) \
	LOAD2(VOP, off, v)   \
	VMOVDQU v, off(to)

#define PUTW(OP, off, t, sum) \
	MOVQ    off(y), t  \
	OP(off, t)         \
	MOVQ    t, off(to) \
	POPCNTQ t, t       \
	ADDQ    t, sum

#define PUT_AND(off, v)    PUT256(VPAND, off, v)
#define PUT_OR(off, v)     PUT256(VPOR, off, v)
#define PUT_XOR(off, v)    PUT256(VPXOR, off, v)
#define PUT_ANDNOT(off, v) PUT256(VPANDN, off, v)

#define PUTW_AND(off, t, sum)    PUTW(ANDW, off, t, sum)
#define PUTW_OR(off, t, sum)     PUTW(ORW, off, t, sum)
#define PUTW_XOR(off, t, sum)    PUTW(XORW, off, t, sum)
#define PUTW_ANDNOT(off, t, sum) PUTW(ANDNOTW, off, t, sum)

// func andWithCountAVX2(dst, a, b *uint64, n int) int
TEXT ·andWithCountAVX2(SB), NOSPLIT, $0-40
	ARGS3
	COUNT256(PUT_AND, PUTW_AND, BESIDE_NONE, 64, ADVANCE3)
	MOVQ AX, ret+32(FP)
	RET

// func orWithCountAVX2(dst, a, b *uint64, n int) int
TEXT ·orWithCountAVX2(SB), NOSPLIT, $0-40
	ARGS3
	COUNT256(PUT_OR, PUTW_OR, BESIDE_NONE, 64, ADVANCE3)
	MOVQ AX, ret+32(FP)
	RET

// func xorWithCountAVX2(dst, a, b *uint64, n int) int
TEXT ·xorWithCountAVX2(SB), NOSPLIT, $0-40
	ARGS3
	COUNT256(PUT_XOR, PUTW_XOR, BESIDE_NONE, 64, ADVANCE3)
	MOVQ AX, ret+32(FP)
	RET

// func andNotWithCountAVX2(dst, a, b *uint64, n int) int
TEXT ·andNotWithCountAVX2(SB), NOSPLIT, $0-40
	ARGS3
	COUNT256(PUT_ANDNOT, PUTW_ANDNOT, BESIDE_NONE, 64, ADVANCE3)
	MOVQ AX, ret+32(FP)
	RET
