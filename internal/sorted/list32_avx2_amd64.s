//go:build !purego

// Lists of integers of 32 bits, 8 a block.
// The macros' file has the method.

#include "textflag.h"
#include "avx2_amd64.h"

// func intersect32AVX2(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)
//
// As intersectGo does it, while both lists have a block left: of a the first i elements
// and of b the first j are done with. na >= 0, nb >= 0, n <= i; the first na places of dst
// may change.
TEXT ·intersect32AVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), alast
	LEAQ -32(ap)(alast*4), alast
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), blast
	LEAQ -32(bp)(blast*4), blast
	LEAQ ·laneNumbers(SB), table

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[7] < b[0] or b[7] < a[0]: pass over a block
	MOVL 28(ap), AX
	CMPL AX, (bp)
	JB   passA
	MOVL 28(bp), AX
	CMPL AX, (ap)
	JB   passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH32
	SORTED_PICK_FOUND
	SORTED_STORE32
	SORTED_STEP32
	JMP     block

passA:
	ADDQ $32, ap
	JMP  block

passB:
	ADDQ $32, bp
	JMP  block

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

// func count32AVX2(a *uint32, na int, b *uint32, nb int) (n, i, j int)
//
// As countGo does it; the rest as for intersect32AVX2.
TEXT ·count32AVX2(SB), NOSPLIT, $0-56
	MOVQ a+0(FP), ap
	MOVQ na+8(FP), alast
	LEAQ -32(ap)(alast*4), alast
	MOVQ b+16(FP), bp
	MOVQ nb+24(FP), blast
	LEAQ -32(bp)(blast*4), blast
	XORL count, count

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[7] < b[0] or b[7] < a[0]: pass over a block
	MOVL 28(ap), AX
	CMPL AX, (bp)
	JB   passA
	MOVL 28(bp), AX
	CMPL AX, (ap)
	JB   passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH32
	SORTED_PICK_FOUND
	SORTED_SUM32
	SORTED_STEP32
	JMP     block

passA:
	ADDQ $32, ap
	JMP  block

passB:
	ADDQ $32, bp
	JMP  block

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

// func difference32AVX2(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)
//
// As differenceGo does it, without the copy of a's rest; the rest as for intersect32AVX2.
TEXT ·difference32AVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), alast
	LEAQ -32(ap)(alast*4), alast
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), blast
	LEAQ -32(bp)(blast*4), blast
	LEAQ ·laneNumbers(SB), table

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[7] < b[0] or b[7] < a[0]: pass over a block
	MOVL 28(ap), AX
	CMPL AX, (bp)
	JB   passA
	MOVL 28(bp), AX
	CMPL AX, (ap)
	JB   passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH32
	SORTED_PICK_MISSING
	SORTED_STORE32
	SORTED_STEP32
	JMP     block

passA:
	VMOVDQU (ap), Y0
	VMOVDQU Y0, (dstp)
	ADDQ    $32, dstp
	ADDQ    $32, ap
	JMP     block

passB:
	ADDQ $32, bp
	JMP  block

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
