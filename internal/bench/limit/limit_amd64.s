#include "textflag.h"

// The readers take p, 512-byte steps n > 0, and fold what they read into one
// word with OR, which no CPU does slower than it loads.
//
// Registers: SI p, CX n, and accumulators by width.

// R8, R9, R10, R11 |= 32 bytes at off
#define OR64(off) \
	ORQ (off+0)(SI), R8   \
	ORQ (off+8)(SI), R9   \
	ORQ (off+16)(SI), R10 \
	ORQ (off+24)(SI), R11

#define OR256(off) \
	VPOR (off+0)(SI), Y0, Y0  \
	VPOR (off+32)(SI), Y1, Y1 \
	VPOR (off+64)(SI), Y2, Y2 \
	VPOR (off+96)(SI), Y3, Y3

// acc |= the next 128 bytes at q, which moves on
#define OR256FROM(q, acc) \
	VPOR 0(q), acc, acc  \
	VPOR 32(q), acc, acc \
	VPOR 64(q), acc, acc \
	VPOR 96(q), acc, acc \
	ADDQ $128, q

#define OR512(off) \
	VPORQ (off+0)(SI), Z0, Z0   \
	VPORQ (off+64)(SI), Z1, Z1  \
	VPORQ (off+128)(SI), Z2, Z2 \
	VPORQ (off+192)(SI), Z3, Z3

// AHEAD reads lines, prefetching those ahead.
#define AHEAD(PREFETCH) \
	MOVQ     p+0(FP), SI \
	MOVQ     lines+8(FP), DI \
	MOVQ     n+16(FP), CX \
	MOVQ     ahead+24(FP), DX \
	XORL     R8, R8 \
loop: \
	MOVL     (DI)(DX*4), BX \
	SHLQ     $6, BX \
	PREFETCH (SI)(BX*1) \
	MOVL     (DI), AX \
	SHLQ     $6, AX \
	XORQ     (SI)(AX*1), R8 \
	ADDQ     $4, DI \
	DECQ     CX \
	JNZ      loop \
	MOVQ     R8, ret+32(FP) \
	RET

// func read64(p *uint64, n int) uint64
TEXT ·read64(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	XORL R8, R8
	XORL R9, R9
	XORL R10, R10
	XORL R11, R11

loop:
	OR64(0)
	OR64(32)
	OR64(64)
	OR64(96)
	OR64(128)
	OR64(160)
	OR64(192)
	OR64(224)
	OR64(256)
	OR64(288)
	OR64(320)
	OR64(352)
	OR64(384)
	OR64(416)
	OR64(448)
	OR64(480)
	ADDQ $512, SI
	DECQ CX
	JNZ  loop

	ORQ  R9, R8
	ORQ  R11, R10
	ORQ  R10, R8
	MOVQ R8, ret+16(FP)
	RET

// func read256(p *uint64, n int) uint64
TEXT ·read256(SB), NOSPLIT, $0-24
	MOVQ  p+0(FP), SI
	MOVQ  n+8(FP), CX
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3

loop:
	OR256(0)
	OR256(128)
	OR256(256)
	OR256(384)
	ADDQ $512, SI
	DECQ CX
	JNZ  loop

	VPOR         Y1, Y0, Y0
	VPOR         Y3, Y2, Y2
	VPOR         Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPOR         X1, X0, X0
	VMOVQ        X0, AX
	VZEROUPPER
	MOVQ         AX, ret+16(FP)
	RET

// func read512(p *uint64, n int) uint64
TEXT ·read512(SB), NOSPLIT, $0-24
	MOVQ  p+0(FP), SI
	MOVQ  n+8(FP), CX
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3

loop:
	OR512(0)
	OR512(256)
	ADDQ $512, SI
	DECQ CX
	JNZ  loop

	VPORQ Z1, Z0, Z0
	VPORQ Z3, Z2, Z2
	VPORQ Z2, Z0, Z0
	VMOVQ X0, AX
	VZEROUPPER
	MOVQ  AX, ret+16(FP)
	RET

// read256x4 reads the four quarters side by side: the hardware prefetcher of
// many CPUs stops at a page's end and follows several streams at a time.
//
// func read256x4(p *uint64, n int) uint64
//
// n is a multiple of 4.
TEXT ·read256x4(SB), NOSPLIT, $0-24
	MOVQ  p+0(FP), SI
	MOVQ  n+8(FP), CX
	SHRQ  $2, CX
	MOVQ  CX, DX
	SHLQ  $9, DX              // a quarter in bytes
	LEAQ  (SI)(DX*1), R8
	LEAQ  (SI)(DX*2), R9
	LEAQ  (R8)(DX*2), R10
	SHLQ  $2, CX              // 128 bytes of each per turn
	VPXOR X0, X0, X0
	VPXOR X1, X1, X1
	VPXOR X2, X2, X2
	VPXOR X3, X3, X3

loop:
	OR256FROM(SI, Y0)
	OR256FROM(R8, Y1)
	OR256FROM(R9, Y2)
	OR256FROM(R10, Y3)
	DECQ CX
	JNZ  loop

	VPOR         Y1, Y0, Y0
	VPOR         Y3, Y2, Y2
	VPOR         Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPOR         X1, X0, X0
	VMOVQ        X0, AX
	VZEROUPPER
	MOVQ         AX, ret+16(FP)
	RET

// func randomLines(p *uint64, lines *uint32, n int) uint64
//
// n > 0.
TEXT ·randomLines(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ lines+8(FP), DI
	MOVQ n+16(FP), CX
	XORL R8, R8

loop:
	// r8 ^= p[8*lines[0]]
	MOVL (DI), AX
	SHLQ $6, AX
	XORQ (SI)(AX*1), R8
	ADDQ $4, DI
	DECQ CX
	JNZ  loop

	MOVQ R8, ret+24(FP)
	RET

// func randomLinesAhead(p *uint64, lines *uint32, n, ahead int) uint64
//
// n > 0, and lines has n+ahead elements.
TEXT ·randomLinesAhead(SB), NOSPLIT, $0-40
	AHEAD(PREFETCHT0)

// func randomLinesAheadL2(p *uint64, lines *uint32, n, ahead int) uint64
TEXT ·randomLinesAheadL2(SB), NOSPLIT, $0-40
	AHEAD(PREFETCHT1)
