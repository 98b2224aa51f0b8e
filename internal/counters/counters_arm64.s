//go:build !purego

// Batches for NEON: a line is four registers, a lane 64 bits of one. A key's counters
// are one word of 1 << 4c a lane and line, in which they are added, subtracted and
// compared with what is 0 or full.
//
// The loop goes over keys, one after the other, so that each sees what those before
// it have changed. The block of the key that comes COUNTER_AHEAD keys later is
// prefetched meanwhile; its index is computed twice, which costs less than to keep it.
//
// blocks has nblocks > 0 blocks. (n+63)/64 words go to hits; n > 0. lanes and lanes2
// are rows of laneMasks for the first and the second word of a hash, lanes2 nil for
// k <= 8.

#include "textflag.h"
#include "go_asm.h"

#define COUNTER_AHEAD 24 // keys

#define src     R0  // the next hash
#define ahead   R1  // the hash whose block to prefetch
#define last    R2  // the last hash, whose block is prefetched over and over at the end
#define base    R3  // the first block
#define span    R4  // bytes in all blocks
#define todo    R5  // keys left before the next word of results
#define addr    R6  // of the key's block
#define w       R7  // an in-block word
#define word    R8  // the results of a word, the last one on top
#define mulWord R9
#define mulMix  R10
#define on      R11 // lanes
#define on2     R12 // lanes2
#define rot     R13 // eight times a word's rotation
#define h       R14 // the hash
#define left    R15 // keys after those of the word
#define t0      R16
#define t1      R17
#define hitsp   R19

#define vWord  V16 // the in-block word in both lanes
#define vMiss  V16 // later the key's counters that are 0
#define vSixty V24
#define vOnes  V25
#define nOnes  25
#define vLine  V26 // the bit of four times a field that chooses the line
#define nFulls 27  // full counters

// Instructions that Go's assembler lacks, by the numbers of their registers.
#define USHLD(m, n, d) WORD $(0x6ee04400 | (m)<<16 | (n)<<5 | (d)) // USHL Vd.2D, Vn.2D, Vm.2D
#define ANDNOT(m, n, d) WORD $(0x4e601c00 | (m)<<16 | (n)<<5 | (d)) // BIC  Vd.16B, Vn.16B, Vm.16B

// NEON_COUNTER_SETUP loads the constants, and sets ahead and last, and todo to the
// number of blocks to prefetch in a burst.
// in: src, span, the number of blocks, left = n; out: V20 to V27; clobbers t0
#define NEON_COUNTER_SETUP \
	LSL   $7, span                    \
	MOVD  $const_wordMul, mulWord     \
	MOVD  $const_mixMul, mulMix       \
	MOVD  $·fieldShifts(SB), t0       \
	FLDPQ (t0), (F20, F21)            \
	FLDPQ 32(t0), (F22, F23)          \
	MOVD  $60, t0                     \
	VDUP  t0, vSixty.D2               \
	MOVD  $1, t0                      \
	VDUP  t0, vOnes.D2                \
	MOVD  $64, t0                     \
	VDUP  t0, vLine.D2                \
	MOVD  $15, t0                     \
	VDUP  t0, V27.D2                  \
	MOVD  src, ahead                  \
	ADD   left<<3, src, last          \
	SUB   $8, last                    \
	MOVD  $COUNTER_AHEAD, todo        \
	CMP   left, todo                  \
	CSEL  LT, todo, left, todo

// NEON_COUNTER_PREFETCH prefetches both lines of a block, and moves ahead on.
// in: ahead, last, base, span; out: ahead; clobbers t0, t1
#define NEON_COUNTER_PREFETCH \
	MOVD  (ahead), t0        \
	ADD   $8, ahead, t1      \
	CMP   last, ahead        \
	UMULH span, t0, t0       \
	CSEL  LO, t1, ahead, ahead \
	AND   $~127, t0          \
	ADD   base, t0           \
	PRFM  (t0), PLDL1KEEP    \
	ADD   $64, t0            \
	PRFM  (t0), PLDL1KEEP

// NEON_COUNTER_LOCATE loads the next hash, the address of its block and its in-block
// word: base + 128 × (h × nblocks >> 64) = base + (h × span >> 64) &^ 127.
// in: src, base, span, mulWord; out: h, src, addr, w, vWord, rot
#define NEON_COUNTER_LOCATE \
	MOVD.P 8(src), h         \
	MUL    mulWord, h, w     \
	UMULH  span, h, addr     \
	VDUP   w, vWord.D2       \
	AND    $~127, addr       \
	ADD    base, addr        \
	AND    $7, w, rot        \
	LSL    $3, rot

// NEON_COUNTER_WORD2 makes the second in-block word.
// in: h, mulMix; out: vWord; clobbers h
#define NEON_COUNTER_WORD2 \
	EOR  h>>32, h, h  \
	MUL  mulMix, h, h \
	VDUP h, V28.D2

// NEON_COUNTER_PAIR makes the words of a hash's counters in two lanes.
// in: nword, the number of the word's register; shift, that of the lanes' shifts; row,
// the mask of the lanes that are on, at offset; out: zero, of the number nzero, and one,
// for the first line and the second; clobbers V17 to V19
#define NEON_COUNTER_PAIR(nword, shift, row, offset, nzero, zero, one) \
	USHLD(shift, nword, 17)                 \
	FMOVQ  offset(row), F19                 \
	VCMTST vLine.D2, V17.D2, V18.D2         \
	VAND   vSixty.B16, V17.B16, V17.B16     \
	USHLD(17, nOnes, nzero)                 \
	VAND   V19.B16, zero.B16, zero.B16      \
	VAND   V18.B16, zero.B16, one.B16       \
	VEOR   one.B16, zero.B16, zero.B16

// NEON_COUNTER_ONES makes them in all lanes, V0 to V3 for the first line and V4 to V7
// for the second.
// in: vWord, row; clobbers V17 to V19
#define NEON_COUNTER_ONES(row) \
	NEON_COUNTER_PAIR(16, 20, row, 0, 0, V0, V4)  \
	NEON_COUNTER_PAIR(16, 21, row, 16, 1, V1, V5) \
	NEON_COUNTER_PAIR(16, 22, row, 32, 2, V2, V6) \
	NEON_COUNTER_PAIR(16, 23, row, 48, 3, V3, V7)

// NEON_COUNTER_ONES2 adds those of the second word.
// in: V28, the word; row; in, out: V0 to V7; clobbers V8 to V15, V17 to V19
#define NEON_COUNTER_ONES2(row) \
	NEON_COUNTER_PAIR(28, 20, row, 0, 8, V8, V12)   \
	NEON_COUNTER_PAIR(28, 21, row, 16, 9, V9, V13)  \
	NEON_COUNTER_PAIR(28, 22, row, 32, 10, V10, V14) \
	NEON_COUNTER_PAIR(28, 23, row, 48, 11, V11, V15) \
	VORR V8.B16, V0.B16, V0.B16  \
	VORR V9.B16, V1.B16, V1.B16  \
	VORR V10.B16, V2.B16, V2.B16 \
	VORR V11.B16, V3.B16, V3.B16 \
	VORR V12.B16, V4.B16, V4.B16 \
	VORR V13.B16, V5.B16, V5.B16 \
	VORR V14.B16, V6.B16, V6.B16 \
	VORR V15.B16, V7.B16, V7.B16

// NEON_COUNTER_LOAD loads the block into V8 to V15.
// in: addr; out: vMiss = 0
#define NEON_COUNTER_LOAD \
	FLDPQ (addr), (F8, F9)     \
	FLDPQ 32(addr), (F10, F11) \
	FLDPQ 64(addr), (F12, F13) \
	FLDPQ 96(addr), (F14, F15) \
	VEOR  vMiss.B16, vMiss.B16, vMiss.B16

// NEON_COUNTER_CHECK finds the key's counters in two lanes that are 0, and leaves of
// them those that are not full.
// in: x, the counters; in, out: nones, the number of their register; vMiss; clobbers
// V17 to V19
#define NEON_COUNTER_CHECK(x, nones) \
	VUSHR $1, x.D2, V17.D2            \
	VORR  x.B16, V17.B16, V18.B16     \
	VAND  x.B16, V17.B16, V17.B16     \
	VUSHR $2, V18.D2, V19.D2          \
	VORR  V18.B16, V19.B16, V18.B16   \
	ANDNOT(18, nones, 19)              \
	VUSHR $2, V17.D2, V18.D2          \
	VORR  V19.B16, vMiss.B16, vMiss.B16 \
	VAND  V17.B16, V18.B16, V18.B16   \
	ANDNOT(18, nones, nones)

// NEON_COUNTER_CHECK_ALL does it for all lanes of both lines.
// in: V8 to V15; in, out: V0 to V7, vMiss; clobbers V17 to V19
#define NEON_COUNTER_CHECK_ALL \
	NEON_COUNTER_CHECK(V8, 0) \
	NEON_COUNTER_CHECK(V9, 1) \
	NEON_COUNTER_CHECK(V10, 2) \
	NEON_COUNTER_CHECK(V11, 3) \
	NEON_COUNTER_CHECK(V12, 4) \
	NEON_COUNTER_CHECK(V13, 5) \
	NEON_COUNTER_CHECK(V14, 6) \
	NEON_COUNTER_CHECK(V15, 7)

// NEON_COUNTER_CHANGE replaces the block by V8 to V15 OP V0 to V7.
// in: addr; clobbers V8 to V15
#define NEON_COUNTER_CHANGE(OP) \
	OP    V0.D2, V8.D2, V8.D2    \
	OP    V1.D2, V9.D2, V9.D2    \
	OP    V2.D2, V10.D2, V10.D2  \
	OP    V3.D2, V11.D2, V11.D2  \
	OP    V4.D2, V12.D2, V12.D2  \
	OP    V5.D2, V13.D2, V13.D2  \
	OP    V6.D2, V14.D2, V14.D2  \
	OP    V7.D2, V15.D2, V15.D2  \
	FSTPQ (F8, F9), (addr)       \
	FSTPQ (F10, F11), 32(addr)   \
	FSTPQ (F12, F13), 64(addr)   \
	FSTPQ (F14, F15), 96(addr)

// NEON_COUNTER_TEST_PAIR finds the counters of a word in two lanes that are 0.
// in: nword, shift, row, offset as in NEON_COUNTER_PAIR; line0 and line1, the lanes'
// counters; in, out: V29, the misses; clobbers V17 to V19, V30
#define NEON_COUNTER_TEST_PAIR(nword, shift, row, offset, line0, line1) \
	USHLD(shift, nword, 17)                 \
	FMOVQ  offset(row), F19                 \
	VCMTST vLine.D2, V17.D2, V18.D2         \
	VAND   vSixty.B16, V17.B16, V17.B16     \
	VBSL   line0.B16, line1.B16, V18.B16    \
	USHLD(17, nFulls, 17)                   \
	VCMTST V17.D2, V18.D2, V18.D2           \
	ANDNOT(18, 19, 30)                      \
	VORR   V30.B16, V29.B16, V29.B16

// NEON_COUNTER_TEST finds those of all lanes.
// in: nword, row, V8 to V15; in, out: V29; clobbers V17 to V19, V30
#define NEON_COUNTER_TEST(nword, row) \
	NEON_COUNTER_TEST_PAIR(nword, 20, row, 0, V8, V12)   \
	NEON_COUNTER_TEST_PAIR(nword, 21, row, 16, V9, V13)  \
	NEON_COUNTER_TEST_PAIR(nword, 22, row, 32, V10, V14) \
	NEON_COUNTER_TEST_PAIR(nword, 23, row, 48, V11, V15)

// NEON_COUNTER_RESULT appends a result: 1 if there are no misses.
// in: misses; in, out: word; out: t0 = the result; clobbers t1
#define NEON_COUNTER_RESULT(misses) \
	VMOV misses.D[0], t0      \
	VMOV misses.D[1], t1      \
	ORR  t1, t0               \
	CMP  $0, t0               \
	CSET EQ, t0               \
	LSR  $1, word             \
	ORR  t0<<63, word

// func testNEON(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)
TEXT ·testNEON(SB), NOSPLIT, $0-56
	MOVD blocks+0(FP), base
	MOVD nblocks+8(FP), span
	MOVD lanes+16(FP), on
	MOVD lanes2+24(FP), on2
	MOVD hashes+32(FP), src
	MOVD n+40(FP), left
	MOVD hits+48(FP), hitsp
	NEON_COUNTER_SETUP

burst:
	NEON_COUNTER_PREFETCH
	SUB  $1, todo
	CBNZ todo, burst

nextWord:
	// Up to 64 keys give a word of results.
	MOVD $64, todo
	CMP  left, todo
	CSEL LT, todo, left, todo
	SUB  todo, left
	MOVD $0, word

next:
	NEON_COUNTER_PREFETCH
	NEON_COUNTER_LOCATE
	ADD  on, rot, t0
	FLDPQ (addr), (F8, F9)
	FLDPQ 32(addr), (F10, F11)
	FLDPQ 64(addr), (F12, F13)
	FLDPQ 96(addr), (F14, F15)
	VEOR  V29.B16, V29.B16, V29.B16
	NEON_COUNTER_TEST(16, t0)
	CBZ  on2, emit
	NEON_COUNTER_WORD2
	ADD  on2, rot, t0
	NEON_COUNTER_TEST(28, t0)

emit:
	NEON_COUNTER_RESULT(V29)
	SUB  $1, todo
	CBNZ todo, next

	// The results move to the word's low end.
	MOVD   hashes+32(FP), t0
	SUB    t0, src, t0
	LSR    $3, t0
	NEG    t0, t0
	LSR    t0, word
	MOVD.P word, 8(hitsp)
	CBNZ   left, nextWord
	RET

// func addNEON(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)
TEXT ·addNEON(SB), NOSPLIT, $0-56
	MOVD blocks+0(FP), base
	MOVD nblocks+8(FP), span
	MOVD lanes+16(FP), on
	MOVD lanes2+24(FP), on2
	MOVD hashes+32(FP), src
	MOVD n+40(FP), left
	MOVD hits+48(FP), hitsp
	NEON_COUNTER_SETUP

burst:
	NEON_COUNTER_PREFETCH
	SUB  $1, todo
	CBNZ todo, burst

nextWord:
	// Up to 64 keys give a word of results.
	MOVD $64, todo
	CMP  left, todo
	CSEL LT, todo, left, todo
	SUB  todo, left
	MOVD $0, word

next:
	NEON_COUNTER_PREFETCH
	NEON_COUNTER_LOCATE
	ADD  on, rot, t0
	NEON_COUNTER_ONES(t0)
	CBZ  on2, change
	NEON_COUNTER_WORD2
	ADD  on2, rot, t0
	NEON_COUNTER_ONES2(t0)

change:
	NEON_COUNTER_LOAD
	NEON_COUNTER_CHECK_ALL
	NEON_COUNTER_RESULT(vMiss)
	NEON_COUNTER_CHANGE(VADD)
	SUB  $1, todo
	CBNZ todo, next

	// The results move to the word's low end.
	MOVD   hashes+32(FP), t0
	SUB    t0, src, t0
	LSR    $3, t0
	NEG    t0, t0
	LSR    t0, word
	MOVD.P word, 8(hitsp)
	CBNZ   left, nextWord
	RET

// func removeNEON(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)
TEXT ·removeNEON(SB), NOSPLIT, $0-56
	MOVD blocks+0(FP), base
	MOVD nblocks+8(FP), span
	MOVD lanes+16(FP), on
	MOVD lanes2+24(FP), on2
	MOVD hashes+32(FP), src
	MOVD n+40(FP), left
	MOVD hits+48(FP), hitsp
	NEON_COUNTER_SETUP

burst:
	NEON_COUNTER_PREFETCH
	SUB  $1, todo
	CBNZ todo, burst

nextWord:
	// Up to 64 keys give a word of results.
	MOVD $64, todo
	CMP  left, todo
	CSEL LT, todo, left, todo
	SUB  todo, left
	MOVD $0, word

next:
	NEON_COUNTER_PREFETCH
	NEON_COUNTER_LOCATE
	ADD  on, rot, t0
	NEON_COUNTER_ONES(t0)
	CBZ  on2, change
	NEON_COUNTER_WORD2
	ADD  on2, rot, t0
	NEON_COUNTER_ONES2(t0)

change:
	NEON_COUNTER_LOAD
	NEON_COUNTER_CHECK_ALL
	NEON_COUNTER_RESULT(vMiss)

	// Nothing changes if a counter is 0.
	CBZ  t0, absent
	NEON_COUNTER_CHANGE(VSUB)

absent:
	SUB  $1, todo
	CBNZ todo, next

	// The results move to the word's low end.
	MOVD   hashes+32(FP), t0
	SUB    t0, src, t0
	LSR    $3, t0
	NEG    t0, t0
	LSR    t0, word
	MOVD.P word, 8(hitsp)
	CBNZ   left, nextWord
	RET
