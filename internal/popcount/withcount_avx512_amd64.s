//go:build !purego

// Set operations into a destination that are counted on the way, with AVX-512:
// vectors of 256 bits, for the sake of the stores, each counted with VPOPCNTQ before
// the next is loaded. The sums of 64 bits cannot overflow. The order of work is that
// of bitset_amd64.s.

#include "textflag.h"
#include "popcount_amd64.h"

// POPCNT_STORED stores the vector of a op b at off in dst and adds the counts of its
// lanes to sum. v and sum have 128 or 256 bits. POPCNT_STORED1 does so for a word.
// VOP(a, b, v) is v = a op b, where VPANDNQ complements b.
// in: aptr, bptr, dstptr, sum; out: sum; clobbers: v; X0, X1
#define POPCNT_STORED(VOP, off, v, sum) \
	VMOVDQU64 off(bptr), v    \
	VOP       off(aptr), v, v \
	VMOVDQU64 v, off(dstptr)  \
	VPOPCNTQ  v, v            \
	VPADDQ    v, sum, sum

#define POPCNT_STORED1(VOP, sum) \
	VMOVQ    (bptr), X0    \
	VMOVQ    (aptr), X1    \
	VOP      X1, X0, X0    \
	VMOVQ    X0, (dstptr)  \
	VPOPCNTQ X0, X0        \
	VPADDQ   X0, sum, sum

// POPCNT_STORED_32 does so for 32 words.
// in: aptr, bptr, dstptr, Y4 to Y7; out: Y4 to Y7; clobbers: Y0 to Y3
#define POPCNT_STORED_32(VOP) \
	POPCNT_STORED(VOP, 0, Y0, Y4)   \
	POPCNT_STORED(VOP, 32, Y1, Y5)  \
	POPCNT_STORED(VOP, 64, Y2, Y6)  \
	POPCNT_STORED(VOP, 96, Y3, Y7)  \
	POPCNT_STORED(VOP, 128, Y0, Y4) \
	POPCNT_STORED(VOP, 160, Y1, Y5) \
	POPCNT_STORED(VOP, 192, Y2, Y6) \
	POPCNT_STORED(VOP, 224, Y3, Y7)

// WITHCOUNT_ZERO sets the sums to 0. Those of 128 bits have a register of their own,
// Y8, because adding to half a register clears the other half.
// out: Y4 to Y8
#define WITHCOUNT_ZERO \
	VPXOR X4, X4, X4 \
	VPXOR X5, X5, X5 \
	VPXOR X6, X6, X6 \
	VPXOR X7, X7, X7 \
	VPXOR X8, X8, X8

// WITHCOUNT_JOIN adds up the sums, lane by lane.
// in: Y4 to Y8; out: Y0; clobbers: Y4, Y6
#define WITHCOUNT_JOIN \
	VPADDQ Y5, Y4, Y4 \
	VPADDQ Y7, Y6, Y6 \
	VPADDQ Y6, Y4, Y0 \
	VPADDQ Y8, Y0, Y0

// WITHCOUNT_ADVANCE moves the three pointers on by a number of bytes.
// in, out: aptr, bptr, dstptr
#define WITHCOUNT_ADVANCE(bytes) \
	ADDQ bytes, aptr \
	ADDQ bytes, bptr \
	ADDQ bytes, dstptr

// func andWithCountAVX512(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·andWithCountAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	WITHCOUNT_ZERO

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	POPCNT_STORED1(VPANDQ, X8)
	WITHCOUNT_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	POPCNT_STORED(VPANDQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)
	SUBQ  $2, left

rounds:
	SUBQ  $32, left
	JLT   tail4

	// dst[:32] = a[:32] & b[:32]; sum += popcount(dst[:32])
loop32:
	POPCNT_STORED_32(VPANDQ)
	WITHCOUNT_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

tail4:
	ADDQ  $32-4, left
	JLT   tail2

	// dst[:4] = a[:4] & b[:4]; sum += popcount(dst[:4])
loop4:
	POPCNT_STORED(VPANDQ, 0, Y0, Y4)
	WITHCOUNT_ADVANCE($32)
	SUBQ  $4, left
	JGE   loop4

	// The low two bits of left are the number of words left.
tail2:
	TESTQ $2, left
	JZ    tail1
	POPCNT_STORED(VPANDQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	POPCNT_STORED1(VPANDQ, X8)

done:
	WITHCOUNT_JOIN
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// func orWithCountAVX512(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·orWithCountAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	WITHCOUNT_ZERO

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	POPCNT_STORED1(VPORQ, X8)
	WITHCOUNT_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	POPCNT_STORED(VPORQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)
	SUBQ  $2, left

rounds:
	SUBQ  $32, left
	JLT   tail4

	// dst[:32] = a[:32] | b[:32]; sum += popcount(dst[:32])
loop32:
	POPCNT_STORED_32(VPORQ)
	WITHCOUNT_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

tail4:
	ADDQ  $32-4, left
	JLT   tail2

	// dst[:4] = a[:4] | b[:4]; sum += popcount(dst[:4])
loop4:
	POPCNT_STORED(VPORQ, 0, Y0, Y4)
	WITHCOUNT_ADVANCE($32)
	SUBQ  $4, left
	JGE   loop4

	// The low two bits of left are the number of words left.
tail2:
	TESTQ $2, left
	JZ    tail1
	POPCNT_STORED(VPORQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	POPCNT_STORED1(VPORQ, X8)

done:
	WITHCOUNT_JOIN
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// func xorWithCountAVX512(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·xorWithCountAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	WITHCOUNT_ZERO

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	POPCNT_STORED1(VPXORQ, X8)
	WITHCOUNT_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	POPCNT_STORED(VPXORQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)
	SUBQ  $2, left

rounds:
	SUBQ  $32, left
	JLT   tail4

	// dst[:32] = a[:32] ^ b[:32]; sum += popcount(dst[:32])
loop32:
	POPCNT_STORED_32(VPXORQ)
	WITHCOUNT_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

tail4:
	ADDQ  $32-4, left
	JLT   tail2

	// dst[:4] = a[:4] ^ b[:4]; sum += popcount(dst[:4])
loop4:
	POPCNT_STORED(VPXORQ, 0, Y0, Y4)
	WITHCOUNT_ADVANCE($32)
	SUBQ  $4, left
	JGE   loop4

	// The low two bits of left are the number of words left.
tail2:
	TESTQ $2, left
	JZ    tail1
	POPCNT_STORED(VPXORQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	POPCNT_STORED1(VPXORQ, X8)

done:
	WITHCOUNT_JOIN
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// func andNotWithCountAVX512(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·andNotWithCountAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	WITHCOUNT_ZERO

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	POPCNT_STORED1(VPANDNQ, X8)
	WITHCOUNT_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	POPCNT_STORED(VPANDNQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)
	SUBQ  $2, left

rounds:
	SUBQ  $32, left
	JLT   tail4

	// dst[:32] = a[:32] &^ b[:32]; sum += popcount(dst[:32])
loop32:
	POPCNT_STORED_32(VPANDNQ)
	WITHCOUNT_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

tail4:
	ADDQ  $32-4, left
	JLT   tail2

	// dst[:4] = a[:4] &^ b[:4]; sum += popcount(dst[:4])
loop4:
	POPCNT_STORED(VPANDNQ, 0, Y0, Y4)
	WITHCOUNT_ADVANCE($32)
	SUBQ  $4, left
	JGE   loop4

	// The low two bits of left are the number of words left.
tail2:
	TESTQ $2, left
	JZ    tail1
	POPCNT_STORED(VPANDNQ, 0, X0, X8)
	WITHCOUNT_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	POPCNT_STORED1(VPANDNQ, X8)

done:
	WITHCOUNT_JOIN
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET
