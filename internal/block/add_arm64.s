//go:build !purego

// The blocked filter's batch additions for NEON. See batch_arm64.h.
//
// An addition makes each lane's bit by shifting a 1 by the field's number. The
// fields are cut out in the order 0, 2, 4, 6, 1, 3, 5, 7 of the lanes, 16 bits
// each, so that rotating all by 16 bits brings the next two lanes' to the ends
// of a vector's halves, of which USHL reads the lowest byte. What lost: a TBL for
// each two lanes, which fewer pipes can do, and a USHL and an AND for each, on
// copies of the word.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"
#include "batch_arm64.h"

// The bytes in which the fields of lanes 0, 2, 4, 6, 1, 3, 5, 7 lie, of a first
// word and of a second; and how far to shift them left: not at all, or right.
DATA ·addFields+0(SB)/8, $0x0706060504030302
DATA ·addFields+8(SB)/8, $0xff07060505040302
DATA ·addFields+16(SB)/8, $0x0f0e0e0d0c0b0b0a
DATA ·addFields+24(SB)/8, $0xff0f0e0d0d0c0b0a
DATA ·addFields+32(SB)/8, $0xfffc0000fffc0000
DATA ·addFields+40(SB)/8, $0xfffefffafffefffa
GLOBL ·addFields(SB), RODATA|NOPTR, $48

#define ones    R24 // eight ones or zeros by lane, before rotation, twice
#define one     R25
#define odd     R26 // an odd key's word

#define v63     V25

// POINT finds the rotated patterns in memory, eight words each.
// out: w0 to w3
#define POINT \
	AND $7, w0           \
	AND $7, w1           \
	AND $7, w2           \
	AND $7, w3           \
	ADD w0<<3, ones, w0  \
	ADD w1<<3, ones, w1  \
	ADD w2<<3, ones, w2  \
	ADD w3<<3, ones, w3

#define STOREADDROT \
	STOREWORDS                      \
	POINT                           \
	STP (w0, w1), (recRot)(ring)    \
	STP (w2, w3), (recRot+16)(ring)

#define STOREADDTWO \
	STOREPAIRS                      \
	POINT                           \
	STP (w0, w1), (recTwo)(ring)    \
	STP (w2, w3), (recTwo+16)(ring)

// NUMBERS makes the numbers of a word's bits in the 16-bit lanes of V8, in the
// order 0, 2, 4, 6, 1, 3, 5, 7, and moves the next lanes to the lowest bytes of
// the 64-bit lanes of V10 to V12. half is vFirst or vSecond.
#define NUMBERS(words, half) \
	VTBL  half.B16, [words.B16], V8.B16 \
	USHLH(nShift, 8, 8)                 \
	VAND  v63.B16, V8.B16, V8.B16       \
	VEXT  $2, V8.B16, V8.B16, V10.B16   \
	VEXT  $4, V8.B16, V8.B16, V11.B16

// SET sets a bit in each half of b: those whose numbers are the lowest bytes of
// the halves of V8, V10, V11 or V12, if the halves of vector on are 1.
// clobbers V9
#define SET(number, on, b) \
	USHLD(number, on, 9)     \
	VORR V9.B16, b.B16, b.B16

// ADDKEY adds a key for k = 8. The general registers set the last two lanes,
// since the vector registers are the bottleneck.
// in: w, the word; clobbers w, t0 to t2, V0 to V2, V8 to V11
#define ADDKEY(words, half, p, w, t0, t1, t2) \
	NUMBERS(words, half)   \
	FLDPQ (p), (F0, F1)    \
	FMOVQ 32(p), F2        \
	LDP   48(p), (t1, t2)  \
	SET(8, nOnes, V0)      \
	SET(10, nOnes, V1)     \
	SET(11, nOnes, V2)     \
	LSR   $52, w, t0       \
	LSR   $58, w, w        \
	LSL   t0, one, t0      \
	LSL   w, one, w        \
	ORR   t0, t1           \
	ORR   w, t2            \
	FSTPQ (F0, F1), (p)    \
	FMOVQ F2, 32(p)        \
	STP   (t1, t2), 48(p)

// SETSOME sets a word's bits in the lanes of the block in V0 to V3 for which V4
// to V7 have ones.
// in: NUMBERS' output; clobbers V9, V12
#define SETSOME \
	VEXT $6, V8.B16, V8.B16, V12.B16 \
	SET(8, 4, V0)                    \
	SET(10, 5, V1)                   \
	SET(11, 6, V2)                   \
	SET(12, 7, V3)

// ADDSOME adds a key for k < 8.
// clobbers t, V0 to V12
#define ADDSOME(i, words, half, p, t) \
	NUMBERS(words, half)          \
	MOVD  (recRot+8*i)(ring), t   \
	FLDPQ (p), (F0, F1)           \
	FLDPQ 32(p), (F2, F3)         \
	FLDPQ (t), (F4, F5)           \
	FLDPQ 32(t), (F6, F7)         \
	SETSOME                       \
	FSTPQ (F0, F1), (p)           \
	FSTPQ (F2, F3), 32(p)

// ADDBOTH adds a key for k > 8.
// clobbers t, V0 to V12, V16
#define ADDBOTH(i, p, t) \
	FMOVQ (recWords+16*i)(ring), F16   \
	MOVD  (recTwo+8*i)(ring), t        \
	FLDPQ (p), (F0, F1)                \
	FLDPQ 32(p), (F2, F3)              \
	NUMBERS(vWords0, vFirst)           \
	VEXT  $6, V8.B16, V8.B16, V12.B16  \
	SET(8, nOnes, V0)                  \
	SET(10, nOnes, V1)                 \
	SET(11, nOnes, V2)                 \
	SET(12, nOnes, V3)                 \
	NUMBERS(vWords0, vSecond)          \
	FLDPQ (t), (F4, F5)                \
	FLDPQ 32(t), (F6, F7)              \
	SETSOME                            \
	FSTPQ (F0, F1), (p)                \
	FSTPQ (F2, F3), 32(p)

// Additions of the oldest four keys, each wholly before the next: they may meet
// in one block.
#define ADD8(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR                                         \
	FLDPQ (recWords)(ring), (F16, F17)               \
	LDP   (recWords)(ring), (w0, odd)                \
	ADDKEY(vWords0, vFirst, p0, w0, w1, w2, w3)      \
	HASH1                                            \
	ADDKEY(vWords0, vSecond, p1, odd, w1, w2, w3)    \
	HASH2                                            \
	LDP   (recWords+16)(ring), (w0, odd)             \
	ADDKEY(vWords1, vFirst, p2, w0, w1, w2, w3)      \
	HASH3                                            \
	ADDKEY(vWords1, vSecond, p3, odd, p0, p1, p2)    \
	HASH4

#define ADDROT(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR                               \
	FLDPQ (recWords)(ring), (F16, F17)     \
	ADDSOME(0, vWords0, vFirst, p0, w0)    \
	HASH1                                  \
	ADDSOME(1, vWords0, vSecond, p1, w0)   \
	HASH2                                  \
	ADDSOME(2, vWords1, vFirst, p2, w0)    \
	HASH3                                  \
	ADDSOME(3, vWords1, vSecond, p3, p0)   \
	HASH4

#define ADDTWO(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR           \
	ADDBOTH(0, p0, w0) \
	HASH1              \
	ADDBOTH(1, p1, w0) \
	HASH2              \
	ADDBOTH(2, p2, w0) \
	HASH3              \
	ADDBOTH(3, p3, p0) \
	HASH4

// ADDBODY is an adding kernel.
#define ADDBODY(ADD4, record, STORE) \
	PROLOGUE(·addFields, (8*record))           \
	MOVD  $1, one                              \
	VDUP  one, vOnes.D2                        \
	VMOVI $63, v63.B16                         \
	FILL(record, PSTL1KEEP, STORE)             \
main: \
	CBZ  left, drain                           \
	ADD4(HASH1(plain3), HASH2(plain4), HASH3, HASH4(PSTL1KEEP, STORE)) \
	SUB  $4, left                              \
	ADD  $record, ring                         \
	CMP  end, ring                             \
	CSEL EQ, begin, ring, ring                 \
	B    main                                  \
drain: \
	ADD4(NOTHING, NOTHING, NOTHING, NOTHING)   \
	ADD  $record, ring                         \
	CMP  end, ring                             \
	CSEL EQ, begin, ring, ring                 \
	SUBS $4, pending                           \
	BNE  drain                                 \
	RET

// ONES writes to the frame, twice, a word of 1 for each lane that is on before
// rotation, and a word of 0 for each other.
// out: ones; clobbers V0 to V7
#define ONES(bytes) \
	FMOVD  lanes+16(FP), F0           \
	VUXTL  V0.B8, V0.H8               \
	VUXTL2 V0.H8, V2.S4               \
	VUXTL  V0.H4, V0.S4               \
	VUXTL2 V2.S4, V7.D2               \
	VUXTL  V2.S2, V6.D2               \
	VUXTL2 V0.S4, V5.D2               \
	VUXTL  V0.S2, V4.D2               \
	MOVD   $table-bytes(SP), ones     \
	FSTPQ  (F4, F5), (ones)           \
	FSTPQ  (F6, F7), 32(ones)         \
	FSTPQ  (F4, F5), 64(ones)         \
	FSTPQ  (F6, F7), 96(ones)

// func add8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·add8NEON(SB), 0, $512-41
	ADDBODY(ADD8, 64, STOREWORDS)

// func addRotNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addRotNEON(SB), 0, $896-41
	ONES(896)
	ADDBODY(ADDROT, 96, STOREADDROT)

// func addTwoNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addTwoNEON(SB), 0, $1152-41
	ONES(1152)
	ADDBODY(ADDTWO, 128, STOREADDTWO)
