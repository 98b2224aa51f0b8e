//go:build !purego

// The verbs for a single key. The exported functions, which are inlined, call them
// directly: in cache the call is a good part of a probe's time.
//
// The sign of Bits.size says which kernel to take, and 0 that it is for Go. The tests
// return what is missing, 0 if nothing is.

#include "single_amd64.h"

// The salts, which the batches read too.
DATA ·salts+0(SB)/4, $const_salt0
DATA ·salts+4(SB)/4, $const_salt1
DATA ·salts+8(SB)/4, $const_salt2
DATA ·salts+12(SB)/4, $const_salt3
DATA ·salts+16(SB)/4, $const_salt4
DATA ·salts+20(SB)/4, $const_salt5
DATA ·salts+24(SB)/4, $const_salt6
DATA ·salts+28(SB)/4, $const_salt7
GLOBL ·salts(SB), RODATA|NOPTR, $32

DATA ·one+0(SB)/4, $1
GLOBL ·one(SB), RODATA|NOPTR, $4

// func testHash(p *Bits, h uint64) (missing uint8)
TEXT ·testHash(SB), NOSPLIT, $0-17
	MOVQ  p+0(FP), filter
	MOVQ  h+8(FP), upper
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	TESTQ size, size
	JLE   avx2
	SHRQ  $32, upper
	SBBF_LOCATE
	SBBF512_BITS(h+8(FP))
	SBBF512_MISSING
	KMOVB K1, missing+16(FP)
	RET

avx2:
	JEQ   generic
	NEGQ  size
	SHRQ  $32, upper
	SBBF_LOCATE
	SBBF256_BITS(h+8(FP))
	SBBF256_MISSING
	SETCC missing+16(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testHashGeneric(SB)

// func addHash(p *Bits, h uint64)
TEXT ·addHash(SB), NOSPLIT, $0-16
	MOVQ  p+0(FP), filter
	MOVQ  h+8(FP), upper
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	TESTQ size, size
	JLE   avx2
	SHRQ  $32, upper
	SBBF_LOCATE
	SBBF512_BITS(h+8(FP))
	SBBF512_SET
	RET

avx2:
	JEQ   generic
	NEGQ  size
	SHRQ  $32, upper
	SBBF_LOCATE
	SBBF256_BITS(h+8(FP))
	SBBF256_SET
	VZEROUPPER
	RET

generic:
	JMP ·addHashGeneric(SB)

// func testUint64(p *Bits, x uint64) (missing uint8)
TEXT ·testUint64(SB), NOSPLIT, $0-17
	MOVQ  p+0(FP), filter
	MOVQ  x+8(FP), hash
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	TESTQ size, size
	JLE   avx2
	SBBF_HASH8
	SBBF_LOCATE
	SBBF512_BITS(key)
	SBBF512_MISSING
	KMOVB K1, missing+16(FP)
	RET

avx2:
	JEQ   generic
	NEGQ  size
	SBBF_HASH8
	SBBF_LOCATE
	VMOVD key, X0
	SBBF256_BITS(X0)
	SBBF256_MISSING
	SETCC missing+16(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testUint64Generic(SB)

// func addUint64(p *Bits, x uint64)
TEXT ·addUint64(SB), NOSPLIT, $0-16
	MOVQ  p+0(FP), filter
	MOVQ  x+8(FP), hash
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	TESTQ size, size
	JLE   avx2
	SBBF_HASH8
	SBBF_LOCATE
	SBBF512_BITS(key)
	SBBF512_SET
	RET

avx2:
	JEQ   generic
	NEGQ  size
	SBBF_HASH8
	SBBF_LOCATE
	VMOVD key, X0
	SBBF256_BITS(X0)
	SBBF256_SET
	VZEROUPPER
	RET

generic:
	JMP ·addUint64Generic(SB)

// func testUint32(p *Bits, x uint32) (missing uint8)
TEXT ·testUint32(SB), NOSPLIT, $0-17
	MOVQ  p+0(FP), filter
	MOVL  x+8(FP), hash
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	TESTQ size, size
	JLE   avx2
	SBBF_HASH4
	SBBF_LOCATE
	SBBF512_BITS(key)
	SBBF512_MISSING
	KMOVB K1, missing+16(FP)
	RET

avx2:
	JEQ   generic
	NEGQ  size
	SBBF_HASH4
	SBBF_LOCATE
	VMOVD key, X0
	SBBF256_BITS(X0)
	SBBF256_MISSING
	SETCC missing+16(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testUint32Generic(SB)

// func addUint32(p *Bits, x uint32)
TEXT ·addUint32(SB), NOSPLIT, $0-12
	MOVQ  p+0(FP), filter
	MOVL  x+8(FP), hash
	MOVQ  bitsSize, size
	MOVQ  bitsBase, base
	TESTQ size, size
	JLE   avx2
	SBBF_HASH4
	SBBF_LOCATE
	SBBF512_BITS(key)
	SBBF512_SET
	RET

avx2:
	JEQ   generic
	NEGQ  size
	SBBF_HASH4
	SBBF_LOCATE
	VMOVD key, X0
	SBBF256_BITS(X0)
	SBBF256_SET
	VZEROUPPER
	RET

generic:
	JMP ·addUint32Generic(SB)
