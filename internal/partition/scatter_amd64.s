//go:build !purego

// Putting hashes into the stages of their parts, for AVX-512: eight keys at a time are
// mixed and their parts computed in one register, then each has its place counted, and
// then each is stored.
//
// Eight are counted before the first is stored, because a hash's place depends on a count:
// a processor that does not read a count before it knows where all earlier stores go
// waits once for eight keys.

#include "textflag.h"
#include "go_asm.h"

#define self DI
#define src  SI
#define tile BX // on the stack, aligned: eight parts, their hashes, the parts' stages
#define part AX
#define to   AX // the part's stage
#define hash CX

#define tileHashes 64
#define tileStages 128

#define vMix    Z31 // mixMul
#define vBlocks Z30 // number of blocks
#define xShift  X29
#define vStage  Z28 // the first part's stage
#define vSize   Z27 // of a stage in bytes

// PARTITION_MIX turns eight integers into their hashes, as hash.Mix.
// in, out: Z0; clobbers Z1
#define PARTITION_MIX \
	VPSRLQ  $const_mixFirst, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0 \
	VPMULLQ vMix, Z0, Z0 \
	VPSRLQ  $32, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0 \
	VPMULLQ vMix, Z0, Z0 \
	VPSRLQ  $32, Z0, Z1 \
	VPXORQ  Z1, Z0, Z0

// PARTITION_PARTS stores the parts of eight hashes, the exact high half of a 64 × 32
// bit product shifted, the hashes, and where the stages are.
// in: Z0 the hashes, tile; clobbers Z1, Z2
#define PARTITION_PARTS \
	VPSRLQ    $32, Z0, Z1 \
	VPMULUDQ  vBlocks, Z0, Z2 \
	VPMULUDQ  vBlocks, Z1, Z1 \
	VPSRLQ    $32, Z2, Z2 \
	VPADDQ    Z2, Z1, Z1 \
	VPSRLQ    $32, Z1, Z1 \
	VPSRLQ    xShift, Z1, Z1 \
	VPMULUDQ  vSize, Z1, Z2 \
	VPADDQ    vStage, Z2, Z2 \
	VMOVDQA64 Z1, (tile) \
	VMOVDQA64 Z2, tileStages(tile) \
	VMOVDQA64 Z0, tileHashes(tile)

// PARTITION_COUNT counts hash i in its part.
// in: self, tile; out: count, with it; clobbers part
#define PARTITION_COUNT(i, count) \
	MOVQ (8*i)(tile), part \
	MOVL Writer_n(self)(part*4), count \
	INCL count \
	MOVL count, Writer_n(self)(part*4)

// PARTITION_PUT stores hash i, the count-th of its part's stage.
// in: tile, count; clobbers to, hash
#define PARTITION_PUT(i, count) \
	MOVQ (tileStages+8*i)(tile), to \
	MOVQ (tileHashes+8*i)(tile), hash \
	MOVQ hash, -8(to)(count*8)

// func scatterAVX512(w *Writer, blocks uint64, shift uint, keys *uint64, n int, mixed bool) (done int)
TEXT ·scatterAVX512(SB), 0, $264-56
	MOVQ         w+0(FP), self
	VPBROADCASTQ blocks+8(FP), vBlocks
	VMOVQ        shift+16(FP), xShift
	MOVQ         keys+24(FP), src
	MOVQ         n+32(FP), AX
	LEAQ         (src)(AX*8), AX
	MOVQ         AX, end-8(SP)
	MOVQ         $const_mixMul, AX
	VPBROADCASTQ AX, vMix
	MOVQ         $(const_stageWords*8), AX
	VPBROADCASTQ AX, vSize
	VPBROADCASTQ Writer_stage(self), vStage
	LEAQ         63(SP), tile
	ANDQ         $-64, tile

nextGroup:
	VMOVDQU64 (src), Z0
	ADDQ      $64, src
	CMPB      mixed+40(FP), $0
	JEQ       place
	PARTITION_MIX

place:
	PARTITION_PARTS
	PARTITION_COUNT(0, R8)
	PARTITION_COUNT(1, R9)
	PARTITION_COUNT(2, R10)
	PARTITION_COUNT(3, R11)
	PARTITION_COUNT(4, R12)
	PARTITION_COUNT(5, R13)
	PARTITION_COUNT(6, R14)
	PARTITION_COUNT(7, DX)
	PARTITION_PUT(0, R8)
	PARTITION_PUT(1, R9)
	PARTITION_PUT(2, R10)
	PARTITION_PUT(3, R11)
	PARTITION_PUT(4, R12)
	PARTITION_PUT(5, R13)
	PARTITION_PUT(6, R14)
	PARTITION_PUT(7, DX)

	// Stop if a count has reached stageKeys: none reaches twice that.
	ORL   R8, R9
	ORL   R10, R11
	ORL   R12, R13
	ORL   R14, DX
	ORL   R9, R11
	ORL   R13, DX
	ORL   R11, DX
	TESTL $const_stageKeys, DX
	JNE   stop
	CMPQ  src, end-8(SP)
	JNE   nextGroup

stop:
	// done = keys taken
	SUBQ keys+24(FP), src
	SHRQ $3, src
	MOVQ src, done+48(FP)
	VZEROUPPER
	RET
