//go:build !purego

// Batches of keys, for AVX2: the bits of one key in one register. AVX2 has no
// multiplication of 64 bits, and one put together from three of 32 takes as long as
// the scalar one. So integers are hashed by the latter, which leaves the vector units to
// the probes.

#include "batch_amd64.h"

#define yBase   Y15 // address of the first block
#define yBlocks Y14 // number of blocks
#define yBlock  Y13 // -Bytes: clears what is below a multiple of a block
#define ySalts  Y12
#define yOnes   Y11 // 1 in every word

#define hash  AX
#define upper R12 // the hash's upper half

// SBBF256_CONSTANTS loads yBlock to yOnes.
#define SBBF256_CONSTANTS \
	VMOVDQU  ·salts(SB), ySalts \
	VPCMPEQD yOnes, yOnes, yOnes \
	VPSLLQ   $5, yOnes, yBlock \
	VPSRLD   $31, yOnes, yOnes

// SBBF256_PLACE puts four hashes and the addresses of their blocks into the ring, half
// bytes into the group: base + 32 × ((h >> 32) × blocks >> 32).
// in: next, ahead; clobbers Y0
#define SBBF256_PLACE(half) \
	VMOVDQU  (half)(next), Y0 \
	VMOVDQU  Y0, ringBytes+half(ahead) \
	VPSRLQ   $32, Y0, Y0 \
	VPMULUDQ yBlocks, Y0, Y0 \
	VPSRLQ   $27, Y0, Y0 \
	VPAND    yBlock, Y0, Y0 \
	VPADDQ   yBase, Y0, Y0 \
	VMOVDQU  Y0, (half)(ahead)

// SBBF256_STEP is an instruction with a constant of 64 bits.
// in, out: hash; clobbers upper
#define SBBF256_STEP(OP, constant) \
	MOVQ constant, upper \
	OP   upper, hash

// SBBF256_SHIFT is hash ^= hash >> by.
// in, out: hash; clobbers upper
#define SBBF256_SHIFT(by) \
	MOVQ hash, upper \
	SHRQ by, upper \
	XORQ upper, hash

// SBBF256_FINISH mixes a hash at the end and puts it and the address of its block into
// the ring, for key i.
// in: hash, ahead; clobbers hash, upper
#define SBBF256_FINISH(i, base, blocks) \
	SBBF256_SHIFT($33) \
	SBBF256_STEP(IMULQ, $const_prime2) \
	SBBF256_SHIFT($29) \
	SBBF256_STEP(IMULQ, $const_prime3) \
	SBBF256_SHIFT($32) \
	IMULQ blocks, upper \
	MOVQ  hash, ringBytes+8*i(ahead) \
	SHRQ  $27, upper \
	ANDQ  $-const_Bytes, upper \
	ADDQ  base, upper \
	MOVQ  upper, (8*i)(ahead)

// SBBF256_HASH8 hashes key i, an integer of 8 bytes: hash.go specifies it.
// in: next, ahead; clobbers hash, upper
#define SBBF256_HASH8(i, base, blocks) \
	MOVQ (8*i)(next), hash \
	SBBF256_STEP(IMULQ, $const_prime2) \
	ROLQ $31, hash \
	SBBF256_STEP(IMULQ, $const_prime1) \
	SBBF256_STEP(XORQ, $const_start8) \
	ROLQ $27, hash \
	SBBF256_STEP(IMULQ, $const_prime1) \
	SBBF256_STEP(ADDQ, $const_prime4) \
	SBBF256_FINISH(i, base, blocks)

// SBBF256_HASH4 hashes key i, an integer of 4 bytes.
// in: next, ahead; clobbers hash, upper
#define SBBF256_HASH4(i, base, blocks) \
	MOVL (4*i)(next), hash \
	SBBF256_STEP(IMULQ, $const_prime1) \
	SBBF256_STEP(XORQ, $const_start4) \
	ROLQ $23, hash \
	SBBF256_STEP(IMULQ, $const_prime2) \
	SBBF256_STEP(ADDQ, $const_prime3) \
	SBBF256_FINISH(i, base, blocks)

// SBBF256_HASH_EIGHT is HASH for each key of a group.
#define SBBF256_HASH_EIGHT(HASH, base, blocks) \
	HASH(0, base, blocks) \
	HASH(1, base, blocks) \
	HASH(2, base, blocks) \
	HASH(3, base, blocks) \
	HASH(4, base, blocks) \
	HASH(5, base, blocks) \
	HASH(6, base, blocks) \
	HASH(7, base, blocks)

// SBBF256_MASK makes the bits of key i.
// in: ring, at; out: Y0
#define SBBF256_MASK(i) \
	VPBROADCASTD ringBytes+8*i(ring)(at*1), Y0 \
	VPMULLD      ySalts, Y0, Y0 \
	VPSRLD       $const_bitShift, Y0, Y0 \
	VPSLLVD      Y0, yOnes, Y0

// SBBF256_TEST stores whether the bits of key i are all set.
// in: ring, at, ahead, results; clobbers addr, Y0, Y1
#define SBBF256_TEST(i) \
	SBBF_PREFETCH(i) \
	SBBF256_MASK(i) \
	MOVQ    (8*i)(ring)(at*1), addr \
	VMOVDQU (addr), Y1 \
	VPTEST  Y0, Y1 \
	SETCS   (i)(results)

// SBBF256_ADD sets the bits of key i.
// in: ring, at, ahead; clobbers addr, Y0
#define SBBF256_ADD(i) \
	SBBF_PREFETCH(i) \
	SBBF256_MASK(i) \
	MOVQ    (8*i)(ring)(at*1), addr \
	VPOR    (addr), Y0, Y0 \
	VMOVDQU Y0, (addr)

// SBBF256_TESTADD does both.
// in: ring, at, ahead, results; clobbers addr, Y0, Y1
#define SBBF256_TESTADD(i) \
	SBBF_PREFETCH(i) \
	SBBF256_MASK(i) \
	MOVQ    (8*i)(ring)(at*1), addr \
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

// func testAVX2(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64, hits *uint64)
TEXT ·testAVX2(SB), 0, $4224-64
	VPBROADCASTQ b+0(FP), yBase
	VPBROADCASTQ blocks+8(FP), yBlocks
	MOVQ         keys+16(FP), next
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         lastKeys+40(FP), last
	MOVQ         hits+56(FP), hitsp
	MOVQ         groups, todo
	SBBF_START
	SBBF256_CONSTANTS

nextMask:
	SBBF_NEXT_MASK

nextGroup:
	// Place a group, of which there are hashes or integers.
	SBBF_NEXT_AHEAD
	CMPQ kind+48(FP), $const_kindUint64
	JEQ  eight
	JHI  four
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF_NEXT_KEYS(64)
	JMP  placed

eight:
	SBBF256_HASH_EIGHT(SBBF256_HASH8, b+0(FP), blocks+8(FP))
	SBBF_NEXT_KEYS(64)
	JMP  placed

four:
	SBBF256_HASH_EIGHT(SBBF256_HASH4, b+0(FP), blocks+8(FP))
	SBBF_NEXT_KEYS(32)

placed:
	TESTQ at, at
	JLT   fill

	// Test a group, and prefetch the blocks of that one.
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

fill:
	// Of the first groups only prefetch.
	SBBF_PREFETCH_EIGHT
	ADDQ $64, at
	JMP  nextGroup

// func addAVX2(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64)
TEXT ·addAVX2(SB), 0, $4224-56
	VPBROADCASTQ b+0(FP), yBase
	VPBROADCASTQ blocks+8(FP), yBlocks
	MOVQ         keys+16(FP), next
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         lastKeys+40(FP), last
	SBBF_START
	SBBF256_CONSTANTS

nextGroup:
	// Place a group, of which there are hashes or integers.
	SBBF_NEXT_AHEAD
	CMPQ kind+48(FP), $const_kindUint64
	JEQ  eight
	JHI  four
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF_NEXT_KEYS(64)
	JMP  placed

eight:
	SBBF256_HASH_EIGHT(SBBF256_HASH8, b+0(FP), blocks+8(FP))
	SBBF_NEXT_KEYS(64)
	JMP  placed

four:
	SBBF256_HASH_EIGHT(SBBF256_HASH4, b+0(FP), blocks+8(FP))
	SBBF_NEXT_KEYS(32)

placed:
	TESTQ at, at
	JLT   fill

	// Add a group, and prefetch the blocks of that one.
	SBBF256_EIGHT(SBBF256_ADD)
	SBBF_NEXT_GROUP
	DECQ groups
	JNE  nextGroup
	VZEROUPPER
	RET

fill:
	// Of the first groups only prefetch.
	SBBF_PREFETCH_EIGHT
	ADDQ $64, at
	JMP  nextGroup

// func testAddAVX2(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64, hits *uint64)
TEXT ·testAddAVX2(SB), 0, $4224-64
	VPBROADCASTQ b+0(FP), yBase
	VPBROADCASTQ blocks+8(FP), yBlocks
	MOVQ         keys+16(FP), next
	MOVQ         n+24(FP), groups
	MOVQ         distance+32(FP), dist
	MOVQ         lastKeys+40(FP), last
	MOVQ         hits+56(FP), hitsp
	MOVQ         groups, todo
	SBBF_START
	SBBF256_CONSTANTS

nextMask:
	SBBF_NEXT_MASK

nextGroup:
	// Place a group, of which there are hashes or integers.
	SBBF_NEXT_AHEAD
	CMPQ kind+48(FP), $const_kindUint64
	JEQ  eight
	JHI  four
	SBBF256_PLACE(0)
	SBBF256_PLACE(32)
	SBBF_NEXT_KEYS(64)
	JMP  placed

eight:
	SBBF256_HASH_EIGHT(SBBF256_HASH8, b+0(FP), blocks+8(FP))
	SBBF_NEXT_KEYS(64)
	JMP  placed

four:
	SBBF256_HASH_EIGHT(SBBF256_HASH4, b+0(FP), blocks+8(FP))
	SBBF_NEXT_KEYS(32)

placed:
	TESTQ at, at
	JLT   fill

	// Test and add a group, and prefetch the blocks of that one.
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

fill:
	// Of the first groups only prefetch.
	SBBF_PREFETCH_EIGHT
	ADDQ $64, at
	JMP  nextGroup
