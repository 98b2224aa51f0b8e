//go:build !purego

// The AND and the OR of many sets in one pass: the words at one place of all of
// them are combined in registers, and every set is read once. Folding two by two
// writes and reads the intermediate result again for each.
//
// A round takes 64 words of each set in turn. That many streams defeat the
// hardware's prefetching once they come from memory: with far set the kernels
// fetch the next words of each set themselves. Figures: TUNING.md.
//
// The rounds for what is left are aligned: where the loop over the sets crosses a
// cache line of code, 63 words of three sets take 1.5 times as long on Sapphire
// Rapids.

#include "textflag.h"
#include "sets_amd64.h"

// func andAllAVX2(dst *uint64, sets *[]uint64, k, from, to, far int)
// k >= 2, 0 <= from <= to; dst may be one of the sets.
TEXT ·andAllAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ sets+8(FP), setsp
	MOVQ k+16(FP), sets_k
	MOVQ from+24(FP), off
	MOVQ to+32(FP), end
	MOVQ far+40(FP), ahead
	SHLQ $3, off
	SHLQ $3, end

round64:
	LEAQ 512(off), AX
	CMPQ AX, end
	JHI  round4

	// w = sets[0][…]
	MANY_FIRST_SET
	MANY_DO64(MANY_READ)
	TESTQ ahead, ahead
	JZ    sets64
	MANY_PREFETCH8

sets64:
	// w &= s[…]
	MANY_NEXT_SET
	MANY_DO64(MANY_AND)
	TESTQ ahead, ahead
	JZ    near64
	MANY_PREFETCH8

near64:
	DECQ left
	JNZ  sets64

	// dst[…] = w
	MANY_DO64(MANY_WRITE)
	ADDQ $512, off
	JMP  round64

	PCALIGN $64
round4:
	LEAQ 32(off), AX
	CMPQ AX, end
	JHI  round1
	MANY_FIRST_SET
	MANY_READ(0, Y0)

sets4:
	MANY_NEXT_SET
	MANY_AND(0, Y0)
	DECQ left
	JNZ  sets4
	MANY_WRITE(0, Y0)
	ADDQ $32, off
	JMP  round4

	PCALIGN $64
round1:
	CMPQ  off, end
	JAE   done
	MANY_FIRST_SET
	VMOVQ (s)(off*1), X0

sets1:
	MANY_NEXT_SET
	VMOVQ (s)(off*1), X1
	VPAND X1, X0, X0
	DECQ  left
	JNZ   sets1
	VMOVQ X0, (dstp)(off*1)
	ADDQ  $8, off
	JMP   round1

done:
	VZEROUPPER
	RET

// func orAllAVX2(dst *uint64, sets *[]uint64, k, from, to, far int)
// k >= 2, 0 <= from <= to; dst may be one of the sets.
TEXT ·orAllAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ sets+8(FP), setsp
	MOVQ k+16(FP), sets_k
	MOVQ from+24(FP), off
	MOVQ to+32(FP), end
	MOVQ far+40(FP), ahead
	SHLQ $3, off
	SHLQ $3, end

round64:
	LEAQ 512(off), AX
	CMPQ AX, end
	JHI  round4

	// w = sets[0][…]
	MANY_FIRST_SET
	MANY_DO64(MANY_READ)
	TESTQ ahead, ahead
	JZ    sets64
	MANY_PREFETCH8

sets64:
	// w |= s[…]
	MANY_NEXT_SET
	MANY_DO64(MANY_OR)
	TESTQ ahead, ahead
	JZ    near64
	MANY_PREFETCH8

near64:
	DECQ left
	JNZ  sets64

	// dst[…] = w
	MANY_DO64(MANY_WRITE)
	ADDQ $512, off
	JMP  round64

	PCALIGN $64
round4:
	LEAQ 32(off), AX
	CMPQ AX, end
	JHI  round1
	MANY_FIRST_SET
	MANY_READ(0, Y0)

sets4:
	MANY_NEXT_SET
	MANY_OR(0, Y0)
	DECQ left
	JNZ  sets4
	MANY_WRITE(0, Y0)
	ADDQ $32, off
	JMP  round4

	PCALIGN $64
round1:
	CMPQ  off, end
	JAE   done
	MANY_FIRST_SET
	VMOVQ (s)(off*1), X0

sets1:
	MANY_NEXT_SET
	VMOVQ (s)(off*1), X1
	VPOR X1, X0, X0
	DECQ  left
	JNZ   sets1
	VMOVQ X0, (dstp)(off*1)
	ADDQ  $8, off
	JMP   round1

done:
	VZEROUPPER
	RET
