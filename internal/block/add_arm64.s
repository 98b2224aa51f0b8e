//go:build !purego

// The blocked filter's batch additions for NEON. See batch_arm64.h, also for how
// a key's bits are made.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"
#include "batch_arm64.h"

// The bytes in which the fields of lanes 0, 2, 4, 6, 1, 3, 5, 7 lie, of a first
// word; how far to shift them left: not at all, or right; and the bytes of a second
// word. Then, for single keys, the lowest byte of every 16 bits, in the same order,
// the multipliers, and a 1 for either half of a vector.
DATA ·addFields+0(SB)/8, $0x0706060504030302
DATA ·addFields+8(SB)/8, $0xff07060505040302
DATA ·addFields+16(SB)/8, $0xfffc0000fffc0000
DATA ·addFields+24(SB)/8, $0xfffefffafffefffa
DATA ·addFields+32(SB)/8, $0x0f0e0e0d0c0b0b0a
DATA ·addFields+40(SB)/8, $0xff0f0e0d0d0c0b0a
DATA ·addFields+48(SB)/8, $0xff06ff04ff02ff00
DATA ·addFields+56(SB)/8, $0xff07ff05ff03ff01
DATA ·addFields+64(SB)/8, $const_mixMul
DATA ·addFields+72(SB)/8, $const_wordMul
DATA ·addFields+80(SB)/8, $1
DATA ·addFields+88(SB)/8, $1
GLOBL ·addFields(SB), RODATA|NOPTR, $96

#define one R24
#define odd R26 // an odd key's word

// NEON_BLOCK_ADD_SETUP loads what adding kernels share.
// out: one, vOnes, vMask
#define NEON_BLOCK_ADD_SETUP \
	MOVD  $1, one       \
	VDUP  one, vOnes.D2 \
	VMOVI $63, vMask.B16

// NEON_BLOCK_SET sets a bit in each half of b: those whose numbers are the lowest
// bytes of the halves of a vector, given by its number, if the halves of vector
// number ones are 1.
// in: the two, b; out: b; clobbers: V9
#define NEON_BLOCK_SET(number, ones, b) \
	USHLD(number, ones, 9)   \
	VORR V9.B16, b.B16, b.B16

// NEON_BLOCK_SET_SOME sets a word's bits in the lanes of the block in V0 to V3 for
// which V4 to V7 have ones.
// in: V8, V10, V11 from NEON_BLOCK_NUMBERS; clobbers: V9, V12
#define NEON_BLOCK_SET_SOME \
	NEON_BLOCK_NUMBERS67      \
	NEON_BLOCK_SET(8, 4, V0)  \
	NEON_BLOCK_SET(10, 5, V1) \
	NEON_BLOCK_SET(11, 6, V2) \
	NEON_BLOCK_SET(12, 7, V3)

// NEON_BLOCK_ADD_K8 adds a key for k = 8. The general registers set the last two
// lanes, since the vector registers are the bottleneck.
// in: words, half, p; w, the word; one; clobbers: w, t0 to t2, V0 to V2, V8 to V11
#define NEON_BLOCK_ADD_K8(words, half, p, w, t0, t1, t2) \
	NEON_BLOCK_NUMBERS(words, half) \
	FLDPQ (p), (F0, F1)             \
	FMOVQ 32(p), F2                 \
	LDP   48(p), (t1, t2)           \
	NEON_BLOCK_SET(8, nOnes, V0)    \
	NEON_BLOCK_SET(10, nOnes, V1)   \
	NEON_BLOCK_SET(11, nOnes, V2)   \
	LSR   $52, w, t0                \
	LSR   $58, w, w                 \
	LSL   t0, one, t0               \
	LSL   w, one, w                 \
	ORR   t0, t1                    \
	ORR   w, t2                     \
	FSTPQ (F0, F1), (p)             \
	FMOVQ F2, 32(p)                 \
	STP   (t1, t2), 48(p)

// NEON_BLOCK_ADD_K1TO7 adds key i of the group for k < 8.
// in: words, half, p, oldest; clobbers: t, V0 to V12
#define NEON_BLOCK_ADD_K1TO7(i, words, half, p, t) \
	NEON_BLOCK_NUMBERS(words, half) \
	MOVD  (recRot+8*i)(oldest), t   \
	FLDPQ (p), (F0, F1)             \
	FLDPQ 32(p), (F2, F3)           \
	FLDPQ (t), (F4, F5)             \
	FLDPQ 32(t), (F6, F7)           \
	NEON_BLOCK_SET_SOME             \
	FSTPQ (F0, F1), (p)             \
	FSTPQ (F2, F3), 32(p)

// NEON_BLOCK_ADD_K9TO16 adds key i of the group for k > 8.
// in: p, oldest; clobbers: t, V0 to V12, V16
#define NEON_BLOCK_ADD_K9TO16(i, p, t) \
	FMOVQ (recWords+16*i)(oldest), F16   \
	MOVD  (recTwo+8*i)(oldest), t        \
	FLDPQ (p), (F0, F1)                  \
	FLDPQ 32(p), (F2, F3)                \
	NEON_BLOCK_NUMBERS(vWords0, vFirst)  \
	NEON_BLOCK_NUMBERS67                 \
	NEON_BLOCK_SET(8, nOnes, V0)         \
	NEON_BLOCK_SET(10, nOnes, V1)        \
	NEON_BLOCK_SET(11, nOnes, V2)        \
	NEON_BLOCK_SET(12, nOnes, V3)        \
	NEON_BLOCK_NUMBERS(vWords0, vSecond) \
	FLDPQ (t), (F4, F5)                  \
	FLDPQ 32(t), (F6, F7)                \
	NEON_BLOCK_SET_SOME                  \
	FSTPQ (F0, F1), (p)                  \
	FSTPQ (F2, F3), 32(p)

// Every kernel: n, a positive multiple of 4, keys; lanes is lanePattern(k). Each
// key is added wholly before the next: they may meet in one block.

// func addK8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64)
TEXT ·addK8NEON(SB), 0, $2048-56
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  $records-2048(SP), first
	NEON_BLOCK_SETUP(·addFields, 64)
	NEON_BLOCK_ADD_SETUP

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

	// add the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	LDP  (recWords)(oldest), (w0, odd)
	NEON_BLOCK_ADD_K8(vWords0, vFirst, p0, w0, w1, w2, w3)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_ADD_K8(vWords0, vSecond, p1, odd, w1, w2, w3)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	LDP  (recWords+16)(oldest), (w0, odd)
	NEON_BLOCK_ADD_K8(vWords1, vFirst, p2, w0, w1, w2, w3)
	NEON_BLOCK_WORDS
	NEON_BLOCK_ADD_K8(vWords1, vSecond, p3, odd, p0, p1, p2)
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
near:
	NEON_BLOCK_PUT_WORDS
	SUB  $4, left
	ADD  $64, oldest
	CMP  end, oldest
	CSEL EQ, first, oldest, oldest
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    near

	// add what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	LDP  (recWords)(oldest), (w0, odd)
	NEON_BLOCK_ADD_K8(vWords0, vFirst, p0, w0, w1, w2, w3)
	NEON_BLOCK_ADD_K8(vWords0, vSecond, p1, odd, w1, w2, w3)
	LDP  (recWords+16)(oldest), (w0, odd)
	NEON_BLOCK_ADD_K8(vWords1, vFirst, p2, w0, w1, w2, w3)
	NEON_BLOCK_ADD_K8(vWords1, vSecond, p3, odd, p0, p1, p2)
	ADD  $64, oldest
	CMP  end, oldest
	CSEL EQ, first, oldest, oldest
	SUBS $4, left
	BNE  drain
	RET

// func addK1to7NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64)
TEXT ·addK1to7NEON(SB), 0, $3200-56
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	FMOVD lanes+16(FP), F0
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  $records-3200(SP), first
	MOVD  $ones-128(SP), on
	NEON_BLOCK_ON
	NEON_BLOCK_SETUP(·addFields, 96)
	NEON_BLOCK_ADD_SETUP

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

	// add the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_ADD_K1TO7(0, vWords0, vFirst, p0, w0)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_ADD_K1TO7(1, vWords0, vSecond, p1, w0)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_ADD_K1TO7(2, vWords1, vFirst, p2, w0)
	NEON_BLOCK_WORDS
	NEON_BLOCK_ADD_K1TO7(3, vWords1, vSecond, p3, p0)
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
near:
	NEON_BLOCK_PUT_WORDS
	NEON_BLOCK_PUT_ON(recRot)
	SUB  $4, left
	ADD  $96, oldest
	CMP  end, oldest
	CSEL EQ, first, oldest, oldest
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    near

	// add what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	FLDPQ (recWords)(oldest), (F16, F17)
	NEON_BLOCK_ADD_K1TO7(0, vWords0, vFirst, p0, w0)
	NEON_BLOCK_ADD_K1TO7(1, vWords0, vSecond, p1, w0)
	NEON_BLOCK_ADD_K1TO7(2, vWords1, vFirst, p2, w0)
	NEON_BLOCK_ADD_K1TO7(3, vWords1, vSecond, p3, p0)
	ADD  $96, oldest
	CMP  end, oldest
	CSEL EQ, first, oldest, oldest
	SUBS $4, left
	BNE  drain
	RET

// func addK9to16NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64)
TEXT ·addK9to16NEON(SB), 0, $4224-56
	MOVD  blocks+0(FP), base
	MOVD  nblocks+8(FP), span
	FMOVD lanes+16(FP), F0
	MOVD  keys+24(FP), keysp
	MOVD  n+32(FP), left
	MOVD  how+40(FP), mode
	MOVD  ahead+48(FP), end
	MOVD  $records-4224(SP), first
	MOVD  $ones-128(SP), on
	NEON_BLOCK_ON
	NEON_BLOCK_SETUP(·addFields, 128)
	NEON_BLOCK_ADD_SETUP

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

	// add the oldest group, hash a new one in its place
main:
	CBZ  left, empty
	NEON_BLOCK_ADDRS
	NEON_BLOCK_ADD_K9TO16(0, p0, w0)
	NEON_BLOCK_KEYS
	TBZ  $const_mixBit, mode, plain1
	NEON_BLOCK_MIX1
plain1:
	NEON_BLOCK_ADD_K9TO16(1, p1, w0)
	TBZ  $const_mixBit, mode, plain2
	NEON_BLOCK_MIX2
plain2:
	NEON_BLOCK_ADD_K9TO16(2, p2, w0)
	NEON_BLOCK_WORDS
	NEON_BLOCK_ADD_K9TO16(3, p3, p0)
	NEON_BLOCK_FIND
	TBNZ $const_farBit, mode, far
	NEON_BLOCK_PREFETCH(PSTL1KEEP)
near:
	NEON_BLOCK_PUT_PAIRS
	NEON_BLOCK_PUT_ON(recTwo)
	SUB  $4, left
	ADD  $128, oldest
	CMP  end, oldest
	CSEL EQ, first, oldest, oldest
	B    main

farFill:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    nearFill
far:
	NEON_BLOCK_PREFETCH(PSTL2KEEP)
	B    near

	// add what is left in the pipeline
empty:
	MOVD n+32(FP), left
	MOVD ahead+48(FP), h0
	NEON_BLOCK_PENDING
drain:
	NEON_BLOCK_ADDRS
	NEON_BLOCK_ADD_K9TO16(0, p0, w0)
	NEON_BLOCK_ADD_K9TO16(1, p1, w0)
	NEON_BLOCK_ADD_K9TO16(2, p2, w0)
	NEON_BLOCK_ADD_K9TO16(3, p3, p0)
	ADD  $128, oldest
	CMP  end, oldest
	CSEL EQ, first, oldest, oldest
	SUBS $4, left
	BNE  drain
	RET
