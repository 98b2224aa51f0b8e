//go:build !purego

// Unions and symmetric differences of lists of integers of 32 bits. The macros' file
// has the method.

#include "textflag.h"
#include "merge_avx512_amd64.h"

// func union32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n int)
//
// As unionGo does it, for lists without the least and the greatest integer.
// na >= 0, nb >= 0.
TEXT ·union32AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*4), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*4), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	SORTED_MERGE_START32

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// Z0 = the block that begins with the lesser element
	MOVL      (ap), AX
	XORL      BX, BX
	CMPL      AX, (bp)
	SETLS     BX
	MOVQ      bp, CX
	CMOVQLS   ap, CX
	SHLL      $6, BX
	ADDQ      BX, ap
	SUBQ      BX, bp
	ADDQ      $64, bp
	VMOVDQU32 (CX), Z0
	SORTED_MERGE32
	SORTED_NEW32
	SORTED_WRITE32
	JMP       block

part:
	// The same with what may be less than a block, or nothing.
	CMPQ ap, aend
	JAE  partB
	CMPQ bp, bend
	JAE  partA
	MOVL (ap), AX
	CMPL AX, (bp)
	JHI  partB

partA:
	MOVQ      aend, CX
	SUBQ      ap, CX
	SHRQ      $2, CX
	MOVL      $16, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVW     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU32 (ap), K2, Z0
	LEAQ      (ap)(CX*4), ap
	JMP       merge

partB:
	MOVQ      bend, CX
	SUBQ      bp, CX
	JLS       last
	SHRQ      $2, CX
	MOVL      $16, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVW     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU32 (bp), K2, Z0
	LEAQ      (bp)(CX*4), bp

merge:
	SORTED_MERGE32
	SORTED_NEW32
	SORTED_WRITE32
	JMP block

last:
	VMOVDQA64 carry, Z3
	SORTED_NEW32
	SORTED_WRITE32

	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $2, dstp
	MOVQ dstp, n+40(FP)
	RET

// func symmetric32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n int)
//
// As symmetricGo does it, under the conditions of union32AVX512.
TEXT ·symmetric32AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*4), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*4), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	SORTED_MERGE_START32

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// Z0 = the block that begins with the lesser element
	MOVL      (ap), AX
	XORL      BX, BX
	CMPL      AX, (bp)
	SETLS     BX
	MOVQ      bp, CX
	CMOVQLS   ap, CX
	SHLL      $6, BX
	ADDQ      BX, ap
	SUBQ      BX, bp
	ADDQ      $64, bp
	VMOVDQU32 (CX), Z0
	SORTED_MERGE32
	SORTED_SINGLE32
	SORTED_WRITE32
	JMP       block

part:
	// The same with what may be less than a block, or nothing.
	CMPQ ap, aend
	JAE  partB
	CMPQ bp, bend
	JAE  partA
	MOVL (ap), AX
	CMPL AX, (bp)
	JHI  partB

partA:
	MOVQ      aend, CX
	SUBQ      ap, CX
	SHRQ      $2, CX
	MOVL      $16, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVW     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU32 (ap), K2, Z0
	LEAQ      (ap)(CX*4), ap
	JMP       merge

partB:
	MOVQ      bend, CX
	SUBQ      bp, CX
	JLS       last
	SHRQ      $2, CX
	MOVL      $16, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVW     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU32 (bp), K2, Z0
	LEAQ      (bp)(CX*4), bp

merge:
	SORTED_MERGE32
	SORTED_SINGLE32
	SORTED_WRITE32
	JMP block

last:
	VMOVDQA64 carry, Z3
	SORTED_SINGLE32
	SORTED_WRITE32

	// the last element of carry
	VMOVDQA64 top, Z3
	SORTED_SINGLE32
	SORTED_WRITE32

	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $2, dstp
	MOVQ dstp, n+40(FP)
	RET
