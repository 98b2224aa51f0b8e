//go:build !purego

// The blocked filter's kernels for a single key, of any k, for NEON.
//
// They do what blocked_arm64.s and blocked_add_arm64.s say, for one key. As on
// amd64 the verbs themselves are assembly, so that the exported methods, being
// inlined, call them directly.
//
// The layout is specified in block.go.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"

#define filter  R0
#define hash    R1
#define addr    R2 // the key's block
#define word    R3 // its in-block word
#define lanes   R4 // k, then a byte of 1 for each lane that is on
#define all     R5 // the same for eight lanes
#define table   R6 // testFields or addFields
#define mulMix  R7 // mixMul
#define mulWord R8 // wordMul
#define tmp     R9

// V0 to V3 hold the block.
#define vWords V16 // the in-block words
#define vOnes  V18 // lanes and, for k > 8, all before it
#define nOnes  18
#define vZero  V23

// The multipliers, side by side: cheaper to load than to make.
DATA muls<>+0(SB)/8, $const_mixMul
DATA muls<>+8(SB)/8, $const_wordMul
GLOBL muls<>(SB), RODATA|NOPTR, $16

#define MULS \
	MOVD $muls<>(SB), tmp \
	LDP  (tmp), (mulMix, mulWord)

// MIX makes hash mixUint64(hash).
#define MIX \
	EOR hash>>const_mixFirst, hash, hash \
	MUL mulMix, hash, hash               \
	EOR hash>>32, hash, hash             \
	MUL mulMix, hash, hash               \
	EOR hash>>32, hash, hash

// FIND loads the block, the word, and k.
// clobbers tmp
#define FIND \
	MOVD  (Filter_Blocks+8)(filter), tmp \
	MOVD  Filter_Blocks(filter), addr    \
	MOVD  Filter_K(filter), lanes        \
	UMULH hash, tmp, tmp                  \
	MUL   mulWord, hash, word             \
	ADD   tmp<<6, addr                    \
	FLDPQ (addr), (F0, F1)                \
	FLDPQ 32(addr), (F2, F3)              \
	FMOVD word, F16                       \
	MOVD  $0x0101010101010101, all        \
	CMP   $8, lanes

// SECOND puts the second word into the other half of vWords, and makes of k the
// number of its lanes.
// clobbers hash
#define SECOND \
	EOR  hash>>32, hash, hash \
	MUL  mulMix, hash, hash   \
	VMOV hash, vWords.D[1]    \
	SUB  $8, lanes

// ROTATE makes of the number of lanes which they are.
// clobbers tmp
#define ROTATE \
	LSL $3, lanes         \
	NEG lanes, lanes      \
	LSR lanes, all, lanes \
	LSL $3, word, tmp     \
	ROR tmp, lanes, lanes

// LOCATE is that of blocked_arm64.s.
#define LOCATE \
	MOVD  $·testFields(SB), table     \
	FLDPQ (table), (F20, F21)         \
	FLDPQ 32(table), (F22, F9)        \
	VMOVI $7, V10.B16                 \
	VTBL  V20.B16, [V16.B16], V8.B16  \
	VTBL  V21.B16, [V16.B16], V17.B16 \
	USHLH(22, 8, 8)                   \
	USHLH(22, 17, 17)                 \
	VUZP2 V17.B16, V8.B16, V8.B16     \
	VSRI  $5, V8.B16, V9.B16          \
	VUSHR $2, V8.B16, V8.B16          \
	VAND  V10.B16, V8.B16, V8.B16

// TEST returns whether filter has hash.
#define TEST \
	FIND                      \
	FMOVD all, F18            \
	BEQ   test                \
	BGT   two                 \
	ROTATE                    \
	FMOVD lanes, F18          \
	B     test                \
two: \
	SECOND                    \
	ROTATE                    \
	VMOV  lanes, vOnes.D[1]   \
test: \
	LOCATE                    \
	USHLB(8, nOnes, 8)        \
	VTBL  V9.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V9.B16 \
	VEOR  vZero.B16, vZero.B16, vZero.B16 \
	VBIT  V9.B16, vZero.B16, V8.B16       \
	UMAXPS(8, 8, 8)           \
	FMOVD F8, tmp             \
	CMP   $0, tmp             \
	CSET  EQ, tmp             \
	MOVB  tmp, ret+16(FP)     \
	RET

// The lowest byte of every 16 bits, in the order of ·addFields.
DATA widen<>+0(SB)/8, $0xff06ff04ff02ff00
DATA widen<>+8(SB)/8, $0xff07ff05ff03ff01
GLOBL widen<>(SB), RODATA|NOPTR, $16

// NUMBERS is that of blocked_add_arm64.s, without the rotations.
#define NUMBERS(half) \
	VTBL  half.B16, [V16.B16], V8.B16 \
	USHLH(22, 8, 8)                   \
	VAND  V24.B16, V8.B16, V8.B16

// SET sets the bits that V8 numbers.
// clobbers V9 to V12
#define SET \
	VEXT $2, V8.B16, V8.B16, V10.B16 \
	VEXT $4, V8.B16, V8.B16, V11.B16 \
	VEXT $6, V8.B16, V8.B16, V12.B16 \
	USHLD(8, 25, 8)                  \
	USHLD(10, 25, 10)                \
	USHLD(11, 25, 11)                \
	USHLD(12, 25, 12)                \
	VORR V8.B16, V0.B16, V0.B16      \
	VORR V10.B16, V1.B16, V1.B16     \
	VORR V11.B16, V2.B16, V2.B16     \
	VORR V12.B16, V3.B16, V3.B16

// OFF makes the numbers of the lanes that are off 64 and more, which no bit has.
// in: lanes; clobbers tmp, V17, V18
#define OFF \
	EOR   all, lanes                  \
	LSL   $6, lanes                   \
	FMOVD lanes, F18                  \
	MOVD  $widen<>(SB), tmp           \
	FMOVQ (tmp), F17                  \
	VTBL  V17.B16, [V18.B16], V18.B16 \
	VORR  V18.B16, V8.B16, V8.B16

// ADDHASH adds hash to filter and returns.
#define ADDHASH \
	FIND                         \
	MOVD  $·addFields(SB), table \
	FLDPQ (table), (F20, F21)    \
	FMOVQ 32(table), F22         \
	MOVD  $1, tmp                \
	VDUP  tmp, V25.D2            \
	VMOVI $63, V24.B16           \
	NUMBERS(V20)                 \
	BEQ   set                    \
	BLT   some                   \
	SET                          \
	SECOND                       \
	NUMBERS(V21)                 \
some: \
	ROTATE                       \
	OFF                          \
set: \
	SET                          \
	FSTPQ (F0, F1), (addr)       \
	FSTPQ (F2, F3), 32(addr)     \
	RET

// func testHash(f *Filter, h uint64) bool
TEXT ·testHash(SB), NOSPLIT, $0-17
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_level)(filter), tmp
	CBZ   tmp, generic
	MOVD  h+8(FP), hash
	MULS
	TEST

generic:
	JMP ·testHashGeneric(SB)

// func testUint64(f *Filter, x uint64) bool
TEXT ·testUint64(SB), NOSPLIT, $0-17
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_uint64s)(filter), tmp
	CBZ   tmp, generic
	MOVD  x+8(FP), hash
	MULS
	MIX
	TEST

generic:
	JMP ·testUint64Generic(SB)

// func addHash(f *Filter, h uint64)
TEXT ·addHash(SB), NOSPLIT, $0-16
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_level)(filter), tmp
	CBZ   tmp, generic
	MOVD  h+8(FP), hash
	MULS
	ADDHASH

generic:
	JMP ·addHashGeneric(SB)

// func addUint64(f *Filter, x uint64)
TEXT ·addUint64(SB), NOSPLIT, $0-16
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_uint64s)(filter), tmp
	CBZ   tmp, generic
	MOVD  x+8(FP), hash
	MULS
	MIX
	ADDHASH

generic:
	JMP ·addUint64Generic(SB)
