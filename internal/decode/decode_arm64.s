//go:build !purego

// Decoding with NEON.
//
// Sparse words go in pairs. Of a word that is not 0 the lowest set bit and the highest
// are taken in any case, which are one if it has one, and four if it has three or four.
// A word with more begins a dense stretch, which ends at one with fewer than four: of
// its words four bits are taken from either end, then two at a time what is between.
// So there is no branch for each bit; dst moves on by the number that was there. A word
// with many bits is decoded byte by byte: byteNumbers, in decode_asm.go, has the numbers
// of a byte's set bits, as eight bytes of which the first few count; widened and added
// to the byte's index they make eight indices, written where those of the bytes below
// end. What is written past a word's last index is overwritten by the next word's, or
// left: it is within the 64 places that are free before each word.

#include "textflag.h"
#include "neon_arm64.h"

// The number in the word of each byte's bit 0, eight times.
DATA byteOffsets<>+0(SB)/8, $0x0000000000000000
DATA byteOffsets<>+8(SB)/8, $0x0808080808080808
DATA byteOffsets<>+16(SB)/8, $0x1010101010101010
DATA byteOffsets<>+24(SB)/8, $0x1818181818181818
DATA byteOffsets<>+32(SB)/8, $0x2020202020202020
DATA byteOffsets<>+40(SB)/8, $0x2828282828282828
DATA byteOffsets<>+48(SB)/8, $0x3030303030303030
DATA byteOffsets<>+56(SB)/8, $0x3838383838383838
GLOBL byteOffsets<>(SB), RODATA|NOPTR, $64

#define dstp  R0  // the place in dst for the next index
#define limit R1  // the end of dst
#define wordp R2  // the next word
#define left  R3  // words not yet taken up by a run
#define run   R4  // words until the room must be looked at again; of pairs, those after this one
#define index R5  // the index of the word's bit 0
#define w     R6  // the word, or the first of a pair
#define ones  R7  // its number of set bits
#define rev   R8  // its bits not yet taken, in reversed order
#define top   R9  // bit 63
#define sums  R10 // byte i: the number of set bits in the word's bytes 0 to i
#define table R11 // byteNumbers
#define each  R12 // 1 in every byte
#define x0    R13
#define x1    R14
#define x2    R15
#define x3    R16
#define p     R17 // a place in dst
#define tmp   R19
#define one   R20
#define v     R21 // the second word of a pair
#define next1 R22 // the index of the second word's bit 0
#define next2 R23 // the index behind it
#define rest  R24 // a word without its lowest set bit
#define less  R25 // rest - 1
#define behind R26 // the place in dst behind the word's last index

#define indices V2 // each lane: index
#define zero    V3
// V16 to V23: byteOffsets<>

// The most set bits that are taken one by one: by the models in scripts/mca a whole
// word byte by byte costs as much as 13 and 26 bits on Neoverse N1 and V2, as 7 and 14
// on V1, 7 and 10 on apple-m1 (indices of 32 bits, of 64).
#define maxSingly64 18
#define maxSingly32 10

// DECODE_CONSTANTS loads what both kernels share.
// out: V16 to V23, table, top, one, each, zero
// clobbers x0
#define DECODE_CONSTANTS \
	MOVD   $byteOffsets<>(SB), x0                   \
	VLD1.P 32(x0), [V16.B8, V17.B8, V18.B8, V19.B8] \
	VLD1   (x0), [V20.B8, V21.B8, V22.B8, V23.B8]   \
	MOVD   $·byteNumbers(SB), table                 \
	MOVD   $(1<<63), top                            \
	MOVD   $1, one                                  \
	MOVD   $0x0101010101010101, each                \
	VEOR   zero.B16, zero.B16, zero.B16

// DECODE_REST takes the lowest set bit out of a word, and sets the flags NE if any is
// left, or in the end if two are.
// out: rest, less, ones, 1 or 2; the carry flag is 0
#define DECODE_REST(w) \
	SUB  $1, w, rest      \
	ANDS rest, w, rest    \
	CINC NE, one, ones    \
	SUB  $1, rest, less   \
	TST  less, rest

// DECODE_TWO makes the indices of a word's lowest and highest set bits, each next - 1 -
// the number of zeros above the bit.
// in: rest; next, the index behind the word; the carry flag is 0
// out: x0, x1
#define DECODE_TWO(w, next) \
	EOR rest, w, x0  \
	CLZ x0, x0       \
	CLZ w, x1        \
	SBC x0, next, x0 \
	SBC x1, next, x1

// DECODE_FOUR makes the indices of a word's three lowest set bits and of the highest.
// in: rest, less; next, the index behind the word
// out: x0 to x3
// clobbers tmp, less, rest
#define DECODE_FOUR(w, next) \
	AND less, rest, x2    \
	EOR rest, w, x0       \
	EOR x2, rest, x1      \
	SUB $1, x2, tmp       \
	BIC tmp, x2, x2       \
	CLZ x0, x0            \
	CLZ x1, x1            \
	CLZ x2, x2            \
	CLZ w, x3             \
	SUB $1, next, tmp     \
	SUB x0, tmp, x0       \
	SUB x1, tmp, x1       \
	SUB x2, tmp, x2       \
	SUB x3, tmp, x3

// DECODE_LOW takes the lowest set bit of a word whose bits are in reversed order.
// in: rev, top, index
// out: x, its index; rev without it
// clobbers tmp
#define DECODE_LOW(x) \
	CLZ rev, x        \
	LSR x, top, tmp   \
	BIC tmp, rev, rev \
	ADD index, x

// DECODE_HIGH takes the highest set bit of w.
// in: w, top; rest, the index of the word's bit 63
// out: x, its index; w without it
// clobbers tmp
#define DECODE_HIGH(x) \
	CLZ w, x        \
	LSR x, top, tmp \
	BIC tmp, w, w   \
	SUB x, rest, x

// DECODE_ONES counts a word's set bits.
// out: ones; V0, the number in each byte
// clobbers V1
#define DECODE_ONES(w) \
	FMOVD   w, F0        \
	VCNT    V0.B8, V0.B8 \
	VUADDLV V0.B8, V1    \
	FMOVS   F1, ones

// DECODE_NUMBERS looks up the numbers in the word of byte i's set bits.
// in: w
// out: V0, eight 16-bit lanes
// clobbers x0
#define DECODE_NUMBERS(i) \
	UBFX  $(8*i), w, $8, x0  \
	FMOVD (table)(x0<<3), F0 \
	UADDLH(16+i, 0, 0)

// DECODE_BEHIND finds the place of byte i's first index: behind those of the bytes
// below. An index takes 1<<logSize bytes.
// in: sums
// out: p
#define DECODE_BEHIND(i, logSize) \
	UBFX $(8*(i-1)), sums, $8, p \
	ADD  p<<logSize, dstp, p

// DECODE_EIGHT64 and DECODE_EIGHT32 write at place the eight indices for the numbers
// in V0.
// clobbers V4 to V9

#define DECODE_EIGHT64(place) \
	VUADDW  V0.H4, zero.S4, V4.S4    \
	VUADDW2 V0.H8, zero.S4, V5.S4    \
	VUADDW  V4.S2, indices.D2, V6.D2 \
	VUADDW2 V4.S4, indices.D2, V7.D2 \
	VUADDW  V5.S2, indices.D2, V8.D2 \
	VUADDW2 V5.S4, indices.D2, V9.D2 \
	FSTPQ   (F6, F7), (place)        \
	FSTPQ   (F8, F9), 32(place)

#define DECODE_EIGHT32(place) \
	VUADDW  V0.H4, indices.S4, V4.S4 \
	VUADDW2 V0.H8, indices.S4, V5.S4 \
	FSTPQ   (F4, F5), (place)

// DECODE_BYTES_NEON64 and DECODE_BYTES_NEON32 write the indices of w, byte by byte.
// in: w, indices, V0 as DECODE_ONES leaves it
// clobbers sums, p, x0, V0, V4 to V9

#define DECODE_BYTES_NEON64 \
	FMOVD F0, sums         \
	MUL   each, sums, sums \
	DECODE_NUMBERS(0)      \
	DECODE_EIGHT64(dstp)   \
	DECODE_NUMBERS(1)      \
	DECODE_BEHIND(1, 3)    \
	DECODE_EIGHT64(p)      \
	DECODE_NUMBERS(2)      \
	DECODE_BEHIND(2, 3)    \
	DECODE_EIGHT64(p)      \
	DECODE_NUMBERS(3)      \
	DECODE_BEHIND(3, 3)    \
	DECODE_EIGHT64(p)      \
	DECODE_NUMBERS(4)      \
	DECODE_BEHIND(4, 3)    \
	DECODE_EIGHT64(p)      \
	DECODE_NUMBERS(5)      \
	DECODE_BEHIND(5, 3)    \
	DECODE_EIGHT64(p)      \
	DECODE_NUMBERS(6)      \
	DECODE_BEHIND(6, 3)    \
	DECODE_EIGHT64(p)      \
	DECODE_NUMBERS(7)      \
	DECODE_BEHIND(7, 3)    \
	DECODE_EIGHT64(p)

#define DECODE_BYTES_NEON32 \
	FMOVD F0, sums         \
	MUL   each, sums, sums \
	DECODE_NUMBERS(0)      \
	DECODE_EIGHT32(dstp)   \
	DECODE_NUMBERS(1)      \
	DECODE_BEHIND(1, 2)    \
	DECODE_EIGHT32(p)      \
	DECODE_NUMBERS(2)      \
	DECODE_BEHIND(2, 2)    \
	DECODE_EIGHT32(p)      \
	DECODE_NUMBERS(3)      \
	DECODE_BEHIND(3, 2)    \
	DECODE_EIGHT32(p)      \
	DECODE_NUMBERS(4)      \
	DECODE_BEHIND(4, 2)    \
	DECODE_EIGHT32(p)      \
	DECODE_NUMBERS(5)      \
	DECODE_BEHIND(5, 2)    \
	DECODE_EIGHT32(p)      \
	DECODE_NUMBERS(6)      \
	DECODE_BEHIND(6, 2)    \
	DECODE_EIGHT32(p)      \
	DECODE_NUMBERS(7)      \
	DECODE_BEHIND(7, 2)    \
	DECODE_EIGHT32(p)

// func decodeNEON(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
//
// As decodeGeneric does it, but it stops before a word for which fewer than 64 places
// are free, and up to 64 places of dst after the written ones may change. room >= 0
// and n >= 0.
TEXT ·decodeNEON(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), dstp
	MOVD room+8(FP), limit
	MOVD words+16(FP), wordp
	MOVD n+24(FP), left
	MOVD base+32(FP), index
	ADD  limit<<3, dstp, limit
	DECODE_CONSTANTS

again:
	// run = the words that can be taken up whatever bits they have
	SUB  dstp, limit, run
	LSR  $(6+3), run
	CMP  left, run
	CSEL LO, run, left, run
	CBZ  run, done
	SUB  run, left

sparse:
	ADD  $64, index, next1
	SUBS $2, run
	BLT  last
pair:
	LDP.P 16(wordp), (w, v)
both:
	CBZ  w, second
	DECODE_REST(w)
	BNE  more1
	DECODE_TWO(w, next1)
	STP  (x0, x1), (dstp)
	ADD  ones<<3, dstp
second:
	CBZ  v, next
	ADD  $64, next1, next2
	DECODE_REST(v)
	BNE  more2
	DECODE_TWO(v, next2)
	STP  (x0, x1), (dstp)
	ADD  ones<<3, dstp
next:
	ADD  $128, next1
	SUBS $2, run
	BGE  pair

last:
	// run is -1 if a word is left, -2 if none is, and -3 after one that had been left
	CMN  $1, run
	BEQ  single
	ADD  $2, run
	SUB  $64, next1, index
	ADD  run<<6, index
	ADD  run<<3, wordp
	B    again

single:
	// a pair without a second word
	MOVD (wordp), w
	MOVD ZR, v
	ADD  $16, wordp
	B    both

more1:
	DECODE_ONES(w)
	CMP  $4, ones
	BHI  dense1
	DECODE_FOUR(w, next1)
	STP  (x0, x1), (dstp)
	STP  (x2, x3), 16(dstp)
	ADD  ones<<3, dstp
	B    second

more2:
	DECODE_ONES(v)
	CMP  $4, ones
	BHI  dense2
	DECODE_FOUR(v, next2)
	STP  (x0, x1), (dstp)
	STP  (x2, x3), 16(dstp)
	ADD  ones<<3, dstp
	B    next

	// The first or second word of a pair begins a dense stretch.
dense1:
	SUB  $64, next1, index
	SUB  $16, wordp
	ADD  $2, run
	B    dense
dense2:
	MOVD next1, index
	SUB  $8, wordp
	ADD  $1, run

dense:
	MOVD.P 8(wordp), w
	DECODE_ONES(w)
	SUB  $4, ones, x0
	CMP  $(maxSingly64-4), x0
	BHI  other
	RBIT w, rev
	ADD  $63, index, rest
	ADD  ones<<3, dstp, behind
	DECODE_LOW(x0)
	DECODE_HIGH(x1)
	DECODE_LOW(x2)
	DECODE_HIGH(x3)
	STP  (x0, x2), (dstp)
	STP  (x3, x1), -16(behind)
	DECODE_LOW(x0)
	DECODE_HIGH(x1)
	DECODE_LOW(x2)
	DECODE_HIGH(x3)
	STP  (x0, x2), 16(dstp)
	STP  (x3, x1), -32(behind)
	SUBS $8, ones
	BHI  between
after:
	MOVD behind, dstp
denser:
	ADD  $64, index
	SUBS $1, run
	BNE  dense
	B    again

between:
	ADD  $16, dstp
	DECODE_LOW(x0)
	DECODE_LOW(x2)
	STP  (x0, x2), 16(dstp)
	SUBS $2, ones
	BHI  between
	B    after

other:
	CMP  $4, ones
	BLO  sparser
	VDUP index, indices.D2
	DECODE_BYTES_NEON64
	ADD  ones<<3, dstp
	B    denser

sparser:
	SUB  $8, wordp
	B    sparse

done:
	MOVD dst+0(FP), x0
	SUB  x0, dstp
	LSR  $3, dstp
	MOVD dstp, written+40(FP)
	MOVD n+24(FP), x0
	SUB  left, x0
	MOVD x0, consumed+48(FP)
	RET

// func decode32NEON(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
//
// The same for indices of 32 bits, which wrap around.
TEXT ·decode32NEON(SB), NOSPLIT, $0-56
	MOVD  dst+0(FP), dstp
	MOVD  room+8(FP), limit
	MOVD  words+16(FP), wordp
	MOVD  n+24(FP), left
	MOVWU base+32(FP), index
	ADD   limit<<2, dstp, limit
	DECODE_CONSTANTS

again:
	// run = the words that can be taken up whatever bits they have
	SUB  dstp, limit, run
	LSR  $(6+2), run
	CMP  left, run
	CSEL LO, run, left, run
	CBZ  run, done
	SUB  run, left

sparse:
	ADD  $64, index, next1
	SUBS $2, run
	BLT  last
pair:
	LDP.P 16(wordp), (w, v)
both:
	CBZ  w, second
	DECODE_REST(w)
	BNE  more1
	DECODE_TWO(w, next1)
	STPW  (x0, x1), (dstp)
	ADD  ones<<2, dstp
second:
	CBZ  v, next
	ADD  $64, next1, next2
	DECODE_REST(v)
	BNE  more2
	DECODE_TWO(v, next2)
	STPW  (x0, x1), (dstp)
	ADD  ones<<2, dstp
next:
	ADD  $128, next1
	SUBS $2, run
	BGE  pair

last:
	// run is -1 if a word is left, -2 if none is, and -3 after one that had been left
	CMN  $1, run
	BEQ  single
	ADD  $2, run
	SUB  $64, next1, index
	ADD  run<<6, index
	ADD  run<<3, wordp
	B    again

single:
	// a pair without a second word
	MOVD (wordp), w
	MOVD ZR, v
	ADD  $16, wordp
	B    both

more1:
	DECODE_ONES(w)
	CMP  $4, ones
	BHI  dense1
	DECODE_FOUR(w, next1)
	STPW  (x0, x1), (dstp)
	STPW  (x2, x3), 8(dstp)
	ADD  ones<<2, dstp
	B    second

more2:
	DECODE_ONES(v)
	CMP  $4, ones
	BHI  dense2
	DECODE_FOUR(v, next2)
	STPW  (x0, x1), (dstp)
	STPW  (x2, x3), 8(dstp)
	ADD  ones<<2, dstp
	B    next

	// The first or second word of a pair begins a dense stretch.
dense1:
	SUB  $64, next1, index
	SUB  $16, wordp
	ADD  $2, run
	B    dense
dense2:
	MOVD next1, index
	SUB  $8, wordp
	ADD  $1, run

dense:
	MOVD.P 8(wordp), w
	DECODE_ONES(w)
	SUB  $4, ones, x0
	CMP  $(maxSingly32-4), x0
	BHI  other
	RBIT w, rev
	ADD  $63, index, rest
	ADD  ones<<2, dstp, behind
	DECODE_LOW(x0)
	DECODE_HIGH(x1)
	DECODE_LOW(x2)
	DECODE_HIGH(x3)
	STPW  (x0, x2), (dstp)
	STPW  (x3, x1), -8(behind)
	DECODE_LOW(x0)
	DECODE_HIGH(x1)
	DECODE_LOW(x2)
	DECODE_HIGH(x3)
	STPW  (x0, x2), 8(dstp)
	STPW  (x3, x1), -16(behind)
	SUBS $8, ones
	BHI  between
after:
	MOVD behind, dstp
denser:
	ADD  $64, index
	SUBS $1, run
	BNE  dense
	B    again

between:
	ADD  $8, dstp
	DECODE_LOW(x0)
	DECODE_LOW(x2)
	STPW  (x0, x2), 8(dstp)
	SUBS $2, ones
	BHI  between
	B    after

other:
	CMP  $4, ones
	BLO  sparser
	VDUP index, indices.S4
	DECODE_BYTES_NEON32
	ADD  ones<<2, dstp
	B    denser

sparser:
	SUB  $8, wordp
	B    sparse

done:
	MOVD dst+0(FP), x0
	SUB  x0, dstp
	LSR  $2, dstp
	MOVD dstp, written+40(FP)
	MOVD n+24(FP), x0
	SUB  left, x0
	MOVD x0, consumed+48(FP)
	RET
