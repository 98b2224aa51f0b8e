//go:build !purego

// Set operations into a destination, dst = a op b, for NEON.

#include "textflag.h"
#include "bitset_words_arm64.h"

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
