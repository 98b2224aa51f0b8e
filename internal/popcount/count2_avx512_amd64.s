//go:build !purego

// popcount(a op b) with AVX-512, as countAVX512 in count_amd64.s.
//
// The first vector stands for 1 to 8 words. It ends where the whole vectors of a that
// follow are aligned, or for short operands so that nothing is left after them. The
// ends read no word outside the operands, not even masked out: where that is in a
// page that is not mapped, the masked load takes an assist of 80 ns.

#include "textflag.h"
#include "popcount_amd64.h"

// POPCNT_PAIR sets each lane of v to the number of bits of a op b at off. v has 256 or
// 512 bits. VOP(a, b, v) is v = a op b, where VPANDNQ complements b.
// in: aptr, bptr; out: v
#define POPCNT_PAIR(VOP, off, v) \
	VMOVDQU64 off(bptr), v    \
	VOP       off(aptr), v, v \
	VPOPCNTQ  v, v

#define POPCNT_AND(off, v)    POPCNT_PAIR(VPANDQ, off, v)
#define POPCNT_OR(off, v)     POPCNT_PAIR(VPORQ, off, v)
#define POPCNT_XOR(off, v)    POPCNT_PAIR(VPXORQ, off, v)
#define POPCNT_ANDNOT(off, v) POPCNT_PAIR(VPANDNQ, off, v)

// func andCountAVX512(a, b *uint64, n int) int
// n >= 4.
TEXT ·andCountAVX512(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
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
	POPCNT_AND(0, Z0)
	POPCNT_FIRST(head, Z0)
	SUBQ head, left
	JZ   sum
	SHLQ $3, head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_ZERO
	SUBQ $64, left
	JLT  tail8

	// sum += popcount(a[:64] & b[:64])
loop64:
	POPCNT_64(POPCNT_AND)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64

tail8:
	ADDQ $64-8, left
	JLT  last

	// sum += popcount(a[:8] & b[:8])
loop8:
	POPCNT_AND(0, Z4)
	VPADDQ Z4, Z0, Z0
	ADDQ $64, aptr
	ADDQ $64, bptr
	SUBQ $8, left
	JGE  loop8

	// The last vector ends where the operands end: some of it has been counted.
last:
	ADDQ $8, left
	JZ   join
	LEAQ -64(left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_AND(0, Z4)
	POPCNT_LAST(left, 8, Z4)
	VPADDQ Z4, Z0, Z0

join:
	POPCNT_JOIN

sum:
	POPCNT_HALVES
	JMP  lanes

	// Four to seven words: the first four, and what is left of the last four.
halves:
	POPCNT_AND(0, Y0)
	SUBQ $4, left
	LEAQ (left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_AND(0, Y1)
	POPCNT_LAST(left, 4, Y1)
	VPADDQ Y1, Y0, Y0

lanes:
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

// func orCountAVX512(a, b *uint64, n int) int
// n >= 4.
TEXT ·orCountAVX512(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
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
	POPCNT_OR(0, Z0)
	POPCNT_FIRST(head, Z0)
	SUBQ head, left
	JZ   sum
	SHLQ $3, head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_ZERO
	SUBQ $64, left
	JLT  tail8

	// sum += popcount(a[:64] | b[:64])
loop64:
	POPCNT_64(POPCNT_OR)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64

tail8:
	ADDQ $64-8, left
	JLT  last

	// sum += popcount(a[:8] | b[:8])
loop8:
	POPCNT_OR(0, Z4)
	VPADDQ Z4, Z0, Z0
	ADDQ $64, aptr
	ADDQ $64, bptr
	SUBQ $8, left
	JGE  loop8

	// The last vector ends where the operands end: some of it has been counted.
last:
	ADDQ $8, left
	JZ   join
	LEAQ -64(left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_OR(0, Z4)
	POPCNT_LAST(left, 8, Z4)
	VPADDQ Z4, Z0, Z0

join:
	POPCNT_JOIN

sum:
	POPCNT_HALVES
	JMP  lanes

	// Four to seven words: the first four, and what is left of the last four.
halves:
	POPCNT_OR(0, Y0)
	SUBQ $4, left
	LEAQ (left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_OR(0, Y1)
	POPCNT_LAST(left, 4, Y1)
	VPADDQ Y1, Y0, Y0

lanes:
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

// func xorCountAVX512(a, b *uint64, n int) int
// n >= 4.
TEXT ·xorCountAVX512(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
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
	POPCNT_XOR(0, Z0)
	POPCNT_FIRST(head, Z0)
	SUBQ head, left
	JZ   sum
	SHLQ $3, head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_ZERO
	SUBQ $64, left
	JLT  tail8

	// sum += popcount(a[:64] ^ b[:64])
loop64:
	POPCNT_64(POPCNT_XOR)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64

tail8:
	ADDQ $64-8, left
	JLT  last

	// sum += popcount(a[:8] ^ b[:8])
loop8:
	POPCNT_XOR(0, Z4)
	VPADDQ Z4, Z0, Z0
	ADDQ $64, aptr
	ADDQ $64, bptr
	SUBQ $8, left
	JGE  loop8

	// The last vector ends where the operands end: some of it has been counted.
last:
	ADDQ $8, left
	JZ   join
	LEAQ -64(left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_XOR(0, Z4)
	POPCNT_LAST(left, 8, Z4)
	VPADDQ Z4, Z0, Z0

join:
	POPCNT_JOIN

sum:
	POPCNT_HALVES
	JMP  lanes

	// Four to seven words: the first four, and what is left of the last four.
halves:
	POPCNT_XOR(0, Y0)
	SUBQ $4, left
	LEAQ (left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_XOR(0, Y1)
	POPCNT_LAST(left, 4, Y1)
	VPADDQ Y1, Y0, Y0

lanes:
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

// func andNotCountAVX512(a, b *uint64, n int) int
// n >= 4.
TEXT ·andNotCountAVX512(SB), NOSPLIT, $0-32
	MOVQ a+0(FP), aptr
	MOVQ b+8(FP), bptr
	MOVQ n+16(FP), left
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
	POPCNT_ANDNOT(0, Z0)
	POPCNT_FIRST(head, Z0)
	SUBQ head, left
	JZ   sum
	SHLQ $3, head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_ZERO
	SUBQ $64, left
	JLT  tail8

	// sum += popcount(a[:64] &^ b[:64])
loop64:
	POPCNT_64(POPCNT_ANDNOT)
	ADDQ $512, aptr
	ADDQ $512, bptr
	SUBQ $64, left
	JGE  loop64

tail8:
	ADDQ $64-8, left
	JLT  last

	// sum += popcount(a[:8] &^ b[:8])
loop8:
	POPCNT_ANDNOT(0, Z4)
	VPADDQ Z4, Z0, Z0
	ADDQ $64, aptr
	ADDQ $64, bptr
	SUBQ $8, left
	JGE  loop8

	// The last vector ends where the operands end: some of it has been counted.
last:
	ADDQ $8, left
	JZ   join
	LEAQ -64(left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_ANDNOT(0, Z4)
	POPCNT_LAST(left, 8, Z4)
	VPADDQ Z4, Z0, Z0

join:
	POPCNT_JOIN

sum:
	POPCNT_HALVES
	JMP  lanes

	// Four to seven words: the first four, and what is left of the last four.
halves:
	POPCNT_ANDNOT(0, Y0)
	SUBQ $4, left
	LEAQ (left*8), head
	ADDQ head, aptr
	ADDQ head, bptr
	POPCNT_ANDNOT(0, Y1)
	POPCNT_LAST(left, 4, Y1)
	VPADDQ Y1, Y0, Y0

lanes:
	COUNT_LANES(AX)
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
