//go:build !purego

// Lists of integers of 16 bits, 16 a block. The macros' file has the method.

#include "textflag.h"
#include "avx512_amd64.h"

// func intersect16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)
//
// As intersectGo does it, until one list is used up: of a the first i elements and of b
// the first j have been. na >= 0, nb >= 0, n <= i.
TEXT ·intersect16AVX512(SB), NOSPLIT, $32-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*2), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*2), bend
	LEAQ -32(aend), alast
	LEAQ -32(bend), blast
	MOVL $-1, ones

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVWLZX 30(ap), AX
	CMPW    AX, (bp)
	JB      passA
	MOVWLZX 30(bp), AX
	CMPW    AX, (ap)
	JB      passB

	VMOVDQU16    (ap), Y0
	VMOVDQU16    (bp), Y1
	SORTED_FIND16(bp)
	VPBROADCASTW 30(bp), Y4
	VPBROADCASTW 30(ap), Y3
	VPCMPUW      $2, Y4, Y0, K5 // a[i] <= b[15]
	VPCMPUW      $1, Y3, Y1, K6 // b[j] < a[15]
	SORTED_KEEP_FOUND
	SORTED_PUT16
	SORTED_ADVANCE16
	JMP          block

passA:
	ADDQ $32, ap
	JMP  block

passB:
	ADDQ $32, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 16
	MOVQ    aend, AX
	SUBQ    ap, AX
	JZ      done
	MOVQ    bend, CX
	SUBQ    bp, CX
	JZ      done
	MOVL    $32, BX
	CMPQ    AX, BX
	CMOVQHI BX, AX
	CMPQ    CX, BX
	CMOVQHI BX, CX
	SHRL    $1, AX
	SHRL    $1, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTW -2(ap)(AX*2), Y3
	VPBROADCASTW -2(bp)(CX*2), Y4
	BZHIL        AX, ones, BX
	KMOVW        BX, K7
	BZHIL        CX, ones, BX
	KMOVW        BX, K6
	VMOVDQU16.Z  (ap), K7, Y0
	VMOVDQA64    Y4, Y1
	VMOVDQU16    (bp), K6, Y1
	VMOVDQU16    Y1, fill-32(SP)
	LEAQ         fill-32(SP), BX
	SORTED_FIND16(BX)
	VPCMPUW      $2, Y4, Y0, K7, K5
	VPCMPUW      $1, Y3, Y1, K6, K6
	SORTED_KEEP_FOUND
	SORTED_PUT16
	SORTED_ADVANCE16
	JMP          block

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

// func count16AVX512(a *uint16, na int, b *uint16, nb int) (n, i, j int)
//
// As countGo does it; the rest as for intersect16AVX512.
TEXT ·count16AVX512(SB), NOSPLIT, $32-56
	MOVQ a+0(FP), ap
	MOVQ na+8(FP), aend
	LEAQ (ap)(aend*2), aend
	MOVQ b+16(FP), bp
	MOVQ nb+24(FP), bend
	LEAQ (bp)(bend*2), bend
	LEAQ -32(aend), alast
	LEAQ -32(bend), blast
	MOVL $-1, ones
	XORL count, count

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVWLZX 30(ap), AX
	CMPW    AX, (bp)
	JB      passA
	MOVWLZX 30(bp), AX
	CMPW    AX, (ap)
	JB      passB

	VMOVDQU16    (ap), Y0
	VMOVDQU16    (bp), Y1
	SORTED_FIND16(bp)
	VPBROADCASTW 30(bp), Y4
	VPBROADCASTW 30(ap), Y3
	VPCMPUW      $2, Y4, Y0, K5 // a[i] <= b[15]
	VPCMPUW      $1, Y3, Y1, K6 // b[j] < a[15]
	SORTED_KEEP_FOUND
	SORTED_TALLY
	SORTED_ADVANCE16
	JMP          block

passA:
	ADDQ $32, ap
	JMP  block

passB:
	ADDQ $32, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 16
	MOVQ    aend, AX
	SUBQ    ap, AX
	JZ      done
	MOVQ    bend, CX
	SUBQ    bp, CX
	JZ      done
	MOVL    $32, BX
	CMPQ    AX, BX
	CMOVQHI BX, AX
	CMPQ    CX, BX
	CMOVQHI BX, CX
	SHRL    $1, AX
	SHRL    $1, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTW -2(ap)(AX*2), Y3
	VPBROADCASTW -2(bp)(CX*2), Y4
	BZHIL        AX, ones, BX
	KMOVW        BX, K7
	BZHIL        CX, ones, BX
	KMOVW        BX, K6
	VMOVDQU16.Z  (ap), K7, Y0
	VMOVDQA64    Y4, Y1
	VMOVDQU16    (bp), K6, Y1
	VMOVDQU16    Y1, fill-32(SP)
	LEAQ         fill-32(SP), BX
	SORTED_FIND16(BX)
	VPCMPUW      $2, Y4, Y0, K7, K5
	VPCMPUW      $1, Y3, Y1, K6, K6
	SORTED_KEEP_FOUND
	SORTED_TALLY
	SORTED_ADVANCE16
	JMP          block

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

// func difference16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)
//
// As differenceGo does it, without the copy of a's rest; the rest as for intersect16AVX512.
TEXT ·difference16AVX512(SB), NOSPLIT, $32-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*2), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*2), bend
	LEAQ -32(aend), alast
	LEAQ -32(bend), blast
	MOVL $-1, ones

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[15] < b[0] or b[15] < a[0]: pass over a block
	MOVWLZX 30(ap), AX
	CMPW    AX, (bp)
	JB      passA
	MOVWLZX 30(bp), AX
	CMPW    AX, (ap)
	JB      passB

	VMOVDQU16    (ap), Y0
	VMOVDQU16    (bp), Y1
	SORTED_FIND16(bp)
	VPBROADCASTW 30(bp), Y4
	VPBROADCASTW 30(ap), Y3
	VPCMPUW      $2, Y4, Y0, K5 // a[i] <= b[15]
	VPCMPUW      $1, Y3, Y1, K6 // b[j] < a[15]
	SORTED_KEEP_MISSING
	SORTED_PUT16
	SORTED_ADVANCE16
	JMP          block

passA:
	VMOVDQU16 (ap), Y0
	VMOVDQU16 Y0, (dstp)
	ADDQ      $32, dstp
	ADDQ      $32, ap
	JMP       block

passB:
	ADDQ $32, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 16
	MOVQ    aend, AX
	SUBQ    ap, AX
	JZ      done
	MOVQ    bend, CX
	SUBQ    bp, CX
	JZ      done
	MOVL    $32, BX
	CMPQ    AX, BX
	CMOVQHI BX, AX
	CMPQ    CX, BX
	CMOVQHI BX, CX
	SHRL    $1, AX
	SHRL    $1, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTW -2(ap)(AX*2), Y3
	VPBROADCASTW -2(bp)(CX*2), Y4
	BZHIL        AX, ones, BX
	KMOVW        BX, K7
	BZHIL        CX, ones, BX
	KMOVW        BX, K6
	VMOVDQU16.Z  (ap), K7, Y0
	VMOVDQA64    Y4, Y1
	VMOVDQU16    (bp), K6, Y1
	VMOVDQU16    Y1, fill-32(SP)
	LEAQ         fill-32(SP), BX
	SORTED_FIND16(BX)
	VPCMPUW      $2, Y4, Y0, K7, K5
	VPCMPUW      $1, Y3, Y1, K6, K6
	SORTED_KEEP_MISSING
	SORTED_PUT16
	SORTED_ADVANCE16
	JMP          block

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
