// What the kernels for AVX-512 and AVX2 have in common: the loop over keys, one
// after the other, so that each sees what those before it have changed. The block
// of the key that comes COUNTER_AHEAD keys later is prefetched meanwhile; its index
// is computed twice, which costs less than to keep it.

#include "textflag.h"
#include "go_asm.h"

#define COUNTER_AHEAD 24 // keys

#define src     SI  // the next hash
#define ahead   DI  // the hash whose block to prefetch
#define last    R8  // the last hash, whose block is prefetched over and over at the end
#define base    R9  // the first block
#define nblk    R10 // nblocks
#define todo    R12 // keys left before the next word of results
#define word    BX  // the results of a word, the last one on top
#define addr    CX  // of the key's block

// COUNTER_START sets ahead and last, and todo to the number of blocks to prefetch in
// a burst.
// in: src, todo = n; out: ahead, last, todo; clobbers AX
#define COUNTER_START \
	MOVQ    src, ahead \
	LEAQ    -8(src)(todo*8), last \
	MOVQ    $COUNTER_AHEAD, AX \
	CMPQ    AX, todo \
	CMOVQLT AX, todo

// COUNTER_PREFETCH prefetches both lines of a block, and moves ahead on.
// in: ahead, last, base, nblk; out: ahead; clobbers AX, DX
#define COUNTER_PREFETCH \
	MOVQ       (ahead), DX \
	MULXQ      nblk, DX, DX \
	SHLQ       $7, DX \
	PREFETCHT0 (base)(DX*1) \
	PREFETCHT0 64(base)(DX*1) \
	LEAQ       8(ahead), AX \
	CMPQ       ahead, last \
	CMOVQCS    AX, ahead

// COUNTER_LOCATE loads the next hash, the address of its block and its in-block word.
// in: src, base, nblk; out: DX the hash, addr, AX the word
#define COUNTER_LOCATE \
	MOVQ  (src), DX \
	MULXQ nblk, AX, addr \
	SHLQ  $7, addr \
	ADDQ  base, addr \
	MOVQ  $const_wordMul, AX \
	IMULQ DX, AX

// COUNTER_WORD2 makes the second in-block word.
// in: DX the hash; out: AX; clobbers DX
#define COUNTER_WORD2 \
	MOVQ  DX, AX \
	SHRQ  $32, AX \
	XORQ  AX, DX \
	MOVQ  $const_mixMul, AX \
	IMULQ DX, AX

// COUNTER_WORD_KEYS chooses the keys of the next word of results: 64, or the rest.
// in: AX = keys left; out: todo, AX = keys left then
#define COUNTER_WORD_KEYS \
	MOVQ    $64, todo \
	CMPQ    AX, todo \
	CMOVQLT AX, todo \
	SUBQ    todo, AX

// COUNTER_WORD_DONE moves the results of a word to its low end.
// in: src, AX the first hash; in, out: word; clobbers CX
#define COUNTER_WORD_DONE \
	MOVQ  src, CX \
	SUBQ  AX, CX \
	SHRQ  $3, CX \
	NEGQ  CX \
	SHRXQ CX, word, word
