// Registers, constants and macros of the AVX-512 decoding kernels.

#define packed  Z0  // bytes: the numbers of the word's set bits, ascending, then zeros
#define origin  Z16 // each lane: the index of the word's bit 0
#define step    Z17 // each lane: 64
#define numbers Z18 // bytes: 0 to 63

DATA bitNumbers<>+0x00(SB)/8, $0x0706050403020100
DATA bitNumbers<>+0x08(SB)/8, $0x0f0e0d0c0b0a0908
DATA bitNumbers<>+0x10(SB)/8, $0x1716151413121110
DATA bitNumbers<>+0x18(SB)/8, $0x1f1e1d1c1b1a1918
DATA bitNumbers<>+0x20(SB)/8, $0x2726252423222120
DATA bitNumbers<>+0x28(SB)/8, $0x2f2e2d2c2b2a2928
DATA bitNumbers<>+0x30(SB)/8, $0x3736353433323130
DATA bitNumbers<>+0x38(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL bitNumbers<>(SB), RODATA|NOPTR, $64

// DECODE_PACK sets packed from word. On Zen 4 VPCOMPRESSB waits for the last value
// of its destination even where it zeroes the rest, hence the VPXOR: 4.4 cycles a
// word, and 6.3 without.
// clobbers K1
#define DECODE_PACK(word) \
	KMOVQ         word, K1            \
	VPXOR         X0, X0, X0          \
	VPCOMPRESSB.Z numbers, K1, packed

// DECODE_WORD512 takes the word at distance off from wordp.
// out: w, ones, packed
// clobbers K1
#define DECODE_WORD512(off) \
	MOVQ    off(wordp), w \
	POPCNTQ w, ones       \
	DECODE_PACK(w)

// DECODE_PUT64 and DECODE_PUT32 write the indices of the first 8 or 16 bytes of
// packed at distance off from dstp. DECODE_NEXT64 and DECODE_NEXT32 bring the bytes
// after them to the front.
// in: packed, origin
// clobbers Z1

#define DECODE_PUT64(off) \
	VPMOVZXBQ X0, Z1         \
	VPADDQ    origin, Z1, Z1 \
	VMOVDQU64 Z1, off(dstp)

#define DECODE_PUT32(off) \
	VPMOVZXBD X0, Z1         \
	VPADDD    origin, Z1, Z1 \
	VMOVDQU32 Z1, off(dstp)

#define DECODE_NEXT64 VALIGNQ $1, packed, packed, packed
#define DECODE_NEXT32 VALIGNQ $2, packed, packed, packed

// DECODE_PUT64_n and DECODE_PUT32_n write the indices of the first n bytes.
// clobbers packed, Z1

// Of vectors of 256 bits three in eight straddle two cache lines, and not seven.
#define DECODE_PUT64_4 \
	VPMOVZXBQ X0, Y1      \
	VPADDQ    Y16, Y1, Y1 \
	VMOVDQU   Y1, (dstp)

#define DECODE_PUT64_8 DECODE_PUT64(0)

#define DECODE_PUT64_16 \
	DECODE_PUT64_8   \
	DECODE_NEXT64    \
	DECODE_PUT64(64)

#define DECODE_PUT64_24 \
	DECODE_PUT64_16   \
	DECODE_NEXT64     \
	DECODE_PUT64(128)

#define DECODE_PUT64_40 \
	DECODE_PUT64_24   \
	DECODE_NEXT64     \
	DECODE_PUT64(192) \
	DECODE_NEXT64     \
	DECODE_PUT64(256)

#define DECODE_PUT64_64 \
	DECODE_PUT64_40   \
	DECODE_NEXT64     \
	DECODE_PUT64(320) \
	DECODE_NEXT64     \
	DECODE_PUT64(384) \
	DECODE_NEXT64     \
	DECODE_PUT64(448)

#define DECODE_PUT32_8 \
	VPMOVZXBD X0, Y1      \
	VPADDD    Y16, Y1, Y1 \
	VMOVDQU   Y1, (dstp)

#define DECODE_PUT32_16 DECODE_PUT32(0)

#define DECODE_PUT32_32 \
	DECODE_PUT32_16  \
	DECODE_NEXT32    \
	DECODE_PUT32(64)

#define DECODE_PUT32_48 \
	DECODE_PUT32_32   \
	DECODE_NEXT32     \
	DECODE_PUT32(128)

#define DECODE_PUT32_64 \
	DECODE_PUT32_48   \
	DECODE_NEXT32     \
	DECODE_PUT32(192)

// DECODE_PASS64 and DECODE_PASS32 go on to the place and the index after a word.
// in: ones
// out: dstp, origin

#define DECODE_PASS64 \
	LEAQ   (dstp)(ones*8), dstp \
	VPADDQ step, origin, origin

#define DECODE_PASS32 \
	LEAQ   (dstp)(ones*4), dstp \
	VPADDD step, origin, origin

// DECODE_ONE64 and DECODE_ONE32 decode the word at distance off, which has at most 4
// or 8 set bits.
// out: dstp, origin
// clobbers w, ones, packed, Z1, K1

#define DECODE_ONE64(off) \
	DECODE_WORD512(off) \
	DECODE_PUT64_4      \
	DECODE_PASS64

#define DECODE_ONE32(off) \
	DECODE_WORD512(off) \
	DECODE_PUT32_8      \
	DECODE_PASS32

// DECODE_PUT_AT64 and DECODE_PUT_AT32 write the first 8 or 16 indices of word,
// number i of its block, at place.
// in: origin, the index of the block's bit 0
// clobbers i, packed, Z1, K1

#define DECODE_PUT_AT64(word, i, place) \
	DECODE_PACK(word)           \
	SHLL         $6, i          \
	VPBROADCASTQ i, Z1          \
	VPADDQ       origin, Z1, Z1 \
	VPMOVZXBQ    X0, Z0         \
	VPADDQ       Z1, Z0, Z0     \
	VMOVDQU64    Z0, (place)

#define DECODE_PUT_AT32(word, i, place) \
	DECODE_PACK(word)           \
	SHLL         $6, i          \
	VPBROADCASTD i, Z1          \
	VPADDD       origin, Z1, Z1 \
	VPMOVZXBD    X0, Z0         \
	VPADDD       Z1, Z0, Z0     \
	VMOVDQU64    Z0, (place)

// DECODE_LOOK512 looks at the eight words at wordp.
// out: Z0 the words; mask
// clobbers K1
#define DECODE_LOOK512 \
	VMOVDQU64 (wordp), Z0 \
	VPTESTMQ  Z0, Z0, K1  \
	KMOVB     K1, mask

// DECODE_FULLEST512 sets ones to the largest number of set bits of the words in Z0.
// clobbers Z0, Z1
#define DECODE_FULLEST512 \
	VPOPCNTQ      Z0, Z0     \
	VEXTRACTI64X4 $1, Z0, Y1 \
	VPMAXUQ       Y1, Y0, Y0 \
	VEXTRACTI128  $1, Y0, X1 \
	VPMAXUQ       X1, X0, X0 \
	VPSRLDQ       $8, X0, X1 \
	VPMAXUQ       X1, X0, X0 \
	VMOVQ         X0, ones
