// Registers and macros of the AVX2 decoding kernels.

#define index R14 // the index of bit 0 of the word at wordp
#define eight Y3  // each lane: 8
#define zero  Y4

// DECODE_BIT64 and DECODE_BIT32 write the index of the lowest set bit of word, whose
// bit 0 has the index from, to place i and clear the bit. If there is none they write
// garbage.
// clobbers CX

#define DECODE_BIT64(word, from, i) \
	TZCNTQ word, CX       \
	BLSRQ  word, word     \
	ADDQ   from, CX       \
	MOVQ   CX, 8*i(dstp)

#define DECODE_BIT32(word, from, i) \
	TZCNTQ word, CX       \
	BLSRQ  word, word     \
	ADDL   from, CX       \
	MOVL   CX, 4*i(dstp)

// DECODE_BITS64_n and DECODE_BITS32_n write the indices of the n lowest set bits of
// word.
// clobbers word, CX

#define DECODE_BITS64_4(word, from) \
	DECODE_BIT64(word, from, 0) \
	DECODE_BIT64(word, from, 1) \
	DECODE_BIT64(word, from, 2) \
	DECODE_BIT64(word, from, 3)

#define DECODE_BITS64_8(word, from) \
	DECODE_BITS64_4(word, from) \
	DECODE_BIT64(word, from, 4) \
	DECODE_BIT64(word, from, 5) \
	DECODE_BIT64(word, from, 6) \
	DECODE_BIT64(word, from, 7)

#define DECODE_BITS64_16(word, from) \
	DECODE_BITS64_8(word, from)  \
	DECODE_BIT64(word, from, 8)  \
	DECODE_BIT64(word, from, 9)  \
	DECODE_BIT64(word, from, 10) \
	DECODE_BIT64(word, from, 11) \
	DECODE_BIT64(word, from, 12) \
	DECODE_BIT64(word, from, 13) \
	DECODE_BIT64(word, from, 14) \
	DECODE_BIT64(word, from, 15)

#define DECODE_BITS32_4(word, from) \
	DECODE_BIT32(word, from, 0) \
	DECODE_BIT32(word, from, 1) \
	DECODE_BIT32(word, from, 2) \
	DECODE_BIT32(word, from, 3)

#define DECODE_BITS32_8(word, from) \
	DECODE_BITS32_4(word, from) \
	DECODE_BIT32(word, from, 4) \
	DECODE_BIT32(word, from, 5) \
	DECODE_BIT32(word, from, 6) \
	DECODE_BIT32(word, from, 7)

// DECODE_BYTE64 and DECODE_BYTE32 write the indices of the low byte of w to place R9.
// in: Y0, each lane: the index of the byte's bit 0; CX byteNumbers
// out: Y0, that of the next byte's
// clobbers R10, Y1, Y2

#define DECODE_BYTE64 \
	MOVBLZX   w, R10           \
	VPMOVZXBQ (CX)(R10*8), Y1  \
	VPMOVZXBQ 4(CX)(R10*8), Y2 \
	VPADDQ    Y0, Y1, Y1       \
	VPADDQ    Y0, Y2, Y2       \
	VPADDQ    eight, Y0, Y0    \
	VMOVDQU   Y1, (dstp)(R9*8) \
	VMOVDQU   Y2, 32(dstp)(R9*8)

#define DECODE_BYTE32 \
	MOVBLZX   w, R10           \
	VPMOVZXBD (CX)(R10*8), Y1  \
	VPADDD    Y0, Y1, Y1       \
	VPADDD    eight, Y0, Y0    \
	VMOVDQU   Y1, (dstp)(R9*4)

// DECODE_SHIFT256 shifts byte i of the word to the low end of w.
// in: mask, the whole word
// out: R9, the number of set bits below the byte: the place of its first index
#define DECODE_SHIFT256(i) \
	MOVQ    mask, R9      \
	SHLQ    $(64-8*i), R9 \
	POPCNTQ R9, R9        \
	SHRQ    $8, w

// DECODE_BYTES64 and DECODE_BYTES32 write the indices of w, byte by byte.
// in: w, index
// clobbers R9, R10, CX, w, mask, Y0 to Y2

#define DECODE_BYTES64 \
	LEAQ         ·byteNumbers(SB), CX \
	VMOVQ        index, X0            \
	VPBROADCASTQ X0, Y0               \
	MOVQ         w, mask              \
	XORL         R9, R9               \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(1)                \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(2)                \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(3)                \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(4)                \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(5)                \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(6)                \
	DECODE_BYTE64                     \
	DECODE_SHIFT256(7)                \
	DECODE_BYTE64

#define DECODE_BYTES32 \
	LEAQ         ·byteNumbers(SB), CX \
	VMOVQ        index, X0            \
	VPBROADCASTD X0, Y0               \
	MOVQ         w, mask              \
	XORL         R9, R9               \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(1)                \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(2)                \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(3)                \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(4)                \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(5)                \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(6)                \
	DECODE_BYTE32                     \
	DECODE_SHIFT256(7)                \
	DECODE_BYTE32

// DECODE_SHORT64 and DECODE_SHORT32 decode the word at distance off, which has at most
// 4 set bits.
// out: dstp, index
// clobbers w, ones, CX

#define DECODE_SHORT64(off) \
	MOVQ    off(wordp), w        \
	POPCNTQ w, ones              \
	DECODE_BITS64_4(w, index)    \
	LEAQ    (dstp)(ones*8), dstp \
	ADDQ    $64, index

#define DECODE_SHORT32(off) \
	MOVQ    off(wordp), w        \
	POPCNTQ w, ones              \
	DECODE_BITS32_4(w, index)    \
	LEAQ    (dstp)(ones*4), dstp \
	ADDQ    $64, index

// DECODE_LOOK256 sets mask for the eight words at wordp.
// clobbers R9, Y0, Y1
#define DECODE_LOOK256 \
	VPCMPEQQ  (wordp), zero, Y0   \
	VPCMPEQQ  32(wordp), zero, Y1 \
	VMOVMSKPD Y0, R9              \
	VMOVMSKPD Y1, mask            \
	SHLL      $4, mask            \
	ORL       R9, mask            \
	XORL      $0xff, mask

// DECODE_FULLEST256 sets ones to the largest number of set bits of the eight words at
// wordp.
// clobbers R9, R10
#define DECODE_FULLEST256 \
	POPCNTQ (wordp), ones      \
	DECODE_MAX(8(wordp), R9)   \
	DECODE_MAX(16(wordp), R10) \
	DECODE_MAX(24(wordp), R9)  \
	DECODE_MAX(32(wordp), R10) \
	DECODE_MAX(40(wordp), R9)  \
	DECODE_MAX(48(wordp), R10) \
	DECODE_MAX(56(wordp), R9)
