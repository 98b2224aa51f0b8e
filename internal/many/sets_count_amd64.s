//go:build !purego

// The counts of the AND and the OR of many sets: as sets_amd64.s, but what the
// rounds combine is counted and not written. AVX2 counts by nibbles, 32 words a
// round; AVX-512 with VPOPCNTQ, 64 words a round. The alignment is for the reason
// that sets_amd64.s gives.

#include "textflag.h"
#include "sets_amd64.h"
#include "many_amd64.h"

#define count AX

// MANY_ADD_COUNTS adds the counts of v's bytes to those in Y2. The eight vectors
// of a round come to 64 at most in a byte.
// in: v, Y2, table, low; out: Y2; clobbers: v, Y1
#define MANY_ADD_COUNTS(at, v) \
	MANY_COUNT_BYTES(v, Y1) \
	VPADDB v, Y2, Y2

// MANY_ADD_POPCNT adds the counts of v's lanes to those in Y16.
// in: v, Y16; out: Y16; clobbers: v
#define MANY_ADD_POPCNT(at, v) \
	VPOPCNTQ v, v        \
	VPADDQ   v, Y16, Y16

// func andAllCountAVX2(sets *[]uint64, k, from, to, far int) int
// k >= 2, 0 <= from <= to.
TEXT ·andAllCountAVX2(SB), NOSPLIT, $0-48
	MOVQ sets+0(FP), setsp
	MOVQ k+8(FP), sets_k
	MOVQ from+16(FP), off
	MOVQ to+24(FP), end
	MOVQ far+32(FP), ahead
	SHLQ $3, off
	SHLQ $3, end
	XORL count, count
	VPXOR X0, X0, X0
	MANY_COUNT_CONSTANTS

round32:
	LEAQ 256(off), R13
	CMPQ R13, end
	JHI  round4

	// w = sets[0][…]
	MANY_FIRST_SET
	MANY_DO32(MANY_READ)
	TESTQ ahead, ahead
	JZ    sets32
	MANY_PREFETCH4

sets32:
	// w &= s[…]
	MANY_NEXT_SET
	MANY_DO32(MANY_AND)
	TESTQ ahead, ahead
	JZ    near32
	MANY_PREFETCH4

near32:
	DECQ left
	JNZ  sets32

	// total += popcount(w)
	VPXOR X2, X2, X2
	MANY_DO32(MANY_ADD_COUNTS)
	MANY_ADD_BYTES(Y2)
	ADDQ $256, off
	JMP  round32

	PCALIGN $64
round4:
	LEAQ 32(off), R13
	CMPQ R13, end
	JHI  lanes
	MANY_FIRST_SET
	MANY_READ(0, Y8)

sets4:
	MANY_NEXT_SET
	MANY_AND(0, Y8)
	DECQ left
	JNZ  sets4
	MANY_COUNT_BYTES(Y8, Y1)
	MANY_ADD_BYTES(Y8)
	ADDQ $32, off
	JMP  round4

lanes:
	MANY_SUM_LANES(count)
	VZEROUPPER

	PCALIGN $64
round1:
	CMPQ off, end
	JAE  done
	MANY_FIRST_SET
	MOVQ (s)(off*1), R13

sets1:
	MANY_NEXT_SET
	ANDQ (s)(off*1), R13
	DECQ left
	JNZ  sets1

	// count += popcount(w)
	POPCNTQ R13, R13
	ADDQ    R13, count
	ADDQ    $8, off
	JMP     round1

done:
	MOVQ count, ret+40(FP)
	RET

// func orAllCountAVX2(sets *[]uint64, k, from, to, far int) int
// k >= 2, 0 <= from <= to.
TEXT ·orAllCountAVX2(SB), NOSPLIT, $0-48
	MOVQ sets+0(FP), setsp
	MOVQ k+8(FP), sets_k
	MOVQ from+16(FP), off
	MOVQ to+24(FP), end
	MOVQ far+32(FP), ahead
	SHLQ $3, off
	SHLQ $3, end
	XORL count, count
	VPXOR X0, X0, X0
	MANY_COUNT_CONSTANTS

round32:
	LEAQ 256(off), R13
	CMPQ R13, end
	JHI  round4

	// w = sets[0][…]
	MANY_FIRST_SET
	MANY_DO32(MANY_READ)
	TESTQ ahead, ahead
	JZ    sets32
	MANY_PREFETCH4

sets32:
	// w |= s[…]
	MANY_NEXT_SET
	MANY_DO32(MANY_OR)
	TESTQ ahead, ahead
	JZ    near32
	MANY_PREFETCH4

near32:
	DECQ left
	JNZ  sets32

	// total += popcount(w)
	VPXOR X2, X2, X2
	MANY_DO32(MANY_ADD_COUNTS)
	MANY_ADD_BYTES(Y2)
	ADDQ $256, off
	JMP  round32

	PCALIGN $64
round4:
	LEAQ 32(off), R13
	CMPQ R13, end
	JHI  lanes
	MANY_FIRST_SET
	MANY_READ(0, Y8)

sets4:
	MANY_NEXT_SET
	MANY_OR(0, Y8)
	DECQ left
	JNZ  sets4
	MANY_COUNT_BYTES(Y8, Y1)
	MANY_ADD_BYTES(Y8)
	ADDQ $32, off
	JMP  round4

lanes:
	MANY_SUM_LANES(count)
	VZEROUPPER

	PCALIGN $64
round1:
	CMPQ off, end
	JAE  done
	MANY_FIRST_SET
	MOVQ (s)(off*1), R13

sets1:
	MANY_NEXT_SET
	ORQ (s)(off*1), R13
	DECQ left
	JNZ  sets1

	// count += popcount(w)
	POPCNTQ R13, R13
	ADDQ    R13, count
	ADDQ    $8, off
	JMP     round1

done:
	MOVQ count, ret+40(FP)
	RET

// func andAllCountAVX512(sets *[]uint64, k, from, to, far int) int
// k >= 2, 0 <= from <= to.
TEXT ·andAllCountAVX512(SB), NOSPLIT, $0-48
	MOVQ sets+0(FP), setsp
	MOVQ k+8(FP), sets_k
	MOVQ from+16(FP), off
	MOVQ to+24(FP), end
	MOVQ far+32(FP), ahead
	SHLQ $3, off
	SHLQ $3, end
	XORL count, count
	VPXORQ X16, X16, X16

round64:
	LEAQ 512(off), R13
	CMPQ R13, end
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

	// total += popcount(w)
	MANY_DO64(MANY_ADD_POPCNT)
	ADDQ $512, off
	JMP  round64

	PCALIGN $64
round4:
	LEAQ 32(off), R13
	CMPQ R13, end
	JHI  lanes
	MANY_FIRST_SET
	MANY_READ(0, Y0)

sets4:
	MANY_NEXT_SET
	MANY_AND(0, Y0)
	DECQ left
	JNZ  sets4
	MANY_ADD_POPCNT(0, Y0)
	ADDQ $32, off
	JMP  round4

lanes:
	VMOVDQA64 Y16, Y0
	MANY_SUM_LANES(count)
	VZEROUPPER

	PCALIGN $64
round1:
	CMPQ off, end
	JAE  done
	MANY_FIRST_SET
	MOVQ (s)(off*1), R13

sets1:
	MANY_NEXT_SET
	ANDQ (s)(off*1), R13
	DECQ left
	JNZ  sets1

	// count += popcount(w)
	POPCNTQ R13, R13
	ADDQ    R13, count
	ADDQ    $8, off
	JMP     round1

done:
	MOVQ count, ret+40(FP)
	RET

// func orAllCountAVX512(sets *[]uint64, k, from, to, far int) int
// k >= 2, 0 <= from <= to.
TEXT ·orAllCountAVX512(SB), NOSPLIT, $0-48
	MOVQ sets+0(FP), setsp
	MOVQ k+8(FP), sets_k
	MOVQ from+16(FP), off
	MOVQ to+24(FP), end
	MOVQ far+32(FP), ahead
	SHLQ $3, off
	SHLQ $3, end
	XORL count, count
	VPXORQ X16, X16, X16

round64:
	LEAQ 512(off), R13
	CMPQ R13, end
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

	// total += popcount(w)
	MANY_DO64(MANY_ADD_POPCNT)
	ADDQ $512, off
	JMP  round64

	PCALIGN $64
round4:
	LEAQ 32(off), R13
	CMPQ R13, end
	JHI  lanes
	MANY_FIRST_SET
	MANY_READ(0, Y0)

sets4:
	MANY_NEXT_SET
	MANY_OR(0, Y0)
	DECQ left
	JNZ  sets4
	MANY_ADD_POPCNT(0, Y0)
	ADDQ $32, off
	JMP  round4

lanes:
	VMOVDQA64 Y16, Y0
	MANY_SUM_LANES(count)
	VZEROUPPER

	PCALIGN $64
round1:
	CMPQ off, end
	JAE  done
	MANY_FIRST_SET
	MOVQ (s)(off*1), R13

sets1:
	MANY_NEXT_SET
	ORQ (s)(off*1), R13
	DECQ left
	JNZ  sets1

	// count += popcount(w)
	POPCNTQ R13, R13
	ADDQ    R13, count
	ADDQ    $8, off
	JMP     round1

done:
	MOVQ count, ret+40(FP)
	RET
