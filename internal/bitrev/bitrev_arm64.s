//go:build !purego

// The bits of each byte in reverse order, for NEON: RBIT on vectors of 16 bytes, eight
// a round. The last vector overlaps with what came before. It is read before anything is
// written, because dst may be src, and written after all else.

#include "textflag.h"

#define dstptr  R0 // the next byte of dst and of src
#define srcptr  R1
#define left    R2 // bytes left
#define lastptr R3 // where the last vector goes

// REVERSE_NEON_8 reverses the bits of each byte of eight vectors.
// in, out: V0 to V7
#define REVERSE_NEON_8 \
	VRBIT V0.B16, V0.B16 \
	VRBIT V1.B16, V1.B16 \
	VRBIT V2.B16, V2.B16 \
	VRBIT V3.B16, V3.B16 \
	VRBIT V4.B16, V4.B16 \
	VRBIT V5.B16, V5.B16 \
	VRBIT V6.B16, V6.B16 \
	VRBIT V7.B16, V7.B16

// func reverseNEON(dst, src *byte, n int)
// n >= 16. dst may be src.
TEXT ·reverseNEON(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), dstptr
	MOVD src+8(FP), srcptr
	MOVD n+16(FP), left

	// last = reverse(src[n-16:])
	ADD   left, srcptr, lastptr
	FMOVQ -16(lastptr), F16
	VRBIT V16.B16, V16.B16
	ADD   left, dstptr, lastptr
	SUBS  $128, left
	BLT   tail16

	// dst[:128] = reverse(src[:128]); all loads come before the stores, because dst may
	// be src
loop128:
	FLDPQ 0(srcptr), (F0, F1)
	FLDPQ 32(srcptr), (F2, F3)
	FLDPQ 64(srcptr), (F4, F5)
	FLDPQ 96(srcptr), (F6, F7)
	ADD   $128, srcptr
	REVERSE_NEON_8
	FSTPQ (F0, F1), 0(dstptr)
	FSTPQ (F2, F3), 32(dstptr)
	FSTPQ (F4, F5), 64(dstptr)
	FSTPQ (F6, F7), 96(dstptr)
	ADD   $128, dstptr
	SUBS  $128, left
	BGE   loop128

	// dst[:16] = reverse(src[:16]), as long as more than 16 bytes are left.
tail16:
	ADDS $128-16, left
	BLE  last

loop16:
	VLD1.P 16(srcptr), [V0.B16]
	VRBIT  V0.B16, V0.B16
	VST1.P [V0.B16], 16(dstptr)
	SUBS   $16, left
	BGT    loop16

last:
	FMOVQ F16, -16(lastptr)
	RET
