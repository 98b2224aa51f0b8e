//go:build !purego

// Unions and symmetric differences of lists of integers of 16 bits. The macros' file
// has the method.

#include "textflag.h"
#include "merge_avx512_amd64.h"

// func union16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n int)
//
// As unionGo does it, for lists without the least and the greatest integer.
// na >= 0, nb >= 0.
TEXT ·union16AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*2), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*2), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	SORTED_MERGE_START16

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// Z0 = the block that begins with the lesser element
	MOVWLZX   (ap), AX
	XORL      BX, BX
	CMPW      AX, (bp)
	SETLS     BX
	MOVQ      bp, CX
	CMOVQLS   ap, CX
	SHLL      $6, BX
	ADDQ      BX, ap
	SUBQ      BX, bp
	ADDQ      $64, bp
	VMOVDQU16 (CX), Z0
	SORTED_MERGE16
	SORTED_NEW16
	SORTED_WRITE16
	JMP       block

part:
	// The same with what may be less than a block, or nothing.
	CMPQ    ap, aend
	JAE     partB
	CMPQ    bp, bend
	JAE     partA
	MOVWLZX (ap), AX
	CMPW    AX, (bp)
	JHI     partB

partA:
	MOVQ      aend, CX
	SUBQ      ap, CX
	SHRQ      $1, CX
	MOVL      $32, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVD     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU16 (ap), K2, Z0
	LEAQ      (ap)(CX*2), ap
	JMP       merge

partB:
	MOVQ      bend, CX
	SUBQ      bp, CX
	JLS       last
	SHRQ      $1, CX
	MOVL      $32, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVD     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU16 (bp), K2, Z0
	LEAQ      (bp)(CX*2), bp

merge:
	SORTED_MERGE16
	SORTED_NEW16
	SORTED_WRITE16
	JMP block

last:
	VMOVDQA64 carry, Z3
	SORTED_NEW16
	SORTED_WRITE16

	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $1, dstp
	MOVQ dstp, n+40(FP)
	RET

// func symmetric16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n int)
//
// As symmetricGo does it, under the conditions of union16AVX512.
TEXT ·symmetric16AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*2), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*2), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	SORTED_MERGE_START16

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// Z0 = the block that begins with the lesser element
	MOVWLZX   (ap), AX
	XORL      BX, BX
	CMPW      AX, (bp)
	SETLS     BX
	MOVQ      bp, CX
	CMOVQLS   ap, CX
	SHLL      $6, BX
	ADDQ      BX, ap
	SUBQ      BX, bp
	ADDQ      $64, bp
	VMOVDQU16 (CX), Z0
	SORTED_MERGE16
	SORTED_SINGLE16
	SORTED_WRITE16
	JMP       block

part:
	// The same with what may be less than a block, or nothing.
	CMPQ    ap, aend
	JAE     partB
	CMPQ    bp, bend
	JAE     partA
	MOVWLZX (ap), AX
	CMPW    AX, (bp)
	JHI     partB

partA:
	MOVQ      aend, CX
	SUBQ      ap, CX
	SHRQ      $1, CX
	MOVL      $32, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVD     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU16 (ap), K2, Z0
	LEAQ      (ap)(CX*2), ap
	JMP       merge

partB:
	MOVQ      bend, CX
	SUBQ      bp, CX
	JLS       last
	SHRQ      $1, CX
	MOVL      $32, BX
	CMPQ      CX, BX
	CMOVQHI   BX, CX
	BZHIL     CX, ones, BX
	KMOVD     BX, K2
	VMOVDQA64 top, Z0
	VMOVDQU16 (bp), K2, Z0
	LEAQ      (bp)(CX*2), bp

merge:
	SORTED_MERGE16
	SORTED_SINGLE16
	SORTED_WRITE16
	JMP block

last:
	VMOVDQA64 carry, Z3
	SORTED_SINGLE16
	SORTED_WRITE16

	// the last element of carry
	VMOVDQA64 top, Z3
	SORTED_SINGLE16
	SORTED_WRITE16

	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $1, dstp
	MOVQ dstp, n+40(FP)
	RET
