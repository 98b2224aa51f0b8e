// What the batch kernels for AVX-512 and AVX2 have in common. sbbf.go specifies
// the layout of a block.
//
// Keys go in groups of eight. The addresses of the blocks of the groups to come
// lie in a ring on the stack: each round of the main loop computes those of the
// group that comes distance bytes of hashes later, and then, for each key of its
// own group, prefetches a block of that one and probes its own. One prefetch per
// probe keeps the line-fill buffers in use without the stall of a burst. Blocks are
// never loaded ahead, so that a key sees what the keys before it have added.
//
// A group past the end of the batch is the last one once more: its blocks are
// prefetched again, and not probed again.
//
// Every kernel: b has blocks > 0 blocks, fewer than 2^32; n > 0 hashes, a multiple
// of 8; distance is that to the group to prefetch, in bytes of hashes, a positive
// multiple of 64 below ringBytes. Kernels with results write (n+31)/32 masks of 32
// bits to hits, and clear the bits of the last one that stand for no key.

#include "textflag.h"
#include "go_asm.h"

#define src      SI  // the hashes of the group to probe
#define last     DX  // those of the last group
#define dist     R8  // distance
#define ring     BX  // the addresses of 32 groups
#define at       CX  // offset in it of the group to probe
#define cursor   R12 // in the ring: the group to probe
#define ahead    R13 // in the ring: the group to prefetch
#define groups   R9  // groups to probe before the next mask; in additions, in all
#define todo     R11 // keys whose results are not yet begun
#define maskKeys R10 // keys of the current mask of results: 32, fewer in the last
#define results  R14 // the next group's bytes; R14 is g only in ABIInternal
#define hitsp    DI  // the next mask of results
#define addr     AX  // of the key's block

#define ringBytes 2048 // after them lie 32 bytes of results
#define ringMask  (ringBytes-1)

// SBBF_START aligns the ring and finds the last group.
// in: src, groups = the number of keys; out: last, groups, ring, results, at = 0
#define SBBF_START \
	LEAQ -64(src)(groups*8), last \
	SHRQ $3, groups \
	LEAQ 63(SP), ring \
	ANDQ $-64, ring \
	LEAQ ringBytes(ring), results \
	XORL at, at

// SBBF_NEXT_MASK chooses the keys of the next mask of results: 32, or the rest.
// in, out: todo; out: maskKeys, groups
#define SBBF_NEXT_MASK \
	MOVQ    $32, maskKeys \
	CMPQ    todo, maskKeys \
	CMOVQLT todo, maskKeys \
	SUBQ    maskKeys, todo \
	MOVQ    maskKeys, groups \
	SHRQ    $3, groups

// SBBF_NEXT_AHEAD points addr at the hashes of the group to prefetch, and the
// cursors at both groups.
// in: src, last, dist, at, ring; out: addr, ahead, cursor
#define SBBF_NEXT_AHEAD \
	LEAQ    (src)(dist*1), addr \
	CMPQ    addr, last \
	CMOVQHI last, addr \
	LEAQ    (at)(dist*1), ahead \
	ANDQ    $ringMask, ahead \
	ADDQ    ring, ahead \
	LEAQ    (ring)(at*1), cursor

// SBBF_PREFETCH prefetches the block of key i of the group ahead.
// in: ahead; clobbers addr
#define SBBF_PREFETCH(i) \
	MOVQ       (8*i)(ahead), addr \
	PREFETCHT0 (addr)

// SBBF_PREFETCH_EIGHT prefetches those of a whole group.
// in: ahead; clobbers addr
#define SBBF_PREFETCH_EIGHT \
	SBBF_PREFETCH(0) \
	SBBF_PREFETCH(1) \
	SBBF_PREFETCH(2) \
	SBBF_PREFETCH(3) \
	SBBF_PREFETCH(4) \
	SBBF_PREFETCH(5) \
	SBBF_PREFETCH(6) \
	SBBF_PREFETCH(7)

// SBBF_NEXT_GROUP moves on by a group.
// in, out: src, at
#define SBBF_NEXT_GROUP \
	ADDQ $64, src \
	ADDQ $64, at \
	ANDQ $ringMask, at
