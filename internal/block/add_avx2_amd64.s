//go:build !purego

// Adding batches of keys, for AVX2.
//
// blocks has nblocks > 0 blocks, fewer than 2^32. n > 0 is a multiple of 8. If
// mixed, the keys are integers, otherwise hashes. lanes is a row of laneSigns.

#include "batch_avx2_amd64.h"

// BLOCK256_SET_BITS sets a mask's bits in a block.
// in: addr, Y0, Y1 the mask; clobbers Y0, Y1
#define BLOCK256_SET_BITS \
	VPOR    (addr), Y0, Y0 \
	VPOR    32(addr), Y1, Y1 \
	VMOVDQU Y0, (addr) \
	VMOVDQU Y1, 32(addr)

// BLOCK256_ADD_K8 sets key i's bits.
// in: cursor, prefetched; clobbers addr, Y0, Y1
#define BLOCK256_ADD_K8(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_MASK(i) \
	BLOCK256_SET_BITS

// BLOCK256_ADD_K1TO7 does it for k < 8.
// in: cursor, prefetched; clobbers addr, row, Y0 to Y3
#define BLOCK256_ADD_K1TO7(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_SOME_MASK(i) \
	BLOCK256_SET_BITS

// BLOCK256_ADD_K9TO16 does it for k > 8.
// in: cursor, prefetched; clobbers addr, row, Y0 to Y5
#define BLOCK256_ADD_K9TO16(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_BOTH_MASKS(i) \
	BLOCK256_SET_BITS

// func addK8AVX2(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool)
TEXT ·addK8AVX2(SB), 0, $4288-50
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         fill+40(FP), at
	BLOCK_START
	BLOCK256_CONSTANTS

nextGroup:
	// Hash the next group of keys, in two halves.
	MOVQ    fill+40(FP), fillAt
	BLOCK_FILL_CURSOR
	CMPQ    src, end
	JEQ     drained
	VMOVDQU (src), Y0
	CMPB    mixed+48(FP), $0
	JEQ     placeLow
	BLOCK256_MIX

placeLow:
	BLOCK256_PLACE(0)
	VMOVDQU 32(src), Y0
	CMPB    mixed+48(FP), $0
	JEQ     placeHigh
	BLOCK256_MIX

placeHigh:
	BLOCK256_PLACE(32)
	ADDQ    $64, src

hashed:
	TESTQ   at, at
	JLT     warmUp

	// Add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+32(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+49(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_ADD_K8, PREFETCHT1)

probed:
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA yBase, pipeAddrs(cursor)
	VMOVDQA yBase, (pipeAddrs+32)(cursor)
	JMP     hashed

nearGroup:
	BLOCK_EIGHT(BLOCK256_ADD_K8, PREFETCHT0)
	JMP probed

warmUp:
	// Nothing to probe yet. Prefetch a group that has been hashed.
	MOVQ ahead+32(FP), prefetched
	ADDQ at, prefetched
	JLT  warmed
	ADDQ pipeline, prefetched
	CMPB near+49(FP), $0
	JNE  nearWarmUp
	BLOCK_EIGHT(BLOCK_PREFETCH_ONLY, PREFETCHT1)

warmed:
	ADDQ $64, at
	JMP  nextGroup

nearWarmUp:
	BLOCK_EIGHT(BLOCK_PREFETCH_ONLY, PREFETCHT0)
	JMP warmed

// func addK1to7AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool)
TEXT ·addK1to7AVX2(SB), 0, $6336-58
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	BLOCK_START
	BLOCK256_CONSTANTS
	VPBROADCASTQ lanes+16(FP), Y0
	VMOVDQA      Y0, pipeSigns(pipeline)

nextGroup:
	// Hash the next group of keys, in two halves.
	MOVQ    fill+48(FP), fillAt
	BLOCK_FILL_CURSOR
	CMPQ    src, end
	JEQ     drained
	VMOVDQU (src), Y0
	CMPB    mixed+56(FP), $0
	JEQ     placeLow
	BLOCK256_MIX

placeLow:
	BLOCK256_PLACE(0)
	BLOCK256_ROTATE(0)
	VMOVDQU 32(src), Y0
	CMPB    mixed+56(FP), $0
	JEQ     placeHigh
	BLOCK256_MIX

placeHigh:
	BLOCK256_PLACE(32)
	BLOCK256_ROTATE(32)
	ADDQ    $64, src

hashed:
	TESTQ   at, at
	JLT     warmUp

	// Add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+57(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_ADD_K1TO7, PREFETCHT1)

probed:
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA yBase, pipeAddrs(cursor)
	VMOVDQA yBase, (pipeAddrs+32)(cursor)
	JMP     hashed

nearGroup:
	BLOCK_EIGHT(BLOCK256_ADD_K1TO7, PREFETCHT0)
	JMP probed

warmUp:
	// Nothing to probe yet. Prefetch a group that has been hashed.
	MOVQ ahead+40(FP), prefetched
	ADDQ at, prefetched
	JLT  warmed
	ADDQ pipeline, prefetched
	CMPB near+57(FP), $0
	JNE  nearWarmUp
	BLOCK_EIGHT(BLOCK_PREFETCH_ONLY, PREFETCHT1)

warmed:
	ADDQ $64, at
	JMP  nextGroup

nearWarmUp:
	BLOCK_EIGHT(BLOCK_PREFETCH_ONLY, PREFETCHT0)
	JMP warmed

// func addK9to16AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool)
TEXT ·addK9to16AVX2(SB), 0, $8384-58
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	BLOCK_START
	BLOCK256_CONSTANTS
	VPBROADCASTQ lanes+16(FP), Y0
	VMOVDQA      Y0, pipeSigns(pipeline)

nextGroup:
	// Hash the next group of keys, in two halves.
	MOVQ    fill+48(FP), fillAt
	BLOCK_FILL_CURSOR
	CMPQ    src, end
	JEQ     drained
	VMOVDQU (src), Y0
	CMPB    mixed+56(FP), $0
	JEQ     placeLow
	BLOCK256_MIX

placeLow:
	BLOCK256_PLACE(0)
	BLOCK256_ROTATE(0)
	BLOCK256_PLACE2(0)
	VMOVDQU 32(src), Y0
	CMPB    mixed+56(FP), $0
	JEQ     placeHigh
	BLOCK256_MIX

placeHigh:
	BLOCK256_PLACE(32)
	BLOCK256_ROTATE(32)
	BLOCK256_PLACE2(32)
	ADDQ    $64, src

hashed:
	TESTQ   at, at
	JLT     warmUp

	// Add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+57(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_ADD_K9TO16, PREFETCHT1)

probed:
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA yBase, pipeAddrs(cursor)
	VMOVDQA yBase, (pipeAddrs+32)(cursor)
	JMP     hashed

nearGroup:
	BLOCK_EIGHT(BLOCK256_ADD_K9TO16, PREFETCHT0)
	JMP probed

warmUp:
	// Nothing to probe yet. Prefetch a group that has been hashed.
	MOVQ ahead+40(FP), prefetched
	ADDQ at, prefetched
	JLT  warmed
	ADDQ pipeline, prefetched
	CMPB near+57(FP), $0
	JNE  nearWarmUp
	BLOCK_EIGHT(BLOCK_PREFETCH_ONLY, PREFETCHT1)

warmed:
	ADDQ $64, at
	JMP  nextGroup

nearWarmUp:
	BLOCK_EIGHT(BLOCK_PREFETCH_ONLY, PREFETCHT0)
	JMP warmed
