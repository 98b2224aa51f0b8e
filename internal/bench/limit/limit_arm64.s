#include "textflag.h"

// V0 to V3 |= the next 64 bytes
#define OR64BYTES \
	VLD1.P 64(R0), [V4.B16, V5.B16, V6.B16, V7.B16] \
	VORR   V4.B16, V0.B16, V0.B16                   \
	VORR   V5.B16, V1.B16, V1.B16                   \
	VORR   V6.B16, V2.B16, V2.B16                   \
	VORR   V7.B16, V3.B16, V3.B16

// AHEAD reads lines, prefetching those ahead.
#define AHEAD(into) \
	MOVD    p+0(FP), R0 \
	MOVD    lines+8(FP), R1 \
	MOVD    n+16(FP), R2 \
	MOVD    ahead+24(FP), R7 \
	ADD     R7<<2, R1, R7 \
	MOVD    ZR, R3 \
loop: \
	MOVWU.P 4(R7), R8 \
	ADD     R8<<6, R0, R9 \
	PRFM    (R9), into \
	MOVWU.P 4(R1), R4 \
	ADD     R4<<6, R0, R5 \
	MOVD    (R5), R6 \
	EOR     R6, R3, R3 \
	SUBS    $1, R2 \
	BNE     loop \
	MOVD    R3, ret+32(FP) \
	RET

// func read128(p *uint64, n int) uint64
//
// n > 0 steps of 512 bytes.
TEXT ·read128(SB), NOSPLIT, $0-24
	MOVD p+0(FP), R0
	MOVD n+8(FP), R1
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

loop:
	OR64BYTES
	OR64BYTES
	OR64BYTES
	OR64BYTES
	OR64BYTES
	OR64BYTES
	OR64BYTES
	OR64BYTES
	SUBS $1, R1
	BNE  loop

	VORR V1.B16, V0.B16, V0.B16
	VORR V3.B16, V2.B16, V2.B16
	VORR V2.B16, V0.B16, V0.B16
	VMOV V0.D[0], R2
	MOVD R2, ret+16(FP)
	RET

// func randomLines(p *uint64, lines *uint32, n int) uint64
//
// n > 0.
TEXT ·randomLines(SB), NOSPLIT, $0-32
	MOVD p+0(FP), R0
	MOVD lines+8(FP), R1
	MOVD n+16(FP), R2
	MOVD ZR, R3

loop:
	// r3 ^= p[8*lines[0]]
	MOVWU.P 4(R1), R4
	ADD     R4<<6, R0, R5
	MOVD    (R5), R6
	EOR     R6, R3, R3
	SUBS    $1, R2
	BNE     loop

	MOVD R3, ret+24(FP)
	RET

// func randomLinesAhead(p *uint64, lines *uint32, n, ahead int) uint64
//
// n > 0, and lines has n+ahead elements.
TEXT ·randomLinesAhead(SB), NOSPLIT, $0-40
	AHEAD(PLDL1KEEP)

// func randomLinesAheadL2(p *uint64, lines *uint32, n, ahead int) uint64
TEXT ·randomLinesAheadL2(SB), NOSPLIT, $0-40
	AHEAD(PLDL2KEEP)
