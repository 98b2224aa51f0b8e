//go:build !purego

// popcount(p).
//
// With AVX-512, each lane of 64 bits is counted with VPOPCNTQ and added to one of
// four vectors of 64-bit sums, which cannot overflow. count2_avx512_amd64.s
// has why its ends are as they are.
//
// With AVX2, by the carry-save adder tree of Muła, Kurz and Lemire, "Faster
// Population Counts Using AVX2 Instructions" (2018): sixteen vectors are added bit
// by bit into vectors of ones, twos, fours and eights, and only the sixteens are
// counted, through a table of nibbles. Two changes to it: three fresh vectors are
// added before the ones come in, which halves the chain of dependent additions
// through the ones; and 16 more words a round are counted with POPCNT, because the
// tree leaves the scalar units idle. TUNING.md has the figures.

#include "textflag.h"
#include "popcount_amd64.h"

// COUNT_VECTOR sets v to the vector of p at off.
// in: aptr; out: v
#define COUNT_VECTOR(off, v) \
	VMOVDQU off(aptr), v

// COUNT_WORD adds the number of bits of the word of p at off to sum.
// in: aptr, sum; out: sum; clobbers: t
#define COUNT_WORD(off, t, sum) \
	POPCNTQ off(aptr), t \
	ADDQ    t, sum

// COUNT_TREE_80 is COUNT_TREE_64, and counts 16 words more with POPCNT, four
// beside each four vectors.
// in, out: total, ones, twos, fours, eights, sum0 to sum3
// clobbers: Y8 to Y14, R11, R12, R13, DX
#define COUNT_TREE_80 \
	COUNT_FOUR(COUNT_VECTOR, 0, Y11)      \
	COUNT_WORDS_4(COUNT_WORD, 512)        \
	COUNT_FOUR(COUNT_VECTOR, 128, Y12)    \
	COUNT_WORDS_4(COUNT_WORD, 544)        \
	COUNT_CSA(fours, Y11, Y12, Y11, Y10)  \
	COUNT_FOUR(COUNT_VECTOR, 256, Y12)    \
	COUNT_WORDS_4(COUNT_WORD, 576)        \
	COUNT_FOUR(COUNT_VECTOR, 384, Y13)    \
	COUNT_WORDS_4(COUNT_WORD, 608)        \
	COUNT_CSA(fours, Y12, Y13, Y12, Y10)  \
	COUNT_CSA(eights, Y11, Y12, Y11, Y10) \
	COUNT_WEIGHED(Y11, $4, Y10)

// POPCNT_A sets each lane of v to the number of bits of p at off. v has 256 or 512
// bits.
// in: aptr; out: v
#define POPCNT_A(off, v) \
	VPOPCNTQ off(aptr), v

// POPCNT_A_AHEAD is POPCNT_A, and asks for the line that lies ahead bytes further.
// in: aptr, ahead; out: v
#define POPCNT_A_AHEAD(off, v) \
	PREFETCHT0 off(aptr)(ahead*1) \
	VPOPCNTQ   off(aptr), v

// func countAVX2(p *uint64, n int) int
// n >= 0.
TEXT ·countAVX2(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), aptr
	MOVQ n+8(FP), left
	COUNT_NO_WORDS
	CMPQ left, $16
	JLT  words
	COUNT_NO_TREE
	SUBQ $80, left
	JLT  tail16

	// sum += popcount(p[:80])
loop80:
	COUNT_TREE_80
	ADDQ $640, aptr
	SUBQ $80, left
	JGE  loop80
	COUNT_TREE_END

	// sum += popcount(p[:16])
tail16:
	ADDQ $80-16, left
	JLT  lanes

loop16:
	COUNT_16(COUNT_VECTOR, COUNT_WORD)
	ADDQ $128, aptr
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
	COUNT_WORDS_4(COUNT_WORD, 0)
	ADDQ $32, aptr
	SUBQ $4, left
	JGE  loop4

tail1:
	ADDQ $4, left
	JZ   done

loop1:
	COUNT_WORD(0, DX, sum0)
	ADDQ $8, aptr
	DECQ left
	JNZ  loop1

done:
	COUNT_SUM_WORDS
	MOVQ sum0, ret+16(FP)
	RET

// func countAVX512(p *uint64, n int) int
// n >= 4.
TEXT ·countAVX512(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), aptr
	MOVQ n+8(FP), left
	CMPQ left, $8
	JLT  halves

	// The first vector: (n-1)%8 + 1 words, but of more than 32 words those up to an
	// address that is a multiple of 64.
	LEAQ -1(left), head
	ANDQ $7, head
	INCQ head
	CMPQ left, $32
	JLE  first
	MOVQ aptr, head
	SHRQ $3, head
	ORQ  $-8, head
	NEGQ head

first:
	POPCNT_A(0, Z0)
	POPCNT_FIRST(head, Z0)
	SUBQ head, left
	JZ   sum
	SHLQ $3, head
	ADDQ head, aptr
	POPCNT_ZERO
	SUBQ $64, left
	JLT  tail8

	// sum += popcount(p[:64])
loop64:
	POPCNT_64(POPCNT_A)
	ADDQ $512, aptr
	SUBQ $64, left
	JGE  loop64

tail8:
	ADDQ $64-8, left
	JLT  last

	// sum += popcount(p[:8])
loop8:
	POPCNT_A(0, Z4)
	VPADDQ Z4, Z0, Z0
	ADDQ $64, aptr
	SUBQ $8, left
	JGE  loop8

	// The last vector ends where the operands end: some of it has been counted.
last:
	ADDQ $8, left
	JZ   join
	LEAQ -64(left*8), head
	ADDQ head, aptr
	POPCNT_A(0, Z4)
	POPCNT_LAST(left, 8, Z4)
	VPADDQ Z4, Z0, Z0

join:
	POPCNT_JOIN

sum:
	POPCNT_HALVES
	JMP  lanes

	// Four to seven words: the first four, and what is left of the last four.
halves:
	POPCNT_A(0, Y0)
	SUBQ $4, left
	LEAQ (left*8), head
	ADDQ head, aptr
	POPCNT_A(0, Y1)
	POPCNT_LAST(left, 4, Y1)
	VPADDQ Y1, Y0, Y0

lanes:
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+16(FP)
	RET

#define ahead R9 // how many bytes ahead to prefetch

// func countAheadAVX512(p *uint64, n, far int) int
// n is a positive multiple of 64. What lies ahead may be anything.
TEXT ·countAheadAVX512(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), aptr
	MOVQ n+8(FP), left
	MOVQ far+16(FP), ahead
	VPXOR X0, X0, X0
	POPCNT_ZERO

	// sum += popcount(p[:64])
loop64:
	POPCNT_64(POPCNT_A_AHEAD)
	ADDQ $512, aptr
	SUBQ $64, left
	JNZ  loop64

	POPCNT_JOIN
	POPCNT_HALVES
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

#undef ahead

#define aptr1 R8 // the next word of the second, third and fourth quarter
#define aptr2 R9
#define aptr3 R10

#define COUNT_VECTOR_Q1(off, v) VMOVDQU off(aptr1), v
#define COUNT_VECTOR_Q2(off, v) VMOVDQU off(aptr2), v
#define COUNT_VECTOR_Q3(off, v) VMOVDQU off(aptr3), v

// func countStreamAVX2(p *uint64, quarter, n int) int
// Counts n words from p on, n from p + quarter words on, and so from each quarter;
// n is a positive multiple of 16. From memory, four places at once, two cache lines
// of each in turn, are faster than one.
TEXT ·countStreamAVX2(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), aptr
	MOVQ quarter+8(FP), left
	LEAQ (aptr)(left*8), aptr1
	LEAQ (aptr1)(left*8), aptr2
	LEAQ (aptr2)(left*8), aptr3
	MOVQ n+16(FP), left
	COUNT_NO_TREE

	// sum += popcount(q[:16]) for each of the four quarters q
loop64:
	COUNT_FOUR(COUNT_VECTOR, 0, Y11)
	COUNT_FOUR(COUNT_VECTOR_Q1, 0, Y12)
	COUNT_CSA(fours, Y11, Y12, Y11, Y10)
	COUNT_FOUR(COUNT_VECTOR_Q2, 0, Y12)
	COUNT_FOUR(COUNT_VECTOR_Q3, 0, Y13)
	COUNT_CSA(fours, Y12, Y13, Y12, Y10)
	COUNT_CSA(eights, Y11, Y12, Y11, Y10)
	COUNT_WEIGHED(Y11, $4, Y10)
	ADDQ $128, aptr
	ADDQ $128, aptr1
	ADDQ $128, aptr2
	ADDQ $128, aptr3
	SUBQ $16, left
	JNZ  loop64

	COUNT_TREE_END
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
