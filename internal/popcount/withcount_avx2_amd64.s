//go:build !purego

// Set operations into a destination that are counted on the way, with AVX2.
//
// The tree of the cardinalities (count_amd64.s) decides the time: some
// 1.7 times that of the operation alone in the first-level cache, and 1.0 to 1.1
// times beyond, where both wait for memory. TUNING.md has what the ports allow and
// what did not help.

#include "textflag.h"
#include "popcount_amd64.h"

// COUNT_STORED sets v to the vector of a op b at off, and stores it in dst.
// in: aptr, bptr, dstptr; out: v
#define COUNT_STORED(VOP, off, v) \
	VMOVDQU off(bptr), v    \
	VOP     off(aptr), v, v \
	VMOVDQU v, off(dstptr)

#define COUNT_STORED_AND(off, v)    COUNT_STORED(VPAND, off, v)
#define COUNT_STORED_OR(off, v)     COUNT_STORED(VPOR, off, v)
#define COUNT_STORED_XOR(off, v)    COUNT_STORED(VPXOR, off, v)
#define COUNT_STORED_ANDNOT(off, v) COUNT_STORED(VPANDN, off, v) // complements v, which is b

// COUNT_STORED1 stores the word of a op b at off in dst, and adds the number of its
// bits to sum.
// in: aptr, bptr, dstptr, sum; out: sum; clobbers: t
#define COUNT_STORED1(OPQ, off, t, sum) \
	MOVQ    off(bptr), t   \
	OPQ     off(aptr), t   \
	MOVQ    t, off(dstptr) \
	POPCNTQ t, t           \
	ADDQ    t, sum

#define COUNT_STORED1_AND(off, t, sum) COUNT_STORED1(ANDQ, off, t, sum)
#define COUNT_STORED1_OR(off, t, sum)  COUNT_STORED1(ORQ, off, t, sum)
#define COUNT_STORED1_XOR(off, t, sum) COUNT_STORED1(XORQ, off, t, sum)

#define COUNT_STORED1_ANDNOT(off, t, sum) \
	MOVQ    off(bptr), t    \
	ANDNQ   off(aptr), t, t \
	MOVQ    t, off(dstptr)  \
	POPCNTQ t, t            \
	ADDQ    t, sum

// func andWithCountAVX2(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·andWithCountAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// dst[:64] = a[:64] & b[:64]; sum += popcount(dst[:64])
loop64:
	COUNT_TREE_64(COUNT_STORED_AND)
	ADDQ $512, aptr
	ADDQ $512, bptr
	ADDQ $512, dstptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// dst[:16] = a[:16] & b[:16]; sum += popcount(dst[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_STORED_AND, COUNT_STORED1_AND)
	ADDQ $128, aptr
	ADDQ $128, bptr
	ADDQ $128, dstptr
	SUBQ $16, left
	JGE  loop16

lanes:
	COUNT_LANES(DX)
	VZEROUPPER
	ADDQ DX, sum0
	ADDQ $16, left

	// Fewer than 16 words are left: four at a time, then one.
words:
	SUBQ $4, left
	JLT  tail1

loop4:
	COUNT_WORDS_4(COUNT_STORED1_AND, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	ADDQ $32, dstptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_STORED1_AND(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	ADDQ $8, dstptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+32(FP)
	RET

// func orWithCountAVX2(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·orWithCountAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// dst[:64] = a[:64] | b[:64]; sum += popcount(dst[:64])
loop64:
	COUNT_TREE_64(COUNT_STORED_OR)
	ADDQ $512, aptr
	ADDQ $512, bptr
	ADDQ $512, dstptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// dst[:16] = a[:16] | b[:16]; sum += popcount(dst[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_STORED_OR, COUNT_STORED1_OR)
	ADDQ $128, aptr
	ADDQ $128, bptr
	ADDQ $128, dstptr
	SUBQ $16, left
	JGE  loop16

lanes:
	COUNT_LANES(DX)
	VZEROUPPER
	ADDQ DX, sum0
	ADDQ $16, left

	// Fewer than 16 words are left: four at a time, then one.
words:
	SUBQ $4, left
	JLT  tail1

loop4:
	COUNT_WORDS_4(COUNT_STORED1_OR, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	ADDQ $32, dstptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_STORED1_OR(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	ADDQ $8, dstptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+32(FP)
	RET

// func xorWithCountAVX2(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·xorWithCountAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// dst[:64] = a[:64] ^ b[:64]; sum += popcount(dst[:64])
loop64:
	COUNT_TREE_64(COUNT_STORED_XOR)
	ADDQ $512, aptr
	ADDQ $512, bptr
	ADDQ $512, dstptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// dst[:16] = a[:16] ^ b[:16]; sum += popcount(dst[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_STORED_XOR, COUNT_STORED1_XOR)
	ADDQ $128, aptr
	ADDQ $128, bptr
	ADDQ $128, dstptr
	SUBQ $16, left
	JGE  loop16

lanes:
	COUNT_LANES(DX)
	VZEROUPPER
	ADDQ DX, sum0
	ADDQ $16, left

	// Fewer than 16 words are left: four at a time, then one.
words:
	SUBQ $4, left
	JLT  tail1

loop4:
	COUNT_WORDS_4(COUNT_STORED1_XOR, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	ADDQ $32, dstptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_STORED1_XOR(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	ADDQ $8, dstptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+32(FP)
	RET

// func andNotWithCountAVX2(dst, a, b *uint64, n int) int
// n >= 0. dst may be a or b.
TEXT ·andNotWithCountAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// dst[:64] = a[:64] &^ b[:64]; sum += popcount(dst[:64])
loop64:
	COUNT_TREE_64(COUNT_STORED_ANDNOT)
	ADDQ $512, aptr
	ADDQ $512, bptr
	ADDQ $512, dstptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// dst[:16] = a[:16] &^ b[:16]; sum += popcount(dst[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_STORED_ANDNOT, COUNT_STORED1_ANDNOT)
	ADDQ $128, aptr
	ADDQ $128, bptr
	ADDQ $128, dstptr
	SUBQ $16, left
	JGE  loop16

lanes:
	COUNT_LANES(DX)
	VZEROUPPER
	ADDQ DX, sum0
	ADDQ $16, left

	// Fewer than 16 words are left: four at a time, then one.
words:
	SUBQ $4, left
	JLT  tail1

loop4:
	COUNT_WORDS_4(COUNT_STORED1_ANDNOT, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	ADDQ $32, dstptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_STORED1_ANDNOT(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	ADDQ $8, dstptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+32(FP)
	RET
