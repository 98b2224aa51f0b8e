//go:build !purego

// The blocked filter's batch kernels for AVX-512.
//
// Keys are taken in tiles of 32. Eight at a time, a tile's keys are hashed and
// turned into block addresses and in-block words, which go to the stack. Then,
// key by key, one line of the next tile is prefetched and one block of this
// tile is probed: one prefetch per probe keeps the miss buffers full without
// the stall that a burst of prefetches causes once they overflow.
//
// The layout is specified in blocked_generic.go.

#include "textflag.h"
#include "go_asm.h"

// A tile on the stack: four arrays of 32 words each.
#define tileAddr  0    // the block's address
#define tileWord  256  // the in-block word
#define tileLanes 512  // the lanes that the rotation turns on: in the low byte of
                       // a word for an addition, in 32 bytes for a test
#define tileTwo   768  // the second in-block word
#define tileBytes 1024

// Registers of every kernel in this file:
#define src    SI  // next key to hash
#define left   DX  // keys not yet hashed
#define mix    R8  // whether keys want mixing
#define this   BX  // tile to probe
#define next   CX  // tile to fill and prefetch
#define group  R9  // loop counter, in groups of 8 keys
#define thisn  R10 // groups in this tile
#define nextn  R11 // groups in the next tile
#define cursor R12 // into a tile
#define other  R13 // into the other tile
#define out    DI // next 32 bits of results
#define result R14 // next 8 bytes of a tile's results; R14 is g only in ABIInternal
#define addr    AX
#define lanesAt AX // where FILL stores lanes

#define vMix    Z31 // mixMul
#define vWord   Z30 // wordMul
#define vBlocks Z29 // number of blocks
#define vBase   Z28 // address of the first block
#define vFields Z27
#define vOnes   Z26
#define vLanes  Z25 // lanePattern
#define vSeven  Z24

// PROLOGUE loads the arguments that all kernels share, aligns the two tiles,
// and points at them.
#define PROLOGUE \
	MOVQ         nblocks+8(FP), AX \
	VPBROADCASTQ AX, vBlocks \
	MOVQ         blocks+0(FP), AX \
	VPBROADCASTQ AX, vBase \
	MOVQ         lanes+16(FP), AX \
	VPBROADCASTQ AX, vLanes \
	MOVQ         $const_mixMul, AX \
	VPBROADCASTQ AX, vMix \
	MOVQ         $const_wordMul, AX \
	VPBROADCASTQ AX, vWord \
	MOVQ         $1, AX \
	VPBROADCASTQ AX, vOnes \
	MOVQ         $7, AX \
	VPBROADCASTQ AX, vSeven \
	VMOVDQU64    ·laneFields(SB), vFields \
	MOVQ         keys+24(FP), src \
	MOVQ         n+32(FP), left \
	MOVBLZX      mixed+40(FP), mix \
	LEAQ         63(SP), this \
	ANDQ         $-64, this \
	LEAQ         tileBytes(this), next \
	LEAQ         (2*tileBytes)(this), result

// HASH takes eight keys to Z0, their hashes.
// out: Z0; clobbers Z1
#define HASH(plain) \
	VMOVDQU64 (src), Z0 \
	TESTL     mix, mix \
	JEQ       plain \
	VPSRLQ    $const_mixFirst, Z0, Z1 \
	VPXORQ    Z1, Z0, Z0 \
	VPMULLQ   vMix, Z0, Z0 \
	VPSRLQ    $32, Z0, Z1 \
	VPXORQ    Z1, Z0, Z0 \
	VPMULLQ   vMix, Z0, Z0 \
	VPSRLQ    $32, Z0, Z1 \
	VPXORQ    Z1, Z0, Z0

// PLACE stores the block addresses and words of the eight hashes in Z0.
//
// The block is the exact high half of a 64 × 32 bit product:
// (hi × n + (lo × n >> 32)) >> 32.
// in: Z0, cursor; out: Z1 = Z0 >> 32, Z2 = the words; clobbers Z3, Z4
#define PLACE \
	VPMULLQ   vWord, Z0, Z2 \
	VPSRLQ    $32, Z0, Z1 \
	VPMULUDQ  vBlocks, Z0, Z3 \
	VPMULUDQ  vBlocks, Z1, Z4 \
	VPSRLQ    $32, Z3, Z3 \
	VPADDQ    Z4, Z3, Z3 \
	VPSRLQ    $32, Z3, Z3 \
	VPSLLQ    $6, Z3, Z3 \
	VPADDQ    vBase, Z3, Z3 \
	VMOVDQA64 Z2, tileWord(cursor) \
	VMOVDQA64 Z3, tileAddr(cursor)

// ROTATE stores the lanes that the eight words in Z2 turn on, a word each.
// clobbers Z3
#define ROTATE \
	VPANDQ    vSeven, Z2, Z3 \
	VPSRLVQ   Z3, vLanes, Z3 \
	VMOVDQA64 Z3, tileLanes(cursor)

// ROTATE8 stores them a byte each.
// clobbers Z3; moves lanesAt on
#define ROTATE8 \
	VPANDQ  vSeven, Z2, Z3 \
	VPSRLVQ Z3, vLanes, Z3 \
	VPMOVQB Z3, (lanesAt) \
	ADDQ    $8, lanesAt

// SECOND stores the second words of the eight hashes in Z0, Z1 = Z0 >> 32.
// clobbers Z3
#define SECOND \
	VPXORQ    Z1, Z0, Z3 \
	VPMULLQ   vMix, Z3, Z3 \
	VMOVDQA64 Z3, tileTwo(cursor)

#define NOTHING

// FILL hashes up to 32 keys into the next tile.
// out: nextn; clobbers group, cursor, Z0 to Z4
#define FILL(loop, plain, done, EXTRA1, EXTRA2) \
	MOVQ left, nextn \
	SHRQ $3, nextn \
	MOVQ $4, group \
	CMPQ nextn, group \
	CMOVQGT group, nextn \
	MOVQ nextn, group \
	MOVQ next, cursor \
	LEAQ tileLanes(next), lanesAt \
	TESTQ group, group \
	JEQ  done \
loop: \
	HASH(plain) \
plain: \
	PLACE \
	EXTRA1 \
	EXTRA2 \
	ADDQ $64, src \
	ADDQ $64, cursor \
	SUBQ $8, left \
	DECQ group \
	JNE  loop \
done:

// BURST prefetches the whole next tile: only the first needs it.
#define BURST(loop) \
	MOVQ next, cursor \
	LEAQ (nextn*8), group \
loop: \
	MOVQ (cursor), addr \
	PREFETCHT0 (addr) \
	ADDQ $8, cursor \
	DECQ group \
	JNE  loop

// SWAP makes the next tile this one.
#define SWAP \
	XCHGQ this, next \
	MOVQ  nextn, thisn

// AHEAD prefetches key i's block of the next tile and loads addr with its
// block of this tile.
#define AHEAD(i) \
	MOVQ       (tileAddr+8*i)(other), addr \
	PREFETCHT0 (addr) \
	MOVQ       (tileAddr+8*i)(cursor), addr

// MASK makes the mask of key i, one bit in every lane.
// out: Z1; clobbers Z0
#define MASK(i) \
	VPBROADCASTQ (tileWord+8*i)(cursor), Z0 \
	VPSRLVQ      vFields, Z0, Z0 \
	VPROLVQ      Z0, vOnes, Z1

// MASK2 makes the second mask of key i.
#define MASK2(i) \
	VPBROADCASTQ (tileTwo+8*i)(cursor), Z2 \
	VPSRLVQ      vFields, Z2, Z2 \
	VPROLVQ      Z2, vOnes, Z3

// A test leaves in byte i of the results the lanes whose bit is missing. Which
// of them count is left to the end of the tile: a mask per key, loaded into a
// mask register, took a fifth more time.
#define TEST8(i) \
	AHEAD(i) \
	MASK(i) \
	VPTESTNMQ (addr), Z1, K1 \
	KMOVB     K1, (i)(result)

// The second bits' results lie 32 bytes on. Storing both bytes at once, joined by
// KUNPCKBW, took a tenth more time.
#define TESTTWO(i) \
	AHEAD(i) \
	MASK(i) \
	MASK2(i) \
	VMOVDQU64 (addr), Z4 \
	VPTESTNMQ Z4, Z1, K1 \
	VPTESTNMQ Z4, Z3, K2 \
	KMOVB     K1, (i)(result) \
	KMOVB     K2, (32+i)(result)

#define ADD8(i) \
	AHEAD(i) \
	MASK(i) \
	VPORQ     (addr), Z1, Z1 \
	VMOVDQU64 Z1, (addr)

#define ADDROT(i) \
	AHEAD(i) \
	KMOVB        (tileLanes+8*i)(cursor), K2 \
	VPBROADCASTQ (tileWord+8*i)(cursor), Z0 \
	VPSRLVQ      vFields, Z0, Z0 \
	VPROLVQ.Z    Z0, vOnes, K2, Z1 \
	VPORQ        (addr), Z1, Z1 \
	VMOVDQU64    Z1, (addr)

#define ADDTWO(i) \
	AHEAD(i) \
	MASK(i) \
	KMOVB        (tileLanes+8*i)(cursor), K2 \
	VPBROADCASTQ (tileTwo+8*i)(cursor), Z2 \
	VPSRLVQ      vFields, Z2, Z2 \
	VPROLVQ.Z    Z2, vOnes, K2, Z3 \
	VPTERNLOGQ   $0xFE, (addr), Z3, Z1 \
	VMOVDQU64    Z1, (addr)

#define EIGHT(OP) \
	OP(0) \
	OP(1) \
	OP(2) \
	OP(3) \
	OP(4) \
	OP(5) \
	OP(6) \
	OP(7)

// PASS runs OP over this tile's keys, prefetching the next tile's blocks; after
// the last tile it prefetches this one's, which are at hand, once more.
#define PASS(loop, OP) \
	MOVQ    this, cursor \
	MOVQ    next, other \
	TESTQ   nextn, nextn \
	CMOVQEQ this, other \
	MOVQ    thisn, group \
loop: \
	EIGHT(OP) \
	ADDQ $64, cursor \
	ADDQ $64, other \
	ADDQ $8, result \
	DECQ group \
	JNE  loop

// JUDGE sets bit i of K1 if no lane of key i that counts misses its bit.
// in: Y0 the results, result where they lie; clobbers Y1
#define JUDGE8 \
	VPTESTNMB Y0, Y0, K1

#define JUDGEROT \
	VPTESTNMB tileLanes(this), Y0, K1

#define JUDGETWO \
	VMOVDQU   32(result), Y1 \
	VPAND     tileLanes(this), Y1, Y1 \
	VPOR      Y1, Y0, Y0 \
	VPTESTNMB Y0, Y0, K1

// REPORT turns this tile's results into 32 bits. Those past this tile's keys are
// left from before: their bits go.
#define REPORT(JUDGE) \
	LEAQ    (thisn*8), group \
	SUBQ    group, result \
	VMOVDQU (result), Y0 \
	JUDGE \
	KMOVD   K1, AX \
	BZHIQ   group, AX, AX \
	MOVL    AX, (out) \
	ADDQ    $4, out

#define TESTBODY(OP, JUDGE, EXTRA1, EXTRA2) \
	PROLOGUE \
	MOVQ hits+48(FP), out \
	FILL(fill0, plain0, done0, EXTRA1, EXTRA2) \
	BURST(burst) \
turn: \
	SWAP \
	FILL(fill, plain, done, EXTRA1, EXTRA2) \
	PASS(pass, OP) \
	REPORT(JUDGE) \
	TESTQ nextn, nextn \
	JNE turn \
	VZEROUPPER \
	RET

#define ADDBODY(OP, EXTRA1, EXTRA2) \
	PROLOGUE \
	FILL(fill0, plain0, done0, EXTRA1, EXTRA2) \
	BURST(burst) \
turn: \
	SWAP \
	FILL(fill, plain, done, EXTRA1, EXTRA2) \
	PASS(pass, OP) \
	TESTQ nextn, nextn \
	JNE turn \
	VZEROUPPER \
	RET

// func test8AVX512(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·test8AVX512(SB), 0, $2176-56
	TESTBODY(TEST8, JUDGE8, NOTHING, NOTHING)

// func testRotAVX512(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testRotAVX512(SB), 0, $2176-56
	TESTBODY(TEST8, JUDGEROT, ROTATE8, NOTHING)

// func testTwoAVX512(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testTwoAVX512(SB), 0, $2176-56
	TESTBODY(TESTTWO, JUDGETWO, ROTATE8, SECOND)

// func add8AVX512(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·add8AVX512(SB), 0, $2176-41
	ADDBODY(ADD8, NOTHING, NOTHING)

// func addRotAVX512(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addRotAVX512(SB), 0, $2176-41
	ADDBODY(ADDROT, ROTATE, NOTHING)

// func addTwoAVX512(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addTwoAVX512(SB), 0, $2176-41
	ADDBODY(ADDTWO, ROTATE, SECOND)
