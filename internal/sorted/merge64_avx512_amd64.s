//go:build !purego

// Unions and symmetric differences of lists of integers of 64 bits. The macros' file
// has the method.

#include "textflag.h"
#include "merge_avx512_amd64.h"

// func union64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n int)
//
// As unionGo does it, for lists without the least and the greatest integer.
// na >= 0, nb >= 0.
TEXT ·union64AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*8), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*8), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	SORTED_MERGE_START64

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// Z0 = the block that begins with the lesser element
	MOVQ      (ap), AX
	XORL      BX, BX
	CMPQ      AX, (bp)
	SETLS     BX
	MOVQ      bp, CX
	CMOVQLS   ap, CX
	SHLL      $6, BX
	ADDQ      BX, ap
	SUBQ      BX, bp
	ADDQ      $64, bp
	VMOVDQU64 (CX), Z0
	SORTED_MERGE64
	SORTED_NEW64
	SORTED_WRITE64
	JMP       block

part:
	// The same with what may be less than a block, or nothing.
	CMPQ ap, aend
	JAE  partB
	CMPQ bp, bend
	JAE  partA
	MOVQ (ap), AX
	CMPQ AX, (bp)
	JHI  partB

partA:
	MOVQ      aend, CX
	SUBQ      ap, CX
	SHRQ      $3, CX
	MOVL      $8, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVB     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU64 (ap), K2, Z0
	LEAQ      (ap)(CX*8), ap
	JMP       merge

partB:
	MOVQ      bend, CX
	SUBQ      bp, CX
	JLS       last
	SHRQ      $3, CX
	MOVL      $8, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVB     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU64 (bp), K2, Z0
	LEAQ      (bp)(CX*8), bp

merge:
	SORTED_MERGE64
	SORTED_NEW64
	SORTED_WRITE64
	JMP block

last:
	VMOVDQA64 carry, Z3
	SORTED_NEW64
	SORTED_WRITE64

	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $3, dstp
	MOVQ dstp, n+40(FP)
	RET

// func symmetric64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n int)
//
// As symmetricGo does it, under the conditions of union64AVX512.
TEXT ·symmetric64AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*8), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*8), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	SORTED_MERGE_START64

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// Z0 = the block that begins with the lesser element
	MOVQ      (ap), AX
	XORL      BX, BX
	CMPQ      AX, (bp)
	SETLS     BX
	MOVQ      bp, CX
	CMOVQLS   ap, CX
	SHLL      $6, BX
	ADDQ      BX, ap
	SUBQ      BX, bp
	ADDQ      $64, bp
	VMOVDQU64 (CX), Z0
	SORTED_MERGE64
	SORTED_SINGLE64
	SORTED_WRITE64
	JMP       block

part:
	// The same with what may be less than a block, or nothing.
	CMPQ ap, aend
	JAE  partB
	CMPQ bp, bend
	JAE  partA
	MOVQ (ap), AX
	CMPQ AX, (bp)
	JHI  partB

partA:
	MOVQ      aend, CX
	SUBQ      ap, CX
	SHRQ      $3, CX
	MOVL      $8, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVB     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU64 (ap), K2, Z0
	LEAQ      (ap)(CX*8), ap
	JMP       merge

partB:
	MOVQ      bend, CX
	SUBQ      bp, CX
	JLS       last
	SHRQ      $3, CX
	MOVL      $8, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVB     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU64 (bp), K2, Z0
	LEAQ      (bp)(CX*8), bp

merge:
	SORTED_MERGE64
	SORTED_SINGLE64
	SORTED_WRITE64
	JMP block

last:
	VMOVDQA64 carry, Z3
	SORTED_SINGLE64
	SORTED_WRITE64

	// the last element of carry
	VMOVDQA64 top, Z3
	SORTED_SINGLE64
	SORTED_WRITE64

	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $3, dstp
	MOVQ dstp, n+40(FP)
	RET
