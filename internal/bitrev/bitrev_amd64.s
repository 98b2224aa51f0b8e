//go:build !purego

// The bits of each byte in reverse order.
//
// With GFNI by one instruction: VGF2P8AFFINEQB multiplies each byte, as a vector of
// bits, with a matrix, here the one with ones in the antidiagonal. With AVX2 by two
// tables of sixteen bytes, one for each half of a byte.
//
// A store that straddles two cache lines costs as much as two, so the rounds store to
// aligned addresses. The vectors at both ends are not aligned and overlap with the
// rounds. They are read before anything is written, because dst may be src, and
// written after all else.

#include "textflag.h"

#define dstptr  DI // the next byte of dst and of src
#define srcptr  SI
#define left    CX // bytes left
#define headptr R8 // where the vectors of the two ends go
#define lastptr R9
#define skip    AX // bytes to an aligned address of dst

// antidiagonal is the matrix of eight rows of which row i has bit i: the highest byte
// is the first row.
DATA antidiagonal<>+0(SB)/8, $0x8040201008040201
GLOBL antidiagonal<>(SB), RODATA|NOPTR, $8

// reversedLow has for each value of a byte's low half the high half that it becomes,
// reversedHigh for each value of the high half the low half.
DATA reversedLow<>+0(SB)/8, $0xe060a020c0408000
DATA reversedLow<>+8(SB)/8, $0xf070b030d0509010
GLOBL reversedLow<>(SB), RODATA|NOPTR, $16

DATA reversedHigh<>+0(SB)/8, $0x0e060a020c040800
DATA reversedHigh<>+8(SB)/8, $0x0f070b030d050901
GLOBL reversedHigh<>(SB), RODATA|NOPTR, $16

DATA lowHalves<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowHalves<>(SB), RODATA|NOPTR, $8

// REVERSE_GFNI reverses the bits of each byte of v.
// in: matrix of v's size; out: v
#define REVERSE_GFNI(matrix, v) \
	VGF2P8AFFINEQB $0, matrix, v, v

// REVERSE_AVX2 reverses the bits of each byte of v.
// in: Y13 = reversedLow, Y14 = reversedHigh, Y15 = lowHalves; out: v; clobbers: t
#define REVERSE_AVX2(v, t) \
	VPSRLW  $4, v, t   \
	VPAND   Y15, v, v  \
	VPAND   Y15, t, t  \
	VPSHUFB v, Y13, v  \
	VPSHUFB t, Y14, t  \
	VPOR    t, v, v

// REVERSE_ENDS notes where the vectors of both ends go.
// in: dstptr, left; out: headptr, lastptr
#define REVERSE_ENDS(size) \
	MOVQ dstptr, headptr               \
	LEAQ -size(dstptr)(left*1), lastptr

// REVERSE_ALIGN moves on to the next address of dst that is a multiple of size, by at
// least a byte and at most size.
// in, out: dstptr, srcptr, left; clobbers: skip
#define REVERSE_ALIGN(size) \
	MOVQ dstptr, skip       \
	ANDQ $(size-1), skip    \
	SUBQ $size, skip        \
	SUBQ skip, dstptr       \
	SUBQ skip, srcptr       \
	ADDQ skip, left

// func reverseGFNI512(dst, src *byte, n int)
// n >= 64. dst may be src.
TEXT ·reverseGFNI512(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), dstptr
	MOVQ src+8(FP), srcptr
	MOVQ n+16(FP), left
	VPBROADCASTQ antidiagonal<>(SB), Z7

	// head, last = reverse(src[:64]), reverse(src[n-64:])
	VMOVDQU64 (srcptr), Z5
	VMOVDQU64 -64(srcptr)(left*1), Z6
	REVERSE_GFNI(Z7, Z5)
	REVERSE_GFNI(Z7, Z6)
	REVERSE_ENDS(64)
	REVERSE_ALIGN(64)
	SUBQ $256, left
	JLT  tail64

	// dst[:256] = reverse(src[:256])
loop256:
	VMOVDQU64 (srcptr), Z0
	VMOVDQU64 64(srcptr), Z1
	VMOVDQU64 128(srcptr), Z2
	VMOVDQU64 192(srcptr), Z3
	REVERSE_GFNI(Z7, Z0)
	REVERSE_GFNI(Z7, Z1)
	REVERSE_GFNI(Z7, Z2)
	REVERSE_GFNI(Z7, Z3)
	VMOVDQU64 Z0, (dstptr)
	VMOVDQU64 Z1, 64(dstptr)
	VMOVDQU64 Z2, 128(dstptr)
	VMOVDQU64 Z3, 192(dstptr)
	ADDQ $256, srcptr
	ADDQ $256, dstptr
	SUBQ $256, left
	JGE  loop256

	// dst[:64] = reverse(src[:64]), as long as more than 64 bytes are left.
tail64:
	ADDQ $256-64, left
	JLE  ends

loop64:
	VMOVDQU64 (srcptr), Z0
	REVERSE_GFNI(Z7, Z0)
	VMOVDQU64 Z0, (dstptr)
	ADDQ $64, srcptr
	ADDQ $64, dstptr
	SUBQ $64, left
	JGT  loop64

ends:
	VMOVDQU64 Z5, (headptr)
	VMOVDQU64 Z6, (lastptr)
	VZEROUPPER
	RET

// func reverseGFNI256(dst, src *byte, n int)
// n >= 32. dst may be src.
TEXT ·reverseGFNI256(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), dstptr
	MOVQ src+8(FP), srcptr
	MOVQ n+16(FP), left
	VPBROADCASTQ antidiagonal<>(SB), Y7

	// head, last = reverse(src[:32]), reverse(src[n-32:])
	VMOVDQU (srcptr), Y5
	VMOVDQU -32(srcptr)(left*1), Y6
	REVERSE_GFNI(Y7, Y5)
	REVERSE_GFNI(Y7, Y6)
	REVERSE_ENDS(32)
	REVERSE_ALIGN(32)
	SUBQ $128, left
	JLT  tail32

	// dst[:128] = reverse(src[:128])
loop128:
	VMOVDQU (srcptr), Y0
	VMOVDQU 32(srcptr), Y1
	VMOVDQU 64(srcptr), Y2
	VMOVDQU 96(srcptr), Y3
	REVERSE_GFNI(Y7, Y0)
	REVERSE_GFNI(Y7, Y1)
	REVERSE_GFNI(Y7, Y2)
	REVERSE_GFNI(Y7, Y3)
	VMOVDQU Y0, (dstptr)
	VMOVDQU Y1, 32(dstptr)
	VMOVDQU Y2, 64(dstptr)
	VMOVDQU Y3, 96(dstptr)
	ADDQ $128, srcptr
	ADDQ $128, dstptr
	SUBQ $128, left
	JGE  loop128

	// dst[:32] = reverse(src[:32]), as long as more than 32 bytes are left.
tail32:
	ADDQ $128-32, left
	JLE  ends

loop32:
	VMOVDQU (srcptr), Y0
	REVERSE_GFNI(Y7, Y0)
	VMOVDQU Y0, (dstptr)
	ADDQ $32, srcptr
	ADDQ $32, dstptr
	SUBQ $32, left
	JGT  loop32

ends:
	VMOVDQU Y5, (headptr)
	VMOVDQU Y6, (lastptr)
	VZEROUPPER
	RET

// func reverseAVX2(dst, src *byte, n int)
// n >= 32. dst may be src.
TEXT ·reverseAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), dstptr
	MOVQ src+8(FP), srcptr
	MOVQ n+16(FP), left
	VBROADCASTI128 reversedLow<>(SB), Y13
	VBROADCASTI128 reversedHigh<>(SB), Y14
	VPBROADCASTQ lowHalves<>(SB), Y15

	// head, last = reverse(src[:32]), reverse(src[n-32:])
	VMOVDQU (srcptr), Y11
	VMOVDQU -32(srcptr)(left*1), Y12
	REVERSE_AVX2(Y11, Y4)
	REVERSE_AVX2(Y12, Y5)
	REVERSE_ENDS(32)
	REVERSE_ALIGN(32)
	SUBQ $128, left
	JLT  tail32

	// dst[:128] = reverse(src[:128])
loop128:
	VMOVDQU (srcptr), Y0
	VMOVDQU 32(srcptr), Y1
	VMOVDQU 64(srcptr), Y2
	VMOVDQU 96(srcptr), Y3
	REVERSE_AVX2(Y0, Y4)
	REVERSE_AVX2(Y1, Y5)
	REVERSE_AVX2(Y2, Y6)
	REVERSE_AVX2(Y3, Y7)
	VMOVDQU Y0, (dstptr)
	VMOVDQU Y1, 32(dstptr)
	VMOVDQU Y2, 64(dstptr)
	VMOVDQU Y3, 96(dstptr)
	ADDQ $128, srcptr
	ADDQ $128, dstptr
	SUBQ $128, left
	JGE  loop128

	// dst[:32] = reverse(src[:32]), as long as more than 32 bytes are left.
tail32:
	ADDQ $128-32, left
	JLE  ends

loop32:
	VMOVDQU (srcptr), Y0
	REVERSE_AVX2(Y0, Y4)
	VMOVDQU Y0, (dstptr)
	ADDQ $32, srcptr
	ADDQ $32, dstptr
	SUBQ $32, left
	JGT  loop32

ends:
	VMOVDQU Y11, (headptr)
	VMOVDQU Y12, (lastptr)
	VZEROUPPER
	RET
