//go:build !purego

// Decoding with AVX-512: the indices of the set bits of a slice of words.
//
// The kernels look at eight words at a time. The fullest of them decides how
// many vectors are written for each of the eight, so that a branch may be
// mispredicted once in eight words and not once in every word (density 1/8,
// indices of 64 bits: 7 cycles a word, and 15 if each word decides for itself).
// What a vector has past the word's last index is overwritten by the next word's
// or left: it is always inside dst, because words are only written so while
// there is room for all of their vectors. What is left of the room is filled bit
// by bit. Of blocks with one or two words that are not 0, only those are written;
// of others with few bits in each, all eight are written with narrower vectors and
// the room is looked at once (one bit in 64 set, indices of 64 bits, 8 KiB: 1.13
// ns a word, with wide vectors 1.30, and 1.34 if the room is looked at for each).
//
// VPCOMPRESSB packs the numbers of a word's set bits to the front of a vector of
// bytes, and VPMOVZX widens them: 4.4 cycles for a word of up to 16 bits into
// indices of 32 bits, 11 for one of up to 64. VPCOMPRESSD, sixteen bits at a
// time, took 13 for every word. Compressing to memory, which Zen 4 does in
// microcode, is out of the question.

#include "textflag.h"
#include "bitset_decode_amd64.h"

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

// PACK sets packed from word. On Zen 4 VPCOMPRESSB waits for the last value of its
// destination even where it zeroes the rest, hence the VPXOR: 4.4 cycles a word,
// and 6.3 without. Clobbers K1.
#define PACK(word) \
	KMOVQ         word, K1            \
	VPXOR         X0, X0, X0          \
	VPCOMPRESSB.Z numbers, K1, packed

// PUT32 and PUT64 write the indices of the first 16 or 8 bytes of packed at
// distance off from to, and NEXT brings the bytes after them to the front.
// Clobber Z1.

#define PUT32(off) \
	VPMOVZXBD X0, Z1         \
	VPADDD    origin, Z1, Z1 \
	VMOVDQU32 Z1, off(to)

#define PUT64(off) \
	VPMOVZXBQ X0, Z1         \
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

// PUT32_8 and PUT64_4 write vectors of 256 bits, of which three in eight straddle
// two cache lines, and not seven in eight.

#define PUT32_8 \
	VPMOVZXBD X0, Y1      \
	VPADDD    Y16, Y1, Y1 \
	VMOVDQU   Y1, (to)

#define PUT64_4 \
	VPMOVZXBQ X0, Y1      \
	VPADDQ    Y16, Y1, Y1 \
	VMOVDQU   Y1, (to)

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

// WORDS writes the words up to stop, PLACES of the room each, and goes on with the
// next block, or where the room is short with tight.
#define WORDS(loop, PLACES, PUTS, SCALE, VADD) \
loop: \
	LEAQ    (PLACES*SCALE)(to), R9 \
	CMPQ    R9, limit              \
	JHI     tight                  \
	MOVQ    (src), w               \
	POPCNTQ w, cnt                 \
	PACK(w)                        \
	PUTS                           \
	LEAQ    (to)(cnt*SCALE), to    \
	VADD    step, origin, origin   \
	ADDQ    $8, src                \
	CMPQ    src, stop              \
	JB      loop                   \
	JMP     block

// WHOLE writes the eight words of a block with LANES bits each at most without
// looking at the room for each, or goes to short: seven words take 7*cnt places
// at most, and the last one's vector LANES.
#define WHOLE(short, LANES, PUTS, SCALE, VADD) \
	LEAQ (cnt)(cnt*2), R9                  \
	LEAQ (R9)(cnt*4), R9                   \
	LEAQ (LANES*SCALE)(to)(R9*SCALE), R9   \
	CMPQ R9, limit                         \
	JHI  short                             \
	ONE(0, PUTS, SCALE, VADD)              \
	ONE(8, PUTS, SCALE, VADD)              \
	ONE(16, PUTS, SCALE, VADD)             \
	ONE(24, PUTS, SCALE, VADD)             \
	ONE(32, PUTS, SCALE, VADD)             \
	ONE(40, PUTS, SCALE, VADD)             \
	ONE(48, PUTS, SCALE, VADD)             \
	ONE(56, PUTS, SCALE, VADD)             \
	MOVQ stop, src                         \
	JMP  block

// ONE writes the word at distance off. Clobbers w, cnt, K1, Z0, Z1.
#define ONE(off, PUTS, SCALE, VADD) \
	MOVQ    off(src), w        \
	POPCNTQ w, cnt             \
	PACK(w)                    \
	PUTS                       \
	LEAQ    (to)(cnt*SCALE), to \
	VADD    step, origin, origin

// LOOK sets Z0 to the eight words at src and m to a mask of those that are not 0.
// Clobbers K1.
#define LOOK \
	VMOVDQU64 (src), Z0  \
	VPTESTMQ  Z0, Z0, K1 \
	KMOVB     K1, m

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

// PUT_AT writes the first indices of word, number i of its block, at place.
// Clobbers i, K1, Z0, Z1.
#define PUT_AT(word, i, place, VPMOVZX, VPBROADCAST, VADD) \
	PACK(word)                 \
	SHLL        $6, i          \
	VPBROADCAST i, Z1          \
	VADD        origin, Z1, Z1 \
	VPMOVZX     X0, Z0         \
	VADD        Z1, Z0, Z0     \
	VMOVDQU64   Z0, (place)

// FEW writes the two words of the block that m has. It goes to busy if one of
// them has more bits than a vector has lanes, or the room is short.
// Clobbers R9, R10, R11, CX, w, cnt, m, K1, Z0, Z1.
#define FEW(busy, LANES, SCALE, VPMOVZX, VPBROADCAST, VADD) \
	TWO_WORDS                      \
	POPCNTQ w, cnt                 \
	CMPQ    cnt, $LANES            \
	JHI     busy                   \
	POPCNTQ R11, m                 \
	CMPQ    m, $LANES              \
	JHI     busy                   \
	LEAQ    (to)(cnt*SCALE), cnt   \
	LEAQ    64(cnt), CX            \
	CMPQ    CX, limit              \
	JHI     busy                   \
	PUT_AT(w, R9, to, VPMOVZX, VPBROADCAST, VADD) \
	PUT_AT(R11, R10, cnt, VPMOVZX, VPBROADCAST, VADD) \
	LEAQ    (cnt)(m*SCALE), to

// func decodeAVX512(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
// As decodeGeneric, but the places of dst after the written ones may change, here
// and below.
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
	WHOLE(words8, 4, PUT64_4, 8, VPADDQ)
choose:
	CMPQ    cnt, $8
	JLS     words8
	CMPQ    cnt, $16
	JLS     words16
	CMPQ    cnt, $24
	JLS     words24
	CMPQ    cnt, $40
	JLS     words40
	JMP     words64
part:
	MOVQ    end, stop
	LARGEST_PART
	JMP     choose
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
	VMOVQ   X16, R11
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
	LEAQ    64(src), stop
	CMPQ    stop, end
	JHI     part
	LOOK
	POPCNTL m, w
	CMPL    w, $2
	JLS     few
busy:
	LARGEST
	CMPQ    cnt, $8
	JHI     choose
	WHOLE(words16, 8, PUT32_8, 4, VPADDD)
choose:
	CMPQ    cnt, $16
	JLS     words16
	CMPQ    cnt, $32
	JLS     words32
	CMPQ    cnt, $48
	JLS     words48
	JMP     words64
part:
	MOVQ    end, stop
	LARGEST_PART
	JMP     choose
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
	VMOVQ   X16, R11
	TIGHT(R11, 4, MOVL)
	RESULTS(2)
