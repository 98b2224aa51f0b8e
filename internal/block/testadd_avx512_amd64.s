//go:build !purego

// Testing and adding batches of keys, for AVX-512: each key sees those before it.
//
// blocks has nblocks > 0 blocks, fewer than 2^32. n > 0 is a multiple of 8. If
// mixed, the keys are integers, otherwise hashes. (n+31)/32 masks of 32 bits go to
// hits; the last one's bits that stand for no key are 0. lanes is lanePattern(k).
//
// A key's result is a byte of the lanes that its addition changes: none if it may
// have been there.

#include "batch_avx512_amd64.h"

// BLOCK512_TESTADD_K8 sets key i's bits and stores the lanes that change.
// in: cursor, prefetched, results; clobbers addr, Z0, Z1, Z4, K1
#define BLOCK512_TESTADD_K8(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK512_MASK(i) \
	VMOVDQU64 (addr), Z4 \
	VPORQ     Z4, Z1, Z1 \
	VPCMPUQ   $4, Z4, Z1, K1 \
	VMOVDQU64 Z1, (addr) \
	KMOVB     K1, (i)(results)

// BLOCK512_TESTADD_K1TO7 does it for k < 8.
// in: cursor, prefetched, results; clobbers addr, Z0, Z1, Z4, K1, K2
#define BLOCK512_TESTADD_K1TO7(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK512_SOME_MASK(i) \
	VMOVDQU64 (addr), Z4 \
	VPORQ     Z4, Z1, Z1 \
	VPCMPUQ   $4, Z4, Z1, K1 \
	VMOVDQU64 Z1, (addr) \
	KMOVB     K1, (i)(results)

// BLOCK512_TESTADD_K9TO16 does it for k > 8.
// in: cursor, prefetched, results; clobbers addr, Z0 to Z4, K1, K2
#define BLOCK512_TESTADD_K9TO16(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK512_MASK(i) \
	BLOCK512_SOME_MASK2(i) \
	VMOVDQU64  (addr), Z4 \
	VPTERNLOGQ $0xFE, Z4, Z3, Z1 \
	VPCMPUQ    $4, Z4, Z1, K1 \
	VMOVDQU64  Z1, (addr) \
	KMOVB      K1, (i)(results)

// func testAddK8AVX512(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testAddK8AVX512(SB), 0, $4288-64
	VPBROADCASTQ blocks+0(FP), vBase
	VPBROADCASTQ nblocks+8(FP), vBlocks
	MOVQ         keys+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         fill+40(FP), at
	MOVBLZX      mixed+48(FP), mix
	MOVQ         hits+56(FP), hitsp
	MOVQ         groups, todo
	BLOCK_START
	BLOCK512_CONSTANTS

nextMask:
	BLOCK_NEXT_MASK

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

	// Test and add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ      ahead+32(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB      near+49(FP), $0
	JNE       nearGroup
	BLOCK_EIGHT(BLOCK512_TESTADD_K8, PREFETCHT1)

probed:
	ADDQ      $8, results
	BLOCK_NEXT_GROUP
	DECQ      groups
	JNE       nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK512_REWIND
	VPTESTNMB Y0, Y0, K1
	BLOCK512_EMIT_MASK
	MOVL      AX, (hitsp)
	ADDQ      $4, hitsp
	TESTQ     todo, todo
	JNE       nextMask
	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA64 vBase, pipeAddrs(cursor)
	JMP       hashed

nearGroup:
	BLOCK_EIGHT(BLOCK512_TESTADD_K8, PREFETCHT0)
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

// func testAddK1to7AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testAddK1to7AVX512(SB), 0, $6336-72
	VPBROADCASTQ blocks+0(FP), vBase
	VPBROADCASTQ nblocks+8(FP), vBlocks
	VPBROADCASTQ lanes+16(FP), vLanes
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVBLZX      mixed+56(FP), mix
	MOVQ         hits+64(FP), hitsp
	MOVQ         groups, todo
	BLOCK_START
	BLOCK512_CONSTANTS

nextMask:
	BLOCK_NEXT_MASK

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

	// Test and add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ      ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB      near+57(FP), $0
	JNE       nearGroup
	BLOCK_EIGHT(BLOCK512_TESTADD_K1TO7, PREFETCHT1)

probed:
	ADDQ      $8, results
	BLOCK_NEXT_GROUP
	DECQ      groups
	JNE       nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK512_REWIND
	VPTESTNMB Y0, Y0, K1
	BLOCK512_EMIT_MASK
	MOVL      AX, (hitsp)
	ADDQ      $4, hitsp
	TESTQ     todo, todo
	JNE       nextMask
	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA64 vBase, pipeAddrs(cursor)
	JMP       hashed

nearGroup:
	BLOCK_EIGHT(BLOCK512_TESTADD_K1TO7, PREFETCHT0)
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

// func testAddK9to16AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testAddK9to16AVX512(SB), 0, $8384-72
	VPBROADCASTQ blocks+0(FP), vBase
	VPBROADCASTQ nblocks+8(FP), vBlocks
	VPBROADCASTQ lanes+16(FP), vLanes
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVBLZX      mixed+56(FP), mix
	MOVQ         hits+64(FP), hitsp
	MOVQ         groups, todo
	BLOCK_START
	BLOCK512_CONSTANTS

nextMask:
	BLOCK_NEXT_MASK

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

	// Test and add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ      ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB      near+57(FP), $0
	JNE       nearGroup
	BLOCK_EIGHT(BLOCK512_TESTADD_K9TO16, PREFETCHT1)

probed:
	ADDQ      $8, results
	BLOCK_NEXT_GROUP
	DECQ      groups
	JNE       nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK512_REWIND
	VPTESTNMB Y0, Y0, K1
	BLOCK512_EMIT_MASK
	MOVL      AX, (hitsp)
	ADDQ      $4, hitsp
	TESTQ     todo, todo
	JNE       nextMask
	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA64 vBase, pipeAddrs(cursor)
	JMP       hashed

nearGroup:
	BLOCK_EIGHT(BLOCK512_TESTADD_K9TO16, PREFETCHT0)
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
