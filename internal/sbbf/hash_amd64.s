//go:build !purego

// XXH64 of integers: hash.go specifies it. n > 0 is a multiple of 8, and dst has room
// for as many hashes; it may be keys.

#include "textflag.h"
#include "go_asm.h"

#define to   DI
#define from SI
#define left CX

// VPMULLQ waits for what its destination held, on Golden Cove and its successors at
// least. So the keys are loaded into it first: with the keys as its operand in memory
// each round waited for the one before.

#define vPrime1 Z31
#define vPrime2 Z30
#define vPrime3 Z29
#define vStart  Z28 // prime5 and the number of bytes
#define vPrime4 Z27 // for 8 bytes

// XXH64_BROADCAST512 fills a register with a constant.
// clobbers AX
#define XXH64_BROADCAST512(constant, z) \
	MOVQ         constant, AX \
	VPBROADCASTQ AX, z

// XXH64_AVALANCHE512 mixes eight hashes at the end.
// in, out: Z0; clobbers Z1
#define XXH64_AVALANCHE512 \
	VPSRLQ  $33, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0 \
	VPMULLQ vPrime2, Z0, Z0 \
	VPSRLQ  $29, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0 \
	VPMULLQ vPrime3, Z0, Z0 \
	VPSRLQ  $32, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0

// func hashUint64sAVX512(dst, keys *uint64, n int)
TEXT ·hashUint64sAVX512(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), to
	MOVQ keys+8(FP), from
	MOVQ n+16(FP), left
	XXH64_BROADCAST512($const_prime1, vPrime1)
	XXH64_BROADCAST512($const_prime2, vPrime2)
	XXH64_BROADCAST512($const_prime3, vPrime3)
	XXH64_BROADCAST512($const_prime4, vPrime4)
	XXH64_BROADCAST512($const_start8, vStart)

loop8:
	// h = rotl(start8 ^ rotl(x·prime2, 31)·prime1, 27)·prime1 + prime4
	VMOVDQU64 (from), Z0
	VPMULLQ   vPrime2, Z0, Z0
	VPROLQ    $31, Z0, Z0
	VPMULLQ   vPrime1, Z0, Z0
	VPXORQ    vStart, Z0, Z0
	VPROLQ    $27, Z0, Z0
	VPMULLQ   vPrime1, Z0, Z0
	VPADDQ    vPrime4, Z0, Z0
	XXH64_AVALANCHE512
	VMOVDQU64 Z0, (to)
	ADDQ      $64, from
	ADDQ      $64, to
	SUBQ      $8, left
	JNE       loop8
	VZEROUPPER
	RET

// func hashUint32sAVX512(dst *uint64, keys *uint32, n int)
TEXT ·hashUint32sAVX512(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), to
	MOVQ keys+8(FP), from
	MOVQ n+16(FP), left
	XXH64_BROADCAST512($const_prime1, vPrime1)
	XXH64_BROADCAST512($const_prime2, vPrime2)
	XXH64_BROADCAST512($const_prime3, vPrime3)
	XXH64_BROADCAST512($const_start4, vStart)

loop8:
	// h = rotl(start4 ^ x·prime1, 23)·prime2 + prime3
	VPMOVZXDQ (from), Z0
	VPMULLQ   vPrime1, Z0, Z0
	VPXORQ    vStart, Z0, Z0
	VPROLQ    $23, Z0, Z0
	VPMULLQ   vPrime2, Z0, Z0
	VPADDQ    vPrime3, Z0, Z0
	XXH64_AVALANCHE512
	VMOVDQU64 Z0, (to)
	ADDQ      $32, from
	ADDQ      $64, to
	SUBQ      $8, left
	JNE       loop8
	VZEROUPPER
	RET

// AVX2 has no multiplication of 64 bits: one is put together from three of 32.

#define yPrime1   Y15
#define yPrime1Hi Y14 // the upper half
#define yPrime2   Y13
#define yPrime2Hi Y12
#define yPrime3   Y11
#define yPrime3Hi Y10
#define yPrime4   Y9 // for 8 bytes
#define yStart    Y8 // prime5 and the number of bytes

// XXH64_BROADCAST256 fills a register with a constant.
// clobbers AX
#define XXH64_BROADCAST256(constant, x, y) \
	MOVQ         constant, AX \
	VMOVQ        AX, x \
	VPBROADCASTQ x, y

// XXH64_PRIMES256 loads the first three primes.
// clobbers AX
#define XXH64_PRIMES256 \
	XXH64_BROADCAST256($const_prime1, X15, yPrime1) \
	XXH64_BROADCAST256($const_prime2, X13, yPrime2) \
	XXH64_BROADCAST256($const_prime3, X11, yPrime3) \
	VPSRLQ $32, yPrime1, yPrime1Hi \
	VPSRLQ $32, yPrime2, yPrime2Hi \
	VPSRLQ $32, yPrime3, yPrime3Hi

// XXH64_MUL256 multiplies 64-bit lanes. The upper halves come down by a shuffle, for the
// ports that multiply are those that shift.
// in, out: x; clobbers t0, t1
#define XXH64_MUL256(c, cHi, x, t0, t1) \
	VPSHUFD  $0xF5, x, t0 \
	VPMULUDQ c, t0, t0 \
	VPMULUDQ cHi, x, t1 \
	VPADDQ   t0, t1, t0 \
	VPSLLQ   $32, t0, t0 \
	VPMULUDQ c, x, x \
	VPADDQ   t0, x, x

// XXH64_ROTATE256 rotates 64-bit lanes left.
// in, out: x; clobbers t0
#define XXH64_ROTATE256(by, x, t0) \
	VPSRLQ $(64-by), x, t0 \
	VPSLLQ $by, x, x \
	VPOR   t0, x, x

// XXH64_AVALANCHE256 mixes four hashes at the end.
// in, out: x; clobbers t0, t1
#define XXH64_AVALANCHE256(x, t0, t1) \
	VPSRLQ $33, x, t0 \
	VPXOR  t0, x, x \
	XXH64_MUL256(yPrime2, yPrime2Hi, x, t0, t1) \
	VPSRLQ $29, x, t0 \
	VPXOR  t0, x, x \
	XXH64_MUL256(yPrime3, yPrime3Hi, x, t0, t1) \
	VPSRLQ $32, x, t0 \
	VPXOR  t0, x, x

// XXH64_EIGHT256 hashes four integers of 8 bytes.
// in, out: x; clobbers t0, t1
#define XXH64_EIGHT256(x, t0, t1) \
	XXH64_MUL256(yPrime2, yPrime2Hi, x, t0, t1) \
	XXH64_ROTATE256(31, x, t0) \
	XXH64_MUL256(yPrime1, yPrime1Hi, x, t0, t1) \
	VPXOR  yStart, x, x \
	XXH64_ROTATE256(27, x, t0) \
	XXH64_MUL256(yPrime1, yPrime1Hi, x, t0, t1) \
	VPADDQ yPrime4, x, x \
	XXH64_AVALANCHE256(x, t0, t1)

// XXH64_FOUR256 hashes four integers of 4 bytes, zero-extended.
// in, out: x; clobbers t0, t1
#define XXH64_FOUR256(x, t0, t1) \
	VPMULUDQ yPrime1Hi, x, t0 \
	VPSLLQ   $32, t0, t0 \
	VPMULUDQ yPrime1, x, x \
	VPADDQ   t0, x, x \
	VPXOR    yStart, x, x \
	XXH64_ROTATE256(23, x, t0) \
	XXH64_MUL256(yPrime2, yPrime2Hi, x, t0, t1) \
	VPADDQ   yPrime3, x, x \
	XXH64_AVALANCHE256(x, t0, t1)

// func hashUint64sAVX2(dst, keys *uint64, n int)
TEXT ·hashUint64sAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), to
	MOVQ keys+8(FP), from
	MOVQ n+16(FP), left
	XXH64_PRIMES256
	XXH64_BROADCAST256($const_prime4, X9, yPrime4)
	XXH64_BROADCAST256($const_start8, X8, yStart)

loop8:
	VMOVDQU (from), Y0
	VMOVDQU 32(from), Y3
	XXH64_EIGHT256(Y0, Y1, Y2)
	XXH64_EIGHT256(Y3, Y4, Y5)
	VMOVDQU Y0, (to)
	VMOVDQU Y3, 32(to)
	ADDQ    $64, from
	ADDQ    $64, to
	SUBQ    $8, left
	JNE     loop8
	VZEROUPPER
	RET

// func hashUint32sAVX2(dst *uint64, keys *uint32, n int)
TEXT ·hashUint32sAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), to
	MOVQ keys+8(FP), from
	MOVQ n+16(FP), left
	XXH64_PRIMES256
	XXH64_BROADCAST256($const_start4, X8, yStart)

loop8:
	VPMOVZXDQ (from), Y0
	VPMOVZXDQ 16(from), Y3
	XXH64_FOUR256(Y0, Y1, Y2)
	XXH64_FOUR256(Y3, Y4, Y5)
	VMOVDQU   Y0, (to)
	VMOVDQU   Y3, 32(to)
	ADDQ      $32, from
	ADDQ      $64, to
	SUBQ      $8, left
	JNE       loop8
	VZEROUPPER
	RET
