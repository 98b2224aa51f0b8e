// The straight-line parts of the kernels for single keys. AVX-512 keeps to registers
// above 15, which need no VZEROUPPER.
//
// What bounds a test in cache is the way from the key to the answer, for a branch on
// the answer is predicted wrong half the time. So the block's place is made of the
// hash before its last step, which leaves the upper half as it is, the bits meanwhile,
// and what comes back is what is missing, as it comes from the comparison.

#include "textflag.h"
#include "go_asm.h"

#define base   BX
#define size   R8 // of the bitset in bytes, what is over a block cleared
#define hash   AX
#define key    CX // the hash's lower half
#define offset DX // of the key's block, in bytes; then its address

// SBBF_AVALANCHE mixes a hash at the end, but for the last step, which makes the lower
// half: hash ^= hash >> 32.
// in, out: hash; clobbers key
#define SBBF_AVALANCHE \
	MOVQ  hash, key \
	SHRQ  $33, hash \
	XORQ  key, hash \
	IMULQ ·primes+8(SB), hash \
	MOVQ  hash, key \
	SHRQ  $29, hash \
	XORQ  key, hash \
	IMULQ ·primes+16(SB), hash

// SBBF_HASH8 is XXH64 of 8 bytes without the last step: hash.go specifies it.
// in, out: hash; clobbers key
#define SBBF_HASH8 \
	IMULQ ·primes+8(SB), hash \
	ROLQ  $31, hash \
	IMULQ ·primes+0(SB), hash \
	XORQ  ·primes+32(SB), hash \
	ROLQ  $27, hash \
	IMULQ ·primes+0(SB), hash \
	ADDQ  ·primes+24(SB), hash \
	SBBF_AVALANCHE

// SBBF_HASH4 is that of 4 bytes.
// in, out: hash; clobbers key
#define SBBF_HASH4 \
	IMULQ ·primes+0(SB), hash \
	XORQ  ·primes+40(SB), hash \
	ROLQ  $23, hash \
	IMULQ ·primes+8(SB), hash \
	ADDQ  ·primes+16(SB), hash \
	SBBF_AVALANCHE

// SBBF_KEY takes the last step of a hash for its lower half.
// in: hash; out: key
#define SBBF_KEY \
	MOVQ hash, key \
	SHRQ $32, key \
	XORL hash, key

// SBBF_LOCATE finds the block: the upper half of the product of the hash's upper half,
// in its place, and the size, down to a block's boundary. It is exact for any size.
// in: hash, base, size; out: offset, the block's address; clobbers hash
#define SBBF_LOCATE \
	ANDQ ·upperHalf(SB), hash \
	MULQ size \
	ANDQ $-const_Bytes, offset \
	ADDQ base, offset

// SBBF512_BITS makes the bits of a key.
// in: key; out: Y16; clobbers Y17
#define SBBF512_BITS \
	VPBROADCASTD key, Y16 \
	VPBROADCASTD ·one(SB), Y17 \
	VPMULLD      ·salts(SB), Y16, Y16 \
	VPSRLD       $const_bitShift, Y16, Y16 \
	VPSLLVD      Y16, Y17, Y16

// SBBF256_BITS makes the bits of a key.
// in: key; out: Y0; clobbers Y1
#define SBBF256_BITS \
	VMOVD        key, X0 \
	VPBROADCASTD X0, Y0 \
	VPBROADCASTD ·one(SB), Y1 \
	VPMULLD      ·salts(SB), Y0, Y0 \
	VPSRLD       $const_bitShift, Y0, Y0 \
	VPSLLVD      Y0, Y1, Y0

// SBBF512_MISSING makes the mask of the words in which bits are missing.
// in: offset, Y16; out: K1
#define SBBF512_MISSING \
	VPTESTNMD (offset), Y16, K1

// SBBF256_MISSING clears the carry if bits are missing.
// in: offset, Y0; clobbers Y1
#define SBBF256_MISSING \
	VMOVDQU (offset), Y1 \
	VPTEST  Y0, Y1

// SBBF512_SET and SBBF256_SET set the bits.
// in: offset, Y16 or Y0, which they clobber

#define SBBF512_SET \
	VPORD     (offset), Y16, Y16 \
	VMOVDQU32 Y16, (offset)

#define SBBF256_SET \
	VPOR    (offset), Y0, Y0 \
	VMOVDQU Y0, (offset)
