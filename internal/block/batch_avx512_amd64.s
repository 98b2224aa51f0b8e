//go:build !purego

// The blocked filter's batch kernels for AVX-512.
//
// Keys go in groups of eight through a ring on the stack. A group is hashed and
// turned into block addresses and in-block words; two groups later its lines are
// prefetched, and four later still its blocks are probed. One prefetch per probe
// keeps the miss buffers full without the stall that a burst of prefetches causes
// once they overflow, and groups hashed between probes leave them no pause.
//
// Lines are prefetched into L2: that way the CPU keeps more of them under way than
// L1 has miss buffers. On a Zen 4, PREFETCHT0 takes 1.4 times as long at 64 MiB
// and 1 GiB (1.7 with AVX2), PREFETCHNTA the same, PREFETCHT2 as long as T1; in
// caches they are equal.
//
// What else lost there: tiles of 32 keys, each hashed before the one before it is
// probed (4 MiB: a tenth slower, additions 1.7 times; k > 8 in L2: 8 %);
// prefetching a group right after it is hashed (L2: a tenth); prefetching 2 groups
// ahead (64 MiB: 1.3 times), 3 (a tenth), 6 (4 MiB: a tenth) or 8 (both a tenth).
//
// The layout is specified in block.go.

#include "textflag.h"
#include "go_asm.h"

// The ring of sixteen groups: four arrays of 128 words each.
#define ringAddr  0    // the block's address
#define ringWord  1024 // the in-block word
#define ringLanes 2048 // the lanes that the rotation turns on: in the low byte of
                       // a word for an addition, in 128 bytes for a test
#define ringTwo   3072 // the second in-block word
#define ringBytes 4096
#define ringMask  1023 // of offsets in an array

// The distances, in an array, from the group that is probed to the one that is
// prefetched and the one that is hashed.
#define aheadBytes 256
#define fillBytes  384

// Registers of every kernel in this file:
#define src    SI  // next key to hash
#define left   DX  // groups not yet hashed
#define mix    R8  // whether keys want mixing
#define ring   BX
#define at     CX  // offset of the group to probe, in each array
#define todo   R11 // groups not yet probed
#define turn   R10 // groups of the 32 keys whose results are next
#define group  R9  // groups to probe before the next results
#define cursor R12 // into the ring: the group to probe, or to fill
#define other  R13 // the group to prefetch
#define out    DI  // next 32 bits of results
#define result R14 // next 8 bytes of a turn's results; R14 is g only in ABIInternal
#define addr   AX
#define fillAt AX  // offset of the group to fill, then where its lanes go

#define vMix    Z31 // mixMul
#define vWord   Z30 // wordMul
#define vBlocks Z29 // number of blocks
#define vBase   Z28 // address of the first block
#define vFields Z27
#define vOnes   Z26
#define vLanes  Z25 // lanePattern
#define vSeven  Z24

// PROLOGUE loads the arguments that all kernels share and aligns the ring.
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
	SHRQ         $3, left \
	MOVQ         left, todo \
	MOVBLZX      mixed+40(FP), mix \
	LEAQ         63(SP), ring \
	ANDQ         $-64, ring \
	LEAQ         ringBytes(ring), result

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
	VMOVDQA64 Z2, ringWord(cursor) \
	VMOVDQA64 Z3, ringAddr(cursor)

// ROTATE stores the lanes that the eight words in Z2 turn on, a word each.
// clobbers Z3
#define ROTATE \
	VPANDQ    vSeven, Z2, Z3 \
	VPSRLVQ   Z3, vLanes, Z3 \
	VMOVDQA64 Z3, ringLanes(cursor)

// ROTATE8 stores them a byte each.
// clobbers Z3
#define ROTATE8 \
	VPANDQ  vSeven, Z2, Z3 \
	VPSRLVQ Z3, vLanes, Z3 \
	VPMOVQB Z3, ringLanes(fillAt)

// SECOND stores the second words of the eight hashes in Z0, Z1 = Z0 >> 32.
// clobbers Z3
#define SECOND \
	VPXORQ    Z1, Z0, Z3 \
	VPMULLQ   vMix, Z3, Z3 \
	VMOVDQA64 Z3, ringTwo(cursor)

#define NOTHING

// FILL hashes the next group of keys into the ring at fillAt. When there are none
// left, it puts the first block's address there: any line can be prefetched.
// clobbers fillAt, cursor, Z0 to Z4
#define FILL(some, plain, filled, EXTRA1, EXTRA2) \
	LEAQ      (ring)(fillAt*1), cursor \
	TESTQ     left, left \
	JNE       some \
	VMOVDQA64 vBase, ringAddr(cursor) \
	JMP       filled \
some: \
	SHRQ      $3, fillAt \
	ADDQ      ring, fillAt \
	HASH(plain) \
plain: \
	PLACE \
	EXTRA1 \
	EXTRA2 \
	ADDQ      $64, src \
	DECQ      left \
filled:

// START fills the groups that lie ahead of the first probe and prefetches their
// lines, the only ones that come in a burst.
#define START(fill, some, plain, filled, burst, EXTRA1, EXTRA2) \
	XORL       at, at \
fill: \
	MOVQ       at, fillAt \
	FILL(some, plain, filled, EXTRA1, EXTRA2) \
	ADDQ       $64, at \
	CMPQ       at, $fillBytes \
	JLT        fill \
	MOVQ       $aheadBytes, at \
burst: \
	SUBQ       $8, at \
	MOVQ       ringAddr(ring)(at*1), addr \
	PREFETCHT1 (addr) \
	JNE        burst

// AHEAD prefetches key i's block of the group ahead and loads addr with its
// block of this group.
#define AHEAD(i) \
	MOVQ       (ringAddr+8*i)(other), addr \
	PREFETCHT1 (addr) \
	MOVQ       (ringAddr+8*i)(cursor), addr

// MASK makes the mask of key i, one bit in every lane.
// out: Z1; clobbers Z0
#define MASK(i) \
	VPBROADCASTQ (ringWord+8*i)(cursor), Z0 \
	VPSRLVQ      vFields, Z0, Z0 \
	VPROLVQ      Z0, vOnes, Z1

// MASK2 makes the second mask of key i.
#define MASK2(i) \
	VPBROADCASTQ (ringTwo+8*i)(cursor), Z2 \
	VPSRLVQ      vFields, Z2, Z2 \
	VPROLVQ      Z2, vOnes, Z3

// A test leaves in byte i of the results the lanes whose bit is missing. Which
// of them count is left to the end of the turn: a mask per key, loaded into a
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
	KMOVB        (ringLanes+8*i)(cursor), K2 \
	VPBROADCASTQ (ringWord+8*i)(cursor), Z0 \
	VPSRLVQ      vFields, Z0, Z0 \
	VPROLVQ.Z    Z0, vOnes, K2, Z1 \
	VPORQ        (addr), Z1, Z1 \
	VMOVDQU64    Z1, (addr)

#define ADDTWO(i) \
	AHEAD(i) \
	MASK(i) \
	KMOVB        (ringLanes+8*i)(cursor), K2 \
	VPBROADCASTQ (ringTwo+8*i)(cursor), Z2 \
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

// PASS runs OP over the number of groups in group, filling and prefetching others.
#define PASS(loop, some, plain, filled, OP, EXTRA1, EXTRA2) \
loop: \
	LEAQ    fillBytes(at), fillAt \
	ANDQ    $ringMask, fillAt \
	FILL(some, plain, filled, EXTRA1, EXTRA2) \
	LEAQ    (ring)(at*1), cursor \
	LEAQ    aheadBytes(at), other \
	ANDQ    $ringMask, other \
	ADDQ    ring, other \
	EIGHT(OP) \
	ADDQ    $64, at \
	ANDQ    $ringMask, at \
	ADDQ    $8, result \
	DECQ    group \
	JNE     loop

// JUDGE sets bit i of K1 if no lane of key i that counts misses its bit.
// in: Y0 the results, result where they lie, AX where the turn's lanes do;
// clobbers Y1
#define JUDGE8 \
	VPTESTNMB Y0, Y0, K1

#define JUDGEROT \
	VPTESTNMB ringLanes(AX), Y0, K1

#define JUDGETWO \
	VMOVDQU   32(result), Y1 \
	VPAND     ringLanes(AX), Y1, Y1 \
	VPOR      Y1, Y0, Y0 \
	VPTESTNMB Y0, Y0, K1

// REPORT turns this turn's results into 32 bits. Those past this turn's keys are
// left from before: their bits go. Every turn starts at a multiple of four groups.
#define REPORT(JUDGE) \
	SHLQ    $3, turn \
	SUBQ    turn, result \
	LEAQ    -64(at), AX \
	ANDQ    $(ringMask&-256), AX \
	SHRQ    $3, AX \
	ADDQ    ring, AX \
	VMOVDQU (result), Y0 \
	JUDGE \
	KMOVD   K1, AX \
	BZHIQ   turn, AX, AX \
	MOVL    AX, (out) \
	ADDQ    $4, out

#define TESTBODY(OP, JUDGE, EXTRA1, EXTRA2) \
	PROLOGUE \
	MOVQ hits+48(FP), out \
	START(fill0, some0, plain0, filled0, burst, EXTRA1, EXTRA2) \
next: \
	MOVQ    $4, turn \
	CMPQ    todo, turn \
	CMOVQLT todo, turn \
	SUBQ    turn, todo \
	MOVQ    turn, group \
	PASS(pass, some, plain, filled, OP, EXTRA1, EXTRA2) \
	REPORT(JUDGE) \
	TESTQ todo, todo \
	JNE   next \
	VZEROUPPER \
	RET

#define ADDBODY(OP, EXTRA1, EXTRA2) \
	PROLOGUE \
	START(fill0, some0, plain0, filled0, burst, EXTRA1, EXTRA2) \
	MOVQ todo, group \
	PASS(pass, some, plain, filled, OP, EXTRA1, EXTRA2) \
	VZEROUPPER \
	RET

// func test8AVX512(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·test8AVX512(SB), 0, $4224-56
	TESTBODY(TEST8, JUDGE8, NOTHING, NOTHING)

// func testRotAVX512(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testRotAVX512(SB), 0, $4224-56
	TESTBODY(TEST8, JUDGEROT, ROTATE8, NOTHING)

// func testTwoAVX512(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testTwoAVX512(SB), 0, $4224-56
	TESTBODY(TESTTWO, JUDGETWO, ROTATE8, SECOND)

// func add8AVX512(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·add8AVX512(SB), 0, $4224-41
	ADDBODY(ADD8, NOTHING, NOTHING)

// func addRotAVX512(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addRotAVX512(SB), 0, $4224-41
	ADDBODY(ADDROT, ROTATE, NOTHING)

// func addTwoAVX512(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addTwoAVX512(SB), 0, $4224-41
	ADDBODY(ADDTWO, ROTATE, SECOND)
