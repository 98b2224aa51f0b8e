//go:build !purego

// The blocked filter's batch TestAndAdd for NEON. See batch_arm64.h, also for how
// a key's bits are made: the block lacks the key if it lacks one of them.
//
// Each key is tested and added wholly before the next one's block is loaded: a key
// that repeats an earlier one of the batch is found.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"
#include "batch_arm64.h"

// NEON_BLOCK_BOTH_SETUP loads what the kernels share.
// out: vOnes, vMask, vKeys, vHits; clobbers: h0
#define NEON_BLOCK_BOTH_SETUP \
	MOVD  $1, h0            \
	VDUP  h0, vOnes.D2      \
	VMOVI $63, vMask.B16    \
	MOVD  $·keyBits(SB), h0 \
	FMOVQ (h0), F26         \
	VEOR  vHits.B16, vHits.B16, vHits.B16

// NEON_BLOCK_BOTH adds a key's bits, V4 to V7, to the block at p.
// in: p, V0 to V3, the block; V4 to V7; out: miss, which is zero if the block had
// them; clobbers: V4 to V12
#define NEON_BLOCK_BOTH(p, miss) \
	VORR  V0.B16, V4.B16, V8.B16    \
	VORR  V1.B16, V5.B16, V10.B16   \
	VORR  V2.B16, V6.B16, V11.B16   \
	VORR  V3.B16, V7.B16, V12.B16   \
	FSTPQ (F8, F10), (p)            \
	FSTPQ (F11, F12), 32(p)         \
	VBIT  V0.B16, vZero.B16, V4.B16 \
	VBIT  V1.B16, vZero.B16, V5.B16 \
	VBIT  V2.B16, vZero.B16, V6.B16 \
	VBIT  V3.B16, vZero.B16, V7.B16 \
	VORR  V4.B16, V5.B16, V4.B16    \
	VORR  V6.B16, V7.B16, V6.B16    \
	VORR  V4.B16, V6.B16, miss.B16

// NEON_BLOCK_BOTH_K8 tests and adds a key for k = 8.
// in: words, half, p; out: miss; clobbers: V0 to V12
#define NEON_BLOCK_BOTH_K8(words, half, p, miss) \
	NEON_BLOCK_NUMBERS(words, half) \
	NEON_BLOCK_NUMBERS67            \
	FLDPQ (p), (F0, F1)             \
	FLDPQ 32(p), (F2, F3)           \
	USHLD(8, nOnes, 4)              \
	USHLD(10, nOnes, 5)             \
	USHLD(11, nOnes, 6)             \
	USHLD(12, nOnes, 7)             \
	NEON_BLOCK_BOTH(p, miss)

// NEON_BLOCK_BITS_SOME makes a word's bits in the lanes for which V4 to V7 have
// ones.
// in: V8, V10, V11 from NEON_BLOCK_NUMBERS, V4 to V7; out: V4 to V7; clobbers: V12
#define NEON_BLOCK_BITS_SOME \
	NEON_BLOCK_NUMBERS67 \
	USHLD(8, 4, 4)       \
	USHLD(10, 5, 5)      \
	USHLD(11, 6, 6)      \
	USHLD(12, 7, 7)

// NEON_BLOCK_BOTH_K1TO7 tests and adds key i of the group for k < 8.
// in: words, half, p, oldest; out: miss; clobbers: t, V0 to V12
#define NEON_BLOCK_BOTH_K1TO7(i, words, half, p, miss, t) \
	NEON_BLOCK_NUMBERS(words, half) \
	MOVD  (recRot+8*i)(oldest), t   \
	FLDPQ (p), (F0, F1)             \
	FLDPQ 32(p), (F2, F3)           \
	FLDPQ (t), (F4, F5)             \
	FLDPQ 32(t), (F6, F7)           \
	NEON_BLOCK_BITS_SOME            \
	NEON_BLOCK_BOTH(p, miss)

// NEON_BLOCK_BOTH_K9TO16 tests and adds key i of the group for k > 8.
// in: p, oldest; out: miss; clobbers: t, V0 to V16, V18
#define NEON_BLOCK_BOTH_K9TO16(i, p, miss, t) \
	FMOVQ (recWords+16*i)(oldest), F16   \
	MOVD  (recTwo+8*i)(oldest), t        \
	FLDPQ (p), (F0, F1)                  \
	FLDPQ 32(p), (F2, F3)                \
	NEON_BLOCK_NUMBERS(vWords0, vFirst)  \
	NEON_BLOCK_NUMBERS67                 \
	USHLD(8, nOnes, 13)                  \
	USHLD(10, nOnes, 14)                 \
	USHLD(11, nOnes, 15)                 \
	USHLD(12, nOnes, 18)                 \
	NEON_BLOCK_NUMBERS(vWords0, vSecond) \
	FLDPQ (t), (F4, F5)                  \
	FLDPQ 32(t), (F6, F7)                \
	NEON_BLOCK_BITS_SOME                 \
	VORR  V13.B16, V4.B16, V4.B16        \
	VORR  V14.B16, V5.B16, V5.B16        \
	VORR  V15.B16, V6.B16, V6.B16        \
	VORR  V18.B16, V7.B16, V7.B16        \
	NEON_BLOCK_BOTH(p, miss)

// NEON_BLOCK_BOTH_RESULTS appends the group's results to vHits.
// in: V28 to V31, the misses; vHits; out: vHits; clobbers: V28, V30
#define NEON_BLOCK_BOTH_RESULTS \
	UMAXPS(29, 28, 28) \
	UMAXPS(31, 30, 30) \
	UMAXPS(30, 28, 28) \
	NEON_BLOCK_RESULTS(V28)

// Every kernel: n, a positive multiple of 4, keys; (n+31)/32 words of 32 bits at
// hits; lanes is lanePattern(k).

// func testAddK8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)
TEXT ·testAddK8NEON(SB), 0, $2064-64
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  hits+56(FP), hitsp
	MOVD  $records-2064(SP), first
	NEON_BLOCK_SETUP(·addFields, 64)
	NEON_BLOCK_BOTH_SETUP

	// fill the pipeline
fill:
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain
	NEON_BLOCK_MIX1
	NEON_BLOCK_MIX2
plain:
	NEON_BLOCK_WORDS
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, farFill
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
nearFill:
	NEON_BLOCK_PUT_WORDS
	ADD  $64, oldest
	SUB  $4, left
	CBZ  left, filled
	CMP  end, oldest
	BNE  fill
filled:
	MOVD first, oldest
	ADD  $512, first, h1
	MOVD h1, due-8(SP)
	NEON_BLOCK_TURN

	// probe the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_BOTH_K8(vWords0, vFirst, p0, V28)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_BOTH_K8(vWords0, vSecond, p1, V29)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_BOTH_K8(vWords1, vFirst, p2, V30)
	NEON_BLOCK_WORDS
	NEON_BLOCK_BOTH_K8(vWords1, vSecond, p3, V31)
	NEON_BLOCK_BOTH_RESULTS
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
near:
	NEON_BLOCK_PUT_WORDS
	SUB  $4, left
	ADD  $64, oldest
	CMP  stop, oldest
	BNE  main

	// emit the results that are due, and turn
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $512, h1
turn:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    near

	// probe what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_BOTH_K8(vWords0, vFirst, p0, V28)
	NEON_BLOCK_BOTH_K8(vWords0, vSecond, p1, V29)
	NEON_BLOCK_BOTH_K8(vWords1, vFirst, p2, V30)
	NEON_BLOCK_BOTH_K8(vWords1, vSecond, p3, V31)
	NEON_BLOCK_BOTH_RESULTS
	ADD  $64, oldest
	CMP  stop, oldest
	BNE  next
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn2
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $512, h1
turn2:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
next:
	SUBS $4, left
	BNE  drain

	// *hits = the results of the last, fewer than 32, keys
	MOVD n+32(FP), h1
	ANDS $31, h1
	BEQ  done
	NEON_BLOCK_GATHER_LAST
	MOVW h0, (hitsp)
done:
	RET

// func testAddK1to7NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)
TEXT ·testAddK1to7NEON(SB), 0, $3216-64
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	FMOVD lanes+16(FP), F0
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  hits+56(FP), hitsp
	MOVD  $records-3216(SP), first
	MOVD  $ones-144(SP), on
	NEON_BLOCK_ON
	NEON_BLOCK_SETUP(·addFields, 96)
	NEON_BLOCK_BOTH_SETUP

	// fill the pipeline
fill:
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain
	NEON_BLOCK_MIX1
	NEON_BLOCK_MIX2
plain:
	NEON_BLOCK_WORDS
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, farFill
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
nearFill:
	NEON_BLOCK_PUT_WORDS
	NEON_BLOCK_PUT_ON(recRot)
	ADD  $96, oldest
	SUB  $4, left
	CBZ  left, filled
	CMP  end, oldest
	BNE  fill
filled:
	MOVD first, oldest
	ADD  $768, first, h1
	MOVD h1, due-8(SP)
	NEON_BLOCK_TURN

	// probe the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_BOTH_K1TO7(0, vWords0, vFirst, p0, V28, w0)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_BOTH_K1TO7(1, vWords0, vSecond, p1, V29, w0)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_BOTH_K1TO7(2, vWords1, vFirst, p2, V30, w0)
	NEON_BLOCK_WORDS
	NEON_BLOCK_BOTH_K1TO7(3, vWords1, vSecond, p3, V31, p0)
	NEON_BLOCK_BOTH_RESULTS
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
near:
	NEON_BLOCK_PUT_WORDS
	NEON_BLOCK_PUT_ON(recRot)
	SUB  $4, left
	ADD  $96, oldest
	CMP  stop, oldest
	BNE  main

	// emit the results that are due, and turn
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $768, h1
turn:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    near

	// probe what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_BOTH_K1TO7(0, vWords0, vFirst, p0, V28, w0)
	NEON_BLOCK_BOTH_K1TO7(1, vWords0, vSecond, p1, V29, w0)
	NEON_BLOCK_BOTH_K1TO7(2, vWords1, vFirst, p2, V30, w0)
	NEON_BLOCK_BOTH_K1TO7(3, vWords1, vSecond, p3, V31, p0)
	NEON_BLOCK_BOTH_RESULTS
	ADD  $96, oldest
	CMP  stop, oldest
	BNE  next
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn2
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $768, h1
turn2:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
next:
	SUBS $4, left
	BNE  drain

	// *hits = the results of the last, fewer than 32, keys
	MOVD n+32(FP), h1
	ANDS $31, h1
	BEQ  done
	NEON_BLOCK_GATHER_LAST
	MOVW h0, (hitsp)
done:
	RET

// func testAddK9to16NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)
TEXT ·testAddK9to16NEON(SB), 0, $4240-64
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	FMOVD lanes+16(FP), F0
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  hits+56(FP), hitsp
	MOVD  $records-4240(SP), first
	MOVD  $ones-144(SP), on
	NEON_BLOCK_ON
	NEON_BLOCK_SETUP(·addFields, 128)
	NEON_BLOCK_BOTH_SETUP

	// fill the pipeline
fill:
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain
	NEON_BLOCK_MIX1
	NEON_BLOCK_MIX2
plain:
	NEON_BLOCK_WORDS
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, farFill
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
nearFill:
	NEON_BLOCK_PUT_PAIRS
	NEON_BLOCK_PUT_ON(recTwo)
	ADD  $128, oldest
	SUB  $4, left
	CBZ  left, filled
	CMP  end, oldest
	BNE  fill
filled:
	MOVD first, oldest
	ADD  $1024, first, h1
	MOVD h1, due-8(SP)
	NEON_BLOCK_TURN

	// probe the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	NEON_BLOCK_BOTH_K9TO16(0, p0, V28, w0)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_BOTH_K9TO16(1, p1, V29, w0)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_BOTH_K9TO16(2, p2, V30, w0)
	NEON_BLOCK_WORDS
	NEON_BLOCK_BOTH_K9TO16(3, p3, V31, p0)
	NEON_BLOCK_BOTH_RESULTS
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
near:
	NEON_BLOCK_PUT_PAIRS
	NEON_BLOCK_PUT_ON(recTwo)
	SUB  $4, left
	ADD  $128, oldest
	CMP  stop, oldest
	BNE  main

	// emit the results that are due, and turn
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $1024, h1
turn:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    near

	// probe what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	NEON_BLOCK_BOTH_K9TO16(0, p0, V28, w0)
	NEON_BLOCK_BOTH_K9TO16(1, p1, V29, w0)
	NEON_BLOCK_BOTH_K9TO16(2, p2, V30, w0)
	NEON_BLOCK_BOTH_K9TO16(3, p3, V31, p0)
	NEON_BLOCK_BOTH_RESULTS
	ADD  $128, oldest
	CMP  stop, oldest
	BNE  next
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn2
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $1024, h1
turn2:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
next:
	SUBS $4, left
	BNE  drain

	// *hits = the results of the last, fewer than 32, keys
	MOVD n+32(FP), h1
	ANDS $31, h1
	BEQ  done
	NEON_BLOCK_GATHER_LAST
	MOVW h0, (hitsp)
done:
	RET
