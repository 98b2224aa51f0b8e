//go:build !purego

// The standard filter's batch kernels: the waves that bloom_generic.go
// specifies, with a prefetch of the line of every bit computed. They are scalar;
// the prefetch is what they are for.
//
// It goes into L2, as blocked_amd64.s tells why. On a Zen 4, PREFETCHT0 takes up to
// twice as long from 16 MiB on (at 64 MiB 54 ns a lookup for 27, 73 an addition
// for 30), and is at best a twentieth faster in caches, where lines that are in L2
// already then come from L1.

#include "textflag.h"
#include "go_asm.h"

// Registers of every kernel in this file:
#define base DI // words
#define tile SI // t: its bit and key arrays are addressed from here
#define xs   R10
#define ys   R11
#define step R12 // i
#define mod  R13 // m
#define rec  BX  // inv
#define pos  CX  // loop counter
#define next AX  // a location, then its bit
#define old  R8  // the bit to look at
#define who  R9  // the key's index
#define live R14 // R14 is g only in ABIInternal
#define tmp  DX  // implicit operand of MULX

#define BIT bloomTile_bit(tile)
#define KEY bloomTile_key(tile)

// LOCATE computes location step of the key with index who and reduces it modulo
// m, as divisor.mod does.
// out: next; clobbers tmp
#define LOCATE(who) \
	MOVQ  (ys)(who*8), next \
	IMULQ step, next        \
	ADDQ  (xs)(who*8), next \
	REDUCE

// REDUCE makes next its remainder modulo m. MULX with one register for both
// halves leaves the high one.
// clobbers tmp
#define REDUCE \
	MOVQ    next, tmp     \
	MULXQ   rec, tmp, tmp \
	IMULQ   mod, tmp      \
	SUBQ    tmp, next     \
	MOVQ    next, tmp     \
	SUBQ    mod, next     \
	CMOVQCS tmp, next

// PREFETCH prefetches the line of bit b.
// clobbers b
#define PREFETCH(b) \
	SHRQ       $6, b \
	PREFETCHT1 (base)(b*8)

// func bloomFirstBMI2(words *uint64, t *bloomTile, n int, m, inv uint64)
TEXT ·bloomFirstBMI2(SB), NOSPLIT, $0-40
	MOVQ words+0(FP), base
	MOVQ t+8(FP), tile
	MOVQ m+24(FP), mod
	MOVQ inv+32(FP), rec
	XORL pos, pos

loop:
	// t.bit[pos] = t.hash[0][pos] % m
	MOVQ bloomTile_hash(tile)(pos*8), next
	REDUCE
	MOVQ next, BIT(pos*8)
	PREFETCH(next)
	INCQ pos
	CMPQ pos, n+16(FP)
	JLT  loop
	RET

// func bloomTestWaveBMI2(words *uint64, t *bloomTile, n int, x, y *[bloomTileKeys]uint64, i, m, inv uint64) int
TEXT ·bloomTestWaveBMI2(SB), NOSPLIT, $0-72
	MOVQ words+0(FP), base
	MOVQ t+8(FP), tile
	MOVQ x+24(FP), xs
	MOVQ y+32(FP), ys
	MOVQ i+40(FP), step
	MOVQ m+48(FP), mod
	MOVQ inv+56(FP), rec
	XORL pos, pos
	XORL live, live

loop:
	MOVQ KEY(pos*8), who
	LOCATE(who)

	// If the old bit is clear, next is not wanted: to prefetch the old one's line
	// again costs nothing.
	MOVQ    BIT(pos*8), old
	MOVQ    old, tmp
	SHRQ    $6, tmp
	MOVQ    (base)(tmp*8), tmp
	BTQ     old, tmp
	CMOVQCC old, next

	// t.key[live], t.bit[live] = who, next; live += old bit
	MOVQ who, KEY(live*8)
	MOVQ next, BIT(live*8)
	ADCQ $0, live
	PREFETCH(next)
	INCQ pos
	CMPQ pos, n+16(FP)
	JLT  loop
	MOVQ live, ret+64(FP)
	RET

// func bloomAddWaveBMI2(words *uint64, t *bloomTile, n int, x, y *[bloomTileKeys]uint64, i, m, inv uint64)
TEXT ·bloomAddWaveBMI2(SB), NOSPLIT, $0-64
	MOVQ words+0(FP), base
	MOVQ t+8(FP), tile
	MOVQ x+24(FP), xs
	MOVQ y+32(FP), ys
	MOVQ i+40(FP), step
	MOVQ m+48(FP), mod
	MOVQ inv+56(FP), rec
	XORL pos, pos

loop:
	// words[old/64] |= 1 << (old % 64)
	MOVQ BIT(pos*8), old
	MOVQ old, tmp
	SHRQ $6, tmp
	MOVQ (base)(tmp*8), next
	BTSQ old, next
	MOVQ next, (base)(tmp*8)

	LOCATE(pos)
	MOVQ next, BIT(pos*8)
	PREFETCH(next)
	INCQ pos
	CMPQ pos, n+16(FP)
	JLT  loop
	RET
