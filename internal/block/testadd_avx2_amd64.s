//go:build !purego

// Testing and adding batches of keys, for AVX2: each key sees those before it.
//
// blocks has nblocks > 0 blocks, fewer than 2^32. n > 0 is a multiple of 8. If
// mixed, the keys are integers, otherwise hashes. (n+31)/32 masks of 32 bits go to
// hits; the last one's bits that stand for no key are 0. lanes is a row of
// laneSigns.
//
// A key's result is a byte, with its low four bits set if its addition changes
// nothing.

#include "batch_avx2_amd64.h"

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $32

// BLOCK256_SET_AND_COMPARE sets a mask's bits in a block, and stores which lanes,
// in pairs, have not changed.
// in: addr, Y0, Y1 the mask, results; clobbers addr, Y0 to Y3
#define BLOCK256_SET_AND_COMPARE(i) \
	VMOVDQU   (addr), Y2 \
	VMOVDQU   32(addr), Y3 \
	VPOR      Y2, Y0, Y0 \
	VPOR      Y3, Y1, Y1 \
	VMOVDQU   Y0, (addr) \
	VMOVDQU   Y1, 32(addr) \
	VPCMPEQQ  Y0, Y2, Y2 \
	VPCMPEQQ  Y1, Y3, Y3 \
	VPAND     Y3, Y2, Y2 \
	VMOVMSKPD Y2, AX \
	MOVB      AX, (i)(results)

// BLOCK256_TESTADD_K8 sets key i's bits and stores its result.
// in: cursor, prefetched, results; clobbers AX, Y0 to Y3
#define BLOCK256_TESTADD_K8(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_MASK(i) \
	BLOCK256_SET_AND_COMPARE(i)

// BLOCK256_TESTADD_K1TO7 does it for k < 8.
// in: cursor, prefetched, results; clobbers AX, row, Y0 to Y3
#define BLOCK256_TESTADD_K1TO7(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_SOME_MASK(i) \
	BLOCK256_SET_AND_COMPARE(i)

// BLOCK256_TESTADD_K9TO16 does it for k > 8.
// in: cursor, prefetched, results; clobbers AX, row, Y0 to Y5
#define BLOCK256_TESTADD_K9TO16(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_BOTH_MASKS(i) \
	BLOCK256_SET_AND_COMPARE(i)

// func testAddK8AVX2(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testAddK8AVX2(SB), 0, $4288-64
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         fill+40(FP), at
	MOVQ         groups, todo
	BLOCK_START
	BLOCK256_CONSTANTS

nextMask:
	BLOCK_NEXT_MASK

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

	// Test and add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+32(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+49(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_TESTADD_K8, PREFETCHT1)

probed:
	ADDQ    $8, results
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK256_REWIND
	VPCMPEQB nibbles<>(SB), Y0, Y0
	BLOCK256_EMIT_MASK
	MOVQ     hits+56(FP), R8
	MOVL     AX, (R8)
	ADDQ     $4, hits+56(FP)
	TESTQ    todo, todo
	JNE      nextMask
	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA yBase, pipeAddrs(cursor)
	VMOVDQA yBase, (pipeAddrs+32)(cursor)
	JMP     hashed

nearGroup:
	BLOCK_EIGHT(BLOCK256_TESTADD_K8, PREFETCHT0)
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

// func testAddK1to7AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testAddK1to7AVX2(SB), 0, $6336-72
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVQ         groups, todo
	BLOCK_START
	BLOCK256_CONSTANTS
	VPBROADCASTQ lanes+16(FP), Y0
	VMOVDQA      Y0, pipeSigns(pipeline)

nextMask:
	BLOCK_NEXT_MASK

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

	// Test and add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+57(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_TESTADD_K1TO7, PREFETCHT1)

probed:
	ADDQ    $8, results
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK256_REWIND
	VPCMPEQB nibbles<>(SB), Y0, Y0
	BLOCK256_EMIT_MASK
	MOVQ     hits+64(FP), R8
	MOVL     AX, (R8)
	ADDQ     $4, hits+64(FP)
	TESTQ    todo, todo
	JNE      nextMask
	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA yBase, pipeAddrs(cursor)
	VMOVDQA yBase, (pipeAddrs+32)(cursor)
	JMP     hashed

nearGroup:
	BLOCK_EIGHT(BLOCK256_TESTADD_K1TO7, PREFETCHT0)
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

// func testAddK9to16AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testAddK9to16AVX2(SB), 0, $8384-72
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVQ         groups, todo
	BLOCK_START
	BLOCK256_CONSTANTS
	VPBROADCASTQ lanes+16(FP), Y0
	VMOVDQA      Y0, pipeSigns(pipeline)

nextMask:
	BLOCK_NEXT_MASK

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

	// Test and add a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+57(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_TESTADD_K9TO16, PREFETCHT1)

probed:
	ADDQ    $8, results
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK256_REWIND
	VPCMPEQB nibbles<>(SB), Y0, Y0
	BLOCK256_EMIT_MASK
	MOVQ     hits+64(FP), R8
	MOVL     AX, (R8)
	ADDQ     $4, hits+64(FP)
	TESTQ    todo, todo
	JNE      nextMask
	VZEROUPPER
	RET

drained:
	// No keys are left to hash: prefetch the first block, in place of none.
	VMOVDQA yBase, pipeAddrs(cursor)
	VMOVDQA yBase, (pipeAddrs+32)(cursor)
	JMP     hashed

nearGroup:
	BLOCK_EIGHT(BLOCK256_TESTADD_K9TO16, PREFETCHT0)
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
