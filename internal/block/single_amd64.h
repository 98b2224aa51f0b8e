// The straight-line parts of the kernels for single keys. AVX-512 takes the eight
// lanes in one instruction, in registers above 15, which need no VZEROUPPER. AVX2
// takes them in two halves: batch_avx2_amd64.h explains its shifts. block.go
// specifies the layout of a block.
//
// What limits these kernels is how many lookups are in flight at a time: in cache,
// loads and what waits for other results bound that, not the number of
// instructions. Hence a path for each kind of k, tables in the filter, and
// constants for AVX2 computed in registers. TUNING.md has the figures.

#include "textflag.h"
#include "go_asm.h"

#define filter BX
#define path   AX // of the filter's probe
#define hash   DX
#define word   DX // the in-block word, which PROBE_LOCATE puts in the hash's place
#define word2  DI // the second one
#define base   R8
#define offset SI // the key's block, in bytes from base
#define row    CX // signs of the lanes that are on

#define probePath       (Filter_probe+probe_path)(filter)
#define probeUint64s    (Filter_probe+probe_uint64s)(filter)
#define probeOn         (Filter_probe+probe_on)(filter)
#define probeOff        (Filter_probe+probe_off)(filter)
#define probeSigns      (Filter_probe+probe_signs)(filter)

DATA mulMix<>+0(SB)/8, $const_mixMul
GLOBL mulMix<>(SB), RODATA|NOPTR, $8

DATA mulWord<>+0(SB)/8, $const_wordMul
GLOBL mulWord<>(SB), RODATA|NOPTR, $8

// PROBE_MIX turns an integer into its hash, as hash.Mix.
// in, out: hash; clobbers CX
#define PROBE_MIX \
	MOVQ  hash, CX \
	SHRQ  $const_mixFirst, CX \
	XORQ  CX, hash \
	IMULQ mulMix<>(SB), hash \
	MOVQ  hash, CX \
	SHRQ  $32, CX \
	XORQ  CX, hash \
	IMULQ mulMix<>(SB), hash \
	MOVQ  hash, CX \
	SHRQ  $32, CX \
	XORQ  CX, hash

// PROBE_WORD2 makes the second in-block word.
// in: hash; out: word2
#define PROBE_WORD2 \
	MOVQ  hash, word2 \
	SHRQ  $32, word2 \
	XORQ  hash, word2 \
	IMULQ mulMix<>(SB), word2

// PROBE_LOCATE finds the block and makes the in-block word.
// in: filter, hash; out: base, offset, word; clobbers hash, AX
#define PROBE_LOCATE \
	MULXQ (Filter_Blocks+8)(filter), AX, offset \
	MOVQ  Filter_Blocks(filter), base \
	IMULQ mulWord<>(SB), word \
	SHLQ  $6, offset

// PROBE512_ROTATE makes the mask of the lanes that the rotation turns on.
// in: filter, word; out: K1; clobbers word
#define PROBE512_ROTATE \
	ANDL  $7, word \
	KMOVB probeOn(word*1), K1

// PROBE512_FIELDS makes of a word w, for every lane, the distance by which a
// rotation moves a one to its field: rotations use the low six bits only.
// out: z
#define PROBE512_FIELDS(w, z) \
	VPBROADCASTQ w, z \
	VPSRLVQ      ·laneFields(SB), z, z

// PROBE512_MASK makes the word's mask: a bit in every lane.
// in: word; out: Z16 ones, Z17 the mask
#define PROBE512_MASK \
	VPBROADCASTQ ·laneOne(SB), Z16 \
	PROBE512_FIELDS(word, Z17) \
	VPROLVQ      Z17, Z16, Z17

// The tests for AVX-512.
// in: filter, hash; out: ZF, set if the key may be present;
// clobbers hash, base, offset, word2, AX, Z16 to Z19, K1, K2

#define PROBE512_TEST_K8 \
	PROBE_LOCATE \
	PROBE512_MASK \
	VPTESTNMQ (base)(offset*1), Z17, K1 \
	KORTESTB  K1, K1

#define PROBE512_TEST_K1TO7 \
	PROBE_LOCATE \
	PROBE512_MASK \
	PROBE512_ROTATE \
	VPTESTNMQ (base)(offset*1), Z17, K1, K1 \
	KORTESTB  K1, K1

#define PROBE512_TEST_K9TO16 \
	PROBE_WORD2 \
	PROBE_LOCATE \
	PROBE512_MASK \
	PROBE512_FIELDS(word2, Z18) \
	VPROLVQ   Z18, Z16, Z18 \
	PROBE512_ROTATE \
	VMOVDQU64 (base)(offset*1), Z19 \
	VPTESTNMQ Z19, Z17, K2 \
	VPTESTNMQ Z19, Z18, K1, K1 \
	KORTESTB  K1, K2

// PROBE512_SET_BITS sets the mask's bits. The address is added up first: a store
// that does that itself delays the loads of later keys.
// in: base, offset, Z17; clobbers offset, Z17
#define PROBE512_SET_BITS \
	ADDQ      base, offset \
	VPORQ     (offset), Z17, Z17 \
	VMOVDQU64 Z17, (offset)

// The additions for AVX-512.
// in: filter, hash; clobbers hash, base, offset, word2, AX, Z16 to Z18, K1

#define PROBE512_ADD_K8 \
	PROBE_LOCATE \
	PROBE512_MASK \
	PROBE512_SET_BITS

#define PROBE512_ADD_K1TO7 \
	PROBE_LOCATE \
	VPBROADCASTQ ·laneOne(SB), Z16 \
	PROBE512_FIELDS(word, Z17) \
	PROBE512_ROTATE \
	VPROLVQ.Z    Z17, Z16, K1, Z17 \
	PROBE512_SET_BITS

#define PROBE512_ADD_K9TO16 \
	PROBE_WORD2 \
	PROBE_LOCATE \
	PROBE512_MASK \
	PROBE512_FIELDS(word2, Z18) \
	PROBE512_ROTATE \
	VPROLVQ.Z  Z18, Z16, K1, Z18 \
	VPTERNLOGQ $0xFE, (base)(offset*1), Z18, Z17 \
	VMOVDQU64  Z17, (base)(offset*1)

#define ones  Y6
#define y63   Y7
#define ySign Y6

// PROBE256_CONSTANTS computes ones and y63.
#define PROBE256_CONSTANTS \
	VPCMPEQD ones, ones, ones \
	VPSRLQ   $58, ones, y63

// PROBE256_SHIFTS makes 63 − field of a word w for the lanes in two halves.
// in: y63; out: hi, of which x is the low half, and lo
#define PROBE256_SHIFTS(w, x, hi, lo) \
	VMOVQ        w, x \
	VPBROADCASTQ x, hi \
	VPSRLVQ      ·laneFields+0(SB), hi, lo \
	VPSRLVQ      ·laneFields+32(SB), hi, hi \
	VPANDN       y63, lo, lo \
	VPANDN       y63, hi, hi

// PROBE256_SIGNS loads the block and shifts the word's bits up to the signs.
// in: base, offset, word; out: Y0, Y1 the signs, Y2, Y3 the block, y63
#define PROBE256_SIGNS \
	PROBE256_CONSTANTS \
	PROBE256_SHIFTS(word, X1, Y1, Y0) \
	VMOVDQU (base)(offset*1), Y2 \
	VMOVDQU 32(base)(offset*1), Y3 \
	VPSLLVQ Y0, Y2, Y0 \
	VPSLLVQ Y1, Y3, Y1

// PROBE256_ROTATE gathers the signs of lo and hi, and ones for the lanes that the
// rotation turns off, in lanesOff's order.
// in: filter, word; out: AX; clobbers word, lo
#define PROBE256_ROTATE(hi, lo) \
	ANDL      $7, word \
	VSHUFPS   $0xDD, hi, lo, lo \
	VMOVMSKPS lo, AX \
	ORB       probeOff(word*1), AX

// The tests for AVX2.
// in: filter, hash; out: ZF, set if the key may be present;
// clobbers hash, base, offset, word2, AX, CX, Y0 to Y7

#define PROBE256_TEST_K8 \
	PROBE_LOCATE \
	PROBE256_SIGNS \
	VPAND     Y1, Y0, Y0 \
	VMOVMSKPD Y0, AX \
	CMPL      AX, $15

#define PROBE256_TEST_K1TO7 \
	PROBE_LOCATE \
	PROBE256_SIGNS \
	PROBE256_ROTATE(Y1, Y0) \
	CMPB AX, $0xFF

#define PROBE256_TEST_K9TO16 \
	PROBE_WORD2 \
	PROBE_LOCATE \
	PROBE256_SIGNS \
	PROBE256_SHIFTS(word2, X5, Y5, Y4) \
	VPSLLVQ   Y4, Y2, Y4 \
	VPSLLVQ   Y5, Y3, Y5 \
	PROBE256_ROTATE(Y5, Y4) \
	VSHUFPS   $0xDD, Y1, Y0, Y0 \
	VMOVMSKPS Y0, CX \
	ANDL      CX, AX \
	CMPB      AX, $0xFF

// PROBE256_ROW points row at the signs of the lanes that the rotation turns on.
// in: filter, word; out: row; clobbers word
#define PROBE256_ROW \
	MOVQ probeSigns, row \
	ANDL $7, word \
	LEAQ (row)(word*8), row

// PROBE256_SET_BITS sets the mask's bits.
// in: base, offset, Y0, Y1 the mask; clobbers Y0, Y1
#define PROBE256_SET_BITS \
	VPOR    (base)(offset*1), Y0, Y0 \
	VPOR    32(base)(offset*1), Y1, Y1 \
	VMOVDQU Y0, (base)(offset*1) \
	VMOVDQU Y1, 32(base)(offset*1)

// The additions for AVX2.
// in: filter, hash; clobbers hash, base, offset, word2, AX, row, Y0 to Y7

#define PROBE256_ADD_K8 \
	PROBE_LOCATE \
	PROBE256_CONSTANTS \
	PROBE256_SHIFTS(word, X1, Y1, Y0) \
	VPSLLQ  $63, ones, ySign \
	VPSRLVQ Y0, ySign, Y0 \
	VPSRLVQ Y1, ySign, Y1 \
	PROBE256_SET_BITS

#define PROBE256_ADD_K1TO7 \
	PROBE_LOCATE \
	PROBE256_CONSTANTS \
	PROBE256_SHIFTS(word, X1, Y1, Y0) \
	PROBE256_ROW \
	VMOVDQU (row), Y2 \
	VMOVDQU 32(row), Y3 \
	VPSRLVQ Y0, Y2, Y0 \
	VPSRLVQ Y1, Y3, Y1 \
	PROBE256_SET_BITS

#define PROBE256_ADD_K9TO16 \
	PROBE_WORD2 \
	PROBE_LOCATE \
	PROBE256_CONSTANTS \
	PROBE256_SHIFTS(word, X1, Y1, Y0) \
	VPSLLQ  $63, ones, ySign \
	VPSRLVQ Y0, ySign, Y0 \
	VPSRLVQ Y1, ySign, Y1 \
	PROBE256_SHIFTS(word2, X3, Y3, Y2) \
	PROBE256_ROW \
	VMOVDQU (row), Y4 \
	VMOVDQU 32(row), Y5 \
	VPSRLVQ Y2, Y4, Y2 \
	VPSRLVQ Y3, Y5, Y3 \
	VPOR    Y2, Y0, Y0 \
	VPOR    Y3, Y1, Y1 \
	PROBE256_SET_BITS
