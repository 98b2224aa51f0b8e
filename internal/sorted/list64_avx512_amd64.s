//go:build !purego

// Lists of integers of 64 bits, 8 a block. The macros' file has the method.

#include "textflag.h"
#include "avx512_amd64.h"

// func intersect64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)
//
// As intersectGo does it, until one list is used up: of a the first i elements and of b
// the first j have been. na >= 0, nb >= 0, n <= i.
TEXT ·intersect64AVX512(SB), NOSPLIT, $64-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*8), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*8), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	MOVL $-1, ones

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[7] < b[0] or b[7] < a[0]: pass over a block
	MOVQ 56(ap), AX
	CMPQ AX, (bp)
	JB   passA
	MOVQ 56(bp), AX
	CMPQ AX, (ap)
	JB   passB

	VMOVDQU64    (ap), Z0
	VMOVDQU64    (bp), Z1
	SORTED_FIND64(bp)
	VPCMPUQ.BCST $2, 56(bp), Z0, K5 // a[i] <= b[7]
	VPCMPUQ.BCST $1, 56(ap), Z1, K6 // b[j] < a[7]
	SORTED_KEEP_FOUND
	SORTED_PUT64
	SORTED_ADVANCE64
	JMP          block

passA:
	ADDQ $64, ap
	JMP  block

passB:
	ADDQ $64, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 8
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
	SHRL    $3, AX
	SHRL    $3, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTQ -8(ap)(AX*8), Z3
	VPBROADCASTQ -8(bp)(CX*8), Z4
	BZHIL        AX, ones, BX
	KMOVB        BX, K7
	BZHIL        CX, ones, BX
	KMOVB        BX, K6
	VMOVDQU64.Z  (ap), K7, Z0
	VMOVDQA64    Z4, Z1
	VMOVDQU64    (bp), K6, Z1
	VMOVDQU64    Z1, fill-64(SP)
	LEAQ         fill-64(SP), BX
	SORTED_FIND64(BX)
	VPCMPUQ      $2, Z4, Z0, K7, K5
	VPCMPUQ      $1, Z3, Z1, K6, K6
	SORTED_KEEP_FOUND
	SORTED_PUT64
	SORTED_ADVANCE64
	JMP          block

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

// func count64AVX512(a *uint64, na int, b *uint64, nb int) (n, i, j int)
//
// As countGo does it; the rest as for intersect64AVX512.
TEXT ·count64AVX512(SB), NOSPLIT, $64-56
	MOVQ a+0(FP), ap
	MOVQ na+8(FP), aend
	LEAQ (ap)(aend*8), aend
	MOVQ b+16(FP), bp
	MOVQ nb+24(FP), bend
	LEAQ (bp)(bend*8), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	MOVL $-1, ones
	XORL count, count

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[7] < b[0] or b[7] < a[0]: pass over a block
	MOVQ 56(ap), AX
	CMPQ AX, (bp)
	JB   passA
	MOVQ 56(bp), AX
	CMPQ AX, (ap)
	JB   passB

	VMOVDQU64    (ap), Z0
	VMOVDQU64    (bp), Z1
	SORTED_FIND64(bp)
	VPCMPUQ.BCST $2, 56(bp), Z0, K5 // a[i] <= b[7]
	VPCMPUQ.BCST $1, 56(ap), Z1, K6 // b[j] < a[7]
	SORTED_KEEP_FOUND
	SORTED_TALLY
	SORTED_ADVANCE64
	JMP          block

passA:
	ADDQ $64, ap
	JMP  block

passB:
	ADDQ $64, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 8
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
	SHRL    $3, AX
	SHRL    $3, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTQ -8(ap)(AX*8), Z3
	VPBROADCASTQ -8(bp)(CX*8), Z4
	BZHIL        AX, ones, BX
	KMOVB        BX, K7
	BZHIL        CX, ones, BX
	KMOVB        BX, K6
	VMOVDQU64.Z  (ap), K7, Z0
	VMOVDQA64    Z4, Z1
	VMOVDQU64    (bp), K6, Z1
	VMOVDQU64    Z1, fill-64(SP)
	LEAQ         fill-64(SP), BX
	SORTED_FIND64(BX)
	VPCMPUQ      $2, Z4, Z0, K7, K5
	VPCMPUQ      $1, Z3, Z1, K6, K6
	SORTED_KEEP_FOUND
	SORTED_TALLY
	SORTED_ADVANCE64
	JMP          block

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

// func difference64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)
//
// As differenceGo does it, without the copy of a's rest; the rest as for intersect64AVX512.
TEXT ·difference64AVX512(SB), NOSPLIT, $64-64
	MOVQ dst+0(FP), dstp
	MOVQ a+8(FP), ap
	MOVQ na+16(FP), aend
	LEAQ (ap)(aend*8), aend
	MOVQ b+24(FP), bp
	MOVQ nb+32(FP), bend
	LEAQ (bp)(bend*8), bend
	LEAQ -64(aend), alast
	LEAQ -64(bend), blast
	MOVL $-1, ones

block:
	CMPQ ap, alast
	JHI  part
	CMPQ bp, blast
	JHI  part

	// if a[7] < b[0] or b[7] < a[0]: pass over a block
	MOVQ 56(ap), AX
	CMPQ AX, (bp)
	JB   passA
	MOVQ 56(bp), AX
	CMPQ AX, (ap)
	JB   passB

	VMOVDQU64    (ap), Z0
	VMOVDQU64    (bp), Z1
	SORTED_FIND64(bp)
	VPCMPUQ.BCST $2, 56(bp), Z0, K5 // a[i] <= b[7]
	VPCMPUQ.BCST $1, 56(ap), Z1, K6 // b[j] < a[7]
	SORTED_KEEP_MISSING
	SORTED_PUT64
	SORTED_ADVANCE64
	JMP          block

passA:
	VMOVDQU64 (ap), Z0
	VMOVDQU64 Z0, (dstp)
	ADDQ      $64, dstp
	ADDQ      $64, ap
	JMP       block

passB:
	ADDQ $64, bp
	JMP  block

part:
	// AX, CX = the elements left, at most 8
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
	SHRL    $3, AX
	SHRL    $3, CX

	// What b lacks of a block is filled up with its last element, on the stack.
	VPBROADCASTQ -8(ap)(AX*8), Z3
	VPBROADCASTQ -8(bp)(CX*8), Z4
	BZHIL        AX, ones, BX
	KMOVB        BX, K7
	BZHIL        CX, ones, BX
	KMOVB        BX, K6
	VMOVDQU64.Z  (ap), K7, Z0
	VMOVDQA64    Z4, Z1
	VMOVDQU64    (bp), K6, Z1
	VMOVDQU64    Z1, fill-64(SP)
	LEAQ         fill-64(SP), BX
	SORTED_FIND64(BX)
	VPCMPUQ      $2, Z4, Z0, K7, K5
	VPCMPUQ      $1, Z3, Z1, K6, K6
	SORTED_KEEP_MISSING
	SORTED_PUT64
	SORTED_ADVANCE64
	JMP          block

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
