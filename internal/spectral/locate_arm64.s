//go:build !purego

// Where keys' counters lie, and the prefetch of their lines: what Go lacks. The
// layout is specified in spectral.go. A block is one, two or four cache lines; only
// those that have counters of the key are sent for.

#include "textflag.h"
#include "go_asm.h"

#define base   R0
#define nblock R1
#define bytes  R2 // size
#define next   R3
#define left   R4
#define out    R5
#define mix    R6 // mixed
#define mulMix R7
#define fields R8 // fieldMask
#define starts R9 // laneStarts
#define mulWord R10
#define hash   R11
#define word   R12 // the in-block word
#define tmp    R13
#define far1   R14
#define far2   R15
#define far3   R16
#define places R17

// NEON_SPECTRAL_FETCH sends for the line of one place.
// in: places, hash; clobbers: word
#define NEON_SPECTRAL_FETCH(far, log) \
	LSR  far, places, word   \
	AND  $63, word           \
	ADD  word<<log, hash, word \
	PRFM (word), PLDL1KEEP

// func locateKernel(words *uint64, blocks uint64, size int, keys *uint64, n int, mixed bool, far *[3]uint64, spots *spot)
TEXT ·locateKernel(SB), NOSPLIT, $0-64
	MOVD  words+0(FP), base
	MOVD  blocks+8(FP), nblock
	MOVD  size+16(FP), bytes
	MOVD  keys+24(FP), next
	MOVD  n+32(FP), left
	MOVBU mixed+40(FP), mix
	MOVD  spots+56(FP), out
	MOVD  far+48(FP), tmp
	LDP   0(tmp), (far1, far2)
	MOVD  16(tmp), far3
	MOVD  $const_mixMul, mulMix
	MOVD  $const_wordMul, mulWord
	MOVD  $const_fieldMask, fields
	MOVD  $const_laneStarts, starts

loop:
	MOVD.P 8(next), hash
	CBZ    mix, hashed

	// hash = hash.Mix(hash)
	EOR hash>>const_mixFirst, hash, hash
	MUL mulMix, hash, hash
	EOR hash>>32, hash, hash
	MUL mulMix, hash, hash
	EOR hash>>32, hash, hash

hashed:
	// spot.word = block.Index(hash, nblock) * size
	MUL   mulWord, hash, word
	UMULH nblock, hash, hash
	MUL   bytes, hash, hash

	// spot.places = rotate(word>>fieldShift&fieldMask + laneStarts, 8*word)
	AND word>>const_fieldShift, fields, places
	ADD starts, places, places
	NEG word<<3, word
	ROR word, places, places
	STP (hash, places), (out)
	ADD hash<<3, base, hash
	CMP $16, bytes
	BEQ lines2
	BGT lines4

	PRFM (hash), PLDL1KEEP
	B    fetched

lines2:
	NEON_SPECTRAL_FETCH(ZR, 1)
	NEON_SPECTRAL_FETCH(far1, 1)
	B fetched

lines4:
	NEON_SPECTRAL_FETCH(ZR, 2)
	NEON_SPECTRAL_FETCH(far1, 2)
	NEON_SPECTRAL_FETCH(far2, 2)
	NEON_SPECTRAL_FETCH(far3, 2)

fetched:
	ADD  $spot__size, out
	SUBS $1, left
	BNE  loop
	RET
