//go:build !purego

// popcount(a op b) with AVX2, by the tree that count_amd64.s explains. Here the
// loads are the limit: words counted with POPCNT beside the tree gain nothing.

#include "textflag.h"
#include "popcount_amd64.h"

// COUNT_VECTOR2 sets v to the vector of a op b at off. VOP(a, b, v) is v = a op b,
// where VPANDN complements b.
// in: aptr, bptr; out: v
#define COUNT_VECTOR2(VOP, off, v) \
	VMOVDQU off(bptr), v    \
	VOP     off(aptr), v, v

#define COUNT_VECTOR_AND(off, v)    COUNT_VECTOR2(VPAND, off, v)
#define COUNT_VECTOR_OR(off, v)     COUNT_VECTOR2(VPOR, off, v)
#define COUNT_VECTOR_XOR(off, v)    COUNT_VECTOR2(VPXOR, off, v)
#define COUNT_VECTOR_ANDNOT(off, v) COUNT_VECTOR2(VPANDN, off, v)

// COUNT_WORD2 adds the number of bits of the word of a op b at off to sum.
// in: aptr, bptr, sum; out: sum; clobbers: t
#define COUNT_WORD2(OPQ, off, t, sum) \
	MOVQ    off(bptr), t \
	OPQ     off(aptr), t \
	POPCNTQ t, t         \
	ADDQ    t, sum

#define COUNT_WORD_AND(off, t, sum) COUNT_WORD2(ANDQ, off, t, sum)
#define COUNT_WORD_OR(off, t, sum)  COUNT_WORD2(ORQ, off, t, sum)
#define COUNT_WORD_XOR(off, t, sum) COUNT_WORD2(XORQ, off, t, sum)

#define COUNT_WORD_ANDNOT(off, t, sum) \
	MOVQ    off(bptr), t    \
	ANDNQ   off(aptr), t, t \
	POPCNTQ t, t            \
	ADDQ    t, sum

// func andCountAVX2(a, b *uint64, n int) int
// n >= 0.
TEXT ·andCountAVX2(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// sum += popcount(a[:64] & b[:64])
loop64:
	COUNT_TREE_64(COUNT_VECTOR_AND)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// sum += popcount(a[:16] & b[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_VECTOR_AND, COUNT_WORD_AND)
	ADDQ $128, aptr
	ADDQ $128, bptr
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
	COUNT_WORDS_4(COUNT_WORD_AND, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_WORD_AND(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+24(FP)
	RET

// func orCountAVX2(a, b *uint64, n int) int
// n >= 0.
TEXT ·orCountAVX2(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// sum += popcount(a[:64] | b[:64])
loop64:
	COUNT_TREE_64(COUNT_VECTOR_OR)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// sum += popcount(a[:16] | b[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_VECTOR_OR, COUNT_WORD_OR)
	ADDQ $128, aptr
	ADDQ $128, bptr
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
	COUNT_WORDS_4(COUNT_WORD_OR, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_WORD_OR(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+24(FP)
	RET

// func xorCountAVX2(a, b *uint64, n int) int
// n >= 0.
TEXT ·xorCountAVX2(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// sum += popcount(a[:64] ^ b[:64])
loop64:
	COUNT_TREE_64(COUNT_VECTOR_XOR)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// sum += popcount(a[:16] ^ b[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_VECTOR_XOR, COUNT_WORD_XOR)
	ADDQ $128, aptr
	ADDQ $128, bptr
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
	COUNT_WORDS_4(COUNT_WORD_XOR, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_WORD_XOR(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+24(FP)
	RET

// func andNotCountAVX2(a, b *uint64, n int) int
// n >= 0.
TEXT ·andNotCountAVX2(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $64, left
	JLT  tail16

	// sum += popcount(a[:64] &^ b[:64])
loop64:
	COUNT_TREE_64(COUNT_VECTOR_ANDNOT)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64
	COUNT_TREE_END

	// sum += popcount(a[:16] &^ b[:16])
tail16:
	ADDQ $64-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_VECTOR_ANDNOT, COUNT_WORD_ANDNOT)
	ADDQ $128, aptr
	ADDQ $128, bptr
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
	COUNT_WORDS_4(COUNT_WORD_ANDNOT, 0)
	ADDQ $32, aptr
	ADDQ $32, bptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_WORD_ANDNOT(0, DX, sum0)
	ADDQ $8, aptr
	ADDQ $8, bptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+24(FP)
	RET
