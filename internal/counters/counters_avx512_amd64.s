//go:build !purego

// Batches for AVX-512: a line is a register, a lane of it 64 bits. A key's counters
// are one word of 1 << 4c a lane and line, in which they are added, subtracted and
// compared with what is 0 or full.
//
// blocks has nblocks > 0 blocks. (n+63)/64 words go to hits; n > 0. lanes and lanes2
// are the patterns of the lanes that are on for the first and the second word of a
// hash, lanes2 0 for k <= 8: see lanePattern.

#include "counters_amd64.h"

#define on  R11 // lanes
#define on2 R13 // lanes2
#define rot R14 // a word's rotation; R14 is g only in ABIInternal

#define vFields Z31 // where a lane's field begins, less 2
#define vSixty  Z30
#define vOnes   Z29
#define vLine   Z28 // the bit of the field that chooses the line
#define vFulls  Z27 // a full counter

// COUNTER512_CONSTANTS loads them.
// clobbers AX
#define COUNTER512_CONSTANTS \
	VMOVDQU64    ·fieldShifts(SB), vFields \
	VMOVDQU64    ·lineBits(SB), vLine \
	MOVQ         $60, AX \
	VPBROADCASTQ AX, vSixty \
	MOVQ         $1, AX \
	VPBROADCASTQ AX, vOnes \
	MOVQ         $15, AX \
	VPBROADCASTQ AX, vFulls

// COUNTER512_FIELDS makes what the counters of a word are made of.
// in: AX the word; out: K1 the lanes whose counter is in the second line, Z1 four
// times the counters' numbers in their line; clobbers Z0
#define COUNTER512_FIELDS \
	VPBROADCASTQ AX, Z0 \
	VPSRLVQ      vFields, Z0, Z1 \
	VPANDQ       vSixty, Z1, Z1 \
	VPTESTMQ     vLine, Z0, K1

// COUNTER512_ROTATE makes the lanes that are on.
// in: AX the first word; out: K2, K3 for the second word; clobbers AX, rot
#define COUNTER512_ROTATE \
	MOVL  AX, rot \
	ANDL  $7, rot \
	SHRXQ rot, on, AX \
	KMOVB AX, K2 \
	SHRXQ rot, on2, rot \
	KMOVB rot, K3

// COUNTER512_MISSES finds the counters of a word that are 0.
// in: K1, Z1, addr, K = the lanes that are on; out: M = those with a 0 counter;
// clobbers Z2, Z4
#define COUNTER512_MISSES(K, M) \
	VMOVDQU64 (addr), Z4 \
	VMOVDQU64 64(addr), K1, Z4 \
	VPROLVQ   Z1, vFulls, Z2 \
	VPTESTNMQ Z2, Z4, K, M

// COUNTER512_ONES makes the words of a hash's counters.
// in: K1, K2, Z1; out: Z2 for the first line, Z3 for the second
#define COUNTER512_ONES \
	VPROLVQ.Z   Z1, vOnes, K2, Z2 \
	VMOVDQA64.Z Z2, K1, Z3 \
	VPXORQ      Z3, Z2, Z2

// COUNTER512_ONES2 adds the counters of the second word.
// in: K1, K3, Z1; in, out: Z2, Z3; clobbers Z4, Z5
#define COUNTER512_ONES2 \
	VPROLVQ.Z   Z1, vOnes, K3, Z4 \
	VMOVDQA64.Z Z4, K1, Z5 \
	VPXORQ      Z5, Z4, Z4 \
	VPORQ       Z4, Z2, Z2 \
	VPORQ       Z5, Z3, Z3

// COUNTER512_LOAD loads a block and finds the key's counters that are 0.
// in: addr, Z2, Z3; out: Z4 and Z5 the block, K1 the lanes that have a 0 counter;
// Z6 and Z8 are Z4 and Z5 shifted right by 1; clobbers Z7, Z9, Z10, Z11
#define COUNTER512_LOAD \
	VMOVDQU64  (addr), Z4 \
	VMOVDQU64  64(addr), Z5 \
	VPSRLQ     $1, Z4, Z6 \
	VPSRLQ     $1, Z5, Z8 \
	VPORQ      Z4, Z6, Z10 \
	VPORQ      Z5, Z8, Z11 \
	VPSRLQ     $2, Z10, Z7 \
	VPSRLQ     $2, Z11, Z9 \
	VPTERNLOGQ $0x02, Z2, Z10, Z7 \
	VPTERNLOGQ $0x02, Z3, Z11, Z9 \
	VPORQ      Z7, Z9, Z7 \
	VPTESTMQ   Z7, Z7, K1

// COUNTER512_CHANGEABLE leaves of the key's counters those that are not full.
// in: Z4 to Z6, Z8; in, out: Z2, Z3; clobbers Z6 to Z9
#define COUNTER512_CHANGEABLE \
	VPANDQ     Z4, Z6, Z6 \
	VPANDQ     Z5, Z8, Z8 \
	VPSRLQ     $2, Z6, Z7 \
	VPSRLQ     $2, Z8, Z9 \
	VPTERNLOGQ $0x70, Z7, Z6, Z2 \
	VPTERNLOGQ $0x70, Z9, Z8, Z3

// COUNTER512_RESULT appends a result: 1 if K has no lane.
// in, out: word; out: DX = -1 for 1, 0 for 0; clobbers AX
#define COUNTER512_RESULT(K) \
	KMOVB K, AX \
	CMPL  AX, $1 \
	SBBL  DX, DX \
	RCRQ  $1, word

// func testAVX512(blocks *Block, nblocks, lanes, lanes2 uint64, hashes *uint64, n int, hits *uint64)
TEXT ·testAVX512(SB), NOSPLIT, $0-56
	MOVQ blocks+0(FP), base
	MOVQ nblocks+8(FP), nblk
	MOVQ lanes+16(FP), on
	MOVQ lanes2+24(FP), on2
	MOVQ hashes+32(FP), src
	MOVQ n+40(FP), todo
	COUNTER_START
	COUNTER512_CONSTANTS

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
	COUNTER512_FIELDS
	COUNTER512_ROTATE
	COUNTER512_MISSES(K2, K4)
	TESTQ on2, on2
	JEQ   emit
	COUNTER_WORD2
	COUNTER512_FIELDS
	COUNTER512_MISSES(K3, K5)
	KORB  K4, K5, K4

emit:
	COUNTER512_RESULT(K4)
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

// func addAVX512(blocks *Block, nblocks, lanes, lanes2 uint64, hashes *uint64, n int, hits *uint64)
TEXT ·addAVX512(SB), NOSPLIT, $0-56
	MOVQ blocks+0(FP), base
	MOVQ nblocks+8(FP), nblk
	MOVQ lanes+16(FP), on
	MOVQ lanes2+24(FP), on2
	MOVQ hashes+32(FP), src
	MOVQ n+40(FP), todo
	COUNTER_START
	COUNTER512_CONSTANTS

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
	COUNTER512_FIELDS
	COUNTER512_ROTATE
	COUNTER512_ONES
	TESTQ on2, on2
	JEQ   change
	COUNTER_WORD2
	COUNTER512_FIELDS
	COUNTER512_ONES2

change:
	COUNTER512_LOAD
	COUNTER512_CHANGEABLE
	COUNTER512_RESULT(K1)
	VPADDQ    Z2, Z4, Z4
	VPADDQ    Z3, Z5, Z5
	VMOVDQU64 Z4, (addr)
	VMOVDQU64 Z5, 64(addr)
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

// func removeAVX512(blocks *Block, nblocks, lanes, lanes2 uint64, hashes *uint64, n int, hits *uint64)
TEXT ·removeAVX512(SB), NOSPLIT, $0-56
	MOVQ blocks+0(FP), base
	MOVQ nblocks+8(FP), nblk
	MOVQ lanes+16(FP), on
	MOVQ lanes2+24(FP), on2
	MOVQ hashes+32(FP), src
	MOVQ n+40(FP), todo
	COUNTER_START
	COUNTER512_CONSTANTS

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
	COUNTER512_FIELDS
	COUNTER512_ROTATE
	COUNTER512_ONES
	TESTQ on2, on2
	JEQ   change
	COUNTER_WORD2
	COUNTER512_FIELDS
	COUNTER512_ONES2

change:
	COUNTER512_LOAD
	COUNTER512_CHANGEABLE
	COUNTER512_RESULT(K1)

	// Nothing changes if a counter is 0.
	KMOVB     DX, K1
	VPSUBQ    Z2, Z4, K1, Z4
	VPSUBQ    Z3, Z5, K1, Z5
	VMOVDQU64 Z4, (addr)
	VMOVDQU64 Z5, 64(addr)
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
