//go:build !purego

#include "textflag.h"

// Testing one key in a line of Pebble's Bloom filter: eight probes at once, which need no more than
// AVX2. The line is 16 words of 32 bits. Each lane takes a position, picks its word from the low half
// of the line and from the high one, keeps the one that bit 8 of the position says, and moves the bit
// at the position to the sign.
//
// A gather would read the eight words in one instruction, but that takes longer than both halves.

DATA ordinals<>+0(SB)/8, $0x0000000100000000
DATA ordinals<>+8(SB)/8, $0x0000000300000002
DATA ordinals<>+16(SB)/8, $0x0000000500000004
DATA ordinals<>+24(SB)/8, $0x0000000700000006
GLOBL ordinals<>(SB), RODATA|NOPTR, $32

// func testLine8(line *[lineBytes]byte, h, delta uint32, probes int) bool
//
// 1 <= probes <= 8.
TEXT ·testLine8(SB), NOSPLIT, $0-25
	MOVQ         line+0(FP), DI
	VBROADCASTSS h+8(FP), Y0
	VBROADCASTSS delta+12(FP), Y1
	MOVQ         probes+16(FP), CX

	// position = h + ordinal*delta, of which 9 bits count, so that a product of 16 bits does
	VPMULLW ordinals<>(SB), Y1, Y1
	VPADDD  Y0, Y1, Y0

	// w = line[position/32%8], or line[8 + position/32%8] if position&256 != 0
	VPSRLD    $5, Y0, Y1
	VPSLLD    $23, Y0, Y4
	VPERMD    (DI), Y1, Y2
	VPERMD    32(DI), Y1, Y3
	VBLENDVPS Y4, Y3, Y2, Y2

	// w <<= ^position & 31
	VPCMPEQD Y5, Y5, Y5
	VPSRLD   $27, Y5, Y5
	VPANDN   Y5, Y0, Y5
	VPSLLVD  Y5, Y2, Y2

	// return no sign of the first probes lanes is clear
	VMOVMSKPS Y2, AX
	NOTL      AX
	BZHIL     CX, AX, AX
	SETEQ     ret+24(FP)
	VZEROUPPER
	RET
