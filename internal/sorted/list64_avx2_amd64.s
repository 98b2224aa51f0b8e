//go:build !purego

// Lists of integers of 64 bits, 4 a block.
// The macros' file has the method.

#include "textflag.h"
#include "avx2_amd64.h"

// func intersect64AVX2(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)
//
// As intersectGo does it, while both lists have a block left: of a the first i elements
// and of b the first j are done with. na >= 0, nb >= 0, n <= i; the first na places of dst
// may change.
TEXT ·intersect64AVX2(SB), NOSPLIT, $0-64
	MOVQ     dst+0(FP), dstp
	MOVQ     a+8(FP), ap
	MOVQ     na+16(FP), alast
	LEAQ     -32(ap)(alast*8), alast
	MOVQ     b+24(FP), bp
	MOVQ     nb+32(FP), blast
	LEAQ     -32(bp)(blast*8), blast
	LEAQ     ·pairNumbers(SB), table
	VPCMPEQD sign, sign, sign
	VPSLLQ   $63, sign, sign

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[3] < b[0] or b[3] < a[0]: pass over a block
	MOVQ 24(ap), AX
	CMPQ AX, (bp)
	JB   passA
	MOVQ 24(bp), AX
	CMPQ AX, (ap)
	JB   passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH64
	SORTED_PICK_FOUND
	SORTED_STORE64
	SORTED_STEP64
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
	SHRQ $3, dstp
	MOVQ dstp, n+40(FP)
	SUBQ a+8(FP), ap
	SHRQ $3, ap
	MOVQ ap, i+48(FP)
	SUBQ b+24(FP), bp
	SHRQ $3, bp
	MOVQ bp, j+56(FP)
	RET

// func count64AVX2(a *uint64, na int, b *uint64, nb int) (n, i, j int)
//
// As countGo does it; the rest as for intersect64AVX2.
TEXT ·count64AVX2(SB), NOSPLIT, $0-56
	MOVQ     a+0(FP), ap
	MOVQ     na+8(FP), alast
	LEAQ     -32(ap)(alast*8), alast
	MOVQ     b+16(FP), bp
	MOVQ     nb+24(FP), blast
	LEAQ     -32(bp)(blast*8), blast
	XORL     count, count
	VPCMPEQD sign, sign, sign
	VPSLLQ   $63, sign, sign

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[3] < b[0] or b[3] < a[0]: pass over a block
	MOVQ 24(ap), AX
	CMPQ AX, (bp)
	JB   passA
	MOVQ 24(bp), AX
	CMPQ AX, (ap)
	JB   passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH64
	SORTED_PICK_FOUND
	SORTED_SUM64
	SORTED_STEP64
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
	SHRQ $3, ap
	MOVQ ap, i+40(FP)
	SUBQ b+16(FP), bp
	SHRQ $3, bp
	MOVQ bp, j+48(FP)
	RET

// func difference64AVX2(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)
//
// As differenceGo does it, without the copy of a's rest; the rest as for intersect64AVX2.
TEXT ·difference64AVX2(SB), NOSPLIT, $0-64
	MOVQ     dst+0(FP), dstp
	MOVQ     a+8(FP), ap
	MOVQ     na+16(FP), alast
	LEAQ     -32(ap)(alast*8), alast
	MOVQ     b+24(FP), bp
	MOVQ     nb+32(FP), blast
	LEAQ     -32(bp)(blast*8), blast
	LEAQ     ·pairNumbers(SB), table
	VPCMPEQD sign, sign, sign
	VPSLLQ   $63, sign, sign

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[3] < b[0] or b[3] < a[0]: pass over a block
	MOVQ 24(ap), AX
	CMPQ AX, (bp)
	JB   passA
	MOVQ 24(bp), AX
	CMPQ AX, (ap)
	JB   passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH64
	SORTED_PICK_MISSING
	SORTED_STORE64
	SORTED_STEP64
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
	SHRQ $3, dstp
	MOVQ dstp, n+40(FP)
	SUBQ a+8(FP), ap
	SHRQ $3, ap
	MOVQ ap, i+48(FP)
	SUBQ b+24(FP), bp
	SHRQ $3, bp
	MOVQ bp, j+56(FP)
	RET
