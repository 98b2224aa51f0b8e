//go:build !purego

// The verbs for a single key of n bytes, which may be 0: XXH64, that bytes.go specifies,
// and the probe in one call. They read the key's bytes and none beside them.

#include "single_amd64.h"

#define from R11 // the rest of the key
#define left CX  // n, whose lower bits say what is left after the stripes
#define word DX  // upper, before there is one
#define stop SI  // size, before it is loaded: the end of the last stripe
#define v1   DI  // base, likewise
#define v2   R12
#define v3   R13
#define v4   R14

// SBBF_STRIPES makes the accumulators and the end of the stripes.
// in: prime1, prime2, from, left; out: v1 to v4, stop
#define SBBF_STRIPES \
	LEAQ (prime1)(prime2*1), v1 \
	MOVQ prime2, v2 \
	XORL v3, v3 \
	MOVQ prime1, v4 \
	NEGQ v4 \
	MOVQ left, stop \
	ANDQ $-const_stripe, stop \
	ADDQ from, stop

// SBBF_ROUND takes 8 bytes into an accumulator.
// in: bytes, prime1, prime2; in, out: acc; clobbers word
#define SBBF_ROUND(bytes, acc) \
	MOVQ  bytes, word \
	IMULQ prime2, word \
	ADDQ  word, acc \
	ROLQ  $31, acc \
	IMULQ prime1, acc

// SBBF_SUM adds the accumulators up.
// in: v1 to v4; out: hash; clobbers word
#define SBBF_SUM \
	MOVQ v1, hash \
	ROLQ $1, hash \
	MOVQ v2, word \
	ROLQ $7, word \
	ADDQ word, hash \
	MOVQ v3, word \
	ROLQ $12, word \
	ADDQ word, hash \
	MOVQ v4, word \
	ROLQ $18, word \
	ADDQ word, hash

// SBBF_MERGE takes an accumulator into the hash.
// in: prime1, prime2, other = prime4; in, out: hash; clobbers acc
#define SBBF_MERGE(acc) \
	IMULQ prime2, acc \
	ROLQ  $31, acc \
	IMULQ prime1, acc \
	XORQ  acc, hash \
	IMULQ prime1, hash \
	ADDQ  other, hash

// SBBF_EIGHT takes 8 bytes into the hash.
// in: bytes, prime1, prime2, other = prime4; in, out: hash; clobbers word
#define SBBF_EIGHT(bytes) \
	MOVQ  bytes, word \
	IMULQ prime2, word \
	ROLQ  $31, word \
	IMULQ prime1, word \
	XORQ  word, hash \
	ROLQ  $27, hash \
	IMULQ prime1, hash \
	ADDQ  other, hash

// SBBF_FOUR takes 4 bytes.
// in: bytes, prime1, prime2; in, out: hash; clobbers word, other
#define SBBF_FOUR(bytes) \
	MOVL  bytes, word \
	MOVQ  $const_prime3, other \
	IMULQ prime1, word \
	XORQ  word, hash \
	ROLQ  $23, hash \
	IMULQ prime2, hash \
	ADDQ  other, hash

// SBBF_ONE takes a byte.
// in: byte, prime1, other = prime5; in, out: hash; clobbers word
#define SBBF_ONE(byte) \
	MOVBLZX byte, word \
	IMULQ   other, word \
	XORQ    word, hash \
	ROLQ    $11, hash \
	IMULQ   prime1, hash

// func testBytes(p *Bits, data *byte, n int) (missing uint8)
TEXT ·testBytes(SB), NOSPLIT, $0-25
	MOVQ p+0(FP), filter
	MOVQ data+8(FP), from
	MOVQ n+16(FP), left
	CMPQ bitsSize, $0
	JEQ  generic
	CMPQ left, $const_maxKey
	JHI  generic
	MOVQ $const_prime1, prime1
	MOVQ $const_prime2, prime2
	MOVQ $const_prime4, other
	CMPQ left, $const_stripe
	JHS  long
	MOVQ $const_prime5, hash

rest:
	ADDQ  left, hash
	TESTB $16, left
	JEQ   under16
	SBBF_EIGHT(0(from))
	SBBF_EIGHT(8(from))
	ADDQ  $16, from

under16:
	TESTB $8, left
	JEQ   under8
	SBBF_EIGHT(0(from))
	ADDQ  $8, from

under8:
	TESTB $4, left
	JEQ   under4
	SBBF_FOUR(0(from))
	ADDQ  $4, from

under4:
	MOVQ  $const_prime5, other
	TESTB $2, left
	JEQ   under2
	SBBF_ONE(0(from))
	SBBF_ONE(1(from))
	ADDQ  $2, from

under2:
	TESTB $1, left
	JEQ   probe
	SBBF_ONE(0(from))

probe:
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	SBBF_AVALANCHE
	TESTQ size, size
	JLT   avx2
	SBBF_LOCATE
	SBBF512_BITS(key)
	SBBF512_MISSING
	KMOVB K1, missing+24(FP)
	RET

avx2:
	NEGQ  size
	SBBF_LOCATE
	VMOVD key, X0
	SBBF256_BITS(X0)
	SBBF256_MISSING
	SETCC missing+24(FP)
	VZEROUPPER
	RET

long:
	SBBF_STRIPES

stripes:
	SBBF_ROUND(0(from), v1)
	SBBF_ROUND(8(from), v2)
	SBBF_ROUND(16(from), v3)
	SBBF_ROUND(24(from), v4)
	ADDQ $const_stripe, from
	CMPQ from, stop
	JNE  stripes
	SBBF_SUM
	SBBF_MERGE(v1)
	SBBF_MERGE(v2)
	SBBF_MERGE(v3)
	SBBF_MERGE(v4)
	JMP  rest

generic:
	JMP ·testBytesGeneric(SB)

// func addBytes(p *Bits, data *byte, n int)
TEXT ·addBytes(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), filter
	MOVQ data+8(FP), from
	MOVQ n+16(FP), left
	CMPQ bitsSize, $0
	JEQ  generic
	CMPQ left, $const_maxKey
	JHI  generic
	MOVQ $const_prime1, prime1
	MOVQ $const_prime2, prime2
	MOVQ $const_prime4, other
	CMPQ left, $const_stripe
	JHS  long
	MOVQ $const_prime5, hash

rest:
	ADDQ  left, hash
	TESTB $16, left
	JEQ   under16
	SBBF_EIGHT(0(from))
	SBBF_EIGHT(8(from))
	ADDQ  $16, from

under16:
	TESTB $8, left
	JEQ   under8
	SBBF_EIGHT(0(from))
	ADDQ  $8, from

under8:
	TESTB $4, left
	JEQ   under4
	SBBF_FOUR(0(from))
	ADDQ  $4, from

under4:
	MOVQ  $const_prime5, other
	TESTB $2, left
	JEQ   under2
	SBBF_ONE(0(from))
	SBBF_ONE(1(from))
	ADDQ  $2, from

under2:
	TESTB $1, left
	JEQ   probe
	SBBF_ONE(0(from))

probe:
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	SBBF_AVALANCHE
	TESTQ size, size
	JLT   avx2
	SBBF_LOCATE
	SBBF512_BITS(key)
	SBBF512_SET
	RET

avx2:
	NEGQ  size
	SBBF_LOCATE
	VMOVD key, X0
	SBBF256_BITS(X0)
	SBBF256_SET
	VZEROUPPER
	RET

long:
	SBBF_STRIPES

stripes:
	SBBF_ROUND(0(from), v1)
	SBBF_ROUND(8(from), v2)
	SBBF_ROUND(16(from), v3)
	SBBF_ROUND(24(from), v4)
	ADDQ $const_stripe, from
	CMPQ from, stop
	JNE  stripes
	SBBF_SUM
	SBBF_MERGE(v1)
	SBBF_MERGE(v2)
	SBBF_MERGE(v3)
	SBBF_MERGE(v4)
	JMP  rest

generic:
	JMP ·addBytesGeneric(SB)
