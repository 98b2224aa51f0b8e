//go:build !purego

// Cardinalities for NEON: popcount(p) and popcount(a op b).
//
// Counting takes two vector instructions for 16 bytes: VCNT and an addition. A tree
// of additions makes one vector of a round's eight, its bytes at most 8 × 8 = 64, and
// UADALP adds their pairs, at most 128, to eight sums of 16 bits. These hold for 511
// rounds (511 × 128 = 65408); then they go to a general register.
//
// The kernels take 16 words a round, as four loads of a register pair, for the reason
// in bitset_arm64.s. What is left goes two words at a time, then one.

#include "textflag.h"
#include "neon_arm64.h"

#define aptr   R0 // the next word of a, which is p where that is all
#define bptr   R1 // the next word of b
#define left   R3 // words left
#define zero   V18
#define total  R4 // bits counted
#define rounds R5 // rounds until the sums must be emptied
#define tmp    R6

#define sums     V16 // eight sums of 16 bits
#define sumsReg  16
#define byteSums V17 // sixteen of 8 bits: those of the tail, at most eight vectors

#define maxRounds 511 // see above

// COUNT_NEON_AND and so on set va to va op vb.
// in: va, vb, zero; out: va
#define COUNT_NEON_AND(vb, va)    VAND vb.B16, va.B16, va.B16
#define COUNT_NEON_OR(vb, va)     VORR vb.B16, va.B16, va.B16
#define COUNT_NEON_XOR(vb, va)    VEOR vb.B16, va.B16, va.B16
#define COUNT_NEON_ANDNOT(vb, va) VBIT vb.B16, zero.B16, va.B16 // inserts zeros where vb is set

// COUNT_NEON_A16 and COUNT_NEON_B16 fetch the next 16 words of a and b.
// in: aptr or bptr; out: V0 to V7 or V20 to V27, the pointer advanced
#define COUNT_NEON_A16 \
	FLDPQ 0(aptr), (F0, F1)  \
	FLDPQ 32(aptr), (F2, F3) \
	FLDPQ 64(aptr), (F4, F5) \
	FLDPQ 96(aptr), (F6, F7) \
	ADD   $128, aptr

#define COUNT_NEON_B16 \
	FLDPQ 0(bptr), (F20, F21)  \
	FLDPQ 32(bptr), (F22, F23) \
	FLDPQ 64(bptr), (F24, F25) \
	FLDPQ 96(bptr), (F26, F27) \
	ADD   $128, bptr

// COUNT_NEON_EACH16 applies OP, one of COUNT_NEON_AND and so on, to 16 words.
// in: V0 to V7, V20 to V27, zero; out: V0 to V7
#define COUNT_NEON_EACH16(OP) \
	OP(V20, V0) \
	OP(V21, V1) \
	OP(V22, V2) \
	OP(V23, V3) \
	OP(V24, V4) \
	OP(V25, V5) \
	OP(V26, V6) \
	OP(V27, V7)

// COUNT_NEON_ZERO sets the registers of the kernels that count.
// out: total, byteSums, zero
#define COUNT_NEON_ZERO \
	MOVD ZR, total                                 \
	VEOR zero.B16, zero.B16, zero.B16              \
	VEOR byteSums.B16, byteSums.B16, byteSums.B16

// COUNT_NEON_16 adds the number of bits of 16 words to sums.
// in: V0 to V7, sums; out: sums; clobbers: V0 to V7
#define COUNT_NEON_16 \
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
	UADALPH(0, sumsReg)

// COUNT_NEON_2 adds the number of bits of two words to byteSums.
// in: V0, byteSums; out: byteSums; clobbers: V0
#define COUNT_NEON_2 \
	VCNT V0.B16, V0.B16                         \
	VADD V0.B16, byteSums.B16, byteSums.B16

// func countNEON(p *uint64, n int) int
// n >= 0.
TEXT ·countNEON(SB), NOSPLIT, $0-24
	MOVD p+0(FP), aptr
	MOVD n+8(FP), left
	COUNT_NEON_ZERO

	// rounds = min(left/16, maxRounds)
chunk:
	LSR  $4, left, rounds
	CBZ  rounds, tail2
	MOVD $maxRounds, tmp
	CMP  tmp, rounds
	CSEL LO, rounds, tmp, rounds
	SUB  rounds<<4, left
	VEOR sums.B16, sums.B16, sums.B16

	// sums += popcount(p[:16])
loop16:
	COUNT_NEON_A16
	COUNT_NEON_16
	SUBS $1, rounds
	BNE  loop16

	// total += sums
	VUADDLV sums.H8, V0
	FMOVS F0, tmp
	ADD  tmp, total
	B    chunk

tail2:
	SUBS $2, left
	BLO  tail1

	// byteSums += popcount(p[:2])
loop2:
	VLD1.P 16(aptr), [V0.B16]
	COUNT_NEON_2
	SUBS $2, left
	BHS  loop2

	// byteSums += popcount(p[:1])
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	COUNT_NEON_2

done:
	VUADDLV byteSums.B16, V0
	FMOVS F0, tmp
	ADD  tmp, total
	MOVD total, ret+16(FP)
	RET

// func andCountNEON(a, b *uint64, n int) int
// n >= 0.
TEXT ·andCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), aptr
	MOVD b+8(FP), bptr
	MOVD n+16(FP), left
	COUNT_NEON_ZERO

	// rounds = min(left/16, maxRounds)
chunk:
	LSR  $4, left, rounds
	CBZ  rounds, tail2
	MOVD $maxRounds, tmp
	CMP  tmp, rounds
	CSEL LO, rounds, tmp, rounds
	SUB  rounds<<4, left
	VEOR sums.B16, sums.B16, sums.B16

	// sums += popcount(a[:16] & b[:16])
loop16:
	COUNT_NEON_A16
	COUNT_NEON_B16
	COUNT_NEON_EACH16(COUNT_NEON_AND)
	COUNT_NEON_16
	SUBS $1, rounds
	BNE  loop16

	// total += sums
	VUADDLV sums.H8, V0
	FMOVS F0, tmp
	ADD  tmp, total
	B    chunk

tail2:
	SUBS $2, left
	BLO  tail1

	// byteSums += popcount(a[:2] & b[:2])
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	COUNT_NEON_AND(V20, V0)
	COUNT_NEON_2
	SUBS $2, left
	BHS  loop2

	// byteSums += popcount(a[:1] & b[:1])
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	COUNT_NEON_AND(V20, V0)
	COUNT_NEON_2

done:
	VUADDLV byteSums.B16, V0
	FMOVS F0, tmp
	ADD  tmp, total
	MOVD total, ret+24(FP)
	RET

// func orCountNEON(a, b *uint64, n int) int
// n >= 0.
TEXT ·orCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), aptr
	MOVD b+8(FP), bptr
	MOVD n+16(FP), left
	COUNT_NEON_ZERO

	// rounds = min(left/16, maxRounds)
chunk:
	LSR  $4, left, rounds
	CBZ  rounds, tail2
	MOVD $maxRounds, tmp
	CMP  tmp, rounds
	CSEL LO, rounds, tmp, rounds
	SUB  rounds<<4, left
	VEOR sums.B16, sums.B16, sums.B16

	// sums += popcount(a[:16] | b[:16])
loop16:
	COUNT_NEON_A16
	COUNT_NEON_B16
	COUNT_NEON_EACH16(COUNT_NEON_OR)
	COUNT_NEON_16
	SUBS $1, rounds
	BNE  loop16

	// total += sums
	VUADDLV sums.H8, V0
	FMOVS F0, tmp
	ADD  tmp, total
	B    chunk

tail2:
	SUBS $2, left
	BLO  tail1

	// byteSums += popcount(a[:2] | b[:2])
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	COUNT_NEON_OR(V20, V0)
	COUNT_NEON_2
	SUBS $2, left
	BHS  loop2

	// byteSums += popcount(a[:1] | b[:1])
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	COUNT_NEON_OR(V20, V0)
	COUNT_NEON_2

done:
	VUADDLV byteSums.B16, V0
	FMOVS F0, tmp
	ADD  tmp, total
	MOVD total, ret+24(FP)
	RET

// func xorCountNEON(a, b *uint64, n int) int
// n >= 0.
TEXT ·xorCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), aptr
	MOVD b+8(FP), bptr
	MOVD n+16(FP), left
	COUNT_NEON_ZERO

	// rounds = min(left/16, maxRounds)
chunk:
	LSR  $4, left, rounds
	CBZ  rounds, tail2
	MOVD $maxRounds, tmp
	CMP  tmp, rounds
	CSEL LO, rounds, tmp, rounds
	SUB  rounds<<4, left
	VEOR sums.B16, sums.B16, sums.B16

	// sums += popcount(a[:16] ^ b[:16])
loop16:
	COUNT_NEON_A16
	COUNT_NEON_B16
	COUNT_NEON_EACH16(COUNT_NEON_XOR)
	COUNT_NEON_16
	SUBS $1, rounds
	BNE  loop16

	// total += sums
	VUADDLV sums.H8, V0
	FMOVS F0, tmp
	ADD  tmp, total
	B    chunk

tail2:
	SUBS $2, left
	BLO  tail1

	// byteSums += popcount(a[:2] ^ b[:2])
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	COUNT_NEON_XOR(V20, V0)
	COUNT_NEON_2
	SUBS $2, left
	BHS  loop2

	// byteSums += popcount(a[:1] ^ b[:1])
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	COUNT_NEON_XOR(V20, V0)
	COUNT_NEON_2

done:
	VUADDLV byteSums.B16, V0
	FMOVS F0, tmp
	ADD  tmp, total
	MOVD total, ret+24(FP)
	RET

// func andNotCountNEON(a, b *uint64, n int) int
// n >= 0.
TEXT ·andNotCountNEON(SB), NOSPLIT, $0-32
	MOVD a+0(FP), aptr
	MOVD b+8(FP), bptr
	MOVD n+16(FP), left
	COUNT_NEON_ZERO

	// rounds = min(left/16, maxRounds)
chunk:
	LSR  $4, left, rounds
	CBZ  rounds, tail2
	MOVD $maxRounds, tmp
	CMP  tmp, rounds
	CSEL LO, rounds, tmp, rounds
	SUB  rounds<<4, left
	VEOR sums.B16, sums.B16, sums.B16

	// sums += popcount(a[:16] &^ b[:16])
loop16:
	COUNT_NEON_A16
	COUNT_NEON_B16
	COUNT_NEON_EACH16(COUNT_NEON_ANDNOT)
	COUNT_NEON_16
	SUBS $1, rounds
	BNE  loop16

	// total += sums
	VUADDLV sums.H8, V0
	FMOVS F0, tmp
	ADD  tmp, total
	B    chunk

tail2:
	SUBS $2, left
	BLO  tail1

	// byteSums += popcount(a[:2] &^ b[:2])
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	COUNT_NEON_ANDNOT(V20, V0)
	COUNT_NEON_2
	SUBS $2, left
	BHS  loop2

	// byteSums += popcount(a[:1] &^ b[:1])
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	COUNT_NEON_ANDNOT(V20, V0)
	COUNT_NEON_2

done:
	VUADDLV byteSums.B16, V0
	FMOVS F0, tmp
	ADD  tmp, total
	MOVD total, ret+24(FP)
	RET
