//go:build !purego

// Testing batches of keys, for AVX2.
//
// blocks has nblocks > 0 blocks, fewer than 2^32. n > 0 is a multiple of 8. If
// mixed, the keys are integers, otherwise hashes. (n+31)/32 masks of 32 bits go to
// hits; the last one's bits that stand for no key are 0. lanes is a row of
// lanesOff.
//
// A key's result is a byte, with all bits set that a test sets if the key is
// there: four for k = 8, else eight, of which the rotation sets some itself.

#include "batch_avx2_amd64.h"

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $32

DATA bytes<>+0(SB)/8, $-1
DATA bytes<>+8(SB)/8, $-1
DATA bytes<>+16(SB)/8, $-1
DATA bytes<>+24(SB)/8, $-1
GLOBL bytes<>(SB), RODATA|NOPTR, $32

// BLOCK256_SIGNS gathers the signs of the lanes in lo and hi in a byte: lanes 0,
// 1, 4, 5, 2, 3, 6, 7, the order in which VSHUFPS has them.
// clobbers lo
#define BLOCK256_SIGNS(lo, hi, byte) \
	VSHUFPS   $0xDD, hi, lo, lo \
	VMOVMSKPS lo, byte

// BLOCK256_OR_OFF sets the bits of AX for the lanes that key i's rotation turns
// off: in scalar registers, where it runs beside the vectors.
// in: cursor, off; in, out: AX; clobbers rotation
#define BLOCK256_OR_OFF(i) \
	MOVQ (pipeWords+8*i)(cursor), rotation \
	ANDL $7, rotation \
	ORB  (off)(rotation*1), AX

// BLOCK256_TEST_K8 stores key i's result.
// in: cursor, prefetched, results; clobbers AX, Y0 to Y3
#define BLOCK256_TEST_K8(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_SHIFTS(pipeWords, i, Y0, Y1) \
	VMOVDQU   (addr), Y2 \
	VMOVDQU   32(addr), Y3 \
	VPSLLVQ   Y0, Y2, Y0 \
	VPSLLVQ   Y1, Y3, Y1 \
	VPAND     Y1, Y0, Y0 \
	VMOVMSKPD Y0, AX \
	MOVB      AX, (i)(results)

// BLOCK256_TEST_K1TO7 does it for k < 8.
// in: cursor, prefetched, results, off; clobbers AX, rotation, Y0 to Y3
#define BLOCK256_TEST_K1TO7(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_SHIFTS(pipeWords, i, Y0, Y1) \
	VMOVDQU (addr), Y2 \
	VMOVDQU 32(addr), Y3 \
	VPSLLVQ Y0, Y2, Y0 \
	VPSLLVQ Y1, Y3, Y1 \
	BLOCK256_SIGNS(Y0, Y1, AX) \
	BLOCK256_OR_OFF(i) \
	MOVB    AX, (i)(results)

// BLOCK256_TEST_K9TO16 does it for k > 8.
// in: cursor, prefetched, results, off; clobbers AX, rotation, Y0 to Y5
#define BLOCK256_TEST_K9TO16(i, hint) \
	BLOCK_PREFETCH(i, hint) \
	BLOCK256_SHIFTS(pipeWords, i, Y0, Y1) \
	VMOVDQU (addr), Y2 \
	VMOVDQU 32(addr), Y3 \
	BLOCK256_SHIFTS(pipeWords2, i, Y4, Y5) \
	VPSLLVQ Y4, Y2, Y4 \
	VPSLLVQ Y5, Y3, Y5 \
	BLOCK256_SIGNS(Y4, Y5, AX) \
	BLOCK256_OR_OFF(i) \
	VPSLLVQ Y0, Y2, Y0 \
	VPSLLVQ Y1, Y3, Y1 \
	BLOCK256_SIGNS(Y0, Y1, rotation) \
	ANDL    rotation, AX \
	MOVB    AX, (i)(results)

// func testK8AVX2(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testK8AVX2(SB), 0, $4288-64
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

	// Test a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+32(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+49(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_TEST_K8, PREFETCHT1)

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
	BLOCK_EIGHT(BLOCK256_TEST_K8, PREFETCHT0)
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

// func testK1to7AVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testK1to7AVX2(SB), 0, $4288-72
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVQ         lanes+16(FP), off
	MOVQ         groups, todo
	BLOCK_START
	BLOCK256_CONSTANTS

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
	VMOVDQU 32(src), Y0
	CMPB    mixed+56(FP), $0
	JEQ     placeHigh
	BLOCK256_MIX

placeHigh:
	BLOCK256_PLACE(32)
	ADDQ    $64, src

hashed:
	TESTQ   at, at
	JLT     warmUp

	// Test a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+57(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_TEST_K1TO7, PREFETCHT1)

probed:
	ADDQ    $8, results
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK256_REWIND
	VPCMPEQB bytes<>(SB), Y0, Y0
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
	BLOCK_EIGHT(BLOCK256_TEST_K1TO7, PREFETCHT0)
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

// func testK9to16AVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)
TEXT ·testK9to16AVX2(SB), 0, $8384-72
	VPBROADCASTQ blocks+0(FP), yBase
	VPBROADCASTQ nblocks+8(FP), yBlocks
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), groups
	MOVQ         fill+48(FP), at
	MOVQ         lanes+16(FP), off
	MOVQ         groups, todo
	BLOCK_START
	BLOCK256_CONSTANTS

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
	BLOCK256_PLACE2(0)
	VMOVDQU 32(src), Y0
	CMPB    mixed+56(FP), $0
	JEQ     placeHigh
	BLOCK256_MIX

placeHigh:
	BLOCK256_PLACE(32)
	BLOCK256_PLACE2(32)
	ADDQ    $64, src

hashed:
	TESTQ   at, at
	JLT     warmUp

	// Test a group whose blocks have been prefetched, and prefetch those of another.
	MOVQ    ahead+40(FP), prefetched
	BLOCK_PROBE_CURSORS
	CMPB    near+57(FP), $0
	JNE     nearGroup
	BLOCK_EIGHT(BLOCK256_TEST_K9TO16, PREFETCHT1)

probed:
	ADDQ    $8, results
	BLOCK_NEXT_GROUP
	DECQ    groups
	JNE     nextGroup

	// Store a bit for each key, 32 at a time.
	BLOCK256_REWIND
	VPCMPEQB bytes<>(SB), Y0, Y0
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
	BLOCK_EIGHT(BLOCK256_TEST_K9TO16, PREFETCHT0)
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
