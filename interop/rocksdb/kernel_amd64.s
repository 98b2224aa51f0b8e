//go:build !purego

// The kernels of table.go and batch.go.
//
// A key's probes are its 32-bit hash times the powers of 0x9e3779b9, a lane each. Of a
// probe the upper four bits are a 32-bit word of the line, which VPERMD takes from it,
// and the next five a bit of that word, which a rotation brings to the lowest place: it
// takes its count modulo 32.

#include "textflag.h"
#include "go_asm.h"

// The powers of 0x9e3779b9, modulo 2^32.
DATA rocksPowers<>+0x00(SB)/8, $0x9e3779b900000001
DATA rocksPowers<>+0x08(SB)/8, $0x734297e9e35e67b1
DATA rocksPowers<>+0x10(SB)/8, $0xdeb7c71935fbe861
DATA rocksPowers<>+0x18(SB)/8, $0x3459b7490448b211
DATA rocksPowers<>+0x20(SB)/8, $0x52941879ab25f4c1
DATA rocksPowers<>+0x28(SB)/8, $0xf5ab9aa99c95e071
DATA rocksPowers<>+0x30(SB)/8, $0x8bededd92d6ba521
DATA rocksPowers<>+0x38(SB)/8, $0x3ae1c2099bfb72d1
GLOBL rocksPowers<>(SB), RODATA|NOPTR, $64

// The numbers of the lanes.
DATA rocksLanes<>+0x00(SB)/8, $0x0000000100000000
DATA rocksLanes<>+0x08(SB)/8, $0x0000000300000002
DATA rocksLanes<>+0x10(SB)/8, $0x0000000500000004
DATA rocksLanes<>+0x18(SB)/8, $0x0000000700000006
GLOBL rocksLanes<>(SB), RODATA|NOPTR, $32

#define tilep  DI  // tl
#define bitsp  SI  // bits
#define nlines R8  // lines
#define keys   DX  // n
#define i      BX  // the key
#define at     R9  // where its line begins
#define at2    R10 // the same of the key after it
#define masks  R11 // what the keys' probes found
#define want   R12 // what it is if all of them hit

// func prepareKernel(tl *tile, bits *byte, lines uint64, n int)
//
// Stores where the lines of n keys begin, and prefetches them: both cache lines, as the
// bits may lie at any address.
TEXT ·prepareKernel(SB), NOSPLIT, $0-32
	MOVQ tl+0(FP), tilep
	MOVQ bits+8(FP), bitsp
	MOVQ lines+16(FP), nlines
	MOVQ n+24(FP), keys
	XORL i, i

loop:
	// tl.offset[i] = uint32(hash) * lines >> 32 * 64
	MOVL       tile_hash(tilep)(i*8), at
	IMULQ      nlines, at
	SHRQ       $26, at
	ANDQ       $-64, at
	MOVQ       at, tile_offset(tilep)(i*8)
	PREFETCHT0 (bitsp)(at*1)
	PREFETCHT0 63(bitsp)(at*1)
	INCQ       i
	CMPQ       i, keys
	JLT        loop
	RET

// func probe8AVX512(tl *tile, bits *byte, n, k int) uint64
//
// Two keys a round: the first in the lower eight lanes, the second in the upper ones.
TEXT ·probe8AVX512(SB), NOSPLIT, $64-40
	MOVQ tl+0(FP), tilep
	MOVQ bits+8(FP), bitsp
	MOVQ n+16(FP), keys
	MOVQ k+24(FP), CX
	LEAQ found-64(SP), masks

	// want = 1<<k - 1, in every byte
	MOVL           $1, want
	SHLL           CX, want
	DECL           want
	VPBROADCASTB   want, Z5
	VMOVD          X5, AX
	KMOVW          AX, K2    // the lanes of both keys that count
	MOVL           $0xff00, AX
	KMOVW          AX, K3    // the second key's lanes
	VBROADCASTI64X4 rocksPowers<>(SB), Z4
	MOVL           $1, AX
	VPBROADCASTD   AX, Z6
	XORL           i, i

loop:
	// h = the hashes' upper halves * powers
	MOVQ         tile_offset(tilep)(i*8), at
	MOVQ         (tile_offset+8)(tilep)(i*8), at2
	VPBROADCASTD (tile_hash+4)(tilep)(i*8), Z0
	VPBROADCASTD (tile_hash+12)(tilep)(i*8), K3, Z0
	VPMULLD      Z4, Z0, Z0

	// masks[i:i+2] = line[h>>28] >> (h>>23 & 31) & 1
	VPSRLD   $28, Z0, Z1
	VPERMD   (bitsp)(at*1), Z1, Z2
	VPERMD   (bitsp)(at2*1), Z1, K3, Z2
	VPSRLD   $23, Z0, Z0
	VPRORVD  Z0, Z2, Z2
	VPTESTMD Z6, Z2, K2, K1
	KMOVW    K1, (masks)(i*1)
	ADDQ     $2, i
	CMPQ     i, keys
	JLT      loop

	// bit i of the result: masks[i] == want
	VMOVDQU64  (masks), Z0
	VPCMPEQB   Z5, Z0, K1
	KMOVQ      K1, AX
	MOVQ       AX, ret+32(FP)
	VZEROUPPER
	RET

// func probe16AVX512(tl *tile, bits *byte, n, k int) uint64
//
// One key a round, in sixteen lanes.
TEXT ·probe16AVX512(SB), NOSPLIT, $128-40
	MOVQ tl+0(FP), tilep
	MOVQ bits+8(FP), bitsp
	MOVQ n+16(FP), keys
	MOVQ k+24(FP), CX
	LEAQ found-128(SP), masks

	// want = 1<<k - 1, in every word of 16 bits
	MOVL         $1, want
	SHLL         CX, want
	DECL         want
	VPBROADCASTW want, Z5
	KMOVW        want, K2 // the lanes that count
	VMOVDQU64    rocksPowers<>(SB), Z4
	MOVL         $1, AX
	VPBROADCASTD AX, Z6
	XORL         i, i

loop:
	// h = the hash's upper half * powers
	MOVQ         tile_offset(tilep)(i*8), at
	VPBROADCASTD (tile_hash+4)(tilep)(i*8), Z0
	VPMULLD      Z4, Z0, Z0

	// masks[i] = line[h>>28] >> (h>>23 & 31) & 1
	VPSRLD   $28, Z0, Z1
	VPERMD   (bitsp)(at*1), Z1, Z2
	VPSRLD   $23, Z0, Z0
	VPRORVD  Z0, Z2, Z2
	VPTESTMD Z6, Z2, K2, K1
	KMOVW    K1, (masks)(i*2)
	INCQ     i
	CMPQ     i, keys
	JLT      loop

	// bit i of the result: masks[i] == want
	VPCMPEQW  (masks), Z5, K1
	VPCMPEQW  64(masks), Z5, K2
	KUNPCKDQ  K1, K2, K1
	KMOVQ     K1, AX
	MOVQ      AX, ret+32(FP)
	VZEROUPPER
	RET

// ROCKS_LINE256 brings to value the words of a line that h's upper four bits choose,
// from its halves: the highest bit of h is the half.
// in: h, half0 and half1, the memory; out: value; clobbers: Y1, Y2, Y3
#define ROCKS_LINE256(h, half0, half1, value) \
	VPSRLD    $28, h, Y1 \
	VPERMD    half0, Y1, Y2 \
	VPERMD    half1, Y1, Y3 \
	VBLENDVPS h, Y3, Y2, value

// func probe8AVX2(tl *tile, bits *byte, n, k int) uint64
TEXT ·probe8AVX2(SB), NOSPLIT, $64-40
	MOVQ tl+0(FP), tilep
	MOVQ bits+8(FP), bitsp
	MOVQ n+16(FP), keys
	LEAQ found-64(SP), masks

	// lane j counts if j < k
	VPBROADCASTD k+24(FP), Y5
	VPCMPGTD     rocksLanes<>(SB), Y5, Y5
	VPSRLD       $31, Y5, Y5
	VMOVDQU      rocksPowers<>(SB), Y4
	XORL         i, i

loop:
	// h = the hash's upper half * powers
	MOVQ         tile_offset(tilep)(i*8), at
	VPBROADCASTD (tile_hash+4)(tilep)(i*8), Y0
	VPMULLD      Y4, Y0, Y0

	// masks[i] = all of 1<<(h>>23 & 31) are in line[h>>28]
	ROCKS_LINE256(Y0, (bitsp)(at*1), 32(bitsp)(at*1), Y2)
	VPSLLD  $4, Y0, Y0
	VPSRLD  $27, Y0, Y0
	VPSLLVD Y0, Y5, Y0
	VPTEST  Y0, Y2
	SETCS   (masks)(i*1)
	INCQ    i
	CMPQ    i, keys
	JLT     loop

	// bit i of the result: masks[i]
	VMOVDQU   (masks), Y0
	VMOVDQU   32(masks), Y1
	VPSLLW    $7, Y0, Y0
	VPSLLW    $7, Y1, Y1
	VPMOVMSKB Y0, AX
	VPMOVMSKB Y1, CX
	SHLQ      $32, CX
	ORQ       CX, AX
	MOVQ      AX, ret+32(FP)
	VZEROUPPER
	RET

// func test16AVX512(bits *byte, lines, h uint64, k int) bool
TEXT ·test16AVX512(SB), NOSPLIT, $0-33
	MOVQ bits+0(FP), bitsp
	MOVQ k+24(FP), CX
	MOVQ h+16(FP), AX

	// at = uint32(h) * lines >> 32 * 64
	MOVL  AX, at
	IMULQ lines+8(FP), at
	SHRQ  $26, at
	ANDQ  $-64, at

	// h = h>>32 * powers
	SHRQ         $32, AX
	VPBROADCASTD AX, Z0
	VPMULLD      rocksPowers<>(SB), Z0, Z0

	// all lanes below k of line[h>>28] >> (h>>23 & 31) & 1
	VPSRLD   $28, Z0, Z1
	VPERMD   (bitsp)(at*1), Z1, Z2
	VPSRLD   $23, Z0, Z0
	VPRORVD  Z0, Z2, Z2
	VPSLLD   $31, Z2, Z2
	VPMOVD2M Z2, K1
	KMOVW    K1, AX
	NOTL     AX
	MOVL     $-1, want
	SHLL     CX, want
	ANDNL    AX, want, AX
	SETEQ    ret+32(FP)
	VZEROUPPER
	RET

// func test8AVX2(bits *byte, lines, h uint64, k int) bool
TEXT ·test8AVX2(SB), NOSPLIT, $0-33
	MOVQ         bits+0(FP), bitsp
	VPBROADCASTD k+24(FP), Y5
	VPCMPGTD     rocksLanes<>(SB), Y5, Y5
	VPSRLD       $31, Y5, Y5
	MOVQ         h+16(FP), AX

	// at = uint32(h) * lines >> 32 * 64
	MOVL  AX, at
	IMULQ lines+8(FP), at
	SHRQ  $26, at
	ANDQ  $-64, at

	// h = h>>32 * powers
	SHRQ         $32, AX
	VMOVD        AX, X0
	VPBROADCASTD X0, Y0
	VPMULLD      rocksPowers<>(SB), Y0, Y0

	// all of 1<<(h>>23 & 31) are in line[h>>28]
	ROCKS_LINE256(Y0, (bitsp)(at*1), 32(bitsp)(at*1), Y2)
	VPSLLD  $4, Y0, Y0
	VPSRLD  $27, Y0, Y0
	VPSLLVD Y0, Y5, Y0
	VPTEST  Y0, Y2
	SETCS   ret+32(FP)
	VZEROUPPER
	RET
