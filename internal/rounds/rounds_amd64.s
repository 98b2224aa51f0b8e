//go:build !purego

// The rounds of generic.go, with a prefetch of the line of every bit computed. They
// are scalar: the prefetch is what they are for. It goes into L1 if b.near is set,
// else into L2: which is better differs by CPU.
// The level has BMI2. What else was tried is in TUNING.md.

#include "textflag.h"
#include "go_asm.h"

// Registers of every kernel in this file:
#define wordsp  DI  // words
#define batchp  SI  // b
#define xp      R10 // x
#define yp      R11 // y
#define round   R12 // i
#define modulus R13 // m
#define inverse BX  // inv
#define s       CX  // loop counter
#define next    AX  // a location, then its bit
#define bit     R8  // the bit to look at
#define j       R9  // the key's index
#define live    R14 // R14 is g only in ABIInternal
#define tmp     DX  // implicit operand of MULX

// ROUNDS_MOD computes next mod m, as Divisor.Mod does. MULX with one register for
// both halves leaves the high one.
// in, out: next; clobbers: tmp
#define ROUNDS_MOD \
	MOVQ    next, tmp         \
	MULXQ   inverse, tmp, tmp \
	IMULQ   modulus, tmp      \
	SUBQ    tmp, next         \
	MOVQ    next, tmp         \
	SUBQ    modulus, next     \
	CMOVQCS tmp, next

// ROUNDS_LOCATE computes x[key] + i*y[key], a location.
// in: register key; out: next
#define ROUNDS_LOCATE(key) \
	MOVQ  (yp)(key*8), next \
	IMULQ round, next       \
	ADDQ  (xp)(key*8), next

// ROUNDS_WORD points next at the word of bit next.
// in, out: next
#define ROUNDS_WORD \
	SHRQ $6, next \
	LEAQ (wordsp)(next*8), next

// func firstKernel(words *uint64, b *Batch, n int, m, inv uint64)
//
// Computes the first bit of n keys. n > 0.
TEXT ·firstKernel(SB), NOSPLIT, $0-40
	MOVQ words+0(FP), wordsp
	MOVQ b+8(FP), batchp
	MOVQ m+24(FP), modulus
	MOVQ inv+32(FP), inverse
	XORL s, s

loop:
	// b.bit[s] = b.hash[0][s] % m
	MOVQ Batch_hash(batchp)(s*8), next
	ROUNDS_MOD
	MOVQ next, Batch_bit(batchp)(s*8)
	ROUNDS_WORD
	CMPB Batch_near(batchp), $0
	JNE  nearer

	PREFETCHT1 (next)
	INCQ       s
	CMPQ       s, n+16(FP)
	JLT        loop
	RET

nearer:
	PREFETCHT0 (next)
	INCQ       s
	CMPQ       s, n+16(FP)
	JLT        loop
	RET

// func testKernel(words *uint64, b *Batch, n int, x, y *[Size]uint64, i, m, inv, flip uint64) int
//
// Looks at n bits, keeps the keys whose bit is set, computes bit i of each and
// returns their number. n > 0.
TEXT ·testKernel(SB), NOSPLIT, $0-80
	MOVQ words+0(FP), wordsp
	MOVQ b+8(FP), batchp
	MOVQ x+24(FP), xp
	MOVQ y+32(FP), yp
	MOVQ i+40(FP), round
	MOVQ m+48(FP), modulus
	MOVQ inv+56(FP), inverse
	XORL s, s
	XORL live, live

loop:
	// next = (x[j] + i*y[j]) % m
	MOVQ Batch_key(batchp)(s*8), j
	ROUNDS_LOCATE(j)
	ROUNDS_MOD

	// carry = words[bit/64] >> ((bit^flip)%64) & 1
	// A key that is ruled out needs no next bit: bit's line, which is prefetched
	// again instead, costs nothing.
	MOVQ    Batch_bit(batchp)(s*8), bit
	MOVQ    bit, tmp
	SHRQ    $6, tmp
	MOVQ    (wordsp)(tmp*8), tmp
	XORQ    flip+64(FP), bit
	BTQ     bit, tmp
	CMOVQCC bit, next

	// b.key[live], b.bit[live] = j, next
	// live += carry
	MOVQ j, Batch_key(batchp)(live*8)
	MOVQ next, Batch_bit(batchp)(live*8)
	ADCQ $0, live
	ROUNDS_WORD
	CMPB Batch_near(batchp), $0
	JNE  nearer

	PREFETCHT1 (next)
	INCQ       s
	CMPQ       s, n+16(FP)
	JLT        loop
	MOVQ       live, ret+72(FP)
	RET

nearer:
	PREFETCHT0 (next)
	INCQ       s
	CMPQ       s, n+16(FP)
	JLT        loop
	MOVQ       live, ret+72(FP)
	RET

// func addKernel(words *uint64, b *Batch, n int, x, y *[Size]uint64, i, m, inv uint64)
//
// Sets n bits and computes bit i of their keys. n > 0.
TEXT ·addKernel(SB), NOSPLIT, $0-64
	MOVQ words+0(FP), wordsp
	MOVQ b+8(FP), batchp
	MOVQ x+24(FP), xp
	MOVQ y+32(FP), yp
	MOVQ i+40(FP), round
	MOVQ m+48(FP), modulus
	MOVQ inv+56(FP), inverse
	XORL s, s

loop:
	// words[bit/64] |= 1 << (bit%64)
	MOVQ Batch_bit(batchp)(s*8), bit
	MOVQ bit, tmp
	SHRQ $6, tmp
	MOVQ (wordsp)(tmp*8), next
	BTSQ bit, next
	MOVQ next, (wordsp)(tmp*8)

	// b.bit[s] = (x[s] + i*y[s]) % m
	ROUNDS_LOCATE(s)
	ROUNDS_MOD
	MOVQ next, Batch_bit(batchp)(s*8)
	ROUNDS_WORD
	CMPB Batch_near(batchp), $0
	JNE  nearer

	PREFETCHT1 (next)
	INCQ       s
	CMPQ       s, n+16(FP)
	JLT        loop
	RET

nearer:
	PREFETCHT0 (next)
	INCQ       s
	CMPQ       s, n+16(FP)
	JLT        loop
	RET
