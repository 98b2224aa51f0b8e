//go:build !purego

// Decoding: the indices of the set bits of a slice of words.
//
// The kernels look at eight words at a time. The largest of their counts
// chooses how many vectors (or indices) are written for each of the eight
// without looking at the bits again, so that a branch can be mispredicted once
// in eight words and not once in one: at density 1/8, 6 cycles a word instead of
// 15. What is written past a word's last index is overwritten by the next word's
// or left as garbage, always inside dst: a word is only done this way while 64
// places are free. The places after that are filled exactly.
//
// AVX-512 packs the numbers 0 to 63 of the set bits to the front of one vector
// of bytes with VPCOMPRESSB, then widens them. It never compresses to memory,
// which Zen 4 does in microcode. VPCOMPRESSD, sixteen bits a time, took 13
// cycles a word at every density, against 4.4 to 11 for indices of 32 bits.
// VPCOMPRESSB waits for the last value of its destination, even where masking
// zeroes it: without the VPXOR before, 6.3 cycles and not 4.4.
//
// AVX2 looks the bits of each byte up in a table of their numbers (14 cycles a
// word for 32 bits, 24 for 64), or takes the lowest bits one by one (one cycle
// each) where all eight words have few.

#include "textflag.h"

#define to   DI // where the next index goes
#define limit R12 // the end of dst
#define src  SI // the next word
#define stop DX // the end of its block of eight
#define end  R8 // the end of all words
#define w    BX
#define cnt  AX
#define m    R13

// ARGS loads them for indices of size bytes.
#define ARGS(size) \
	MOVQ dst+0(FP), to             \
	MOVQ room+8(FP), limit         \
	SHLQ $size, limit              \
	ADDQ to, limit                 \
	MOVQ words+16(FP), src         \
	MOVQ n+24(FP), end             \
	LEAQ (src)(end*8), end

// RESULTS stores them. Clobbers to, src.
#define RESULTS(size) \
	SUBQ dst+0(FP), to       \
	SHRQ $size, to           \
	MOVQ to, written+40(FP)  \
	SUBQ words+16(FP), src   \
	SHRQ $3, src             \
	MOVQ src, consumed+48(FP) \
	RET

// BLOCK sets stop and cnt = (stop-src)/8 for the next block, at most eight words.
#define BLOCK \
	MOVQ    end, cnt         \
	SUBQ    src, cnt         \
	MOVL    $64, stop        \
	CMPQ    cnt, stop        \
	CMOVQHI stop, cnt        \
	LEAQ    (src)(cnt*1), stop \
	SHRQ    $3, cnt

// TIGHT writes the words from src on bit by bit while their indices fit. index is
// the index of the first word's bit 0. Clobbers R9, R10, w, cnt.
//
// A masked store would do it without a loop, but it takes an assist by microcode
// when the part it leaves out lies in a page that is not mapped yet: a hundred
// cycles a word, seen with 256 places at the end of a page.
#define TIGHT(index, SCALE, MOV) \
tightWord: \
	MOVQ    (src), w            \
	POPCNTQ w, cnt              \
	LEAQ    (to)(cnt*SCALE), R9 \
	CMPQ    R9, limit           \
	JHI     done                \
	TESTQ   w, w                \
	JZ      tightNext           \
tightBit: \
	TZCNTQ  w, R10              \
	ADDQ    index, R10          \
	MOV     R10, (to)           \
	ADDQ    $SCALE, to          \
	BLSRQ   w, w                \
	JNZ     tightBit            \
tightNext: \
	ADDQ    $64, index          \
	ADDQ    $8, src             \
	CMPQ    src, end            \
	JB      tightWord           \
done: \
	VZEROUPPER

// ---- AVX-512 ----

DATA bitNumbers<>+0x00(SB)/8, $0x0706050403020100
DATA bitNumbers<>+0x08(SB)/8, $0x0f0e0d0c0b0a0908
DATA bitNumbers<>+0x10(SB)/8, $0x1716151413121110
DATA bitNumbers<>+0x18(SB)/8, $0x1f1e1d1c1b1a1918
DATA bitNumbers<>+0x20(SB)/8, $0x2726252423222120
DATA bitNumbers<>+0x28(SB)/8, $0x2f2e2d2c2b2a2928
DATA bitNumbers<>+0x30(SB)/8, $0x3736353433323130
DATA bitNumbers<>+0x38(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL bitNumbers<>(SB), RODATA|NOPTR, $64

#define packed  Z0  // bytes: the numbers of the word's set bits
#define origin  Z16 // each lane: the index of the word's bit 0
#define step    Z17 // each lane: 64
#define numbers Z18 // bytes: 0 to 63

// PACK sets cnt and packed from the word at src. Clobbers K1, w.
#define PACK \
	MOVQ          (src), w            \
	KMOVQ         w, K1               \
	POPCNTQ       w, cnt              \
	VPXOR         X0, X0, X0          \
	VPCOMPRESSB.Z numbers, K1, packed

// PUT32 and PUT64 write the indices of the first 16 or 8 bytes of packed at
// distance off, NEXT brings the following bytes to the front. Clobber Z1.

#define PUT32(off) \
	VPMOVZXBD X0, Z1       \
	VPADDD    origin, Z1, Z1 \
	VMOVDQU32 Z1, off(to)

#define PUT64(off) \
	VPMOVZXBQ X0, Z1       \
	VPADDQ    origin, Z1, Z1 \
	VMOVDQU64 Z1, off(to)

#define NEXT32 VALIGNQ $2, packed, packed, packed
#define NEXT64 VALIGNQ $1, packed, packed, packed

#define PUT32_16 \
	PUT32(0)
#define PUT32_32 \
	PUT32(0)   \
	NEXT32     \
	PUT32(64)
#define PUT32_48 \
	PUT32_32   \
	NEXT32     \
	PUT32(128)
#define PUT32_64 \
	PUT32_48   \
	NEXT32     \
	PUT32(192)

#define PUT64_8 \
	PUT64(0)
#define PUT64_16 \
	PUT64(0)   \
	NEXT64     \
	PUT64(64)
#define PUT64_24 \
	PUT64_16   \
	NEXT64     \
	PUT64(128)
#define PUT64_40 \
	PUT64_24   \
	NEXT64     \
	PUT64(192) \
	NEXT64     \
	PUT64(256)
#define PUT64_64 \
	PUT64_40   \
	NEXT64     \
	PUT64(320) \
	NEXT64     \
	PUT64(384) \
	NEXT64     \
	PUT64(448)

// WORDS writes the words up to stop with PUTS, then goes on with the next
// block, or where room is short to tight.
#define WORDS(loop, PLACES, PUTS, SCALE, VADD) \
loop: \
	LEAQ (PLACES*SCALE)(to), w  \
	CMPQ w, limit               \
	JHI  tight                  \
	PACK                        \
	PUTS                        \
	LEAQ (to)(cnt*SCALE), to    \
	VADD step, origin, origin       \
	ADDQ $8, src                \
	CMPQ src, stop              \
	JB   loop                   \
	JMP  block

// LOOK sets Z0 to the cnt words at src and m to a mask of those that are not 0.
// Clobbers w, K1.
#define LOOK \
	MOVL        $-1, w        \
	BZHIL       cnt, w, w     \
	KMOVB       w, K1         \
	VMOVDQU64.Z (src), K1, Z0 \
	VPTESTMQ    Z0, Z0, K1    \
	KMOVB       K1, m

// LARGEST sets cnt to the largest count of the words in Z0. Clobbers Z0, Z1.
#define LARGEST \
	VPOPCNTQ      Z0, Z0     \
	VEXTRACTI64X4 $1, Z0, Y1 \
	VPMAXUQ       Y1, Y0, Y0 \
	VEXTRACTI128  $1, Y0, X1 \
	VPMAXUQ       X1, X0, X0 \
	VPSRLDQ       $8, X0, X1 \
	VPMAXUQ       X1, X0, X0 \
	VMOVQ         X0, cnt

// FEW writes a block of which one or two words are not 0, those that m has. It
// goes to busy where they have more than LANES bits or the room is short.
// Clobbers R9, R10, R11, w, cnt, m, K1, Z0 to Z2.
#define FEW(busy, LANES, SCALE, VPMOVZX, VPBROADCAST, VADD) \
	TZCNTL  m, R9                \
	BLSRL   m, m                 \
	TZCNTL  m, R10               \
	XORL    R11, R11             \
	MOVQ    (src)(R9*8), w       \
	TESTL   m, m                 \
	CMOVQEQ R9, R10              \
	CMOVQNE (src)(R10*8), R11    \
	POPCNTQ w, cnt               \
	CMPQ    cnt, $LANES          \
	JHI     busy                 \
	POPCNTQ R11, m               \
	CMPQ    m, $LANES            \
	JHI     busy                 \
	LEAQ    (to)(cnt*SCALE), cnt \
	LEAQ    -64(limit), CX       \
	CMPQ    cnt, CX              \
	JHI     busy                 \
	SHLL    $6, R9               \
	SHLL    $6, R10              \
	VPBROADCAST R9, Z2           \
	VADD    origin, Z2, Z2       \
	KMOVQ   w, K1                \
	VPXOR   X0, X0, X0           \
	VPCOMPRESSB.Z numbers, K1, Z0 \
	VPMOVZX X0, Z0               \
	VADD    Z2, Z0, Z0           \
	VMOVDQU64 Z0, (to)           \
	VPBROADCAST R10, Z2          \
	VADD    origin, Z2, Z2       \
	KMOVQ   R11, K1              \
	VPXOR   X0, X0, X0           \
	VPCOMPRESSB.Z numbers, K1, Z0 \
	VPMOVZX X0, Z0               \
	VADD    Z2, Z0, Z0           \
	VMOVDQU64 Z0, (cnt)          \
	LEAQ    (cnt)(m*SCALE), to

// func decodeAVX512(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
// room and n >= 1. As decodeGeneric, but what lies in dst after the written
// indices is undefined, here and below.
TEXT ·decodeAVX512(SB), NOSPLIT, $0-56
	ARGS(3)
	MOVL         $64, AX
	VPBROADCASTQ AX, step
	MOVQ         base+32(FP), AX
	VPBROADCASTQ AX, origin
	VMOVDQU64    bitNumbers<>(SB), numbers
block:
	CMPQ    src, end
	JAE     done
	BLOCK
	LOOK
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST
	CMPQ    cnt, $8
	JLS     words8
	CMPQ    cnt, $16
	JLS     words16
	CMPQ    cnt, $24
	JLS     words24
	CMPQ    cnt, $40
	JLS     words40
	JMP     words64
few:
	TESTL   m, m
	JZ      next
	FEW(words64, 8, 8, VPMOVZXBQ, VPBROADCASTQ, VPADDQ)
next:
	MOVQ    stop, src
	VPSLLQ  $3, step, Z0
	VPADDQ  Z0, origin, origin
	JMP     block
	WORDS(words8, 8, PUT64_8, 8, VPADDQ)
	WORDS(words16, 16, PUT64_16, 8, VPADDQ)
	WORDS(words24, 24, PUT64_24, 8, VPADDQ)
	WORDS(words40, 40, PUT64_40, 8, VPADDQ)
	WORDS(words64, 64, PUT64_64, 8, VPADDQ)
tight:
	VMOVQ X16, R11
	TIGHT(R11, 8, MOVQ)
	RESULTS(3)

// func decode32AVX512(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
TEXT ·decode32AVX512(SB), NOSPLIT, $0-56
	ARGS(2)
	MOVL         $64, AX
	VPBROADCASTD AX, step
	MOVL         base+32(FP), AX
	VPBROADCASTD AX, origin
	VMOVDQU64    bitNumbers<>(SB), numbers
block:
	CMPQ    src, end
	JAE     done
	BLOCK
	LOOK
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST
	CMPQ    cnt, $16
	JLS     words16
	CMPQ    cnt, $32
	JLS     words32
	CMPQ    cnt, $48
	JLS     words48
	JMP     words64
few:
	TESTL   m, m
	JZ      next
	FEW(words64, 16, 4, VPMOVZXBD, VPBROADCASTD, VPADDD)
next:
	MOVQ    stop, src
	VPSLLD  $3, step, Z0
	VPADDD  Z0, origin, origin
	JMP     block
	WORDS(words16, 16, PUT32_16, 4, VPADDD)
	WORDS(words32, 32, PUT32_32, 4, VPADDD)
	WORDS(words48, 48, PUT32_48, 4, VPADDD)
	WORDS(words64, 64, PUT32_64, 4, VPADDD)
tight:
	VMOVQ X16, R11
	TIGHT(R11, 4, MOVL)
	RESULTS(2)

#undef packed
#undef origin
#undef step
#undef numbers

// ---- AVX2 ----

#define index R11 // of bit 0 of the word at src
#define lut   CX  // byteNumbers
#define eight Y3  // each lane: 8
#define zero  Y4

// BIT32 and BIT64 write the index of the lowest bit of word, whose bit 0 has the
// index from, i places after place, and clear it; if there is none, garbage.
// Clobber t.

#define BIT32(word, from, place, i, t) \
	TZCNTQ word, t    \
	BLSRQ  word, word \
	ADDL   from, t    \
	MOVL   t, (4*(i))(place)

#define BIT64(word, from, place, i, t) \
	TZCNTQ word, t    \
	BLSRQ  word, word \
	ADDQ   from, t    \
	MOVQ   t, (8*(i))(place)

#define BITS4(BIT, word, from, place, i) \
	BIT(word, from, place, i, R10)   \
	BIT(word, from, place, i+1, R10) \
	BIT(word, from, place, i+2, R10) \
	BIT(word, from, place, i+3, R10)

// PUT_BYTE32 and PUT_BYTE64 write the indices of byte i > 0 of the word m, which is
// the low byte of w. Y0 has the index of the byte's bit 0 in each lane, and gets
// that of the next. The bits below it say where they go.
// Clobber R9, R10, Y1, Y2.

#define PUT_BYTE32 \
	MOVBLZX   w, R10            \
	VPMOVZXBD (lut)(R10*8), Y1  \
	VPADDD    Y0, Y1, Y1        \
	VPADDD    eight, Y0, Y0     \
	VMOVDQU   Y1, (to)(R9*4)

#define PUT_BYTE64 \
	MOVBLZX   w, R10            \
	VPMOVZXBQ (lut)(R10*8), Y1  \
	VPMOVZXBQ 4(lut)(R10*8), Y2 \
	VPADDQ    Y0, Y1, Y1        \
	VPADDQ    Y0, Y2, Y2        \
	VPADDQ    eight, Y0, Y0     \
	VMOVDQU   Y1, (to)(R9*8)    \
	VMOVDQU   Y2, 32(to)(R9*8)

#define LATER_BYTE(PUT_BYTE, i) \
	MOVQ    m, R9         \
	SHLQ    $(64-8*i), R9 \
	POPCNTQ R9, R9        \
	SHRQ    $8, w         \
	PUT_BYTE

#define BYTES(PUT_BYTE, VPBROADCAST) \
	VMOVQ       index, X0           \
	VPBROADCAST X0, Y0              \
	MOVQ        w, m                \
	XORL        R9, R9              \
	PUT_BYTE                        \
	LATER_BYTE(PUT_BYTE, 1)  \
	LATER_BYTE(PUT_BYTE, 2)  \
	LATER_BYTE(PUT_BYTE, 3)  \
	LATER_BYTE(PUT_BYTE, 4)  \
	LATER_BYTE(PUT_BYTE, 5)  \
	LATER_BYTE(PUT_BYTE, 6)  \
	LATER_BYTE(PUT_BYTE, 7)

#define BYTES32 BYTES(PUT_BYTE32, VPBROADCASTD)
#define BYTES64 BYTES(PUT_BYTE64, VPBROADCASTQ)

#define BITS32_4 \
	BITS4(BIT32, w, index, to, 0)
#define BITS32_8 \
	BITS32_4                      \
	BITS4(BIT32, w, index, to, 4)

#define BITS64_4 \
	BITS4(BIT64, w, index, to, 0)
#define BITS64_8 \
	BITS64_4                      \
	BITS4(BIT64, w, index, to, 4)
#define BITS64_16 \
	BITS64_8                      \
	BITS4(BIT64, w, index, to, 8) \
	BITS4(BIT64, w, index, to, 12)

// WORDS_AVX2 is WORDS for these. It sets cnt and w for PUTS.
#define WORDS_AVX2(loop, PLACES, PUTS, SCALE) \
loop: \
	LEAQ    (PLACES*SCALE)(to), w \
	CMPQ    w, limit              \
	JHI     tightWord             \
	MOVQ    (src), w              \
	POPCNTQ w, cnt                \
	PUTS                          \
	LEAQ    (to)(cnt*SCALE), to   \
	ADDQ    $64, index            \
	ADDQ    $8, src               \
	CMPQ    src, stop             \
	JB      loop                  \
	JMP     block

// LOOK_AVX2 sets m to a mask of the eight words at src that are not 0.
// Clobbers R9, Y0, Y1.
#define LOOK_AVX2 \
	VPCMPEQQ  (src), zero, Y0   \
	VPCMPEQQ  32(src), zero, Y1 \
	VMOVMSKPD Y0, R9            \
	VMOVMSKPD Y1, m             \
	SHLL      $4, m             \
	ORL       R9, m             \
	XORL      $0xff, m

// LARGER makes cnt the count of a word if that is larger. Clobbers t.
#define LARGER(mem, t) \
	POPCNTQ mem, t \
	CMPQ    t, cnt \
	CMOVQHI t, cnt

// LARGEST_AVX2 sets cnt to the largest count of the eight words at src.
// Clobbers R9, R10.
#define LARGEST_AVX2 \
	POPCNTQ (src), cnt   \
	LARGER(8(src), R9)   \
	LARGER(16(src), R10) \
	LARGER(24(src), R9)  \
	LARGER(32(src), R10) \
	LARGER(40(src), R9)  \
	LARGER(48(src), R10) \
	LARGER(56(src), R9)

// LARGEST_PART is LARGEST_AVX2 for the words up to stop.
#define LARGEST_PART \
	MOVQ    src, R9     \
	XORL    cnt, cnt    \
larger: \
	LARGER((R9), R10)  \
	ADDQ    $8, R9      \
	CMPQ    R9, stop    \
	JB      larger

// FEW_AVX2 is FEW for one or two words of at most four bits each.
// Clobbers R9, R10, R14, w, cnt, m.
#define FEW_AVX2(busy, BIT, SCALE) \
	TZCNTL  m, R9                \
	BLSRL   m, m                 \
	TZCNTL  m, R14               \
	TESTL   m, m                 \
	CMOVQEQ R9, R14              \
	MOVL    $0, m                \
	CMOVQNE (src)(R14*8), m      \
	MOVQ    (src)(R9*8), w       \
	POPCNTQ w, cnt               \
	CMPQ    cnt, $4              \
	JHI     busy                 \
	POPCNTQ m, R10               \
	CMPQ    R10, $4              \
	JHI     busy                 \
	LEAQ    (8*SCALE)(to), R10   \
	CMPQ    R10, limit           \
	JHI     busy                 \
	SHLL    $6, R9               \
	SHLL    $6, R14              \
	ADDQ    index, R9            \
	ADDQ    index, R14           \
	BITS4(BIT, w, R9, to, 0)     \
	LEAQ    (to)(cnt*SCALE), to  \
	POPCNTQ m, cnt               \
	BITS4(BIT, m, R14, to, 0)    \
	LEAQ    (to)(cnt*SCALE), to

// func decodeAVX2(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
TEXT ·decodeAVX2(SB), NOSPLIT, $0-56
	ARGS(3)
	MOVQ         base+32(FP), index
	LEAQ         ·byteNumbers(SB), lut
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
	LOOK_AVX2
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST_AVX2
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
	FEW_AVX2(busy, BIT64, 8)
next:
	MOVQ    stop, src
	ADDQ    $512, index
	JMP     block
	WORDS_AVX2(bits4, 4, BITS64_4, 8)
	WORDS_AVX2(bits8, 8, BITS64_8, 8)
	WORDS_AVX2(bits16, 16, BITS64_16, 8)
	WORDS_AVX2(bytes, 64, BYTES64, 8)
	TIGHT(index, 8, MOVQ)
	RESULTS(3)

// func decode32AVX2(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
TEXT ·decode32AVX2(SB), NOSPLIT, $0-56
	ARGS(2)
	MOVL         base+32(FP), index
	LEAQ         ·byteNumbers(SB), lut
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
	LOOK_AVX2
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST_AVX2
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
	FEW_AVX2(busy, BIT32, 4)
next:
	MOVQ    stop, src
	ADDQ    $512, index
	JMP     block
	WORDS_AVX2(bits4, 4, BITS32_4, 4)
	WORDS_AVX2(bits8, 8, BITS32_8, 4)
	WORDS_AVX2(bytes, 64, BYTES32, 4)
	TIGHT(index, 4, MOVL)
	RESULTS(2)
