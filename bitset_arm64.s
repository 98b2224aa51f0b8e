//go:build !purego

// The word-slice kernels for NEON.
//
// All of them take 16 words (128 bytes of an operand) a round, as four loads of
// a register pair, which costs no more than its two halves on any core, where a
// four-register VLD1 does on Apple's. What is left goes two words at a time,
// then one.
//
// Counting takes two vector instructions for 16 bytes: VCNT and an addition. A
// tree of additions makes one vector of a round's eight, its bytes at most
// 8 × 8 = 64, and UADALP adds their pairs, at most 128, to eight 16-bit sums.
// These hold for 511 rounds (511 × 128 = 65408); then they go to a general
// register. What lost: widening every VCNT with UADDLP, as compilers do (twice
// the vector instructions), and Harley-Seal, whose carry-save adders take three
// instructions for 16 bytes before the first VCNT.

#include "textflag.h"
#include "neon_arm64.h"

// Registers of the kernels that read whole slices:
#define x      R0 // next words of the first operand
#define y      R1 // next words of the second
#define out    R2 // next words of the result
#define left   R3 // words not yet done
#define total  R4 // bits counted
#define rounds R5 // rounds until the sums must be emptied
#define tmp    R6

#define vSums  V16 // eight 16-bit sums
#define nSums  16
#define vBytes V17 // sixteen 8-bit sums
#define vZero  V18

#define maxRounds 511 // see above

// The operations: a = a op b.
#define AND(b, a)    VAND b.B16, a.B16, a.B16
#define OR(b, a)     VORR b.B16, a.B16, a.B16
#define XOR(b, a)    VEOR b.B16, a.B16, a.B16
#define ANDNOT(b, a) VBIT b.B16, vZero.B16, a.B16 // inserts zeros where b is set
#define FIRST(b, a)

// Loads of 16, 2 or 1 words from x or y, which they advance.
// out: V0 to V7 or V0; V20 to V27 or V20
#define X16 \
	FLDPQ 0(x), (F0, F1)  \
	FLDPQ 32(x), (F2, F3) \
	FLDPQ 64(x), (F4, F5) \
	FLDPQ 96(x), (F6, F7) \
	ADD   $128, x

#define Y16 \
	FLDPQ 0(y), (F20, F21)  \
	FLDPQ 32(y), (F22, F23) \
	FLDPQ 64(y), (F24, F25) \
	FLDPQ 96(y), (F26, F27) \
	ADD   $128, y

#define X2   VLD1.P 16(x), [V0.B16]
#define Y2   VLD1.P 16(y), [V20.B16]
#define X1   FMOVD.P 8(x), F0
#define Y1   FMOVD.P 8(y), F20
#define NONE

// EACH16 applies OP to 16 words.
// in: V0 to V7, V20 to V27; out: V0 to V7
#define EACH16(OP) \
	OP(V20, V0) \
	OP(V21, V1) \
	OP(V22, V2) \
	OP(V23, V3) \
	OP(V24, V4) \
	OP(V25, V5) \
	OP(V26, V6) \
	OP(V27, V7)

// COUNT16 adds the bits of 16 words to vSums.
// in: V0 to V7, which it clobbers
#define COUNT16 \
	VCNT V0.B16, V0.B16         \
	VCNT V1.B16, V1.B16         \
	VCNT V2.B16, V2.B16         \
	VCNT V3.B16, V3.B16         \
	VCNT V4.B16, V4.B16         \
	VCNT V5.B16, V5.B16         \
	VCNT V6.B16, V6.B16         \
	VCNT V7.B16, V7.B16         \
	VADD V0.B16, V1.B16, V0.B16 \
	VADD V2.B16, V3.B16, V2.B16 \
	VADD V4.B16, V5.B16, V4.B16 \
	VADD V6.B16, V7.B16, V6.B16 \
	VADD V0.B16, V2.B16, V0.B16 \
	VADD V4.B16, V6.B16, V4.B16 \
	VADD V0.B16, V4.B16, V0.B16 \
	UADALPH(0, nSums)

// COUNT counts the bits of OP over left words. The tail is at most eight
// vectors: its byte sums stay below 65.
// out: total; clobbers all other registers named above
#define COUNT(OP, Y16, Y2, Y1) \
	MOVD    ZR, total                        \
	VEOR    vZero.B16, vZero.B16, vZero.B16  \
	VEOR    vBytes.B16, vBytes.B16, vBytes.B16 \
chunk: \
	LSR     $4, left, rounds                 \
	CBZ     rounds, tail                     \
	MOVD    $maxRounds, tmp                  \
	CMP     tmp, rounds                      \
	CSEL    LO, rounds, tmp, rounds          \
	SUB     rounds<<4, left                  \
	VEOR    vSums.B16, vSums.B16, vSums.B16  \
loop16: \
	X16                                      \
	Y16                                      \
	EACH16(OP)                               \
	COUNT16                                  \
	SUBS    $1, rounds                       \
	BNE     loop16                           \
	VUADDLV vSums.H8, V0                     \
	FMOVS   F0, tmp                          \
	ADD     tmp, total                       \
	B       chunk                            \
tail: \
	SUBS    $2, left                         \
	BLO     last                             \
loop2: \
	X2                                       \
	Y2                                       \
	OP(V20, V0)                              \
	VCNT    V0.B16, V0.B16                   \
	VADD    V0.B16, vBytes.B16, vBytes.B16   \
	SUBS    $2, left                         \
	BHS     loop2                            \
last: \
	TBZ     $0, left, done                   \
	X1                                       \
	Y1                                       \
	OP(V20, V0)                              \
	VCNT    V0.B16, V0.B16                   \
	VADD    V0.B16, vBytes.B16, vBytes.B16   \
done: \
	VUADDLV vBytes.B16, V0                   \
	FMOVS   F0, tmp                          \
	ADD     tmp, total

// func countNEON(p *uint64, n int) int
//
// n >= 0
TEXT ·countNEON(SB), NOSPLIT, $0-24
	MOVD p+0(FP), x
	MOVD n+8(FP), left
	COUNT(FIRST, NONE, NONE, NONE)
	MOVD total, ret+16(FP)
	RET

// BINARY writes x op y to out over left words. Every load of a round comes
// before its stores, so that out may be x or y.
// clobbers all registers named above but total
#define BINARY(OP) \
	VEOR   vZero.B16, vZero.B16, vZero.B16 \
	SUBS   $16, left                       \
	BLO    tail                            \
loop16: \
	X16                                    \
	Y16                                    \
	EACH16(OP)                             \
	FSTPQ  (F0, F1), 0(out)                \
	FSTPQ  (F2, F3), 32(out)               \
	FSTPQ  (F4, F5), 64(out)               \
	FSTPQ  (F6, F7), 96(out)               \
	ADD    $128, out                       \
	SUBS   $16, left                       \
	BHS    loop16                          \
tail: \
	ADDS   $14, left                       \
	BMI    last                            \
loop2: \
	X2                                     \
	Y2                                     \
	OP(V20, V0)                            \
	VST1.P [V0.B16], 16(out)               \
	SUBS   $2, left                        \
	BHS    loop2                           \
last: \
	TBZ    $0, left, done                  \
	X1                                     \
	Y1                                     \
	OP(V20, V0)                            \
	FMOVD  F0, (out)                       \
done: \

// func andNEON(dst, a, b *uint64, n int)
//
// n >= 0. dst may be a or b; no other overlap.
TEXT ·andNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), out
	MOVD a+8(FP), x
	MOVD b+16(FP), y
	MOVD n+24(FP), left
	BINARY(AND)
	RET

// func orNEON(dst, a, b *uint64, n int)
TEXT ·orNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), out
	MOVD a+8(FP), x
	MOVD b+16(FP), y
	MOVD n+24(FP), left
	BINARY(OR)
	RET

// func xorNEON(dst, a, b *uint64, n int)
TEXT ·xorNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), out
	MOVD a+8(FP), x
	MOVD b+16(FP), y
	MOVD n+24(FP), left
	BINARY(XOR)
	RET

// func andNotNEON(dst, a, b *uint64, n int)
TEXT ·andNotNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), out
	MOVD a+8(FP), x
	MOVD b+16(FP), y
	MOVD n+24(FP), left
	BINARY(ANDNOT)
	RET

// func andCountNEON(a, b *uint64, n int) int
//
// n >= 0
TEXT ·andCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), x
	MOVD b+8(FP), y
	MOVD n+16(FP), left
	COUNT(AND, Y16, Y2, Y1)
	MOVD total, ret+24(FP)
	RET

// func orCountNEON(a, b *uint64, n int) int
TEXT ·orCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), x
	MOVD b+8(FP), y
	MOVD n+16(FP), left
	COUNT(OR, Y16, Y2, Y1)
	MOVD total, ret+24(FP)
	RET

// func xorCountNEON(a, b *uint64, n int) int
TEXT ·xorCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), x
	MOVD b+8(FP), y
	MOVD n+16(FP), left
	COUNT(XOR, Y16, Y2, Y1)
	MOVD total, ret+24(FP)
	RET

// func andNotCountNEON(a, b *uint64, n int) int
TEXT ·andNotCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), x
	MOVD b+8(FP), y
	MOVD n+16(FP), left
	COUNT(ANDNOT, Y16, Y2, Y1)
	MOVD total, ret+24(FP)
	RET
