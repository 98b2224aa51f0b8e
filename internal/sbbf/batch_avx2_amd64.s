//go:build !purego

// Batches of keys, for AVX2: the bits of one key in one register.

#include "batch_amd64.h"

#define yBase   Y15 // address of the first block
#define yBlocks Y14 // number of blocks
#define yBlock  Y13 // -Bytes: clears what is below a multiple of a block
#define ySalts  Y12
#define yOnes   Y11 // 1 in every word

// SBBF256_CONSTANTS loads yBlock to yOnes.
#define SBBF256_CONSTANTS \
	VMOVDQU  ·salts(SB), ySalts \
	VPCMPEQD yOnes, yOnes, yOnes \
	VPSLLQ   $5, yOnes, yBlock \
	VPSRLD   $31, yOnes, yOnes

// SBBF256_PLACE puts the addresses of the blocks of four hashes into the ring, half
// bytes into the group: base + 32 × ((h >> 32) × blocks >> 32).
// in: addr, ahead; clobbers Y0
#define SBBF256_PLACE(half) \
	VPSHUFD  $0xF5, (half)(addr), Y0 \
	VPMULUDQ yBlocks, Y0, Y0 \
	VPSRLQ   $27, Y0, Y0 \
	VPAND    yBlock, Y0, Y0 \
	VPADDQ   yBase, Y0, Y0 \
	VMOVDQU  Y0, (half)(ahead)

// SBBF256_MASK makes the bits of key i.
// in: src; out: Y0
#define SBBF256_MASK(i) \
	VPBROADCASTD (8*i)(src), Y0 \
	VPMULLD      ySalts, Y0, Y0 \
	VPSRLD       $const_bitShift, Y0, Y0 \
	VPSLLVD      Y0, yOnes, Y0

// SBBF256_TEST stores whether the bits of key i are all set.
// in: cursor, ahead, src, results; clobbers addr, Y0, Y1
#define SBBF256_TEST(i) \
	SBBF_PREFETCH(i) \
	SBBF256_MASK(i) \
	MOVQ    (8*i)(cursor), addr \
	VMOVDQU (addr), Y1 \
	VPTEST  Y0, Y1 \
	SETCS   (i)(results)

// SBBF256_ADD sets the bits of key i.
// in: cursor, ahead, src; clobbers addr, Y0
#define SBBF256_ADD(i) \
	SBBF_PREFETCH(i) \
	SBBF256_MASK(i) \
	MOVQ    (8*i)(cursor), addr \
	VPOR    (addr), Y0, Y0 \
	VMOVDQU Y0, (addr)

// SBBF256_TESTADD does both.
// in: cursor, ahead, src, results; clobbers addr, Y0, Y1
#define SBBF256_TESTADD(i) \
	SBBF_PREFETCH(i) \
	SBBF256_MASK(i) \
	MOVQ    (8*i)(cursor), addr \
	VMOVDQU (addr), Y1 \
	VPTEST  Y0, Y1 \
	SETCS   (i)(results) \
	VPOR    Y1, Y0, Y0 \
	VMOVDQU Y0, (addr)

// SBBF256_EIGHT is PROBE for each key of a group.
#define SBBF256_EIGHT(PROBE) \
	PROBE(0) \
	PROBE(1) \
	PROBE(2) \
	PROBE(3) \
	PROBE(4) \
	PROBE(5) \
	PROBE(6) \
	PROBE(7)

// SBBF256_RESULTS makes the mask of the bytes that are 1, without the bits past its
// keys: their results are an earlier mask's.
// in: maskKeys; in, out: results; out: AX; clobbers Y0
#define SBBF256_RESULTS \
	SUBQ      maskKeys, results \
	VMOVDQU   (results), Y0 \
	VPSLLW    $7, Y0, Y0 \
	VPMOVMSKB Y0, AX \
	BZHIQ     maskKeys, AX, AX

// func testAVX2(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)
TEXT ·testAVX2(SB), 0, $2176-48
	VPBROADCASTQ b+0(FP), yBase
	VPBROADCASTQ blocks+8(FP), yBlocks
	MOVQ         hashes+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         hits+40(FP), hitsp
	MOVQ         groups, todo
	SBBF_START
	SBBF256_CONSTANTS

fill:
	// Prefetch the blocks of the first groups.
	LEAQ (ring)(at*1), ahead
	LEAQ (src)(at*1), addr
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF_PREFETCH_EIGHT
	ADDQ $64, at
	LEAQ (src)(at*1), addr
	CMPQ addr, last
	JHI  filled
	CMPQ at, dist
	JLT  fill

filled:
	XORL at, at

nextMask:
	SBBF_NEXT_MASK

nextGroup:
	// Test a group, and prefetch the blocks of another.
	SBBF_NEXT_AHEAD
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF256_EIGHT(SBBF256_TEST)
	ADDQ $8, results
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup

	// Store a bit for each key, 32 at a time.
	SBBF256_RESULTS
	MOVL  AX, (hitsp)
	ADDQ  $4, hitsp
	TESTQ todo, todo
	JNE   nextMask
	VZEROUPPER
	RET

// func addAVX2(b *byte, blocks uint64, hashes *uint64, n, distance int)
TEXT ·addAVX2(SB), 0, $2176-40
	VPBROADCASTQ b+0(FP), yBase
	VPBROADCASTQ blocks+8(FP), yBlocks
	MOVQ         hashes+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	SBBF_START
	SBBF256_CONSTANTS

fill:
	// Prefetch the blocks of the first groups.
	LEAQ (ring)(at*1), ahead
	LEAQ (src)(at*1), addr
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF_PREFETCH_EIGHT
	ADDQ $64, at
	LEAQ (src)(at*1), addr
	CMPQ addr, last
	JHI  filled
	CMPQ at, dist
	JLT  fill

filled:
	XORL at, at

nextGroup:
	// Add a group, and prefetch the blocks of another.
	SBBF_NEXT_AHEAD
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF256_EIGHT(SBBF256_ADD)
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup
	VZEROUPPER
	RET

// func testAddAVX2(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)
TEXT ·testAddAVX2(SB), 0, $2176-48
	VPBROADCASTQ b+0(FP), yBase
	VPBROADCASTQ blocks+8(FP), yBlocks
	MOVQ         hashes+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         hits+40(FP), hitsp
	MOVQ         groups, todo
	SBBF_START
	SBBF256_CONSTANTS

fill:
	// Prefetch the blocks of the first groups.
	LEAQ (ring)(at*1), ahead
	LEAQ (src)(at*1), addr
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF_PREFETCH_EIGHT
	ADDQ $64, at
	LEAQ (src)(at*1), addr
	CMPQ addr, last
	JHI  filled
	CMPQ at, dist
	JLT  fill

filled:
	XORL at, at

nextMask:
	SBBF_NEXT_MASK

nextGroup:
	// Test and add a group, and prefetch the blocks of another.
	SBBF_NEXT_AHEAD
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF256_EIGHT(SBBF256_TESTADD)
	ADDQ $8, results
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup

	// Store a bit for each key, 32 at a time.
	SBBF256_RESULTS
	MOVL  AX, (hitsp)
	ADDQ  $4, hitsp
	TESTQ todo, todo
	JNE   nextMask
	VZEROUPPER
	RET
