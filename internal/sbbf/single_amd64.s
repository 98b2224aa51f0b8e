//go:build !purego

// The verbs for a single key. The exported functions, which are inlined, call them
// directly: in cache the call is a good part of a probe's time.
//
// level is that of the kernel to take. A bitset without a block goes to Go, which
// panics.

#include "textflag.h"
#include "go_asm.h"

// The salts, which the batches read too.
DATA ·salts+0(SB)/4, $const_salt0
DATA ·salts+4(SB)/4, $const_salt1
DATA ·salts+8(SB)/4, $const_salt2
DATA ·salts+12(SB)/4, $const_salt3
DATA ·salts+16(SB)/4, $const_salt4
DATA ·salts+20(SB)/4, $const_salt5
DATA ·salts+24(SB)/4, $const_salt6
DATA ·salts+28(SB)/4, $const_salt7
GLOBL ·salts(SB), RODATA|NOPTR, $32

DATA ones<>+0(SB)/8, $0x0000000100000001
DATA ones<>+8(SB)/8, $0x0000000100000001
DATA ones<>+16(SB)/8, $0x0000000100000001
DATA ones<>+24(SB)/8, $0x0000000100000001
GLOBL ones<>(SB), RODATA|NOPTR, $32

#define base   BX
#define blocks R8
#define hash   AX
#define offset DX // of the key's block, in bytes

// SBBF_LOCATE finds the block: the upper half of a 64 × 64 bit product, exact for
// any number of blocks.
// in: hash, blocks; out: offset; clobbers hash
#define SBBF_LOCATE \
	SHRQ $32, hash \
	SHLQ $32, hash \
	MULQ blocks \
	SHLQ $5, offset

// SBBF512_KEY makes the bits of a key, in a register above 15, which needs no
// VZEROUPPER.
// out: Y16; clobbers Y17
#define SBBF512_KEY(key) \
	VMOVDQU32    ·salts(SB), Y16 \
	VMOVDQU32    ones<>(SB), Y17 \
	VPMULLD.BCST key, Y16, Y16 \
	VPSRLD       $const_bitShift, Y16, Y16 \
	VPSLLVD      Y16, Y17, Y16

// SBBF256_KEY makes the bits of a key.
// out: Y0; clobbers Y1
#define SBBF256_KEY(key) \
	VPBROADCASTD key, Y0 \
	VMOVDQU      ones<>(SB), Y1 \
	VPMULLD      ·salts(SB), Y0, Y0 \
	VPSRLD       $const_bitShift, Y0, Y0 \
	VPSLLVD      Y0, Y1, Y0

// func testOne(b *byte, n int, h uint64, level uint8) bool
TEXT ·testOne(SB), NOSPLIT, $0-33
	MOVQ b+0(FP), base
	MOVQ n+8(FP), blocks
	MOVQ h+16(FP), hash
	SHRQ $5, blocks
	JEQ  generic
	CMPB level+24(FP), $const_levelAVX512
	JNE  avx2
	SBBF_LOCATE
	SBBF512_KEY(h+16(FP))
	VPTESTNMD (base)(offset*1), Y16, K1
	KORTESTB  K1, K1
	SETEQ     ret+32(FP)
	RET

avx2:
	CMPB level+24(FP), $const_levelAVX2
	JNE  generic
	SBBF_LOCATE
	SBBF256_KEY(h+16(FP))
	VMOVDQU (base)(offset*1), Y1
	VPTEST  Y0, Y1
	SETCS   ret+32(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testOneGeneric(SB)

// func addOne(b *byte, n int, h uint64, level uint8)
TEXT ·addOne(SB), NOSPLIT, $0-25
	MOVQ b+0(FP), base
	MOVQ n+8(FP), blocks
	MOVQ h+16(FP), hash
	SHRQ $5, blocks
	JEQ  generic
	CMPB level+24(FP), $const_levelAVX512
	JNE  avx2
	SBBF_LOCATE
	SBBF512_KEY(h+16(FP))
	VPORD     (base)(offset*1), Y16, Y16
	VMOVDQU32 Y16, (base)(offset*1)
	RET

avx2:
	CMPB level+24(FP), $const_levelAVX2
	JNE  generic
	SBBF_LOCATE
	SBBF256_KEY(h+16(FP))
	VPOR    (base)(offset*1), Y0, Y0
	VMOVDQU Y0, (base)(offset*1)
	VZEROUPPER
	RET

generic:
	JMP ·addOneGeneric(SB)
