//go:build !purego

// Set operations into a destination, dst = a op b, for NEON.
//
// The kernels take 16 words a round, as four loads of a register pair: no core
// charges more for that than for the two halves, as Apple's do for a VLD1 of four
// registers. What is left goes two words at a time, then one.

#include "textflag.h"

#define aptr   R0 // the next word of a
#define bptr   R1 // the next word of b
#define dstptr R2 // the next word of dst
#define left   R3 // words left
#define zero   V18

// WORDS_AND and so on set va to va op vb.
// in: va, vb, zero; out: va
#define WORDS_AND(vb, va)    VAND vb.B16, va.B16, va.B16
#define WORDS_OR(vb, va)     VORR vb.B16, va.B16, va.B16
#define WORDS_XOR(vb, va)    VEOR vb.B16, va.B16, va.B16
#define WORDS_ANDNOT(vb, va) VBIT vb.B16, zero.B16, va.B16 // inserts zeros where vb is set

// WORDS_A16 and WORDS_B16 fetch the next 16 words of a and b.
// in: aptr or bptr; out: V0 to V7 or V20 to V27, the pointer advanced
#define WORDS_A16 \
	FLDPQ 0(aptr), (F0, F1)  \
	FLDPQ 32(aptr), (F2, F3) \
	FLDPQ 64(aptr), (F4, F5) \
	FLDPQ 96(aptr), (F6, F7) \
	ADD   $128, aptr

#define WORDS_B16 \
	FLDPQ 0(bptr), (F20, F21)  \
	FLDPQ 32(bptr), (F22, F23) \
	FLDPQ 64(bptr), (F24, F25) \
	FLDPQ 96(bptr), (F26, F27) \
	ADD   $128, bptr

// WORDS_EACH16 applies OP, one of WORDS_AND and so on, to 16 words.
// in: V0 to V7, V20 to V27, zero; out: V0 to V7
#define WORDS_EACH16(OP) \
	OP(V20, V0) \
	OP(V21, V1) \
	OP(V22, V2) \
	OP(V23, V3) \
	OP(V24, V4) \
	OP(V25, V5) \
	OP(V26, V6) \
	OP(V27, V7)

// WORDS_PUT16 stores the next 16 words of dst.
// in: V0 to V7, dstptr; out: dstptr advanced
#define WORDS_PUT16 \
	FSTPQ (F0, F1), 0(dstptr)  \
	FSTPQ (F2, F3), 32(dstptr) \
	FSTPQ (F4, F5), 64(dstptr) \
	FSTPQ (F6, F7), 96(dstptr) \
	ADD   $128, dstptr

// func andNEON(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b; if it overlaps them otherwise, its contents are undefined.
TEXT ·andNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), dstptr
	MOVD a+8(FP), aptr
	MOVD b+16(FP), bptr
	MOVD n+24(FP), left
	VEOR zero.B16, zero.B16, zero.B16
	SUBS $16, left
	BLO  tail2

	// dst[:16] = a[:16] & b[:16]; all loads come before the stores, because dst may
	// be a or b
loop16:
	WORDS_A16
	WORDS_B16
	WORDS_EACH16(WORDS_AND)
	WORDS_PUT16
	SUBS $16, left
	BHS  loop16

tail2:
	ADDS $14, left
	BMI  tail1

	// dst[:2] = a[:2] & b[:2]
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	WORDS_AND(V20, V0)
	VST1.P [V0.B16], 16(dstptr)
	SUBS $2, left
	BHS  loop2

	// dst[0] = a[0] & b[0]
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	WORDS_AND(V20, V0)
	FMOVD F0, (dstptr)

done:
	RET

// func orNEON(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b.
TEXT ·orNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), dstptr
	MOVD a+8(FP), aptr
	MOVD b+16(FP), bptr
	MOVD n+24(FP), left
	VEOR zero.B16, zero.B16, zero.B16
	SUBS $16, left
	BLO  tail2

	// dst[:16] = a[:16] | b[:16]
loop16:
	WORDS_A16
	WORDS_B16
	WORDS_EACH16(WORDS_OR)
	WORDS_PUT16
	SUBS $16, left
	BHS  loop16

tail2:
	ADDS $14, left
	BMI  tail1

	// dst[:2] = a[:2] | b[:2]
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	WORDS_OR(V20, V0)
	VST1.P [V0.B16], 16(dstptr)
	SUBS $2, left
	BHS  loop2

	// dst[0] = a[0] | b[0]
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	WORDS_OR(V20, V0)
	FMOVD F0, (dstptr)

done:
	RET

// func xorNEON(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b.
TEXT ·xorNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), dstptr
	MOVD a+8(FP), aptr
	MOVD b+16(FP), bptr
	MOVD n+24(FP), left
	VEOR zero.B16, zero.B16, zero.B16
	SUBS $16, left
	BLO  tail2

	// dst[:16] = a[:16] ^ b[:16]
loop16:
	WORDS_A16
	WORDS_B16
	WORDS_EACH16(WORDS_XOR)
	WORDS_PUT16
	SUBS $16, left
	BHS  loop16

tail2:
	ADDS $14, left
	BMI  tail1

	// dst[:2] = a[:2] ^ b[:2]
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	WORDS_XOR(V20, V0)
	VST1.P [V0.B16], 16(dstptr)
	SUBS $2, left
	BHS  loop2

	// dst[0] = a[0] ^ b[0]
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	WORDS_XOR(V20, V0)
	FMOVD F0, (dstptr)

done:
	RET

// func andNotNEON(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b.
TEXT ·andNotNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), dstptr
	MOVD a+8(FP), aptr
	MOVD b+16(FP), bptr
	MOVD n+24(FP), left
	VEOR zero.B16, zero.B16, zero.B16
	SUBS $16, left
	BLO  tail2

	// dst[:16] = a[:16] &^ b[:16]
loop16:
	WORDS_A16
	WORDS_B16
	WORDS_EACH16(WORDS_ANDNOT)
	WORDS_PUT16
	SUBS $16, left
	BHS  loop16

tail2:
	ADDS $14, left
	BMI  tail1

	// dst[:2] = a[:2] &^ b[:2]
loop2:
	VLD1.P 16(aptr), [V0.B16]
	VLD1.P 16(bptr), [V20.B16]
	WORDS_ANDNOT(V20, V0)
	VST1.P [V0.B16], 16(dstptr)
	SUBS $2, left
	BHS  loop2

	// dst[0] = a[0] &^ b[0]
tail1:
	TBZ  $0, left, done
	FMOVD.P 8(aptr), F0
	FMOVD.P 8(bptr), F20
	WORDS_ANDNOT(V20, V0)
	FMOVD F0, (dstptr)

done:
	RET
