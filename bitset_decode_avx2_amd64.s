//go:build !purego

// Decoding with AVX2: the same blocks of eight words as with AVX-512, of which
// bitset_decode_amd64.s tells.
//
// Where the fullest word of a block has 4, 8 or 16 bits at most, its lowest bits
// are taken one by one, for one cycle each; with up to 4 in whole blocks without
// looking at the room for each word (one bit in 64 set, 1 KiB: 1.57 ns a word, and
// 1.80 otherwise). Otherwise the bits of each byte are
// looked up in a table of their numbers: 14 cycles a word for indices of 32 bits,
// 24 for 64, whatever the density.

#include "textflag.h"
#include "bitset_decode_amd64.h"

#define index R14 // of bit 0 of the word at src
#define eight Y3  // each lane: 8
#define zero  Y4

// BIT32 and BIT64 write the index of the lowest bit of word, whose bit 0 has the
// index from, to place i, and clear the bit; of no bit they write garbage.
// Clobber CX.

#define BIT32(word, from, i) \
	TZCNTQ word, CX    \
	BLSRQ  word, word  \
	ADDL   from, CX    \
	MOVL   CX, 4*i(to)

#define BIT64(word, from, i) \
	TZCNTQ word, CX    \
	BLSRQ  word, word  \
	ADDQ   from, CX    \
	MOVQ   CX, 8*i(to)

#define BITS4(BIT, word, from) \
	BIT(word, from, 0) \
	BIT(word, from, 1) \
	BIT(word, from, 2) \
	BIT(word, from, 3)

#define BITS8(BIT, word, from) \
	BITS4(BIT, word, from) \
	BIT(word, from, 4)     \
	BIT(word, from, 5)     \
	BIT(word, from, 6)     \
	BIT(word, from, 7)

#define BITS16(BIT, word, from) \
	BITS8(BIT, word, from) \
	BIT(word, from, 8)     \
	BIT(word, from, 9)     \
	BIT(word, from, 10)    \
	BIT(word, from, 11)    \
	BIT(word, from, 12)    \
	BIT(word, from, 13)    \
	BIT(word, from, 14)    \
	BIT(word, from, 15)

#define BITS32_4  BITS4(BIT32, w, index)
#define BITS32_8  BITS8(BIT32, w, index)
#define BITS64_4  BITS4(BIT64, w, index)
#define BITS64_8  BITS8(BIT64, w, index)
#define BITS64_16 BITS16(BIT64, w, index)

// BYTE32 and BYTE64 write the indices of the low byte of w to place R9. Y0 has
// that of the byte's bit 0 in each lane, and gets that of the next byte's.
// Clobber R10, Y1, Y2.

#define BYTE32 \
	MOVBLZX   w, R10           \
	VPMOVZXBD (CX)(R10*8), Y1  \
	VPADDD    Y0, Y1, Y1       \
	VPADDD    eight, Y0, Y0    \
	VMOVDQU   Y1, (to)(R9*4)

#define BYTE64 \
	MOVBLZX   w, R10           \
	VPMOVZXBQ (CX)(R10*8), Y1  \
	VPMOVZXBQ 4(CX)(R10*8), Y2 \
	VPADDQ    Y0, Y1, Y1       \
	VPADDQ    Y0, Y2, Y2       \
	VPADDQ    eight, Y0, Y0    \
	VMOVDQU   Y1, (to)(R9*8)   \
	VMOVDQU   Y2, 32(to)(R9*8)

// NEXT_BYTE is BYTE for the byte after the last one, number i of the word m: its
// place is the count of the bits below it.
#define NEXT_BYTE(BYTE, i) \
	MOVQ    m, R9         \
	SHLQ    $(64-8*i), R9 \
	POPCNTQ R9, R9        \
	SHRQ    $8, w         \
	BYTE

// BYTES writes w byte by byte. Clobbers R9, R10, CX, w, m, Y0 to Y2.
#define BYTES(BYTE, VPBROADCAST) \
	LEAQ        ·byteNumbers(SB), CX \
	VMOVQ       index, X0   \
	VPBROADCAST X0, Y0      \
	MOVQ        w, m        \
	XORL        R9, R9      \
	BYTE                    \
	NEXT_BYTE(BYTE, 1)      \
	NEXT_BYTE(BYTE, 2)      \
	NEXT_BYTE(BYTE, 3)      \
	NEXT_BYTE(BYTE, 4)      \
	NEXT_BYTE(BYTE, 5)      \
	NEXT_BYTE(BYTE, 6)      \
	NEXT_BYTE(BYTE, 7)

#define BYTES32 BYTES(BYTE32, VPBROADCASTD)
#define BYTES64 BYTES(BYTE64, VPBROADCASTQ)

// WORDS writes the words up to stop, PLACES of the room each, and goes on with the
// next block, or where the room is short with tightWord.
#define WORDS(loop, PLACES, PUTS, SCALE) \
loop: \
	LEAQ    (PLACES*SCALE)(to), R9 \
	CMPQ    R9, limit              \
	JHI     tightWord              \
	MOVQ    (src), w               \
	POPCNTQ w, cnt                 \
	PUTS                           \
	LEAQ    (to)(cnt*SCALE), to    \
	ADDQ    $64, index             \
	ADDQ    $8, src                \
	CMPQ    src, stop              \
	JB      loop                   \
	JMP     block

// WHOLE writes the eight words of a block with four bits each at most without
// looking at the room again, or goes to short: seven words take 7*cnt places, and
// the last one four.
#define WHOLE(short, BIT, SCALE) \
	LEAQ (cnt)(cnt*2), R9               \
	LEAQ (R9)(cnt*4), R9                \
	LEAQ (4*SCALE)(to)(R9*SCALE), R9    \
	CMPQ R9, limit                      \
	JHI  short                          \
	ONE(0, BIT, SCALE)                  \
	ONE(8, BIT, SCALE)                  \
	ONE(16, BIT, SCALE)                 \
	ONE(24, BIT, SCALE)                 \
	ONE(32, BIT, SCALE)                 \
	ONE(40, BIT, SCALE)                 \
	ONE(48, BIT, SCALE)                 \
	ONE(56, BIT, SCALE)                 \
	MOVQ stop, src                      \
	JMP  block

// ONE writes the word at distance off. Clobbers w, cnt, CX.
#define ONE(off, BIT, SCALE) \
	MOVQ    off(src), w         \
	POPCNTQ w, cnt              \
	BITS4(BIT, w, index)        \
	LEAQ    (to)(cnt*SCALE), to \
	ADDQ    $64, index

// LOOK sets m to a mask of the eight words at src that are not 0.
// Clobbers R9, Y0, Y1.
#define LOOK \
	VPCMPEQQ  (src), zero, Y0   \
	VPCMPEQQ  32(src), zero, Y1 \
	VMOVMSKPD Y0, R9            \
	VMOVMSKPD Y1, m             \
	SHLL      $4, m             \
	ORL       R9, m             \
	XORL      $0xff, m

// LARGEST sets cnt to the largest count of the eight words at src.
// Clobbers R9, R10.
#define LARGEST \
	POPCNTQ (src), cnt   \
	LARGER(8(src), R9)   \
	LARGER(16(src), R10) \
	LARGER(24(src), R9)  \
	LARGER(32(src), R10) \
	LARGER(40(src), R9)  \
	LARGER(48(src), R10) \
	LARGER(56(src), R9)

// FEW writes the two words of the block that m has. It goes to busy if one of
// them has more than four bits, or the room is short.
// Clobbers R9, R10, R11, CX, w, cnt, m.
#define FEW(busy, BIT, SCALE) \
	TWO_WORDS                    \
	POPCNTQ w, cnt               \
	CMPQ    cnt, $4              \
	JHI     busy                 \
	POPCNTQ R11, m               \
	CMPQ    m, $4                \
	JHI     busy                 \
	LEAQ    (8*SCALE)(to), CX    \
	CMPQ    CX, limit            \
	JHI     busy                 \
	SHLL    $6, R9               \
	SHLL    $6, R10              \
	ADDQ    index, R9            \
	ADDQ    index, R10           \
	BITS4(BIT, w, R9)            \
	LEAQ    (to)(cnt*SCALE), to  \
	BITS4(BIT, R11, R10)         \
	LEAQ    (to)(m*SCALE), to

// func decodeAVX2(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
TEXT ·decodeAVX2(SB), NOSPLIT, $0-56
	ARGS(3)
	MOVQ         base+32(FP), index
	MOVL         $8, AX
	VMOVQ        AX, X3
	VPBROADCASTQ X3, eight
	VPXOR        X4, X4, X4
block:
	CMPQ    src, end
	JAE     done
	LEAQ    64(src), stop
	CMPQ    stop, end
	JHI     part
	LOOK
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST
	CMPQ    cnt, $4
	JHI     choose
	WHOLE(bits4, BIT64, 8)
choose:
	CMPQ    cnt, $4
	JLS     bits4
	CMPQ    cnt, $8
	JLS     bits8
	CMPQ    cnt, $16
	JLS     bits16
	JMP     bytes
part:
	MOVQ    end, stop
	LARGEST_PART
	JMP     choose
few:
	TESTL   m, m
	JZ      next
	FEW(busy, BIT64, 8)
next:
	MOVQ    stop, src
	ADDQ    $512, index
	JMP     block
	WORDS(bits4, 4, BITS64_4, 8)
	WORDS(bits8, 8, BITS64_8, 8)
	WORDS(bits16, 16, BITS64_16, 8)
	WORDS(bytes, 64, BYTES64, 8)
	TIGHT(index, 8, MOVQ)
	RESULTS(3)

// func decode32AVX2(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
TEXT ·decode32AVX2(SB), NOSPLIT, $0-56
	ARGS(2)
	MOVL         base+32(FP), index
	MOVL         $8, AX
	VMOVQ        AX, X3
	VPBROADCASTD X3, eight
	VPXOR        X4, X4, X4
block:
	CMPQ    src, end
	JAE     done
	LEAQ    64(src), stop
	CMPQ    stop, end
	JHI     part
	LOOK
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST
	CMPQ    cnt, $4
	JHI     choose
	WHOLE(bits4, BIT32, 4)
choose:
	CMPQ    cnt, $4
	JLS     bits4
	CMPQ    cnt, $8
	JLS     bits8
	JMP     bytes
part:
	MOVQ    end, stop
	LARGEST_PART
	JMP     choose
few:
	TESTL   m, m
	JZ      next
	FEW(busy, BIT32, 4)
next:
	MOVQ    stop, src
	ADDQ    $512, index
	JMP     block
	WORDS(bits4, 4, BITS32_4, 4)
	WORDS(bits8, 8, BITS32_8, 4)
	WORDS(bytes, 64, BYTES32, 4)
	TIGHT(index, 4, MOVL)
	RESULTS(2)
