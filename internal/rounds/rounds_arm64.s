//go:build !purego

// The rounds of generic.go, with a prefetch of the line of every bit computed. They
// are scalar: the prefetch is what they are for.

#include "textflag.h"
#include "go_asm.h"

// Registers of every kernel in this file:
#define wordsp  R0 // words
#define bits    R1 // b.bit
#define keys    R2 // b.key
#define count   R3 // n
#define xp      R4 // x
#define yp      R5 // y
#define round   R6 // i
#define modulus R7 // m
#define inverse R8 // inv
#define next    R9  // a location, then its bit
#define bit     R10 // the bit to look at
#define j       R11 // the key's index
#define live    R12
#define s       R13 // loop counter
#define w       R14 // the word of bit
#define tmp     R15
#define one     R16 // 1
#define flipped R17 // flip

// ROUNDS_MOD computes next mod m, as Divisor.Mod does.
// in, out: next; clobbers: tmp, w
#define ROUNDS_MOD \
	UMULH inverse, next, tmp       \
	MSUB  modulus, next, tmp, next \
	SUBS  modulus, next, w         \
	CSEL  LO, next, w, next

// ROUNDS_LOCATE computes x[key] + i*y[key], a location.
// in: register key; out: next; clobbers: tmp
#define ROUNDS_LOCATE(key) \
	MOVD (yp)(key<<3), tmp  \
	MOVD (xp)(key<<3), next \
	MADD round, next, tmp, next

// ROUNDS_PREFETCH prefetches the line of bit next.
// in: next; clobbers: tmp
#define ROUNDS_PREFETCH \
	LSR  $6, next, tmp       \
	ADD  tmp<<3, wordsp, tmp \
	PRFM (tmp), PLDL1KEEP

// ROUNDS_WORD loads words[bit/64].
// in: bit; out: w, its address tmp
#define ROUNDS_WORD \
	LSR  $6, bit, tmp        \
	ADD  tmp<<3, wordsp, tmp \
	MOVD (tmp), w

// func firstKernel(words *uint64, b *Batch, n int, m, inv uint64)
//
// Computes the first bit of n keys. n > 0.
TEXT ·firstKernel(SB), NOSPLIT, $0-40
	MOVD words+0(FP), wordsp
	MOVD b+8(FP), xp
	ADD  $Batch_bit, xp, bits
	ADD  $Batch_hash, xp
	MOVD n+16(FP), count
	MOVD m+24(FP), modulus
	MOVD inv+32(FP), inverse

loop:
	// b.bit[s] = b.hash[0][s] % m, for s in 0 … n-1
	MOVD.P 8(xp), next
	ROUNDS_MOD
	MOVD.P next, 8(bits)
	ROUNDS_PREFETCH
	SUB    $1, count
	CBNZ   count, loop
	RET

// func testKernel(words *uint64, b *Batch, n int, x, y *[Size]uint64, i, m, inv, flip uint64) int
//
// Looks at n bits, keeps the keys whose bit is set, computes bit i of each and
// returns their number. n > 0.
TEXT ·testKernel(SB), NOSPLIT, $0-80
	MOVD words+0(FP), wordsp
	MOVD b+8(FP), tmp
	ADD  $Batch_bit, tmp, bits
	ADD  $Batch_key, tmp, keys
	MOVD n+16(FP), count
	MOVD x+24(FP), xp
	MOVD y+32(FP), yp
	MOVD i+40(FP), round
	MOVD m+48(FP), modulus
	MOVD inv+56(FP), inverse
	MOVD flip+64(FP), flipped
	MOVD ZR, s
	MOVD ZR, live
	MOVD $1, one

loop:
	// next = (x[j] + i*y[j]) % m
	MOVD (keys)(s<<3), j
	ROUNDS_LOCATE(j)
	ROUNDS_MOD

	// w = words[bit/64] >> ((bit^flip)%64) & 1
	// A key that is ruled out needs no next bit: bit's line, which is prefetched
	// again instead, costs nothing.
	MOVD (bits)(s<<3), bit
	ROUNDS_WORD
	EOR  flipped, bit
	LSR  bit, w, w
	ANDS one, w, w
	CSEL EQ, bit, next, next

	// b.key[live], b.bit[live] = j, next
	// live += w
	MOVD j, (keys)(live<<3)
	MOVD next, (bits)(live<<3)
	ADD  w, live
	ROUNDS_PREFETCH
	ADD  $1, s
	CMP  count, s
	BLT  loop
	MOVD live, ret+72(FP)
	RET

// func addKernel(words *uint64, b *Batch, n int, x, y *[Size]uint64, i, m, inv uint64)
//
// Sets n bits and computes bit i of their keys. n > 0.
TEXT ·addKernel(SB), NOSPLIT, $0-64
	MOVD words+0(FP), wordsp
	MOVD b+8(FP), tmp
	ADD  $Batch_bit, tmp, bits
	MOVD n+16(FP), count
	MOVD x+24(FP), xp
	MOVD y+32(FP), yp
	MOVD i+40(FP), round
	MOVD m+48(FP), modulus
	MOVD inv+56(FP), inverse
	MOVD ZR, s
	MOVD $1, one

loop:
	// words[bit/64] |= 1 << (bit%64)
	MOVD (bits)(s<<3), bit
	ROUNDS_WORD
	LSL  bit, one, next
	ORR  next, w
	MOVD w, (tmp)

	// b.bit[s] = (x[s] + i*y[s]) % m
	ROUNDS_LOCATE(s)
	ROUNDS_MOD
	MOVD next, (bits)(s<<3)
	ROUNDS_PREFETCH
	ADD  $1, s
	CMP  count, s
	BLT  loop
	RET
