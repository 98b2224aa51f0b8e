//go:build !purego

// Where keys' counters lie, and the prefetch of their blocks: what Go lacks, and
// what it does in three times as many instructions. The layout is specified in
// spectral.go. A block is one, two or four cache lines. Of four a key with k
// counters needs (k + 1) / 2 or one more; to tell which takes longer than to load
// them. Needs BMI2.

#include "textflag.h"
#include "go_asm.h"

#define base   BX
#define nblock R8
#define bytes  R9 // of a block
#define next   SI
#define end    DI // of the keys
#define out    R10
#define plain  R11 // 1 if keys are hashes
#define mulMix R12
#define fields R13 // fieldMask
#define hash   DX
#define word   CX  // the in-block word
#define tmp    AX

// func locateKernel(words *uint64, blocks uint64, size int, keys *uint64, n int, mixed bool, spots *spot)
TEXT ·locateKernel(SB), NOSPLIT, $0-56
	MOVQ    words+0(FP), base
	MOVQ    blocks+8(FP), nblock
	MOVQ    size+16(FP), bytes
	MOVQ    keys+24(FP), next
	MOVQ    n+32(FP), end
	MOVBLZX mixed+40(FP), plain
	MOVQ    spots+48(FP), out
	XORL    $1, plain
	LEAQ    (next)(end*8), end
	MOVQ    $const_mixMul, mulMix
	MOVQ    $const_fieldMask, fields

loop:
	MOVQ  (next), hash
	TESTL plain, plain
	JNE   hashed

	// hash = hash.Mix(hash)
	MOVQ  hash, tmp
	SHRQ  $const_mixFirst, tmp
	XORQ  tmp, hash
	IMULQ mulMix, hash
	MOVQ  hash, tmp
	SHRQ  $32, tmp
	XORQ  tmp, hash
	IMULQ mulMix, hash
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
	MOVQ       word, tmp
	SHRQ       $const_fieldShift, tmp
	ANDQ       fields, tmp
	MOVQ       $const_laneStarts, R14
	ADDQ       R14, tmp
	SHLQ       $3, word
	ROLQ       CX, tmp
	MOVQ       tmp, spot_places(out)
	PREFETCHT0 (base)(hash*8)
	CMPQ       bytes, $8
	JEQ        fetched
	PREFETCHT0 64(base)(hash*8)
	CMPQ       bytes, $16
	JEQ        fetched
	PREFETCHT0 128(base)(hash*8)
	PREFETCHT0 192(base)(hash*8)

fetched:
	ADDQ $8, next
	ADDQ $spot__size, out
	CMPQ next, end
	JLO  loop
	RET
