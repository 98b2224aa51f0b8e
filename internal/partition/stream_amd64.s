//go:build !purego

// Stores past the caches, from AVX2 on.

#include "textflag.h"
#include "go_asm.h"

// func streamAVX2(dst, src *uint64, last bool)
//
// It copies stageKeys words past the caches. dst is at a cache line's beginning. If last
// is set, what was stored so is seen before anything that is stored later.
TEXT ·streamAVX2(SB), NOSPLIT, $0-17
	MOVQ    dst+0(FP), DI
	MOVQ    src+8(FP), SI
	MOVBLZX last+16(FP), AX
	MOVQ    $(const_stageKeys/8), CX

nextLine:
	VMOVDQU  (SI), Y0
	VMOVDQU  32(SI), Y1
	VMOVNTDQ Y0, (DI)
	VMOVNTDQ Y1, 32(DI)
	ADDQ     $64, SI
	ADDQ     $64, DI
	DECQ     CX
	JNE      nextLine

	TESTL AX, AX
	JEQ   done
	SFENCE

done:
	VZEROUPPER
	RET
