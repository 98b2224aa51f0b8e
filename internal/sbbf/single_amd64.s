//go:build !purego

// The verbs for a single key. The exported functions, which are inlined, call them
// directly: in cache the call is a good part of a probe's time.
//
// level is that of the kernel to take. The tests return what is missing, 0 if nothing
// is. A bitset without a block goes to Go, which has no bit missing there or panics.

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

DATA ·primes+0(SB)/8, $const_prime1
DATA ·primes+8(SB)/8, $const_prime2
DATA ·primes+16(SB)/8, $const_prime3
DATA ·primes+24(SB)/8, $const_prime4
DATA ·primes+32(SB)/8, $const_start8
DATA ·primes+40(SB)/8, $const_start4
GLOBL ·primes(SB), RODATA|NOPTR, $48

DATA ·upperHalf+0(SB)/8, $0xffffffff00000000
GLOBL ·upperHalf(SB), RODATA|NOPTR, $8

DATA ·one+0(SB)/4, $1
GLOBL ·one(SB), RODATA|NOPTR, $4

// func testOne(b *byte, n int, h uint64, level cpu.Level) (missing uint8)
TEXT ·testOne(SB), NOSPLIT, $0-33
	MOVQ b+0(FP), base
	MOVQ n+8(FP), size
	MOVQ h+16(FP), hash
	ANDQ $-const_Bytes, size
	JEQ  generic
	CMPB level+24(FP), $const_levelAVX512
	JNE  avx2
	MOVL hash, key
	SBBF_LOCATE
	SBBF512_BITS
	SBBF512_MISSING
	KMOVB K1, missing+32(FP)
	RET

avx2:
	CMPB level+24(FP), $const_levelAVX2
	JNE  generic
	MOVL hash, key
	SBBF_LOCATE
	SBBF256_BITS
	SBBF256_MISSING
	SETCC missing+32(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testOneGeneric(SB)

// func addOne(b *byte, n int, h uint64, level cpu.Level)
TEXT ·addOne(SB), NOSPLIT, $0-25
	MOVQ b+0(FP), base
	MOVQ n+8(FP), size
	MOVQ h+16(FP), hash
	ANDQ $-const_Bytes, size
	JEQ  generic
	CMPB level+24(FP), $const_levelAVX512
	JNE  avx2
	MOVL hash, key
	SBBF_LOCATE
	SBBF512_BITS
	SBBF512_SET
	RET

avx2:
	CMPB level+24(FP), $const_levelAVX2
	JNE  generic
	MOVL hash, key
	SBBF_LOCATE
	SBBF256_BITS
	SBBF256_SET
	VZEROUPPER
	RET

generic:
	JMP ·addOneGeneric(SB)

// func testUint64(b *byte, n int, x uint64, level cpu.Level) (missing uint8)
TEXT ·testUint64(SB), NOSPLIT, $0-33
	MOVQ b+0(FP), base
	MOVQ n+8(FP), size
	MOVQ x+16(FP), hash
	ANDQ $-const_Bytes, size
	JEQ  generic
	CMPB level+24(FP), $const_levelAVX512
	JNE  avx2
	SBBF_HASH8
	SBBF_KEY
	SBBF_LOCATE
	SBBF512_BITS
	SBBF512_MISSING
	KMOVB K1, missing+32(FP)
	RET

avx2:
	CMPB level+24(FP), $const_levelAVX2
	JNE  generic
	SBBF_HASH8
	SBBF_KEY
	SBBF_LOCATE
	SBBF256_BITS
	SBBF256_MISSING
	SETCC missing+32(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testUint64Generic(SB)

// func addUint64(b *byte, n int, x uint64, level cpu.Level)
TEXT ·addUint64(SB), NOSPLIT, $0-25
	MOVQ b+0(FP), base
	MOVQ n+8(FP), size
	MOVQ x+16(FP), hash
	ANDQ $-const_Bytes, size
	JEQ  generic
	CMPB level+24(FP), $const_levelAVX512
	JNE  avx2
	SBBF_HASH8
	SBBF_KEY
	SBBF_LOCATE
	SBBF512_BITS
	SBBF512_SET
	RET

avx2:
	CMPB level+24(FP), $const_levelAVX2
	JNE  generic
	SBBF_HASH8
	SBBF_KEY
	SBBF_LOCATE
	SBBF256_BITS
	SBBF256_SET
	VZEROUPPER
	RET

generic:
	JMP ·addUint64Generic(SB)

// func testUint32(b *byte, n int, x uint32, level cpu.Level) (missing uint8)
TEXT ·testUint32(SB), NOSPLIT, $0-25
	MOVQ b+0(FP), base
	MOVQ n+8(FP), size
	MOVLQZX x+16(FP), hash
	ANDQ $-const_Bytes, size
	JEQ  generic
	CMPB level+20(FP), $const_levelAVX512
	JNE  avx2
	SBBF_HASH4
	SBBF_KEY
	SBBF_LOCATE
	SBBF512_BITS
	SBBF512_MISSING
	KMOVB K1, missing+24(FP)
	RET

avx2:
	CMPB level+20(FP), $const_levelAVX2
	JNE  generic
	SBBF_HASH4
	SBBF_KEY
	SBBF_LOCATE
	SBBF256_BITS
	SBBF256_MISSING
	SETCC missing+24(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testUint32Generic(SB)

// func addUint32(b *byte, n int, x uint32, level cpu.Level)
TEXT ·addUint32(SB), NOSPLIT, $0-21
	MOVQ b+0(FP), base
	MOVQ n+8(FP), size
	MOVLQZX x+16(FP), hash
	ANDQ $-const_Bytes, size
	JEQ  generic
	CMPB level+20(FP), $const_levelAVX512
	JNE  avx2
	SBBF_HASH4
	SBBF_KEY
	SBBF_LOCATE
	SBBF512_BITS
	SBBF512_SET
	RET

avx2:
	CMPB level+20(FP), $const_levelAVX2
	JNE  generic
	SBBF_HASH4
	SBBF_KEY
	SBBF_LOCATE
	SBBF256_BITS
	SBBF256_SET
	VZEROUPPER
	RET

generic:
	JMP ·addUint32Generic(SB)
