//go:build !purego

// The blocked filter's batch kernels for AVX2: those of blocked_amd64.s with
// four keys per instruction and a block in two halves. AVX2 has no 64-bit
// multiplication: one is put together from three of 32 bits.
//
// A bit is tested by shifting it up to its lane's sign: the shift 63 − field is
// what AND NOT makes of the field, so that the inversion costs nothing over the
// masking that a shift wants anyway.
//
// Lines are prefetched 40 keys ahead, since these kernels see fewer keys at a time
// than those for AVX-512: 32 took 12 % longer at 64 MiB and 1 GiB on a Zen 4, and
// 5 % less at 4 MiB.

#include "textflag.h"
#include "go_asm.h"

DATA sevens<>+0(SB)/8, $7
DATA sevens<>+8(SB)/8, $7
DATA sevens<>+16(SB)/8, $7
DATA sevens<>+24(SB)/8, $7
GLOBL sevens<>(SB), RODATA|NOPTR, $32

DATA fifteens<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA fifteens<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA fifteens<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA fifteens<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL fifteens<>(SB), RODATA|NOPTR, $32

DATA allOnes<>+0(SB)/8, $-1
DATA allOnes<>+8(SB)/8, $-1
DATA allOnes<>+16(SB)/8, $-1
DATA allOnes<>+24(SB)/8, $-1
GLOBL allOnes<>(SB), RODATA|NOPTR, $32

// The ring of eight groups of eight keys: four arrays of 64 words each.
#define ringAddr  0    // the block's address
#define ringWord  512  // the in-block word
#define ringLanes 1024 // where the signs of the lanes that are on start
#define ringTwo   1536 // the second in-block word
#define ringBytes 2048
#define ringMask  511  // of offsets in an array

// The distances, in an array, from the group that is probed to the one that is
// prefetched and the one that is hashed.
#define aheadBytes 320
#define fillBytes  448

// The frame: the argument lanes four times, then the ring and 32 bytes of
// results, aligned.
#define rows 0(SP)

#define src    SI  // next key to hash
#define left   DX  // groups not yet hashed
#define ring   BX
#define at     CX  // offset of the group to probe, in each array
#define todo   R11 // groups not yet probed
#define turn   R10 // groups of the 32 keys whose results are next
#define group  R9  // groups to probe before the next results
#define cursor R12 // into the ring: the group to probe, or to fill
#define other  R13 // the group to prefetch
#define result R14 // next bytes of a turn's results; R14 is g only in ABIInternal
#define addr   AX
#define fillAt AX  // offset of the group to fill
#define row    R8  // additions: signs of the lanes that are on
#define off    DI  // tests: a byte for each rotation, the lanes that are off
#define rotation R8

#define yMix     Y15 // mixMul
#define yMixHi   Y14 // its high half
#define yWord    Y13 // wordMul
#define yWordHi  Y12 // its high half
#define yBlocks  Y11 // number of blocks
#define yBase    Y10 // address of the first block
#define yFields0 Y9
#define yFields1 Y8
#define y63      Y7
#define ySign    Y6 // the sign bit of every lane

// BROADCAST fills y with x. clobbers X0
#define BROADCAST(x, y) \
	VMOVQ        x, X0 \
	VPBROADCASTQ X0, y

// PROLOGUE loads the arguments that all kernels share and aligns the ring.
#define PROLOGUE \
	MOVQ      $const_mixMul, AX \
	BROADCAST(AX, yMix) \
	VPSRLQ    $32, yMix, yMixHi \
	MOVQ      $const_wordMul, AX \
	BROADCAST(AX, yWord) \
	VPSRLQ    $32, yWord, yWordHi \
	MOVQ      nblocks+8(FP), AX \
	BROADCAST(AX, yBlocks) \
	MOVQ      blocks+0(FP), AX \
	BROADCAST(AX, yBase) \
	VMOVDQU   ·laneFields+0(SB), yFields0 \
	VMOVDQU   ·laneFields+32(SB), yFields1 \
	VPCMPEQD  Y0, Y0, Y0 \
	VPSLLQ    $63, Y0, ySign \
	VPSRLQ    $58, Y0, y63 \
	MOVQ      keys+24(FP), src \
	MOVQ      n+32(FP), left \
	SHRQ      $3, left \
	MOVQ      left, todo \
	LEAQ      (32+31)(SP), ring \
	ANDQ      $-32, ring \
	LEAQ      ringBytes(ring), result \
	MOVQ      lanes+16(FP), AX \
	BROADCAST(AX, Y0) \
	VMOVDQU   Y0, rows

// MUL64 multiplies 64-bit lanes: y = x × c, hi = x >> 32.
// clobbers t0, t1; y may be x
#define MUL64(c, cHi, x, hi, y, t0, t1) \
	VPMULUDQ c, hi, t0 \
	VPMULUDQ cHi, x, t1 \
	VPADDQ   t0, t1, t0 \
	VPSLLQ   $32, t0, t0 \
	VPMULUDQ c, x, y \
	VPADDQ   t0, y, y

// HASH takes four keys to Y0, their hashes, and Y1 = Y0 >> 32. Adding x >> 32 to
// x leaves the high half as it is, which is why the multiplication after it can
// take the shifted operand again.
// clobbers Y2, Y3
#define HASH(plain, half) \
	VMOVDQU half(src), Y0 \
	CMPB    mixed+40(FP), $0 \
	JEQ     plain \
	VPSRLQ  $const_mixFirst, Y0, Y1 \
	VPXOR   Y1, Y0, Y0 \
	VPSRLQ  $32, Y0, Y1 \
	MUL64(yMix, yMixHi, Y0, Y1, Y0, Y2, Y3) \
	VPSRLQ  $32, Y0, Y1 \
	VPXOR   Y1, Y0, Y0 \
	MUL64(yMix, yMixHi, Y0, Y1, Y0, Y2, Y3) \
	VPSRLQ  $32, Y0, Y1 \
	VPXOR   Y1, Y0, Y0 \
plain: \
	VPSRLQ  $32, Y0, Y1

// PLACE stores the block addresses and words of the four hashes in Y0.
//
// The block is the exact high half of a 64 × 32 bit product:
// (hi × n + (lo × n >> 32)) >> 32.
// in: Y0, Y1, cursor; out: Y2 = the words; clobbers Y3, Y4
#define PLACE(half) \
	MUL64(yWord, yWordHi, Y0, Y1, Y2, Y3, Y4) \
	VPMULUDQ yBlocks, Y0, Y3 \
	VPMULUDQ yBlocks, Y1, Y4 \
	VPSRLQ   $32, Y3, Y3 \
	VPADDQ   Y4, Y3, Y3 \
	VPSRLQ   $32, Y3, Y3 \
	VPSLLQ   $6, Y3, Y3 \
	VPADDQ   yBase, Y3, Y3 \
	VMOVDQA  Y2, (ringWord+half)(cursor) \
	VMOVDQA  Y3, (ringAddr+half)(cursor)

// ROWS stores where the lane signs of the four words in Y2 start.
// clobbers Y3
#define ROWS(half) \
	VPAND   sevens<>(SB), Y2, Y3 \
	VPSLLQ  $3, Y3, Y3 \
	VPADDQ  rows, Y3, Y3 \
	VMOVDQA Y3, (ringLanes+half)(cursor)

// SECOND stores the second words of the four hashes in Y0, Y1 = Y0 >> 32.
// clobbers Y3, Y4, Y5
#define SECOND(half) \
	VPXOR   Y1, Y0, Y3 \
	MUL64(yMix, yMixHi, Y3, Y1, Y3, Y4, Y5) \
	VMOVDQA Y3, (ringTwo+half)(cursor)

#define NOTHING(half)

// FILL hashes the next group of keys into the ring at fillAt. When there are none
// left, it puts the first block's address there: any line can be prefetched.
// clobbers cursor, Y0 to Y5
#define FILL(some, plain0, plain1, filled, EXTRA1, EXTRA2) \
	LEAQ    (ring)(fillAt*1), cursor \
	TESTQ   left, left \
	JNE     some \
	VMOVDQA yBase, ringAddr(cursor) \
	VMOVDQA yBase, (ringAddr+32)(cursor) \
	JMP     filled \
some: \
	HASH(plain0, 0) \
	PLACE(0) \
	EXTRA1(0) \
	EXTRA2(0) \
	HASH(plain1, 32) \
	PLACE(32) \
	EXTRA1(32) \
	EXTRA2(32) \
	ADDQ    $64, src \
	DECQ    left \
filled:

// START fills the groups that lie ahead of the first probe and prefetches their
// lines, the only ones that come in a burst.
#define START(fill, some, plain0, plain1, filled, burst, EXTRA1, EXTRA2) \
	XORL       at, at \
fill: \
	MOVQ       at, fillAt \
	FILL(some, plain0, plain1, filled, EXTRA1, EXTRA2) \
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

// SHIFTS makes of a word at key i, for the lanes in two halves, 63 − field.
#define SHIFTS(word, i, lo, hi) \
	VPBROADCASTQ (word+8*i)(cursor), hi \
	VPSRLVQ      yFields0, hi, lo \
	VPSRLVQ      yFields1, hi, hi \
	VPANDN       y63, lo, lo \
	VPANDN       y63, hi, hi

// A test leaves a byte per key in the results, with all bits that it has set if
// the key is there: four, or eight where the rotation's lanes count.

#define TEST8(i) \
	AHEAD(i) \
	SHIFTS(ringWord, i, Y0, Y1) \
	VMOVDQU   (addr), Y2 \
	VMOVDQU   32(addr), Y3 \
	VPSLLVQ   Y0, Y2, Y0 \
	VPSLLVQ   Y1, Y3, Y1 \
	VPAND     Y1, Y0, Y0 \
	VMOVMSKPD Y0, AX \
	MOVB      AX, (i)(result)

// SIGNS gathers the signs of the lanes in lo and hi in a byte: lanes 0, 1, 4, 5,
// 2, 3, 6, 7, the order in which VSHUFPS has them.
// clobbers lo
#define SIGNS(lo, hi, byte) \
	VSHUFPS   $0xDD, hi, lo, lo \
	VMOVMSKPS lo, byte

// ROTATE sets the bits of AX for the lanes that key i's rotation turns off. In
// scalar registers it runs beside the vectors: lanes masked in the vectors took
// a sixth more time.
// clobbers rotation
#define ROTATE(i) \
	MOVQ (ringWord+8*i)(cursor), rotation \
	ANDL $7, rotation \
	ORB  (off)(rotation*1), AX

#define TESTROT(i) \
	AHEAD(i) \
	SHIFTS(ringWord, i, Y0, Y1) \
	VMOVDQU (addr), Y2 \
	VMOVDQU 32(addr), Y3 \
	VPSLLVQ Y0, Y2, Y0 \
	VPSLLVQ Y1, Y3, Y1 \
	SIGNS(Y0, Y1, AX) \
	ROTATE(i) \
	MOVB    AX, (i)(result)

#define TESTTWO(i) \
	AHEAD(i) \
	SHIFTS(ringWord, i, Y0, Y1) \
	VMOVDQU (addr), Y2 \
	VMOVDQU 32(addr), Y3 \
	SHIFTS(ringTwo, i, Y4, Y5) \
	VPSLLVQ Y4, Y2, Y4 \
	VPSLLVQ Y5, Y3, Y5 \
	SIGNS(Y4, Y5, AX) \
	ROTATE(i) \
	VPSLLVQ Y0, Y2, Y0 \
	VPSLLVQ Y1, Y3, Y1 \
	SIGNS(Y0, Y1, rotation) \
	ANDL    rotation, AX \
	MOVB    AX, (i)(result)

// An addition moves the sign down to the field.

#define ADD8(i) \
	AHEAD(i) \
	SHIFTS(ringWord, i, Y0, Y1) \
	VPSRLVQ Y0, ySign, Y0 \
	VPSRLVQ Y1, ySign, Y1 \
	VPOR    (addr), Y0, Y0 \
	VPOR    32(addr), Y1, Y1 \
	VMOVDQU Y0, (addr) \
	VMOVDQU Y1, 32(addr)

#define ADDROT(i) \
	AHEAD(i) \
	SHIFTS(ringWord, i, Y0, Y1) \
	MOVQ    (ringLanes+8*i)(cursor), row \
	VMOVDQU (row), Y2 \
	VMOVDQU 32(row), Y3 \
	VPSRLVQ Y0, Y2, Y0 \
	VPSRLVQ Y1, Y3, Y1 \
	VPOR    (addr), Y0, Y0 \
	VPOR    32(addr), Y1, Y1 \
	VMOVDQU Y0, (addr) \
	VMOVDQU Y1, 32(addr)

#define ADDTWO(i) \
	AHEAD(i) \
	SHIFTS(ringWord, i, Y0, Y1) \
	SHIFTS(ringTwo, i, Y2, Y3) \
	MOVQ    (ringLanes+8*i)(cursor), row \
	VPSRLVQ Y0, ySign, Y0 \
	VPSRLVQ Y1, ySign, Y1 \
	VMOVDQU (row), Y4 \
	VMOVDQU 32(row), Y5 \
	VPSRLVQ Y2, Y4, Y2 \
	VPSRLVQ Y3, Y5, Y3 \
	VPOR    Y2, Y0, Y0 \
	VPOR    Y3, Y1, Y1 \
	VPOR    (addr), Y0, Y0 \
	VPOR    32(addr), Y1, Y1 \
	VMOVDQU Y0, (addr) \
	VMOVDQU Y1, 32(addr)

// PASS runs OP over the number of groups in group, filling and prefetching others.
#define PASS(loop, some, plain0, plain1, filled, OP, EXTRA1, EXTRA2) \
loop: \
	LEAQ fillBytes(at), fillAt \
	ANDQ $ringMask, fillAt \
	FILL(some, plain0, plain1, filled, EXTRA1, EXTRA2) \
	LEAQ (ring)(at*1), cursor \
	LEAQ aheadBytes(at), other \
	ANDQ $ringMask, other \
	ADDQ ring, other \
	OP(0) \
	OP(1) \
	OP(2) \
	OP(3) \
	OP(4) \
	OP(5) \
	OP(6) \
	OP(7) \
	ADDQ $64, at \
	ANDQ $ringMask, at \
	ADDQ $8, result \
	DECQ group \
	JNE  loop

// REPORT turns the 32 bytes of this turn's results into 32 bits; all is a byte of
// a key that is there. Bytes past this turn's keys are left from before: their
// bits go.
#define REPORT(all) \
	SHLQ      $3, turn \
	SUBQ      turn, result \
	VMOVDQU   (result), Y0 \
	VPCMPEQB  all, Y0, Y0 \
	VPMOVMSKB Y0, AX \
	BZHIQ     turn, AX, AX \
	MOVQ      hits+48(FP), R8 \
	MOVL      AX, (R8) \
	ADDQ      $4, hits+48(FP)

#define TESTBODY(OP, all, EXTRA) \
	PROLOGUE \
	MOVQ lanes+16(FP), off \
	START(fill0, some0, plain00, plain01, filled0, burst, EXTRA, NOTHING) \
next: \
	MOVQ    $4, turn \
	CMPQ    todo, turn \
	CMOVQLT todo, turn \
	SUBQ    turn, todo \
	MOVQ    turn, group \
	PASS(pass, some, plain0, plain1, filled, OP, EXTRA, NOTHING) \
	REPORT(all) \
	TESTQ   todo, todo \
	JNE     next \
	VZEROUPPER \
	RET

#define ADDBODY(OP, EXTRA1, EXTRA2) \
	PROLOGUE \
	START(fill0, some0, plain00, plain01, filled0, burst, EXTRA1, EXTRA2) \
	MOVQ todo, group \
	PASS(pass, some, plain0, plain1, filled, OP, EXTRA1, EXTRA2) \
	VZEROUPPER \
	RET

// func test8AVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·test8AVX2(SB), 0, $2176-56
	TESTBODY(TEST8, fifteens<>(SB), NOTHING)

// func testRotAVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testRotAVX2(SB), 0, $2176-56
	TESTBODY(TESTROT, allOnes<>(SB), NOTHING)

// func testTwoAVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testTwoAVX2(SB), 0, $2176-56
	TESTBODY(TESTTWO, allOnes<>(SB), SECOND)

// func add8AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)
TEXT ·add8AVX2(SB), 0, $2176-41
	ADDBODY(ADD8, NOTHING, NOTHING)

// func addRotAVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)
TEXT ·addRotAVX2(SB), 0, $2176-41
	ADDBODY(ADDROT, ROWS, NOTHING)

// func addTwoAVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)
TEXT ·addTwoAVX2(SB), 0, $2176-41
	ADDBODY(ADDTWO, ROWS, SECOND)
