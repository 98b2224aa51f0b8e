//go:build !purego

// Batches of keys, for AVX-512: the bits of two keys at a time in one register, one
// in each half. Addresses are computed in 256 bits: in 512 it took longer (TUNING.md).

#include "batch_amd64.h"

#define vBase   Y31 // address of the first block
#define vBlocks Y30 // number of blocks
#define vBlock  Y29 // -Bytes: clears what is below a multiple of a block
#define vSalts  Z28 // twice
#define vOnes   Z27 // 1 in every word
#define vPair0  Z26 // words 0 and 2, eight times each: the lower halves of hashes 0 and 1
#define vPair1  Z25
#define vPair2  Z24
#define vPair3  Z23
#define vHashes Z22 // of the group to probe

// SBBF512_CONSTANTS loads vBlock to vPair3.
// clobbers AX, Z0, K1
#define SBBF512_CONSTANTS \
	MOVQ            $-const_Bytes, AX \
	VPBROADCASTQ    AX, vBlock \
	VBROADCASTI64X4 ·salts(SB), vSalts \
	MOVL            $1, AX \
	VPBROADCASTD    AX, vOnes \
	MOVL            $0xFF00, AX \
	KMOVW           AX, K1 \
	MOVL            $2, AX \
	VPBROADCASTD.Z  AX, K1, vPair0 \
	MOVL            $4, AX \
	VPBROADCASTD    AX, Z0 \
	VPADDD          Z0, vPair0, vPair1 \
	VPADDD          Z0, vPair1, vPair2 \
	VPADDD          Z0, vPair2, vPair3

// SBBF512_PLACE puts the addresses of the blocks of four hashes into the ring, half
// bytes into the group: base + 32 × ((h >> 32) × blocks >> 32).
// in: addr, ahead; clobbers Y0
#define SBBF512_PLACE(half) \
	VPSHUFD   $0xF5, (half)(addr), Y0 \
	VPMULUDQ  vBlocks, Y0, Y0 \
	VPSRLQ    $27, Y0, Y0 \
	VPANDQ    vBlock, Y0, Y0 \
	VPADDQ    vBase, Y0, Y0 \
	VMOVDQU64 Y0, (half)(ahead)

// SBBF512_MASKS makes the bits of two keys. VPERMD waits for what its destination
// held, on Golden Cove and its successors at least: clearing it ends the wait.
// in: vHashes; out: Z0
#define SBBF512_MASKS(vPair) \
	VPXORQ  Z0, Z0, Z0 \
	VPERMD  vHashes, vPair, Z0 \
	VPMULLD vSalts, Z0, Z0 \
	VPSRLD  $const_bitShift, Z0, Z0 \
	VPSLLVD Z0, vOnes, Z0

// SBBF512_PREFETCH prefetches the blocks of keys i and i + 1 of the group ahead.
// in: ahead; clobbers addr
#define SBBF512_PREFETCH(i) \
	MOVQ       (8*i)(ahead), addr \
	PREFETCHT0 (addr) \
	MOVQ       (8*i+8)(ahead), addr \
	PREFETCHT0 (addr)

// SBBF512_TEST stores the words in which the bits of keys i and i + 1 are missing.
// in: cursor, ahead, vHashes, results; clobbers addr, Z0, Z1, K1
#define SBBF512_TEST(i, vPair) \
	SBBF512_PREFETCH(i) \
	SBBF512_MASKS(vPair) \
	MOVQ         (8*i)(cursor), addr \
	VMOVDQU      (addr), Y1 \
	MOVQ         (8*i+8)(cursor), addr \
	VINSERTI64X4 $1, (addr), Z1, Z1 \
	VPTESTNMD    Z1, Z0, K1 \
	KMOVW        K1, (i)(results)

// SBBF512_ADD sets the bits of keys i and i + 1, one after the other.
// in: cursor, ahead, vHashes; clobbers addr, Z0, Y1
#define SBBF512_ADD(i, vPair) \
	SBBF512_PREFETCH(i) \
	SBBF512_MASKS(vPair) \
	VEXTRACTI64X4 $1, Z0, Y1 \
	MOVQ          (8*i)(cursor), addr \
	VPOR          (addr), Y0, Y0 \
	VMOVDQU       Y0, (addr) \
	MOVQ          (8*i+8)(cursor), addr \
	VPOR          (addr), Y1, Y1 \
	VMOVDQU       Y1, (addr)

// SBBF512_TESTADD does both, one key after the other.
// in: cursor, ahead, vHashes, results; clobbers addr, Z0, Y1, Y2, K1
#define SBBF512_TESTADD(i, vPair) \
	SBBF512_PREFETCH(i) \
	SBBF512_MASKS(vPair) \
	VEXTRACTI64X4 $1, Z0, Y1 \
	MOVQ          (8*i)(cursor), addr \
	VMOVDQU       (addr), Y2 \
	VPTESTNMD     Y2, Y0, K1 \
	VPOR          Y2, Y0, Y0 \
	VMOVDQU       Y0, (addr) \
	KMOVB         K1, (i)(results) \
	MOVQ          (8*i+8)(cursor), addr \
	VMOVDQU       (addr), Y2 \
	VPTESTNMD     Y2, Y1, K1 \
	VPOR          Y2, Y1, Y1 \
	VMOVDQU       Y1, (addr) \
	KMOVB         K1, (i+1)(results)

// SBBF512_RESULTS makes the mask of the bytes that are zero, without the bits past
// its keys: their results are an earlier mask's.
// in: maskKeys; in, out: results; out: AX; clobbers Y0, K1
#define SBBF512_RESULTS \
	SUBQ      maskKeys, results \
	VMOVDQU   (results), Y0 \
	VPTESTNMB Y0, Y0, K1 \
	KMOVD     K1, AX \
	BZHIQ     maskKeys, AX, AX

// func testAVX512(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)
TEXT ·testAVX512(SB), 0, $2176-48
	VPBROADCASTQ b+0(FP), vBase
	VPBROADCASTQ blocks+8(FP), vBlocks
	MOVQ         hashes+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         hits+40(FP), hitsp
	MOVQ         groups, todo
	SBBF_START
	SBBF512_CONSTANTS

fill:
	// Prefetch the blocks of the first groups.
	LEAQ (ring)(at*1), ahead
	LEAQ (src)(at*1), addr
	SBBF512_PLACE(0)
	SBBF512_PLACE(32)
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
	SBBF512_PLACE(0)
	SBBF512_PLACE(32)
	VMOVDQU64 (src), vHashes
	SBBF512_TEST(0, vPair0)
	SBBF512_TEST(2, vPair1)
	SBBF512_TEST(4, vPair2)
	SBBF512_TEST(6, vPair3)
	ADDQ $8, results
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup

	// Store a bit for each key, 32 at a time.
	SBBF512_RESULTS
	MOVL  AX, (hitsp)
	ADDQ  $4, hitsp
	TESTQ todo, todo
	JNE   nextMask
	VZEROUPPER
	RET

// func addAVX512(b *byte, blocks uint64, hashes *uint64, n, distance int)
TEXT ·addAVX512(SB), 0, $2176-40
	VPBROADCASTQ b+0(FP), vBase
	VPBROADCASTQ blocks+8(FP), vBlocks
	MOVQ         hashes+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	SBBF_START
	SBBF512_CONSTANTS

fill:
	// Prefetch the blocks of the first groups.
	LEAQ (ring)(at*1), ahead
	LEAQ (src)(at*1), addr
	SBBF512_PLACE(0)
	SBBF512_PLACE(32)
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
	SBBF512_PLACE(0)
	SBBF512_PLACE(32)
	VMOVDQU64 (src), vHashes
	SBBF512_ADD(0, vPair0)
	SBBF512_ADD(2, vPair1)
	SBBF512_ADD(4, vPair2)
	SBBF512_ADD(6, vPair3)
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup
	VZEROUPPER
	RET

// func testAddAVX512(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)
TEXT ·testAddAVX512(SB), 0, $2176-48
	VPBROADCASTQ b+0(FP), vBase
	VPBROADCASTQ blocks+8(FP), vBlocks
	MOVQ         hashes+16(FP), src
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         hits+40(FP), hitsp
	MOVQ         groups, todo
	SBBF_START
	SBBF512_CONSTANTS

fill:
	// Prefetch the blocks of the first groups.
	LEAQ (ring)(at*1), ahead
	LEAQ (src)(at*1), addr
	SBBF512_PLACE(0)
	SBBF512_PLACE(32)
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
	SBBF512_PLACE(0)
	SBBF512_PLACE(32)
	VMOVDQU64 (src), vHashes
	SBBF512_TESTADD(0, vPair0)
	SBBF512_TESTADD(2, vPair1)
	SBBF512_TESTADD(4, vPair2)
	SBBF512_TESTADD(6, vPair3)
	ADDQ $8, results
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup

	// Store a bit for each key, 32 at a time.
	SBBF512_RESULTS
	MOVL  AX, (hitsp)
	ADDQ  $4, hitsp
	TESTQ todo, todo
	JNE   nextMask
	VZEROUPPER
	RET
