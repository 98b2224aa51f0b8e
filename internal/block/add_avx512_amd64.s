//go:build !purego

// Adding batches of keys, for AVX-512.
//
// blocks has nblocks > 0 blocks, fewer than 2^32. n > 0 is a multiple of 8. If
// mixed, the keys are integers, otherwise hashes. lanes is lanePattern(k).

#include "batch_avx512_amd64.h"

// BLOCK512_ADD_K8 sets key i's bits.
// in: cursor, prefetched; clobbers addr, Z0, Z1
#define BLOCK512_ADD_K8(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK512_MASK(i) \
	VPORQ     (addr), Z1, Z1 \
	VMOVDQU64 Z1, (addr)

// BLOCK512_ADD_K1TO7 does it for k < 8.
// in: cursor, prefetched; clobbers addr, Z0, Z1, K2
#define BLOCK512_ADD_K1TO7(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK512_SOME_MASK(i) \
	VPORQ     (addr), Z1, Z1 \
	VMOVDQU64 Z1, (addr)

// BLOCK512_ADD_K9TO16 does it for k > 8.
// in: cursor, prefetched; clobbers addr, Z0 to Z3, K2
#define BLOCK512_ADD_K9TO16(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK512_MASK(i) \
	BLOCK512_SOME_MASK2(i) \
	VPTERNLOGQ $0xFE, (addr), Z3, Z1 \
	VMOVDQU64  Z1, (addr)

// func addK8AVX512(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool)
TEXT ·addK8AVX512(SB), 0, $4288-50
	VPBROADCASTQ blocks+0(FP), vBase
	VPBROADCASTQ nblocks+8(FP), vBlocks
	MOVQ         keys+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         fill+40(FP), at
	MOVBLZX      mixed+48(FP), mix
	BLOCK_START
	BLOCK512_CONSTANTS

nextGroup:
	// Hash the next group of keys.
	MOVQ      fill+40(FP), fillAt
	BLOCK_FILL_CURSOR
	CMPQ      src, end
	JEQ       drained
	VMOVDQU64 (src), Z0
	TESTL     mix, mix
	JEQ       place
	BLOCK512_MIX

place:
	BLOCK512_PLACE
	ADDQ      $64, src

hashed:
	TESTQ     at, at
	JLT       warmUp

	// Add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ      ahead+32(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB      near+49(FP), $0
	JNE       nearGroup
	BLOCK_EIGHT(BLOCK512_ADD_K8, PREFETCHT1)

probed:
	BLOCK_NEXT_GROUP
	DECQ      groups
	JNE       nextGroup

	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA64 vBase, pipeAddrs(cursor)
	JMP       hashed

nearGroup:
	BLOCK_EIGHT(BLOCK512_ADD_K8, PREFETCHT0)
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

// func addK1to7AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool)
TEXT ·addK1to7AVX512(SB), 0, $6336-58
	VPBROADCASTQ blocks+0(FP), vBase
	VPBROADCASTQ nblocks+8(FP), vBlocks
	VPBROADCASTQ lanes+16(FP), vLanes
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVBLZX      mixed+56(FP), mix
	BLOCK_START
	BLOCK512_CONSTANTS

nextGroup:
	// Hash the next group of keys.
	MOVQ      fill+48(FP), fillAt
	BLOCK_FILL_CURSOR
	CMPQ      src, end
	JEQ       drained
	VMOVDQU64 (src), Z0
	TESTL     mix, mix
	JEQ       place
	BLOCK512_MIX

place:
	BLOCK512_PLACE
	BLOCK512_ROTATE
	ADDQ      $64, src

hashed:
	TESTQ     at, at
	JLT       warmUp

	// Add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ      ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB      near+57(FP), $0
	JNE       nearGroup
	BLOCK_EIGHT(BLOCK512_ADD_K1TO7, PREFETCHT1)

probed:
	BLOCK_NEXT_GROUP
	DECQ      groups
	JNE       nextGroup

	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA64 vBase, pipeAddrs(cursor)
	JMP       hashed

nearGroup:
	BLOCK_EIGHT(BLOCK512_ADD_K1TO7, PREFETCHT0)
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

// func addK9to16AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool)
TEXT ·addK9to16AVX512(SB), 0, $8384-58
	VPBROADCASTQ blocks+0(FP), vBase
	VPBROADCASTQ nblocks+8(FP), vBlocks
	VPBROADCASTQ lanes+16(FP), vLanes
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVBLZX      mixed+56(FP), mix
	BLOCK_START
	BLOCK512_CONSTANTS

nextGroup:
	// Hash the next group of keys.
	MOVQ      fill+48(FP), fillAt
	BLOCK_FILL_CURSOR
	CMPQ      src, end
	JEQ       drained
	VMOVDQU64 (src), Z0
	TESTL     mix, mix
	JEQ       place
	BLOCK512_MIX

place:
	BLOCK512_PLACE
	BLOCK512_ROTATE
	BLOCK512_PLACE2
	ADDQ      $64, src

hashed:
	TESTQ     at, at
	JLT       warmUp

	// Add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ      ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB      near+57(FP), $0
	JNE       nearGroup
	BLOCK_EIGHT(BLOCK512_ADD_K9TO16, PREFETCHT1)

probed:
	BLOCK_NEXT_GROUP
	DECQ      groups
	JNE       nextGroup

	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA64 vBase, pipeAddrs(cursor)
	JMP       hashed

nearGroup:
	BLOCK_EIGHT(BLOCK512_ADD_K9TO16, PREFETCHT0)
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
