// What the batch kernels for AVX-512 and AVX2 have in common: the software
// pipeline. block.go specifies the layout of a block.
//
// Keys go in groups of eight through a pipeline on the stack. Each round of the
// main loop hashes one group, prefetches the blocks of a group hashed before, and
// probes a group prefetched before that. One prefetch per probe keeps the line-fill
// buffers in use without the stall that a burst of prefetches causes when they are
// all taken. Blocks are never loaded ahead, so that a key sees what the keys before
// it have added.
//
// ahead and fill are the distances from the group that is probed to the one that is
// prefetched and to the one that is hashed, in bytes of an array of the pipeline: 64
// a group, 64 <= ahead <= fill <= 1792: the last four groups that were probed may
// not be overwritten, for the lanes of a mask's keys are read at its end. ahead may
// not be more than the keys are. near tells to prefetch into L1 (PREFETCHT0) and not
// L2 (PREFETCHT1). Which is best differs by CPU and by the filter's size: lookahead
// in block_amd64.go chooses.

#include "textflag.h"
#include "go_asm.h"

// The pipeline: the results of a mask, and four arrays, rings of 32 groups. A kernel
// that does not need the last ones has a smaller frame.
#define pipeResults 0    // 64 bytes
#define pipeSigns   64   // AVX2, additions: the address of the signs four times
#define pipeAddrs   128  // addresses of blocks
#define pipeWords   2176 // in-block words
#define pipeLanes   4224 // the lanes that the rotation turns on. Additions: AVX-512 has
                         // a word for each key, AVX2 the address of their signs. Tests:
                         // AVX-512 has a byte for each key, AVX2 nothing.
#define pipeWords2  6272 // second in-block words
#define pipeMask    2047 // of offsets in an array

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
#define results    R14 // the next group's bytes; R14 is g only in ABIInternal
#define addr       AX  // of the key's block

// BLOCK_START aligns the pipeline and sets at so many groups before its start as
// are to be hashed before the first is probed.
// in: src, groups = the number of keys, at = fill; out: end, groups, pipeline, at,
// results
#define BLOCK_START \
	LEAQ (src)(groups*8), end \
	SHRQ $3, groups \
	NEGQ at \
	LEAQ 63(SP), pipeline \
	ANDQ $-64, pipeline \
	LEAQ pipeResults(pipeline), results

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
// in: at, fillAt = fill; out: cursor, fillAt
#define BLOCK_FILL_CURSOR \
	ADDQ at, fillAt \
	ANDQ $pipeMask, fillAt \
	LEAQ (pipeline)(fillAt*1), cursor

// BLOCK_PROBE_CURSORS points cursor at the group to probe and prefetched at that
// to prefetch.
// in: at, prefetched = ahead
#define BLOCK_PROBE_CURSORS \
	LEAQ (pipeline)(at*1), cursor \
	ADDQ at, prefetched \
	ANDQ $pipeMask, prefetched \
	ADDQ pipeline, prefetched

// BLOCK_PREFETCH_ONLY prefetches the block of key i of the group ahead.
// hint is PREFETCHT0 or PREFETCHT1. in: prefetched; clobbers addr
#define BLOCK_PREFETCH_ONLY(i, hint) \
	MOVQ (pipeAddrs+8*i)(prefetched), addr \
	hint (addr)

// BLOCK_PREFETCH does it, and loads addr with the address of key i's block in the
// group to probe.
// in: prefetched, cursor; out: addr
#define BLOCK_PREFETCH(i, hint) \
	BLOCK_PREFETCH_ONLY(i, hint) \
	MOVQ (pipeAddrs+8*i)(cursor), addr

// BLOCK_NEXT_GROUP moves at on by a group.
#define BLOCK_NEXT_GROUP \
	ADDQ $64, at \
	ANDQ $pipeMask, at

// BLOCK_EIGHT is PROBE for each key of a group.
#define BLOCK_EIGHT(PROBE, hint) \
	PROBE(0, hint) \
	PROBE(1, hint) \
	PROBE(2, hint) \
	PROBE(3, hint) \
	PROBE(4, hint) \
	PROBE(5, hint) \
	PROBE(6, hint) \
	PROBE(7, hint)
