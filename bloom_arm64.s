//go:build !purego

// The standard filter's batch kernels: the waves that bloom_generic.go
// specifies, with a prefetch of the line of every bit computed. They are scalar;
// the prefetch is what they are for.

#include "textflag.h"
#include "go_asm.h"

// Registers of every kernel in this file:
#define base R0 // words
#define bits R1 // t.bit
#define keys R2 // t.key
#define left R3 // keys to go
#define xs   R4
#define ys   R5
#define step R6  // i
#define mod  R7  // m
#define rec  R8  // inv
#define next R9  // a location, then its bit
#define old  R10 // the bit to look at
#define who  R11 // the key's index
#define out  R12 // index of the next survivor's place
#define pos  R13
#define word R14
#define tmp  R15
#define one  R16

// LOCATE computes location step of the key with index who and reduces it modulo
// m, as divisor.mod does.
// out: next; clobbers tmp, word
#define LOCATE(who) \
	MOVD (ys)(who<<3), tmp     \
	MOVD (xs)(who<<3), next    \
	MADD step, next, tmp, next \
	REDUCE

// REDUCE makes next its remainder modulo m.
// clobbers tmp, word
#define REDUCE \
	UMULH rec, next, tmp       \
	MSUB  mod, next, tmp, next \
	SUBS  mod, next, word      \
	CSEL  LO, next, word, next

// PREFETCH prefetches the line of bit b.
// clobbers tmp
#define PREFETCH(b) \
	LSR  $6, b, tmp           \
	ADD  tmp<<3, base, tmp    \
	PRFM (tmp), PLDL1KEEP

// WORD loads the word of bit old.
// out: word, tmp its address
#define WORDOF \
	LSR  $6, old, tmp      \
	ADD  tmp<<3, base, tmp \
	MOVD (tmp), word

// func bloomFirstARM64(words *uint64, t *bloomTile, n int, m, inv uint64)
TEXT ·bloomFirstARM64(SB), NOSPLIT, $0-40
	MOVD words+0(FP), base
	MOVD t+8(FP), xs
	ADD  $bloomTile_bit, xs, bits
	ADD  $bloomTile_hash, xs
	MOVD n+16(FP), left
	MOVD m+24(FP), mod
	MOVD inv+32(FP), rec

loop:
	// t.bit[pos] = t.hash[0][pos] % m
	MOVD.P 8(xs), next
	REDUCE
	MOVD.P next, 8(bits)
	PREFETCH(next)
	SUB    $1, left
	CBNZ   left, loop
	RET

// func bloomTestWaveARM64(words *uint64, t *bloomTile, n int, x, y *[bloomTileKeys]uint64, i, m, inv uint64) int
TEXT ·bloomTestWaveARM64(SB), NOSPLIT, $0-72
	MOVD words+0(FP), base
	MOVD t+8(FP), tmp
	ADD  $bloomTile_bit, tmp, bits
	ADD  $bloomTile_key, tmp, keys
	MOVD n+16(FP), left
	MOVD x+24(FP), xs
	MOVD y+32(FP), ys
	MOVD i+40(FP), step
	MOVD m+48(FP), mod
	MOVD inv+56(FP), rec
	MOVD ZR, pos
	MOVD ZR, out
	MOVD $1, one

loop:
	MOVD (keys)(pos<<3), who
	LOCATE(who)

	// If the old bit is clear, next is not wanted: to prefetch the old one's line
	// again costs nothing.
	MOVD (bits)(pos<<3), old
	WORDOF
	LSR  old, word, word
	ANDS one, word, word
	CSEL EQ, old, next, next

	// t.key[out], t.bit[out] = who, next; out += old bit
	MOVD who, (keys)(out<<3)
	MOVD next, (bits)(out<<3)
	ADD  word, out
	PREFETCH(next)
	ADD  $1, pos
	CMP  left, pos
	BLT  loop
	MOVD out, ret+64(FP)
	RET

// func bloomAddWaveARM64(words *uint64, t *bloomTile, n int, x, y *[bloomTileKeys]uint64, i, m, inv uint64)
TEXT ·bloomAddWaveARM64(SB), NOSPLIT, $0-64
	MOVD words+0(FP), base
	MOVD t+8(FP), tmp
	ADD  $bloomTile_bit, tmp, bits
	MOVD n+16(FP), left
	MOVD x+24(FP), xs
	MOVD y+32(FP), ys
	MOVD i+40(FP), step
	MOVD m+48(FP), mod
	MOVD inv+56(FP), rec
	MOVD ZR, pos
	MOVD $1, one

loop:
	// words[old/64] |= 1 << (old % 64)
	MOVD (bits)(pos<<3), old
	WORDOF
	LSL  old, one, next
	ORR  next, word
	MOVD word, (tmp)

	LOCATE(pos)
	MOVD next, (bits)(pos<<3)
	PREFETCH(next)
	ADD  $1, pos
	CMP  left, pos
	BLT  loop
	RET
