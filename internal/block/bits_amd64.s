//go:build !purego

// Testing one key in blocks that lie in bytes. What the kernels of single_amd64.s
// read of a filter comes as arguments here, and the lanes that are on from a table
// for all k: to make a Filter takes longer than to test.
//
// Exported functions, being inlined, call the verb directly. It takes any k, and n
// bytes at any address. What it does not know, a k over 16, no whole number of blocks
// and a level without vectors, is for Go. With k = 0 no lane is on, and none lacks a
// bit.

#include "single_amd64.h"

#define kBits R10 // k
#define lanes R9  // k's row of lanesOn or lanesOff

// BITS_LOCATE finds the block and makes the in-block word.
// in: hash, AX the number of blocks; out: offset, word; clobbers hash, AX
#define BITS_LOCATE \
	MULXQ AX, AX, offset \
	IMULQ mulWord<>(SB), word \
	SHLQ  $6, offset

// BITS256_ROTATE gathers the signs of lo and hi, and ones for the lanes that the
// rotation turns off, in lanesOff's order.
// in: lanes, word; out: AX; clobbers word, lo
#define BITS256_ROTATE(hi, lo) \
	ANDL      $7, word \
	VSHUFPS   $0xDD, hi, lo, lo \
	VMOVMSKPS lo, AX \
	ORB       (lanes)(word*1), AX

// func testBits(bits *byte, n, k int, h uint64, level cpu.Level) bool
TEXT ·testBits(SB), NOSPLIT, $0-41
	MOVQ  n+8(FP), AX
	MOVQ  k+16(FP), kBits
	MOVQ  bits+0(FP), base
	MOVQ  h+24(FP), hash
	TESTB $63, AX
	JNE   generic
	SHRQ  $6, AX
	JEQ   generic
	CMPB  level+32(FP), $const_levelAVX512
	JNE   notAVX512

	CMPQ      kBits, $8
	JHI       k9to16AVX512
	JEQ       k8AVX512
	LEAQ      ·lanesOn(SB), lanes
	LEAQ      (lanes)(kBits*8), lanes
	BITS_LOCATE
	PROBE512_MASK
	ANDL      $7, word
	KMOVB     (lanes)(word*1), K1
	VPTESTNMQ (base)(offset*1), Z17, K1, K1
	KORTESTB  K1, K1
	SETEQ     ret+40(FP)
	RET

k8AVX512:
	BITS_LOCATE
	PROBE512_MASK
	VPTESTNMQ (base)(offset*1), Z17, K1
	KORTESTB  K1, K1
	SETEQ     ret+40(FP)
	RET

k9to16AVX512:
	CMPQ      kBits, $const_MaxK
	JHI       generic
	LEAQ      ·lanesOn-64(SB), lanes
	LEAQ      (lanes)(kBits*8), lanes
	PROBE_WORD2
	BITS_LOCATE
	PROBE512_MASK
	PROBE512_FIELDS(word2, Z18)
	VPROLVQ   Z18, Z16, Z18
	ANDL      $7, word
	KMOVB     (lanes)(word*1), K1
	VMOVDQU64 (base)(offset*1), Z19
	VPTESTNMQ Z19, Z17, K2
	VPTESTNMQ Z19, Z18, K1, K1
	KORTESTB  K1, K2
	SETEQ     ret+40(FP)
	RET

notAVX512:
	CMPB level+32(FP), $const_levelAVX2
	JNE  generic
	CMPQ kBits, $8
	JHI  k9to16AVX2
	JNE  k1to7AVX2
	BITS_LOCATE
	PROBE256_SIGNS
	VPAND     Y1, Y0, Y0
	VMOVMSKPD Y0, AX
	CMPL      AX, $15
	SETEQ     ret+40(FP)
	VZEROUPPER
	RET

k1to7AVX2:
	LEAQ  ·lanesOff(SB), lanes
	LEAQ  (lanes)(kBits*8), lanes
	BITS_LOCATE
	PROBE256_SIGNS
	BITS256_ROTATE(Y1, Y0)
	CMPB  AX, $0xFF
	SETEQ ret+40(FP)
	VZEROUPPER
	RET

k9to16AVX2:
	CMPQ      kBits, $const_MaxK
	JHI       generic
	LEAQ      ·lanesOff-64(SB), lanes
	LEAQ      (lanes)(kBits*8), lanes
	PROBE_WORD2
	BITS_LOCATE
	PROBE256_SIGNS
	PROBE256_SHIFTS(word2, X5, Y5, Y4)
	VPSLLVQ   Y4, Y2, Y4
	VPSLLVQ   Y5, Y3, Y5
	BITS256_ROTATE(Y5, Y4)
	VSHUFPS   $0xDD, Y1, Y0, Y0
	VMOVMSKPS Y0, CX
	ANDL      CX, AX
	CMPB      AX, $0xFF
	SETEQ     ret+40(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testBitsGeneric(SB)
