//go:build !purego

// Lists of integers of 32 bits, 16 a block. The macros' file has the method.

#include "textflag.h"
#include "avx512_amd64.h"

// func intersect32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)
//
// As intersectGo does it, until one list is used up: of a the first i elements and of b
// the first j have been. na >= 0, nb >= 0, n <= i.
TEXT ·intersect32AVX512(SB), NOSPLIT, $64-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*4), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*4), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	MOVL $-1, ones

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVL 60(ap), AX
	CMPL AX, (bp)
	JB   passA
	MOVL 60(bp), AX
	CMPL AX, (ap)
	JB   passB

	VMOVDQU32    (ap), Z0
	VMOVDQU32    (bp), Z1
	SORTED_FIND32(bp)
	VPCMPUD.BCST $2, 60(bp), Z0, K5 // a[i] <= b[15]
	VPCMPUD.BCST $1, 60(ap), Z1, K6 // b[j] < a[15]
	SORTED_KEEP_FOUND
	SORTED_PUT32
	SORTED_ADVANCE32
	JMP          block

passA:
	ADDQ $64, ap
	JMP  block

passB:
	ADDQ $64, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 16
	MOVQ    aend, AX
	SUBQ    ap, AX
	JZ      done
	MOVQ    bend, CX
	SUBQ    bp, CX
	JZ      done
	MOVL    $64, BX
	CMPQ    AX, BX
	CMOVQHI BX, AX
	CMPQ    CX, BX
	CMOVQHI BX, CX
	SHRL    $2, AX
	SHRL    $2, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTD -4(ap)(AX*4), Z3
	VPBROADCASTD -4(bp)(CX*4), Z4
	BZHIL        AX, ones, BX
	KMOVW        BX, K7
	BZHIL        CX, ones, BX
	KMOVW        BX, K6
	VMOVDQU32.Z  (ap), K7, Z0
	VMOVDQA64    Z4, Z1
	VMOVDQU32    (bp), K6, Z1
	VMOVDQU32    Z1, fill-64(SP)
	LEAQ         fill-64(SP), BX
	SORTED_FIND32(BX)
	VPCMPUD      $2, Z4, Z0, K7, K5
	VPCMPUD      $1, Z3, Z1, K6, K6
	SORTED_KEEP_FOUND
	SORTED_PUT32
	SORTED_ADVANCE32
	JMP          block

done:
	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $2, dstp
	MOVQ dstp, n+40(FP)
	SUBQ a+8(FP), ap
	SHRQ $2, ap
	MOVQ ap, i+48(FP)
	SUBQ b+24(FP), bp
	SHRQ $2, bp
	MOVQ bp, j+56(FP)
	RET

// func count32AVX512(a *uint32, na int, b *uint32, nb int) (n, i, j int)
//
// As countGo does it; the rest as for intersect32AVX512.
TEXT ·count32AVX512(SB), NOSPLIT, $64-56
	MOVQ a+0(FP), ap
	MOVQ na+8(FP), aend
	LEAQ (ap)(aend*4), aend
	MOVQ b+16(FP), bp
	MOVQ nb+24(FP), bend
	LEAQ (bp)(bend*4), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	MOVL $-1, ones
	XORL count, count

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVL 60(ap), AX
	CMPL AX, (bp)
	JB   passA
	MOVL 60(bp), AX
	CMPL AX, (ap)
	JB   passB

	VMOVDQU32    (ap), Z0
	VMOVDQU32    (bp), Z1
	SORTED_FIND32(bp)
	VPCMPUD.BCST $2, 60(bp), Z0, K5 // a[i] <= b[15]
	VPCMPUD.BCST $1, 60(ap), Z1, K6 // b[j] < a[15]
	SORTED_KEEP_FOUND
	SORTED_TALLY
	SORTED_ADVANCE32
	JMP          block

passA:
	ADDQ $64, ap
	JMP  block

passB:
	ADDQ $64, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 16
	MOVQ    aend, AX
	SUBQ    ap, AX
	JZ      done
	MOVQ    bend, CX
	SUBQ    bp, CX
	JZ      done
	MOVL    $64, BX
	CMPQ    AX, BX
	CMOVQHI BX, AX
	CMPQ    CX, BX
	CMOVQHI BX, CX
	SHRL    $2, AX
	SHRL    $2, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTD -4(ap)(AX*4), Z3
	VPBROADCASTD -4(bp)(CX*4), Z4
	BZHIL        AX, ones, BX
	KMOVW        BX, K7
	BZHIL        CX, ones, BX
	KMOVW        BX, K6
	VMOVDQU32.Z  (ap), K7, Z0
	VMOVDQA64    Z4, Z1
	VMOVDQU32    (bp), K6, Z1
	VMOVDQU32    Z1, fill-64(SP)
	LEAQ         fill-64(SP), BX
	SORTED_FIND32(BX)
	VPCMPUD      $2, Z4, Z0, K7, K5
	VPCMPUD      $1, Z3, Z1, K6, K6
	SORTED_KEEP_FOUND
	SORTED_TALLY
	SORTED_ADVANCE32
	JMP          block

done:
	VZEROUPPER
	MOVQ count, n+32(FP)
	SUBQ a+0(FP), ap
	SHRQ $2, ap
	MOVQ ap, i+40(FP)
	SUBQ b+16(FP), bp
	SHRQ $2, bp
	MOVQ bp, j+48(FP)
	RET

// func difference32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)
//
// As differenceGo does it, without the copy of a's rest; the rest as for intersect32AVX512.
TEXT ·difference32AVX512(SB), NOSPLIT, $64-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*4), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*4), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	MOVL $-1, ones

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVL 60(ap), AX
	CMPL AX, (bp)
	JB   passA
	MOVL 60(bp), AX
	CMPL AX, (ap)
	JB   passB

	VMOVDQU32    (ap), Z0
	VMOVDQU32    (bp), Z1
	SORTED_FIND32(bp)
	VPCMPUD.BCST $2, 60(bp), Z0, K5 // a[i] <= b[15]
	VPCMPUD.BCST $1, 60(ap), Z1, K6 // b[j] < a[15]
	SORTED_KEEP_MISSING
	SORTED_PUT32
	SORTED_ADVANCE32
	JMP          block

passA:
	VMOVDQU32 (ap), Z0
	VMOVDQU32 Z0, (dstp)
	ADDQ      $64, dstp
	ADDQ      $64, ap
	JMP       block

passB:
	ADDQ $64, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 16
	MOVQ    aend, AX
	SUBQ    ap, AX
	JZ      done
	MOVQ    bend, CX
	SUBQ    bp, CX
	JZ      done
	MOVL    $64, BX
	CMPQ    AX, BX
	CMOVQHI BX, AX
	CMPQ    CX, BX
	CMOVQHI BX, CX
	SHRL    $2, AX
	SHRL    $2, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTD -4(ap)(AX*4), Z3
	VPBROADCASTD -4(bp)(CX*4), Z4
	BZHIL        AX, ones, BX
	KMOVW        BX, K7
	BZHIL        CX, ones, BX
	KMOVW        BX, K6
	VMOVDQU32.Z  (ap), K7, Z0
	VMOVDQA64    Z4, Z1
	VMOVDQU32    (bp), K6, Z1
	VMOVDQU32    Z1, fill-64(SP)
	LEAQ         fill-64(SP), BX
	SORTED_FIND32(BX)
	VPCMPUD      $2, Z4, Z0, K7, K5
	VPCMPUD      $1, Z3, Z1, K6, K6
	SORTED_KEEP_MISSING
	SORTED_PUT32
	SORTED_ADVANCE32
	JMP          block

done:
	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $2, dstp
	MOVQ dstp, n+40(FP)
	SUBQ a+8(FP), ap
	SHRQ $2, ap
	MOVQ ap, i+48(FP)
	SUBQ b+24(FP), bp
	SHRQ $2, bp
	MOVQ bp, j+56(FP)
	RET
