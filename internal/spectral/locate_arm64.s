//go:build !purego

// Where keys' counters lie, and the prefetch of their blocks: what Go lacks. The
// layout is specified in spectral.go. A block is one, two or four cache lines. Of
// four a key with k counters needs (k + 1) / 2 or one more; to tell which takes
// longer than to load them.

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

// func locateKernel(words *uint64, blocks uint64, size int, keys *uint64, n int, mixed bool, spots *spot)
TEXT ·locateKernel(SB), NOSPLIT, $0-56
	MOVD  words+0(FP), base
	MOVD  blocks+8(FP), nblock
	MOVD  size+16(FP), bytes
	MOVD  keys+24(FP), next
	MOVD  n+32(FP), left
	MOVBU mixed+40(FP), mix
	MOVD  spots+48(FP), out
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
	AND  word>>const_fieldShift, fields, tmp
	ADD  starts, tmp, tmp
	NEG  word<<3, word
	ROR  word, tmp, tmp
	STP  (hash, tmp), (out)
	ADD  hash<<3, base, tmp
	PRFM (tmp), PLDL1KEEP
	CMP  $8, bytes
	BEQ  fetched
	PRFM 64(tmp), PLDL1KEEP
	CMP  $16, bytes
	BEQ  fetched
	PRFM 128(tmp), PLDL1KEEP
	PRFM 192(tmp), PLDL1KEEP

fetched:
	ADD  $spot__size, out
	SUBS $1, left
	BNE  loop
	RET
