//go:build !purego

// Where keys' counters lie, and the prefetch of their lines: what Go lacks. The
// layout is specified in spectral.go. A block is one, two or four cache lines; only
// those that have counters of the key are sent for. Needs BMI2.

#include "textflag.h"
#include "go_asm.h"

#define base   BX
#define nblock R8
#define bytes  R9 // size
#define next   SI
#define end    DI // of the keys
#define out    R10
#define far1   R11
#define far2   R12
#define far3   R13
#define hash   DX  // then the block's address
#define word   CX  // the in-block word, then a place
#define tmp    AX  // then the places
#define bits8  R14 // a constant

// SPECTRAL_FETCH sends for the line of one place.
// in: tmp, hash; clobbers: word
#define SPECTRAL_FETCH(far, width) \
	SHRXQ      far, tmp, word     \
	MOVBLZX    CX, word           \
	PREFETCHT0 (hash)(word*width)

// func locateKernel(words *uint64, blocks uint64, size int, keys *uint64, n int, mixed bool, far *[3]uint64, spots *spot)
TEXT ·locateKernel(SB), NOSPLIT, $0-64
	MOVQ words+0(FP), base
	MOVQ blocks+8(FP), nblock
	MOVQ size+16(FP), bytes
	MOVQ keys+24(FP), next
	MOVQ n+32(FP), end
	MOVQ far+48(FP), tmp
	MOVQ spots+56(FP), out
	LEAQ (next)(end*8), end
	MOVQ 0(tmp), far1
	MOVQ 8(tmp), far2
	MOVQ 16(tmp), far3

loop:
	MOVQ (next), hash
	CMPB mixed+40(FP), $0
	JEQ  hashed

	// hash = hash.Mix(hash)
	MOVQ  $const_mixMul, bits8
	MOVQ  hash, tmp
	SHRQ  $const_mixFirst, tmp
	XORQ  tmp, hash
	IMULQ bits8, hash
	MOVQ  hash, tmp
	SHRQ  $32, tmp
	XORQ  tmp, hash
	IMULQ bits8, hash
	MOVQ  hash, tmp
	SHRQ  $32, tmp
	XORQ  tmp, hash

hashed:
	// spot.word = block.Index(hash, nblock) * size
	MOVQ  $const_wordMul, word
	IMULQ hash, word
	MULXQ nblock, tmp, hash
	IMULQ bytes, hash
	MOVQ  hash, spot_word(out)

	// spot.places = rotate(word>>fieldShift&fieldMask + laneStarts, 8*word)
	MOVQ word, tmp
	SHRQ $const_fieldShift, tmp
	MOVQ $const_fieldMask, bits8
	ANDQ bits8, tmp
	MOVQ $const_laneStarts, bits8
	ADDQ bits8, tmp
	SHLQ $3, word
	ROLQ CX, tmp
	MOVQ tmp, spot_places(out)
	LEAQ (base)(hash*8), hash
	CMPQ bytes, $16
	JEQ  lines2
	JGT  lines4

	PREFETCHT0 (hash)
	JMP        fetched

lines2:
	MOVBLZX    AX, word
	PREFETCHT0 (hash)(word*2)
	SPECTRAL_FETCH(far1, 2)
	JMP        fetched

lines4:
	MOVBLZX    AX, word
	PREFETCHT0 (hash)(word*4)
	SPECTRAL_FETCH(far1, 4)
	SPECTRAL_FETCH(far2, 4)
	SPECTRAL_FETCH(far3, 4)

fetched:
	ADDQ $8, next
	ADDQ $spot__size, out
	CMPQ next, end
	JLO  loop
	RET
