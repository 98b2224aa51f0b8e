// The straight-line parts of the kernels for single keys. AVX-512 keeps to registers
// above 15, which need no VZEROUPPER.
//
// What bounds these kernels in cache is the number of instructions, and how many wait
// for another's result. So they have two arguments, the filter's one number says which
// kernel it wants and that it has a block, tests return what is missing as it comes
// from the comparison, and the block is found by the hash before its last step, which
// leaves the upper half as it is. Constants are better moved than read from memory,
// TUNING.md has the figures.

#include "textflag.h"
#include "go_asm.h"

#define filter BX
#define base   DI
#define size   SI // of the bitset, as Bits.size
#define hash   AX
#define key    AX // its lower half
#define upper  DX // its upper half
#define offset DX // of the key's block, in bytes
#define prime1 R8
#define prime2 R9
#define other  R10 // another constant

#define bitsBase (Bits_Bytes)(filter)
#define bitsSize (Bits_size)(filter)

// SBBF_AVALANCHE mixes a hash at the end and splits it.
// in: hash, prime2; out: upper, key; clobbers other
#define SBBF_AVALANCHE \
	MOVQ  hash, upper \
	SHRQ  $33, upper \
	XORQ  upper, hash \
	IMULQ prime2, hash \
	MOVQ  $const_prime3, other \
	MOVQ  hash, upper \
	SHRQ  $29, upper \
	XORQ  upper, hash \
	IMULQ other, hash \
	MOVQ  hash, upper \
	SHRQ  $32, upper \
	XORL  upper, key

// SBBF_HASH8 is XXH64 of 8 bytes: hash.go specifies it.
// in: hash, the integer; out: upper, key; clobbers prime1, prime2, other
#define SBBF_HASH8 \
	MOVQ  $const_prime1, prime1 \
	MOVQ  $const_prime2, prime2 \
	IMULQ prime2, hash \
	ROLQ  $31, hash \
	IMULQ prime1, hash \
	MOVQ  $const_start8, other \
	XORQ  other, hash \
	ROLQ  $27, hash \
	IMULQ prime1, hash \
	MOVQ  $const_prime4, other \
	ADDQ  other, hash \
	SBBF_AVALANCHE

// SBBF_HASH4 is that of 4 bytes.
// in: hash, the integer; out: upper, key; clobbers prime1, prime2, other
#define SBBF_HASH4 \
	MOVQ  $const_prime1, prime1 \
	MOVQ  $const_prime2, prime2 \
	IMULQ prime1, hash \
	MOVQ  $const_start4, other \
	XORQ  other, hash \
	ROLQ  $23, hash \
	IMULQ prime2, hash \
	MOVQ  $const_prime3, other \
	ADDQ  other, hash \
	SBBF_AVALANCHE

// SBBF_LOCATE finds the block: the upper half of the product of 32 bits each, down to a
// block's boundary.
// in: upper, size > 0; out: offset
#define SBBF_LOCATE \
	IMULQ size, offset \
	SHRQ  $32, offset \
	ANDQ  $-const_Bytes, offset

// SBBF512_BITS makes the bits of a key, a register or in memory.
// out: Y16; clobbers Y17
#define SBBF512_BITS(key) \
	VPBROADCASTD key, Y16 \
	VPBROADCASTD ·one(SB), Y17 \
	VPMULLD      ·salts(SB), Y16, Y16 \
	VPSRLD       $const_bitShift, Y16, Y16 \
	VPSLLVD      Y16, Y17, Y16

// SBBF256_BITS makes the bits of a key, which is in X0 or memory.
// out: Y0; clobbers Y1
#define SBBF256_BITS(x) \
	VPBROADCASTD x, Y0 \
	VPBROADCASTD ·one(SB), Y1 \
	VPMULLD      ·salts(SB), Y0, Y0 \
	VPSRLD       $const_bitShift, Y0, Y0 \
	VPSLLVD      Y0, Y1, Y0

// SBBF512_MISSING makes the mask of the words in which bits are missing.
// in: base, offset, Y16; out: K1
#define SBBF512_MISSING \
	VPTESTNMD (base)(offset*1), Y16, K1

// SBBF256_MISSING clears the carry if bits are missing.
// in: base, offset, Y0; clobbers Y1
#define SBBF256_MISSING \
	VMOVDQU (base)(offset*1), Y1 \
	VPTEST  Y0, Y1

// SBBF512_SET and SBBF256_SET set the bits.
// in: base, offset, Y16 or Y0, which they clobber

#define SBBF512_SET \
	VPORD     (base)(offset*1), Y16, Y16 \
	VMOVDQU32 Y16, (base)(offset*1)

#define SBBF256_SET \
	VPOR    (base)(offset*1), Y0, Y0 \
	VMOVDQU Y0, (base)(offset*1)
