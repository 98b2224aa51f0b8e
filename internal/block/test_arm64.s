//go:build !purego

// The blocked filter's batch tests for NEON. See batch_arm64.h.
//
// A test works on bytes. A lane's bit lies in one of the lane's eight bytes, so
// that one TBL over the block, a table of 64 bytes, picks the eight bytes that
// matter; the eight bits in them make eight bytes more, and a key is present if
// none of these has a bit that the block lacks. Two keys share most of the work,
// as do a key's two words for k > 8.
//
// The general registers hash, with four multiplications a key. These are the
// limit on Neoverse N1, which takes three cycles for each, and nowhere else.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"
#include "batch_arm64.h"

// The bytes in which the fields of lanes 0 to 7 lie, of a first word; how far to
// shift them left; the bytes of a second word; and lane j's first byte in a block.
// Then, for single keys, the multipliers.
DATA ·testFields+0(SB)/8, $0x0403040303020201
DATA ·testFields+8(SB)/8, $0x0706070606050504
DATA ·testFields+16(SB)/8, $0x0000000600040002
DATA ·testFields+24(SB)/8, $0x0000000600040002
DATA ·testFields+32(SB)/8, $0x0c0b0c0b0b0a0a09
DATA ·testFields+40(SB)/8, $0x0f0e0f0e0e0d0d0c
DATA ·testFields+48(SB)/8, $0x3830282018100800
DATA ·testFields+56(SB)/8, $0x3830282018100800
DATA ·testFields+64(SB)/8, $const_mixMul
DATA ·testFields+72(SB)/8, $const_wordMul
GLOBL ·testFields(SB), RODATA|NOPTR, $80

// Key i's bit in a group's results.
DATA ·keyBits+0(SB)/8, $0x2000000010000000
DATA ·keyBits+8(SB)/8, $0x8000000040000000
GLOBL ·keyBits(SB), RODATA|NOPTR, $16

#define pattern R25 // lanePattern(k)
#define all     R26 // lanePattern(8)

#define vLanes  V28 // lane j's first byte in a block, twice

// NEON_BLOCK_TEST_SETUP loads what testing kernels share.
// in: h0, address of testFields; out: vLanes, vKeys, vHits, vMask, vOnes; clobbers: h0
#define NEON_BLOCK_TEST_SETUP \
	FMOVQ 48(h0), F28                     \
	MOVD  $·keyBits(SB), h0               \
	FMOVQ (h0), F26                       \
	VEOR  vHits.B16, vHits.B16, vHits.B16 \
	VMOVI $7, vMask.B16                   \
	VMOVI $1, vOnes.B16

// NEON_BLOCK_ROTATE rotates the pattern of lanes, a byte each, by the words.
// in: w0 to w3, pattern; out: p0 to p3
#define NEON_BLOCK_ROTATE \
	LSL $3, w0, p0      \
	LSL $3, w1, p1      \
	LSL $3, w2, p2      \
	LSL $3, w3, p3      \
	ROR p0, pattern, p0 \
	ROR p1, pattern, p1 \
	ROR p2, pattern, p2 \
	ROR p3, pattern, p3

// NEON_BLOCK_PUT_ROT and NEON_BLOCK_PUT_TWO put the rotated patterns in the
// record, for k < 8 and for k > 8.
// in: w0 to w3, pattern, all, oldest; clobbers: p0 to p3
#define NEON_BLOCK_PUT_ROT \
	NEON_BLOCK_ROTATE                 \
	STP (p0, p1), (recRot)(oldest)    \
	STP (p2, p3), (recRot+16)(oldest)

#define NEON_BLOCK_PUT_TWO \
	NEON_BLOCK_ROTATE                  \
	STP (all, p0), (recTwo)(oldest)    \
	STP (all, p1), (recTwo+16)(oldest) \
	STP (all, p2), (recTwo+32)(oldest) \
	STP (all, p3), (recTwo+48)(oldest)

// NEON_BLOCK_LOCATE finds the bits of two words: V9 = 8 × lane + field / 8, the
// byte of the block, and V8 = field mod 8. On the way the upper bytes of V8 and V9
// are 4 × field, plus two bits of no use.
// in: words; out: V8, V9
#define NEON_BLOCK_LOCATE(words) \
	VTBL  vFirst.B16, [words.B16], V8.B16  \
	VTBL  vSecond.B16, [words.B16], V9.B16 \
	USHLH(nShift, 8, 8)                    \
	USHLH(nShift, 9, 9)                    \
	VUZP2 V9.B16, V8.B16, V8.B16           \
	VMOV  vLanes.B16, V9.B16               \
	VSRI  $5, V8.B16, V9.B16               \
	VUSHR $2, V8.B16, V8.B16               \
	VAND  vMask.B16, V8.B16, V8.B16

// NEON_BLOCK_PICK picks the bytes at V9 of the block at p.
// in: p, V9; out: d; clobbers: V0 to V3
#define NEON_BLOCK_PICK(p, d) \
	FLDPQ (p), (F0, F1)                                   \
	FLDPQ 32(p), (F2, F3)                                 \
	VTBL  V9.B16, [V0.B16, V1.B16, V2.B16, V3.B16], d.B16

// A test makes bytes of its keys' bits, then removes what the block has.

// NEON_BLOCK_MISS_PAIR removes it for two keys: m &^= their blocks' bytes.
// in: m, V9, pA, pB; out: m; clobbers: V0 to V5
#define NEON_BLOCK_MISS_PAIR(pA, pB, m) \
	NEON_BLOCK_PICK(pA, V4) \
	NEON_BLOCK_PICK(pB, V5) \
	VMOV V5.D[1], V4.D[1]   \
	VBIT V4.B16, vZero.B16, m.B16

// NEON_BLOCK_MISS_KEY makes bytes of key i's two words and removes what the block
// has.
// in: p, oldest; out: m, of number nm; clobbers: V0 to V4, V8, V9, V16, V18
#define NEON_BLOCK_MISS_KEY(i, p, m, nm) \
	FMOVQ (recWords+16*i)(oldest), F16 \
	FMOVQ (recTwo+16*i)(oldest), F18   \
	NEON_BLOCK_LOCATE(vWords0)         \
	USHLB(8, 18, nm)                   \
	NEON_BLOCK_PICK(p, V4)             \
	VBIT V4.B16, vZero.B16, m.B16

// NEON_BLOCK_MISS_FOUR makes the 32 bits of each key that NEON_BLOCK_RESULTS wants
// of the misses of four.
// in: V10 to V13; out: V10; clobbers: V12
#define NEON_BLOCK_MISS_FOUR \
	UMAXPS(11, 10, 10) \
	UMAXPS(13, 12, 12) \
	UMAXPS(12, 10, 10)

// Every kernel: n, a positive multiple of 4, keys; (n+31)/32 words of 32 bits at
// hits; lanes is lanePattern(k).

// func testK8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)
TEXT ·testK8NEON(SB), 0, $2064-64
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  hits+56(FP), hitsp
	MOVD  $records-2064(SP), first
	NEON_BLOCK_SETUP(·testFields, 64)
	NEON_BLOCK_TEST_SETUP

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
	NEON_BLOCK_PREFETCH(PLDL1KEEP)
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
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_ADDRS
	NEON_BLOCK_LOCATE(vWords0)
	USHLB(8, nOnes, 10)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_MISS_PAIR(p0, p1, V10)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_LOCATE(vWords1)
	USHLB(8, nOnes, 11)
	NEON_BLOCK_WORDS
	NEON_BLOCK_MISS_PAIR(p2, p3, V11)
	UMAXPS(11, 10, 10)
	NEON_BLOCK_RESULTS(V10)
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PLDL1KEEP)
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
	NEON_BLOCK_PREFETCH(PLDL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PLDL2KEEP)
	B    near

	// probe what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_ADDRS
	NEON_BLOCK_LOCATE(vWords0)
	USHLB(8, nOnes, 10)
	NEON_BLOCK_MISS_PAIR(p0, p1, V10)
	NEON_BLOCK_LOCATE(vWords1)
	USHLB(8, nOnes, 11)
	NEON_BLOCK_MISS_PAIR(p2, p3, V11)
	UMAXPS(11, 10, 10)
	NEON_BLOCK_RESULTS(V10)
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

// func testK1to7NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)
TEXT ·testK1to7NEON(SB), 0, $3088-64
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	MOVD  lanes+16(FP), pattern
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  hits+56(FP), hitsp
	MOVD  $records-3088(SP), first
	NEON_BLOCK_SETUP(·testFields, 96)
	NEON_BLOCK_TEST_SETUP

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
	NEON_BLOCK_PREFETCH(PLDL1KEEP)
nearFill:
	NEON_BLOCK_PUT_WORDS
	NEON_BLOCK_PUT_ROT
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
	FLDPQ (recWords)(oldest), (F16, F17)
	FLDPQ (recRot)(oldest), (F18, F19)
	NEON_BLOCK_ADDRS
	NEON_BLOCK_LOCATE(vWords0)
	USHLB(8, 18, 10)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_MISS_PAIR(p0, p1, V10)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_LOCATE(vWords1)
	USHLB(8, 19, 11)
	NEON_BLOCK_WORDS
	NEON_BLOCK_MISS_PAIR(p2, p3, V11)
	UMAXPS(11, 10, 10)
	NEON_BLOCK_RESULTS(V10)
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PLDL1KEEP)
near:
	NEON_BLOCK_PUT_WORDS
	NEON_BLOCK_PUT_ROT
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
	NEON_BLOCK_PREFETCH(PLDL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PLDL2KEEP)
	B    near

	// probe what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	FLDPQ (recWords)(oldest), (F16, F17)
	FLDPQ (recRot)(oldest), (F18, F19)
	NEON_BLOCK_ADDRS
	NEON_BLOCK_LOCATE(vWords0)
	USHLB(8, 18, 10)
	NEON_BLOCK_MISS_PAIR(p0, p1, V10)
	NEON_BLOCK_LOCATE(vWords1)
	USHLB(8, 19, 11)
	NEON_BLOCK_MISS_PAIR(p2, p3, V11)
	UMAXPS(11, 10, 10)
	NEON_BLOCK_RESULTS(V10)
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

// func testK9to16NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)
TEXT ·testK9to16NEON(SB), 0, $5136-64
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	MOVD  lanes+16(FP), pattern
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  hits+56(FP), hitsp
	MOVD  $records-5136(SP), first
	NEON_BLOCK_SETUP(·testFields, 160)
	NEON_BLOCK_TEST_SETUP
	MOVD  $0x0101010101010101, all

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
	NEON_BLOCK_PREFETCH(PLDL1KEEP)
nearFill:
	NEON_BLOCK_PUT_PAIRS
	NEON_BLOCK_PUT_TWO
	ADD  $160, oldest
	SUB  $4, left
	CBZ  left, filled
	CMP  end, oldest
	BNE  fill
filled:
	MOVD first, oldest
	ADD  $1280, first, h1
	MOVD h1, due-8(SP)
	NEON_BLOCK_TURN

	// probe the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	NEON_BLOCK_MISS_KEY(0, p0, V10, 10)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_MISS_KEY(1, p1, V11, 11)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_MISS_KEY(2, p2, V12, 12)
	NEON_BLOCK_WORDS
	NEON_BLOCK_MISS_KEY(3, p3, V13, 13)
	NEON_BLOCK_MISS_FOUR
	NEON_BLOCK_RESULTS(V10)
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PLDL1KEEP)
near:
	NEON_BLOCK_PUT_PAIRS
	NEON_BLOCK_PUT_TWO
	SUB  $4, left
	ADD  $160, oldest
	CMP  stop, oldest
	BNE  main

	// emit the results that are due, and turn
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $1280, h1
turn:
	NEON_BLOCK_TURN
	MOVD h1, due-8(SP)
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PLDL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PLDL2KEEP)
	B    near

	// probe what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	NEON_BLOCK_MISS_KEY(0, p0, V10, 10)
	NEON_BLOCK_MISS_KEY(1, p1, V11, 11)
	NEON_BLOCK_MISS_KEY(2, p2, V12, 12)
	NEON_BLOCK_MISS_KEY(3, p3, V13, 13)
	NEON_BLOCK_MISS_FOUR
	NEON_BLOCK_RESULTS(V10)
	ADD  $160, oldest
	CMP  stop, oldest
	BNE  next
	MOVD due-8(SP), h1
	CMP  h1, oldest
	BNE  turn2
	NEON_BLOCK_GATHER
	MOVW.P h0, 4(hitsp)
	ADD  $1280, h1
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
