// What the batch kernels for AVX-512 and AVX2 have in common: the software
// pipeline. block.go specifies the layout of a block.
//
// Keys go in groups of eight through a pipeline on the stack. Each round of the
// main loop hashes one group, prefetches the blocks of a group hashed before, and
// probes a group prefetched before that; fillBytes and aheadBytes are the
// distances. One prefetch per probe keeps the line-fill buffers in use without
// the stall that a burst of prefetches causes when they are all taken. Blocks are
// never loaded ahead, so that a key sees what the keys before it have added.
//
// Blocks are prefetched into L2, as PREFETCHT1 does: more lookups are in flight
// than with PREFETCHT0, which the line-fill buffers of L1 limit. TUNING.md has
// the figures.
//
// Each kernel's file includes this after it has defined pipeBytes and the rest of
// the pipeline's geometry.

#include "textflag.h"
#include "go_asm.h"

#define src        SI  // the next key to hash
#define end        DX  // of the keys
#define todo       R11 // keys whose results are not yet begun; in additions, nothing
#define maskKeys   R10 // keys of the current mask of results: 32, fewer in the last
#define groups     R9  // groups to probe before the next mask; in additions, in all
#define pipeline   BX
#define at         CX  // offset of the group to probe, in each array
#define fillAt     AX  // offset of the group to hash
#define cursor     R12 // in the pipeline: the group to hash, later that to probe
#define prefetched R13 // in the pipeline: the group to prefetch
#define burstBytes R13 // before that, of the addresses to prefetch in a burst: aheadBytes at most
#define results    R14 // the next group's bytes; R14 is g only in ABIInternal
#define addr       AX  // of the key's block

// BLOCK_START aligns the pipeline and sets at so many groups before its start as
// are to be hashed before the first is probed.
// in: src, groups = the number of keys; out: end, groups, pipeline, results, at,
// burstBytes; clobbers AX
#define BLOCK_START \
	LEAQ    (src)(groups*8), end \
	LEAQ    (groups*8), AX \
	MOVQ    $aheadBytes, burstBytes \
	CMPQ    AX, burstBytes \
	CMOVQLT AX, burstBytes \
	SHRQ    $3, groups \
	LEAQ    63(SP), pipeline \
	ANDQ    $-64, pipeline \
	LEAQ    pipeBytes(pipeline), results \
	MOVQ    $-fillBytes, at

// BLOCK_NEXT_MASK chooses the keys of the next mask of results: 32, or the rest.
// in, out: todo; out: maskKeys, groups
#define BLOCK_NEXT_MASK \
	MOVQ    $32, maskKeys \
	CMPQ    todo, maskKeys \
	CMOVQLT todo, maskKeys \
	SUBQ    maskKeys, todo \
	MOVQ    maskKeys, groups \
	SHRQ    $3, groups

// BLOCK_FILL_CURSOR points cursor at the group to hash.
// in: at; out: cursor, fillAt
#define BLOCK_FILL_CURSOR \
	LEAQ fillBytes(at), fillAt \
	ANDQ $pipeMask, fillAt \
	LEAQ (pipeline)(fillAt*1), cursor

// BLOCK_PROBE_CURSORS points cursor at the group to probe and prefetched at that
// to prefetch.
// in: at
#define BLOCK_PROBE_CURSORS \
	LEAQ (pipeline)(at*1), cursor \
	LEAQ aheadBytes(at), prefetched \
	ANDQ $pipeMask, prefetched \
	ADDQ pipeline, prefetched

// BLOCK_PREFETCH prefetches the block of key i of the group ahead, and loads addr
// with that of key i of the group to probe.
#define BLOCK_PREFETCH(i) \
	MOVQ       (pipeAddrs+8*i)(prefetched), addr \
	PREFETCHT1 (addr) \
	MOVQ       (pipeAddrs+8*i)(cursor), addr

// BLOCK_NEXT_GROUP moves at on by a group.
#define BLOCK_NEXT_GROUP \
	ADDQ $64, at \
	ANDQ $pipeMask, at

// BLOCK_EIGHT is PROBE for each key of a group.
#define BLOCK_EIGHT(PROBE) \
	PROBE(0) \
	PROBE(1) \
	PROBE(2) \
	PROBE(3) \
	PROBE(4) \
	PROBE(5) \
	PROBE(6) \
	PROBE(7)
