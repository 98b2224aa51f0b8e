//go:build !purego

// Batches for AVX2: a line is two registers. See counters_avx512_amd64.s.
//
// blocks has nblocks > 0 blocks. (n+63)/64 words go to hits; n > 0. lanes and lanes2
// are rows of laneMasks for the first and the second word of a hash, lanes2 nil for
// k <= 8.

#include "counters_amd64.h"

#define on  R11 // lanes
#define on2 R13 // lanes2
#define rot R14 // a word's rotation; R14 is g only in ABIInternal

#define vFieldsLow  Y15 // where a lane's field begins, less 2
#define vFieldsHigh Y14
#define vLineLow    Y13 // the bit of the field that chooses the line
#define vLineHigh   Y12
#define vSixty      Y11
#define vOne        Y10

// COUNTER256_CONSTANTS loads them.
// clobbers AX, X0
#define COUNTER256_CONSTANTS \
	VMOVDQU      ·fieldShifts+0(SB), vFieldsLow \
	VMOVDQU      ·fieldShifts+32(SB), vFieldsHigh \
	VMOVDQU      ·lineBits+0(SB), vLineLow \
	VMOVDQU      ·lineBits+32(SB), vLineHigh \
	MOVQ         $60, AX \
	VMOVQ        AX, X0 \
	VPBROADCASTQ X0, vSixty \
	MOVQ         $1, AX \
	VMOVQ        AX, X0 \
	VPBROADCASTQ X0, vOne

// COUNTER256_ONES makes the words of a hash's counters, 1 << 4c in the lane and line
// of each.
// in: AX the word, rows, rot; out: low0 and high0 for the first line, low1 and high1
// for the second; clobbers Y0
#define COUNTER256_ONES(rows, low0, high0, low1, high1) \
	VMOVQ        AX, X0 \
	VPBROADCASTQ X0, Y0 \
	VPSRLVQ      vFieldsLow, Y0, low0 \
	VPSRLVQ      vFieldsHigh, Y0, high0 \
	VPAND        vLineLow, Y0, low1 \
	VPAND        vLineHigh, Y0, high1 \
	VPAND        vSixty, low0, low0 \
	VPAND        vSixty, high0, high0 \
	VPSLLVQ      low0, vOne, low0 \
	VPSLLVQ      high0, vOne, high0 \
	VPCMPEQQ     vLineLow, low1, low1 \
	VPCMPEQQ     vLineHigh, high1, high1 \
	VPAND        (rows)(rot*8), low0, low0 \
	VPAND        32(rows)(rot*8), high0, high0 \
	VPAND        low0, low1, low1 \
	VPAND        high0, high1, high1 \
	VPXOR        low1, low0, low0 \
	VPXOR        high1, high0, high0

// COUNTER256_MISSES loads half a line and finds the key's counters in it that are 0.
// in: addr, ones; in, out: Y9, the misses; out: Y5 the counters, Y6 they shifted
// right by 1; clobbers Y7, Y8
#define COUNTER256_MISSES(offset, ones) \
	VMOVDQU offset(addr), Y5 \
	VPSRLQ  $1, Y5, Y6 \
	VPOR    Y5, Y6, Y7 \
	VPSRLQ  $2, Y7, Y8 \
	VPOR    Y7, Y8, Y8 \
	VPANDN  ones, Y8, Y8 \
	VPOR    Y8, Y9, Y9

// COUNTER256_CHANGEABLE leaves of the key's counters those that are not full.
// in: Y5, Y6; in, out: ones; clobbers Y6, Y8
#define COUNTER256_CHANGEABLE(ones) \
	VPAND  Y5, Y6, Y6 \
	VPSRLQ $2, Y6, Y8 \
	VPAND  Y6, Y8, Y8 \
	VPANDN ones, Y8, ones

// COUNTER256_ADD adds to those that are not full.
// in: addr, Y5, Y6; clobbers ones, Y6, Y8
#define COUNTER256_ADD(offset, ones) \
	VPAND   Y5, Y6, Y6 \
	VPSRLQ  $2, Y6, Y8 \
	VPAND   Y6, Y8, Y8 \
	VPANDN  ones, Y8, ones \
	VPADDQ  ones, Y5, Y5 \
	VMOVDQU Y5, offset(addr)

// COUNTER256_SUB subtracts, under the mask of Y0.
// in: addr, ones, Y0; clobbers ones, Y5
#define COUNTER256_SUB(offset, ones) \
	VMOVDQU offset(addr), Y5 \
	VPAND   Y0, ones, ones \
	VPSUBQ  ones, Y5, Y5 \
	VMOVDQU Y5, offset(addr)

// COUNTER256_RESULT appends a result: 1 if there are no misses.
// in: Y9; in, out: word; out: DX = -1 for 1, 0 for 0; clobbers Y5
#define COUNTER256_RESULT \
	VPXOR  Y5, Y5, Y5 \
	VPTEST Y9, Y5 \
	SBBQ   DX, DX \
	RCRQ   $1, word

// func testAVX2(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)
TEXT ·testAVX2(SB), NOSPLIT, $0-56
	MOVQ blocks+0(FP), base
	MOVQ nblocks+8(FP), nblk
	MOVQ lanes+16(FP), on
	MOVQ lanes2+24(FP), on2
	MOVQ hashes+32(FP), src
	MOVQ n+40(FP), todo
	COUNTER_START
	COUNTER256_CONSTANTS

burst:
	COUNTER_PREFETCH
	DECQ todo
	JNE  burst

nextWord:
	// Up to 64 keys give a word of results. n and hits move on where they are.
	MOVQ n+40(FP), AX
	COUNTER_WORD_KEYS
	MOVQ AX, n+40(FP)
	XORL word, word

next:
	COUNTER_PREFETCH
	COUNTER_LOCATE
	MOVL  AX, rot
	ANDL  $7, rot
	COUNTER256_ONES(on, Y1, Y2, Y3, Y4)
	TESTQ on2, on2
	JEQ   counters
	COUNTER_WORD2
	COUNTER256_ONES(on2, Y5, Y6, Y7, Y8)
	VPOR  Y5, Y1, Y1
	VPOR  Y6, Y2, Y2
	VPOR  Y7, Y3, Y3
	VPOR  Y8, Y4, Y4

counters:
	VPXOR Y9, Y9, Y9
	COUNTER256_MISSES(0, Y1)
	COUNTER256_MISSES(32, Y2)
	COUNTER256_MISSES(64, Y3)
	COUNTER256_MISSES(96, Y4)
	COUNTER256_RESULT
	ADDQ  $8, src
	DECQ  todo
	JNE   next

	MOVQ hashes+32(FP), AX
	COUNTER_WORD_DONE
	MOVQ hits+48(FP), DX
	MOVQ word, (DX)
	ADDQ $8, hits+48(FP)
	CMPQ n+40(FP), $0
	JNE  nextWord
	VZEROUPPER
	RET

// func addAVX2(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)
TEXT ·addAVX2(SB), NOSPLIT, $0-56
	MOVQ blocks+0(FP), base
	MOVQ nblocks+8(FP), nblk
	MOVQ lanes+16(FP), on
	MOVQ lanes2+24(FP), on2
	MOVQ hashes+32(FP), src
	MOVQ n+40(FP), todo
	COUNTER_START
	COUNTER256_CONSTANTS

burst:
	COUNTER_PREFETCH
	DECQ todo
	JNE  burst

nextWord:
	// Up to 64 keys give a word of results. n and hits move on where they are.
	MOVQ n+40(FP), AX
	COUNTER_WORD_KEYS
	MOVQ AX, n+40(FP)
	XORL word, word

next:
	COUNTER_PREFETCH
	COUNTER_LOCATE
	MOVL  AX, rot
	ANDL  $7, rot
	COUNTER256_ONES(on, Y1, Y2, Y3, Y4)
	TESTQ on2, on2
	JEQ   counters
	COUNTER_WORD2
	COUNTER256_ONES(on2, Y5, Y6, Y7, Y8)
	VPOR  Y5, Y1, Y1
	VPOR  Y6, Y2, Y2
	VPOR  Y7, Y3, Y3
	VPOR  Y8, Y4, Y4

counters:
	VPXOR Y9, Y9, Y9
	COUNTER256_MISSES(0, Y1)
	COUNTER256_ADD(0, Y1)
	COUNTER256_MISSES(32, Y2)
	COUNTER256_ADD(32, Y2)
	COUNTER256_MISSES(64, Y3)
	COUNTER256_ADD(64, Y3)
	COUNTER256_MISSES(96, Y4)
	COUNTER256_ADD(96, Y4)
	COUNTER256_RESULT
	ADDQ  $8, src
	DECQ  todo
	JNE   next

	MOVQ hashes+32(FP), AX
	COUNTER_WORD_DONE
	MOVQ hits+48(FP), DX
	MOVQ word, (DX)
	ADDQ $8, hits+48(FP)
	CMPQ n+40(FP), $0
	JNE  nextWord
	VZEROUPPER
	RET

// func removeAVX2(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)
TEXT ·removeAVX2(SB), NOSPLIT, $0-56
	MOVQ blocks+0(FP), base
	MOVQ nblocks+8(FP), nblk
	MOVQ lanes+16(FP), on
	MOVQ lanes2+24(FP), on2
	MOVQ hashes+32(FP), src
	MOVQ n+40(FP), todo
	COUNTER_START
	COUNTER256_CONSTANTS

burst:
	COUNTER_PREFETCH
	DECQ todo
	JNE  burst

nextWord:
	// Up to 64 keys give a word of results. n and hits move on where they are.
	MOVQ n+40(FP), AX
	COUNTER_WORD_KEYS
	MOVQ AX, n+40(FP)
	XORL word, word

next:
	COUNTER_PREFETCH
	COUNTER_LOCATE
	MOVL  AX, rot
	ANDL  $7, rot
	COUNTER256_ONES(on, Y1, Y2, Y3, Y4)
	TESTQ on2, on2
	JEQ   counters
	COUNTER_WORD2
	COUNTER256_ONES(on2, Y5, Y6, Y7, Y8)
	VPOR  Y5, Y1, Y1
	VPOR  Y6, Y2, Y2
	VPOR  Y7, Y3, Y3
	VPOR  Y8, Y4, Y4

counters:
	VPXOR Y9, Y9, Y9
	COUNTER256_MISSES(0, Y1)
	COUNTER256_CHANGEABLE(Y1)
	COUNTER256_MISSES(32, Y2)
	COUNTER256_CHANGEABLE(Y2)
	COUNTER256_MISSES(64, Y3)
	COUNTER256_CHANGEABLE(Y3)
	COUNTER256_MISSES(96, Y4)
	COUNTER256_CHANGEABLE(Y4)
	COUNTER256_RESULT

	// Nothing changes if a counter is 0.
	VMOVQ        DX, X0
	VPBROADCASTQ X0, Y0
	COUNTER256_SUB(0, Y1)
	COUNTER256_SUB(32, Y2)
	COUNTER256_SUB(64, Y3)
	COUNTER256_SUB(96, Y4)
	ADDQ  $8, src
	DECQ  todo
	JNE   next

	MOVQ hashes+32(FP), AX
	COUNTER_WORD_DONE
	MOVQ hits+48(FP), DX
	MOVQ word, (DX)
	ADDQ $8, hits+48(FP)
	CMPQ n+40(FP), $0
	JNE  nextWord
	VZEROUPPER
	RET
