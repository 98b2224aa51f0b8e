//go:build !purego

// The blocked filter's kernels for a single key, of any k, for NEON.
//
// They do what test_arm64.s and add_arm64.s say, for one key. Half of the time of
// a lookup in cache is the call, so the verbs themselves are assembly, which the
// exported methods, being inlined, call directly; and they have two arguments only,
// for each goes through memory.
//
// The layout is specified in block.go.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"

#define filter  R0
#define hash    R1
#define addr    R2 // the key's block
#define word    R3 // its in-block word
#define lanes   R4 // probe.on or probe.off, rotated by word
#define path    R5 // probe.path, or probe.uint64s for integers
#define table   R6 // address of testFields or addFields
#define mulMix  R7 // mixMul
#define mulWord R8 // wordMul
#define tmp     R9

// V0 to V3 hold the block.
#define vWords V16 // the in-block words
#define vOn    V18 // in bytes: 1 for lanes that are on, or 64 for those that are off
#define nOn    18
#define vZero  V23

// NEON_BLOCK_ONE_MIX makes of an integer its hash: hash.Mix.
// in: hash, mulMix; out: hash
#define NEON_BLOCK_ONE_MIX \
	EOR hash>>const_mixFirst, hash, hash \
	MUL mulMix, hash, hash               \
	EOR hash>>32, hash, hash             \
	MUL mulMix, hash, hash               \
	EOR hash>>32, hash, hash

// NEON_BLOCK_ONE_FIND loads the block and makes the word.
// in: filter, hash, mulWord; out: addr, word, V0 to V3, vWords; clobbers: tmp
#define NEON_BLOCK_ONE_FIND \
	LDP   Filter_Blocks(filter), (addr, tmp) \
	MUL   mulWord, hash, word                \
	UMULH hash, tmp, tmp                     \
	FMOVD word, F16                          \
	ADD   tmp<<6, addr                       \
	FLDPQ (addr), (F0, F1)                   \
	FLDPQ 32(addr), (F2, F3)

// NEON_BLOCK_ONE_SECOND puts the second word into the other half of vWords.
// in: hash, mulMix, vWords; out: vWords; clobbers: hash
#define NEON_BLOCK_ONE_SECOND \
	EOR  hash>>32, hash, hash \
	MUL  mulMix, hash, hash   \
	VMOV hash, vWords.D[1]

// NEON_BLOCK_ONE_ROTATE loads probe.on or probe.off, a byte for each lane, and
// rotates it.
// in: filter, word; out: lanes; clobbers: tmp
#define NEON_BLOCK_ONE_ROTATE(pattern) \
	MOVD (Filter_probe+pattern)(filter), lanes \
	LSL  $3, word, tmp                         \
	ROR  tmp, lanes, lanes

// NEON_BLOCK_ONE_MISS tests the bits of vWords: NEON_BLOCK_LOCATE and
// NEON_BLOCK_PICK, for one key.
// in: table, testFields; V0 to V3, vWords, vOn; out: tmp, zero if the block has them
// clobbers: V8 to V10, V17, V20 to V23
#define NEON_BLOCK_ONE_MISS \
	FLDPQ (table), (F20, F22)             \
	FLDPQ 32(table), (F21, F9)            \
	VMOVI $7, V10.B16                     \
	VTBL  V20.B16, [V16.B16], V8.B16      \
	VTBL  V21.B16, [V16.B16], V17.B16     \
	USHLH(22, 8, 8)                       \
	USHLH(22, 17, 17)                     \
	VUZP2 V17.B16, V8.B16, V8.B16         \
	VSRI  $5, V8.B16, V9.B16              \
	VUSHR $2, V8.B16, V8.B16              \
	VAND  V10.B16, V8.B16, V8.B16         \
	USHLB(8, nOn, 8)                      \
	VTBL  V9.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V9.B16 \
	VEOR  vZero.B16, vZero.B16, vZero.B16 \
	VBIT  V9.B16, vZero.B16, V8.B16       \
	UMAXPS(8, 8, 8)                       \
	FMOVD F8, tmp

// NEON_BLOCK_ONE_FIELDS makes what adding a first word needs.
// in: table, addFields; out: V20, V22, V24, V25
#define NEON_BLOCK_ONE_FIELDS \
	FLDPQ (table), (F20, F22) \
	FMOVQ 80(table), F25      \
	VMOVI $63, V24.B16

// NEON_BLOCK_ONE_NUMBERS is NEON_BLOCK_NUMBERS without the rotations.
// in: vWords; half, V20 or V21; out: V8
#define NEON_BLOCK_ONE_NUMBERS(half) \
	VTBL  half.B16, [V16.B16], V8.B16 \
	USHLH(22, 8, 8)                   \
	VAND  V24.B16, V8.B16, V8.B16

// NEON_BLOCK_ONE_OFF makes the numbers of the lanes that are off 64 and more, which
// no bit has.
// in: lanes, of probe.off; V8; table; out: V8; clobbers: vOn, V17
#define NEON_BLOCK_ONE_OFF \
	FMOVQ 48(table), F17              \
	FMOVD lanes, F18                  \
	VTBL  V17.B16, [V18.B16], V18.B16 \
	VORR  V18.B16, V8.B16, V8.B16

// NEON_BLOCK_ONE_SET sets the bits that V8 numbers in the block.
// in: V8, V25, V0 to V3; out: V0 to V3; clobbers: V8, V10 to V12
#define NEON_BLOCK_ONE_SET \
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

// func testHash(f *Filter, h uint64) bool
TEXT ·testHash(SB), NOSPLIT, $0-17
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_path)(filter), path
	CBZ   path, generic
	MOVD  h+8(FP), hash
	MOVD  $·testFields(SB), table
	LDP   64(table), (mulMix, mulWord)
	NEON_BLOCK_ONE_FIND
	VMOVI $1, vOn.B8
	CMP   $const_pathK8, path
	BEQ   test
	BGT   second

	// K1to7: only the lanes of the rotated pattern are on
	NEON_BLOCK_ONE_ROTATE(probe_on)
	FMOVD lanes, F18
	B     test

second:
	// K9to16: a second word, in those lanes
	NEON_BLOCK_ONE_SECOND
	NEON_BLOCK_ONE_ROTATE(probe_on)
	VMOV lanes, vOn.D[1]

test:
	// return no bit of the words is missing
	NEON_BLOCK_ONE_MISS
	CMP  $0, tmp
	CSET EQ, tmp
	MOVB tmp, ret+16(FP)
	RET

generic:
	JMP ·testHashGeneric(SB)

// func testUint64(f *Filter, x uint64) bool
TEXT ·testUint64(SB), NOSPLIT, $0-17
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_uint64s)(filter), path
	CBZ   path, generic
	MOVD  x+8(FP), hash
	MOVD  $·testFields(SB), table
	LDP   64(table), (mulMix, mulWord)
	NEON_BLOCK_ONE_MIX
	NEON_BLOCK_ONE_FIND
	VMOVI $1, vOn.B8
	CMP   $const_pathK8, path
	BEQ   test
	BGT   second

	// K1to7: only the lanes of the rotated pattern are on
	NEON_BLOCK_ONE_ROTATE(probe_on)
	FMOVD lanes, F18
	B     test

second:
	// K9to16: a second word, in those lanes
	NEON_BLOCK_ONE_SECOND
	NEON_BLOCK_ONE_ROTATE(probe_on)
	VMOV lanes, vOn.D[1]

test:
	// return no bit of the words is missing
	NEON_BLOCK_ONE_MISS
	CMP  $0, tmp
	CSET EQ, tmp
	MOVB tmp, ret+16(FP)
	RET

generic:
	JMP ·testUint64Generic(SB)

// func addHash(f *Filter, h uint64)
TEXT ·addHash(SB), NOSPLIT, $0-16
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_path)(filter), path
	CBZ   path, generic
	MOVD  h+8(FP), hash
	MOVD  $·addFields(SB), table
	LDP   64(table), (mulMix, mulWord)
	NEON_BLOCK_ONE_FIND
	NEON_BLOCK_ONE_FIELDS
	NEON_BLOCK_ONE_NUMBERS(V20)
	CMP $const_pathK8, path
	BEQ set
	BLT some

	// K9to16: the first word in all lanes, then the second
	NEON_BLOCK_ONE_SET
	NEON_BLOCK_ONE_SECOND
	FMOVQ 32(table), F21
	NEON_BLOCK_ONE_NUMBERS(V21)

some:
	// only in the lanes of the rotated pattern
	NEON_BLOCK_ONE_ROTATE(probe_off)
	NEON_BLOCK_ONE_OFF

set:
	NEON_BLOCK_ONE_SET
	FSTPQ (F0, F1), (addr)
	FSTPQ (F2, F3), 32(addr)
	RET

generic:
	JMP ·addHashGeneric(SB)

// func addUint64(f *Filter, x uint64)
TEXT ·addUint64(SB), NOSPLIT, $0-16
	MOVD  f+0(FP), filter
	MOVBU (Filter_probe+probe_uint64s)(filter), path
	CBZ   path, generic
	MOVD  x+8(FP), hash
	MOVD  $·addFields(SB), table
	LDP   64(table), (mulMix, mulWord)
	NEON_BLOCK_ONE_MIX
	NEON_BLOCK_ONE_FIND
	NEON_BLOCK_ONE_FIELDS
	NEON_BLOCK_ONE_NUMBERS(V20)
	CMP $const_pathK8, path
	BEQ set
	BLT some

	// K9to16: the first word in all lanes, then the second
	NEON_BLOCK_ONE_SET
	NEON_BLOCK_ONE_SECOND
	FMOVQ 32(table), F21
	NEON_BLOCK_ONE_NUMBERS(V21)

some:
	// only in the lanes of the rotated pattern
	NEON_BLOCK_ONE_ROTATE(probe_off)
	NEON_BLOCK_ONE_OFF

set:
	NEON_BLOCK_ONE_SET
	FSTPQ (F0, F1), (addr)
	FSTPQ (F2, F3), 32(addr)
	RET

generic:
	JMP ·addUint64Generic(SB)
