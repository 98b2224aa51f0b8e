//go:build !purego

// Lists of integers of 16 bits, 16 a block. The words of b's block are compared in all rotations of its halves.
// The macros' file has the method.

#include "textflag.h"
#include "avx2_amd64.h"

// func intersect16AVX2(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)
//
// As intersectGo does it, while both lists have a block left: of a the first i elements
// and of b the first j are done with. na >= 0, nb >= 0, n <= i; the first na places of dst
// may change.
TEXT ·intersect16AVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), alast
	LEAQ -32(ap)(alast*2), alast
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), blast
	LEAQ -32(bp)(blast*2), blast
	LEAQ ·wordShuffles(SB), table

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVWLZX 30(ap), AX
	CMPW    AX, (bp)
	JB      passA
	MOVWLZX 30(bp), AX
	CMPW    AX, (ap)
	JB      passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH16
	SORTED_PICK_FOUND
	SORTED_STORE16
	SORTED_STEP16
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
	SHRQ $1, dstp
	MOVQ dstp, n+40(FP)
	SUBQ a+8(FP), ap
	SHRQ $1, ap
	MOVQ ap, i+48(FP)
	SUBQ b+24(FP), bp
	SHRQ $1, bp
	MOVQ bp, j+56(FP)
	RET

// func count16AVX2(a *uint16, na int, b *uint16, nb int) (n, i, j int)
//
// As countGo does it; the rest as for intersect16AVX2.
TEXT ·count16AVX2(SB), NOSPLIT, $0-56
	MOVQ a+0(FP), ap
	MOVQ na+8(FP), alast
	LEAQ -32(ap)(alast*2), alast
	MOVQ b+16(FP), bp
	MOVQ nb+24(FP), blast
	LEAQ -32(bp)(blast*2), blast
	XORL count, count

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVWLZX 30(ap), AX
	CMPW    AX, (bp)
	JB      passA
	MOVWLZX 30(bp), AX
	CMPW    AX, (ap)
	JB      passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH16
	SORTED_PICK_FOUND
	SORTED_SUM16
	SORTED_STEP16
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
	SHRQ $1, ap
	MOVQ ap, i+40(FP)
	SUBQ b+16(FP), bp
	SHRQ $1, bp
	MOVQ bp, j+48(FP)
	RET

// func difference16AVX2(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)
//
// As differenceGo does it, without the copy of a's rest; the rest as for intersect16AVX2.
TEXT ·difference16AVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), alast
	LEAQ -32(ap)(alast*2), alast
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), blast
	LEAQ -32(bp)(blast*2), blast
	LEAQ ·wordShuffles(SB), table

block:
	CMPQ ap, alast
	JHI  done
	CMPQ bp, blast
	JHI  done

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVWLZX 30(ap), AX
	CMPW    AX, (bp)
	JB      passA
	MOVWLZX 30(bp), AX
	CMPW    AX, (ap)
	JB      passB

	VMOVDQU (ap), Y0
	VMOVDQU (bp), Y1
	SORTED_MATCH16
	SORTED_PICK_MISSING
	SORTED_STORE16
	SORTED_STEP16
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
	SHRQ $1, dstp
	MOVQ dstp, n+40(FP)
	SUBQ a+8(FP), ap
	SHRQ $1, ap
	MOVQ ap, i+48(FP)
	SUBQ b+24(FP), bp
	SHRQ $1, bp
	MOVQ bp, j+56(FP)
	RET
