// The straight-line parts of the batch kernels for AVX2: four keys at a time are
// hashed, and one is probed, with its block in two registers. The twin is
// batch_avx512_amd64.h. AVX2 has no 64-bit multiplication: one is put together
// from three of 32 bits.
//
// A bit is tested by shifting it up to its lane's sign, and made by shifting a
// sign down to it. The shift is 63 − field: VPANDN masks and inverts at once.

#include "batch_amd64.h"

#define row      R8 // additions: signs of the lanes that are on
#define rotation R8 // tests: of a word
#define off      DI // tests: a byte for each rotation, the lanes that are off

#define yMix     Y15 // mixMul
#define yMixHi   Y14 // its high half
#define yWord    Y13 // wordMul
#define yWordHi  Y12 // its high half
#define yBlocks  Y11 // number of blocks
#define yBase    Y10 // address of the first block
#define yFields0 Y9  // laneFields
#define yFields1 Y8
#define y63      Y7
#define ySign    Y6 // the sign of every lane

DATA sevens<>+0(SB)/8, $7
DATA sevens<>+8(SB)/8, $7
DATA sevens<>+16(SB)/8, $7
DATA sevens<>+24(SB)/8, $7
GLOBL sevens<>(SB), RODATA|NOPTR, $32

// BLOCK256_CONSTANTS loads yMix to yWordHi and yFields0 to ySign.
// clobbers AX, Y0
#define BLOCK256_CONSTANTS \
	MOVQ         $const_mixMul, AX \
	VMOVQ        AX, X0 \
	VPBROADCASTQ X0, yMix \
	VPSRLQ       $32, yMix, yMixHi \
	MOVQ         $const_wordMul, AX \
	VMOVQ        AX, X0 \
	VPBROADCASTQ X0, yWord \
	VPSRLQ       $32, yWord, yWordHi \
	VMOVDQU      ·laneFields+0(SB), yFields0 \
	VMOVDQU      ·laneFields+32(SB), yFields1 \
	VPCMPEQD     Y0, Y0, Y0 \
	VPSLLQ       $63, Y0, ySign \
	VPSRLQ       $58, Y0, y63

// BLOCK256_MUL multiplies 64-bit lanes: y = x × c, where hi = x >> 32.
// clobbers t0, t1; y may be x
#define BLOCK256_MUL(c, cHi, x, hi, y, t0, t1) \
	VPMULUDQ c, hi, t0 \
	VPMULUDQ cHi, x, t1 \
	VPADDQ   t0, t1, t0 \
	VPSLLQ   $32, t0, t0 \
	VPMULUDQ c, x, y \
	VPADDQ   t0, y, y

// BLOCK256_MIX turns four integers into their hashes, as hash.Mix. x ^ x>>32 has
// the high half of x, so the multiplication after it takes the same shifted
// operand.
// in, out: Y0; clobbers Y1, Y2, Y3
#define BLOCK256_MIX \
	VPSRLQ  $const_mixFirst, Y0, Y1 \
	VPXOR   Y1, Y0, Y0 \
	VPSRLQ  $32, Y0, Y1 \
	BLOCK256_MUL(yMix, yMixHi, Y0, Y1, Y0, Y2, Y3) \
	VPSRLQ  $32, Y0, Y1 \
	VPXOR   Y1, Y0, Y0 \
	BLOCK256_MUL(yMix, yMixHi, Y0, Y1, Y0, Y2, Y3) \
	VPSRLQ  $32, Y0, Y1 \
	VPXOR   Y1, Y0, Y0

// BLOCK256_PLACE stores the block addresses and words of four hashes, half bytes
// into the group. The block is the exact high half of a 64 × 32 bit product:
// (hi·n + (lo·n >> 32)) >> 32.
// in: Y0 the hashes, cursor; out: Y1 = Y0 >> 32, Y2 the words; clobbers Y3, Y4
#define BLOCK256_PLACE(half) \
	VPSRLQ   $32, Y0, Y1 \
	BLOCK256_MUL(yWord, yWordHi, Y0, Y1, Y2, Y3, Y4) \
	VPMULUDQ yBlocks, Y0, Y3 \
	VPMULUDQ yBlocks, Y1, Y4 \
	VPSRLQ   $32, Y3, Y3 \
	VPADDQ   Y4, Y3, Y3 \
	VPSRLQ   $32, Y3, Y3 \
	VPSLLQ   $6, Y3, Y3 \
	VPADDQ   yBase, Y3, Y3 \
	VMOVDQA  Y2, (pipeWords+half)(cursor) \
	VMOVDQA  Y3, (pipeAddrs+half)(cursor)

// BLOCK256_ROTATE stores the addresses of the signs of the lanes that four words
// turn on.
// in: Y2 the words, cursor; clobbers Y3
#define BLOCK256_ROTATE(half) \
	VPAND   sevens<>(SB), Y2, Y3 \
	VPSLLQ  $3, Y3, Y3 \
	VPADDQ  pipeSigns(pipeline), Y3, Y3 \
	VMOVDQA Y3, (pipeLanes+half)(cursor)

// BLOCK256_PLACE2 stores the second words of four hashes.
// in: Y0 the hashes, Y1 = Y0 >> 32, cursor; clobbers Y3, Y4, Y5
#define BLOCK256_PLACE2(half) \
	VPXOR   Y1, Y0, Y3 \
	BLOCK256_MUL(yMix, yMixHi, Y3, Y1, Y3, Y4, Y5) \
	VMOVDQA Y3, (pipeWords2+half)(cursor)

// BLOCK256_SHIFTS makes 63 − field of a word of key i for the lanes in two
// halves. words is pipeWords or pipeWords2.
// in: cursor; out: lo, hi
#define BLOCK256_SHIFTS(words, i, lo, hi) \
	VPBROADCASTQ (words+8*i)(cursor), hi \
	VPSRLVQ      yFields0, hi, lo \
	VPSRLVQ      yFields1, hi, hi \
	VPANDN       y63, lo, lo \
	VPANDN       y63, hi, hi

// BLOCK256_MASK makes the mask of key i: a bit in every lane.
// in: cursor; out: Y0, Y1
#define BLOCK256_MASK(i) \
	BLOCK256_SHIFTS(pipeWords, i, Y0, Y1) \
	VPSRLVQ Y0, ySign, Y0 \
	VPSRLVQ Y1, ySign, Y1

// BLOCK256_SOME_MASK makes the mask of key i for the lanes that the rotation turns
// on.
// in: cursor; out: Y0, Y1; clobbers Y2, Y3, row
#define BLOCK256_SOME_MASK(i) \
	BLOCK256_SHIFTS(pipeWords, i, Y0, Y1) \
	MOVQ    (pipeLanes+8*i)(cursor), row \
	VMOVDQU (row), Y2 \
	VMOVDQU 32(row), Y3 \
	VPSRLVQ Y0, Y2, Y0 \
	VPSRLVQ Y1, Y3, Y1

// BLOCK256_BOTH_MASKS makes the mask of key i: a bit in every lane, and those of
// its second word in the lanes that the rotation turns on.
// in: cursor; out: Y0, Y1; clobbers Y2 to Y5, row
#define BLOCK256_BOTH_MASKS(i) \
	BLOCK256_SHIFTS(pipeWords, i, Y0, Y1) \
	BLOCK256_SHIFTS(pipeWords2, i, Y2, Y3) \
	MOVQ    (pipeLanes+8*i)(cursor), row \
	VPSRLVQ Y0, ySign, Y0 \
	VPSRLVQ Y1, ySign, Y1 \
	VMOVDQU (row), Y4 \
	VMOVDQU 32(row), Y5 \
	VPSRLVQ Y2, Y4, Y2 \
	VPSRLVQ Y3, Y5, Y3 \
	VPOR    Y2, Y0, Y0 \
	VPOR    Y3, Y1, Y1

// BLOCK256_REWIND points results back at those of the current mask and loads
// them.
// in: maskKeys; in, out: results; out: Y0
#define BLOCK256_REWIND \
	SUBQ    maskKeys, results \
	VMOVDQU (results), Y0

// BLOCK256_EMIT_MASK makes the mask of the bytes' signs, without the bits past its
// keys: their results are an earlier mask's.
// in: Y0, maskKeys; out: AX
#define BLOCK256_EMIT_MASK \
	VPMOVMSKB Y0, AX \
	BZHIQ     maskKeys, AX, AX
