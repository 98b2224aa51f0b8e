// The straight-line parts of the batch kernels for AVX-512: eight keys at a time
// are hashed, and one is probed, with its block in one register. The twin is
// batch_avx2_amd64.h.

#include "batch_amd64.h"

#define mix   R8 // whether keys are integers
#define hitsp DI // the next mask of results

#define vMix    Z31 // mixMul
#define vWord   Z30 // wordMul
#define vBlocks Z29 // number of blocks
#define vBase   Z28 // address of the first block
#define vFields Z27 // laneFields
#define vOnes   Z26
#define vLanes  Z25 // lanePattern
#define vSeven  Z24

// BLOCK512_CONSTANTS loads vMix, vWord, vFields, vOnes and vSeven.
// clobbers AX
#define BLOCK512_CONSTANTS \
	MOVQ         $const_mixMul, AX \
	VPBROADCASTQ AX, vMix \
	MOVQ         $const_wordMul, AX \
	VPBROADCASTQ AX, vWord \
	MOVQ         $1, AX \
	VPBROADCASTQ AX, vOnes \
	MOVQ         $7, AX \
	VPBROADCASTQ AX, vSeven \
	VMOVDQU64    ·laneFields(SB), vFields

// BLOCK512_MIX turns eight integers into their hashes, as hash.Mix.
// in, out: Z0; clobbers Z1
#define BLOCK512_MIX \
	VPSRLQ  $const_mixFirst, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0 \
	VPMULLQ vMix, Z0, Z0 \
	VPSRLQ  $32, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0 \
	VPMULLQ vMix, Z0, Z0 \
	VPSRLQ  $32, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0

// BLOCK512_PLACE stores the block addresses and words of eight hashes. The block
// is the exact high half of a 64 × 32 bit product: (hi·n + (lo·n >> 32)) >> 32.
// in: Z0 the hashes, cursor; out: Z1 = Z0 >> 32, Z2 the words; clobbers Z3, Z4
#define BLOCK512_PLACE \
	VPMULLQ   vWord, Z0, Z2 \
	VPSRLQ    $32, Z0, Z1 \
	VPMULUDQ  vBlocks, Z0, Z3 \
	VPMULUDQ  vBlocks, Z1, Z4 \
	VPSRLQ    $32, Z3, Z3 \
	VPADDQ    Z4, Z3, Z3 \
	VPSRLQ    $32, Z3, Z3 \
	VPSLLQ    $6, Z3, Z3 \
	VPADDQ    vBase, Z3, Z3 \
	VMOVDQA64 Z2, pipeWords(cursor) \
	VMOVDQA64 Z3, pipeAddrs(cursor)

// BLOCK512_ROTATE stores the lanes that eight words turn on, a word for each key.
// in: Z2 the words, cursor; clobbers Z3
#define BLOCK512_ROTATE \
	VPANDQ    vSeven, Z2, Z3 \
	VPSRLVQ   Z3, vLanes, Z3 \
	VMOVDQA64 Z3, pipeLanes(cursor)

// BLOCK512_ROTATE_BYTES stores them a byte for each key.
// in: Z2 the words, fillAt; clobbers fillAt, Z3
#define BLOCK512_ROTATE_BYTES \
	SHRQ    $3, fillAt \
	VPANDQ  vSeven, Z2, Z3 \
	VPSRLVQ Z3, vLanes, Z3 \
	VPMOVQB Z3, pipeLanes(pipeline)(fillAt*1)

// BLOCK512_PLACE2 stores the second words of eight hashes.
// in: Z0 the hashes, Z1 = Z0 >> 32, cursor; clobbers Z3
#define BLOCK512_PLACE2 \
	VPXORQ    Z1, Z0, Z3 \
	VPMULLQ   vMix, Z3, Z3 \
	VMOVDQA64 Z3, pipeWords2(cursor)

// BLOCK512_MASK makes the mask of key i: a bit in every lane.
// in: cursor; out: Z1; clobbers Z0
#define BLOCK512_MASK(i) \
	VPBROADCASTQ (pipeWords+8*i)(cursor), Z0 \
	VPSRLVQ      vFields, Z0, Z0 \
	VPROLVQ      Z0, vOnes, Z1

// BLOCK512_MASK2 makes the mask of key i's second word.
// in: cursor; out: Z3; clobbers Z2
#define BLOCK512_MASK2(i) \
	VPBROADCASTQ (pipeWords2+8*i)(cursor), Z2 \
	VPSRLVQ      vFields, Z2, Z2 \
	VPROLVQ      Z2, vOnes, Z3

// BLOCK512_SOME_MASK is BLOCK512_MASK for the lanes that the rotation turns on.
// in: cursor; out: Z1; clobbers Z0, K2
#define BLOCK512_SOME_MASK(i) \
	KMOVB        (pipeLanes+8*i)(cursor), K2 \
	VPBROADCASTQ (pipeWords+8*i)(cursor), Z0 \
	VPSRLVQ      vFields, Z0, Z0 \
	VPROLVQ.Z    Z0, vOnes, K2, Z1

// BLOCK512_SOME_MASK2 is BLOCK512_MASK2 for the lanes that the rotation turns on.
// in: cursor; out: Z3; clobbers Z2, K2
#define BLOCK512_SOME_MASK2(i) \
	KMOVB        (pipeLanes+8*i)(cursor), K2 \
	VPBROADCASTQ (pipeWords2+8*i)(cursor), Z2 \
	VPSRLVQ      vFields, Z2, Z2 \
	VPROLVQ.Z    Z2, vOnes, K2, Z3

// BLOCK512_REWIND points results back at those of the current mask and loads
// them.
// in: maskKeys; in, out: results; out: Y0
#define BLOCK512_REWIND \
	SUBQ    maskKeys, results \
	VMOVDQU (results), Y0

// BLOCK512_MASK_LANES points AX at the lanes of the current mask's keys, which
// begin at a multiple of four groups.
// in: at, after the mask's last group; out: AX
#define BLOCK512_MASK_LANES \
	LEAQ -64(at), AX \
	ANDQ $(pipeMask&-256), AX \
	SHRQ $3, AX \
	ADDQ pipeline, AX

// BLOCK512_EMIT_MASK makes the mask of K1, without the bits past its keys: their
// results are an earlier mask's.
// in: K1, maskKeys; out: AX
#define BLOCK512_EMIT_MASK \
	KMOVD K1, AX \
	BZHIQ maskKeys, AX, AX
