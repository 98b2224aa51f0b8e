//go:build !purego

// Decoding kernels for NEON: the indices of a slice's set bits.
//
// A word with few bits gives them up one by one, but without a branch for each:
// two are taken in any case, then four at a time while there are more, and the
// output moves on by the number that was there. A word with more bits is decoded
// byte by byte: a table has the places of a byte's bits, as eight bytes of which
// the first few count; widened and added to the byte's index they make eight
// indices, written where the bits of the bytes below end. What is written beyond
// a word's last index is overwritten by the next word; it stays within the 64
// places that are free before each word.

#include "textflag.h"
#include "neon_arm64.h"

// The index in a word of each byte's bit 0, eight times.
DATA offsets<>+0(SB)/8, $0x0000000000000000
DATA offsets<>+8(SB)/8, $0x0808080808080808
DATA offsets<>+16(SB)/8, $0x1010101010101010
DATA offsets<>+24(SB)/8, $0x1818181818181818
DATA offsets<>+32(SB)/8, $0x2020202020202020
DATA offsets<>+40(SB)/8, $0x2828282828282828
DATA offsets<>+48(SB)/8, $0x3030303030303030
DATA offsets<>+56(SB)/8, $0x3838383838383838
GLOBL offsets<>(SB), RODATA|NOPTR, $64

#define out   R0  // next index to write
#define end   R1  // of the places for indices
#define src   R2  // next word
#define left  R3  // words not yet taken up
#define run   R4  // words until room must be looked at again
#define index R5  // of the word's bit 0
#define w     R6
#define ones  R7  // the word's number of bits
#define rev   R8  // its bits not yet taken, reversed
#define top   R9  // bit 63
#define sums  R10 // byte i: the number of bits in the word's bytes 0 to i
#define table R11 // decodeTable
#define each  R12 // 1 in every byte
#define x0    R13
#define x1    R14
#define x2    R15
#define p     R17
#define tmp   R19
#define one   R20

#define vBase V2  // index in each lane
#define vZero V3
// V16 to V23: offsets<>

// The numbers of bits up to which they are taken one by one, from the model in
// scripts/mca: a whole word byte by byte costs as much.
#define few32 10
#define few64 18

// SETUP loads what both kernels share.
#define SETUP(logSize) \
	ADD    end<<logSize, out, end                   \
	MOVD   $offsets<>(SB), x0                       \
	VLD1.P 32(x0), [V16.B8, V17.B8, V18.B8, V19.B8] \
	VLD1   (x0), [V20.B8, V21.B8, V22.B8, V23.B8]   \
	MOVD   $·decodeTable(SB), table                 \
	MOVD   $(1<<63), top                            \
	MOVD   $1, one                                  \
	MOVD   $0x0101010101010101, each                \
	VEOR   vZero.B16, vZero.B16, vZero.B16

// RUN sets run to the number of words that can be taken up whatever bits they
// have, or goes to done if there are none.
// clobbers tmp
#define RUN(logSize) \
	SUB  out, end, run              \
	LSR  $(6+logSize), run          \
	CMP  left, run                  \
	CSEL LO, run, left, run         \
	CBZ  run, done                  \
	SUB  run, left

// TAKE takes the lowest of the bits in rev, whose order is reversed.
// out: x, its index, or index + 64 if there is none; rest; clobbers tmp
#define TAKE(rev, x, rest) \
	CLZ rev, x         \
	LSR x, top, tmp    \
	BIC tmp, rev, rest \
	ADD index, x

// NEXT loads a word, or goes to skip if it is zero, and takes two bits.
// out: w, x0, x1, rev the rest; clobbers tmp, x2
#define NEXT \
	MOVD.P 8(src), w   \
	CBZ    w, skip     \
	RBIT   w, rev      \
	TAKE(rev, x0, x2)  \
	TAKE(x2, x1, rev)

// COUNT counts the word's bits.
// out: ones, V0 the number in each byte; clobbers V1
#define COUNT \
	FMOVD   w, F0        \
	VCNT    V0.B8, V0.B8 \
	VUADDLV V0.B8, V1    \
	FMOVS   F1, ones

// PLACES makes the places in the word of byte i's bits.
// out: V0, eight 16-bit lanes; clobbers x0
#define PLACES(i) \
	UBFX  $(8*i), w, $8, x0  \
	FMOVD (table)(x0<<3), F0 \
	UADDLH(16+i, 0, 0)

// BEHIND finds where the indices of byte i's bits go: behind those below.
// out: p
#define BEHIND(i, logSize) \
	UBFX $(8*(i-1)), sums, $8, p \
	ADD  p<<logSize, out, p

// WRITE32 and WRITE64 write at p the eight indices for the places in V0.
// clobbers V4 to V9
#define WRITE32(p) \
	VUADDW  V0.H4, vBase.S4, V4.S4 \
	VUADDW2 V0.H8, vBase.S4, V5.S4 \
	FSTPQ   (F4, F5), (p)

#define WRITE64(p) \
	VUADDW  V0.H4, vZero.S4, V4.S4 \
	VUADDW2 V0.H8, vZero.S4, V5.S4 \
	VUADDW  V4.S2, vBase.D2, V6.D2 \
	VUADDW2 V4.S4, vBase.D2, V7.D2 \
	VUADDW  V5.S2, vBase.D2, V8.D2 \
	VUADDW2 V5.S4, vBase.D2, V9.D2 \
	FSTPQ   (F6, F7), (p)          \
	FSTPQ   (F8, F9), 32(p)

// EACHBYTE decodes a word byte by byte.
// in: V0 as NEXT leaves it
#define EACHBYTE(WRITE, logSize) \
	FMOVD F0, sums         \
	MUL   each, sums, sums \
	PLACES(0)              \
	WRITE(out)             \
	PLACES(1)              \
	BEHIND(1, logSize)     \
	WRITE(p)               \
	PLACES(2)              \
	BEHIND(2, logSize)     \
	WRITE(p)               \
	PLACES(3)              \
	BEHIND(3, logSize)     \
	WRITE(p)               \
	PLACES(4)              \
	BEHIND(4, logSize)     \
	WRITE(p)               \
	PLACES(5)              \
	BEHIND(5, logSize)     \
	WRITE(p)               \
	PLACES(6)              \
	BEHIND(6, logSize)     \
	WRITE(p)               \
	PLACES(7)              \
	BEHIND(7, logSize)     \
	WRITE(p)

// func decodeNEON(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
//
// Stops before a word for which fewer than 64 places are free.
// room >= 0, n >= 0
TEXT ·decodeNEON(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), out
	MOVD room+8(FP), end
	MOVD words+16(FP), src
	MOVD n+24(FP), left
	MOVD base+32(FP), index
	SETUP(3)
again:
	RUN(3)
loop:
	NEXT
	STP  (x0, x1), (out)
	CBNZ rev, more
	// out += 1 if the first bit was the last, 2 otherwise
	CMP  $0, x2
	CINC NE, one, ones
taken:
	ADD  ones<<3, out
skip:
	ADD  $64, index
	SUBS $1, run
	BNE  loop
	B    again
more:
	COUNT
	CMP  $few64, ones
	BHI  many
	MOVD out, p
	SUBS $2, ones, x0
four:
	TAKE(rev, x1, rev)
	TAKE(rev, x2, rev)
	STP  (x1, x2), 16(p)
	TAKE(rev, x1, rev)
	TAKE(rev, x2, rev)
	STP.W (x1, x2), 32(p)
	SUBS $4, x0
	BHI  four
	B    taken
many:
	VDUP index, vBase.D2
	EACHBYTE(WRITE64, 3)
	B    taken
done:
	MOVD dst+0(FP), x0
	SUB  x0, out
	LSR  $3, out
	MOVD out, written+40(FP)
	MOVD n+24(FP), x0
	SUB  left, x0
	MOVD x0, consumed+48(FP)
	RET

// func decode32NEON(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
//
// The same for indices of 32 bits, which wrap around.
TEXT ·decode32NEON(SB), NOSPLIT, $0-56
	MOVD  dst+0(FP), out
	MOVD  room+8(FP), end
	MOVD  words+16(FP), src
	MOVD  n+24(FP), left
	MOVWU base+32(FP), index
	SETUP(2)
again:
	RUN(2)
loop:
	NEXT
	STPW (x0, x1), (out)
	CBNZ rev, more
	// out += 1 if the first bit was the last, 2 otherwise
	CMP  $0, x2
	CINC NE, one, ones
taken:
	ADD  ones<<2, out
skip:
	ADD  $64, index
	SUBS $1, run
	BNE  loop
	B    again
more:
	COUNT
	CMP  $few32, ones
	BHI  many
	MOVD out, p
	SUBS $2, ones, x0
four:
	TAKE(rev, x1, rev)
	TAKE(rev, x2, rev)
	STPW (x1, x2), 8(p)
	TAKE(rev, x1, rev)
	TAKE(rev, x2, rev)
	STPW.W (x1, x2), 16(p)
	SUBS $4, x0
	BHI  four
	B    taken
many:
	VDUP  index, vBase.S4
	EACHBYTE(WRITE32, 2)
	B     taken
done:
	MOVD  dst+0(FP), x0
	SUB   x0, out
	LSR   $2, out
	MOVD  out, written+40(FP)
	MOVD  n+24(FP), x0
	SUB   left, x0
	MOVD  x0, consumed+48(FP)
	RET
