//go:build !purego

// The blocked filter's kernels for a single key, of any k.
//
// The layout is specified in block.go. AVX-512 takes the eight lanes
// in one instruction, in registers above 15, which need no VZEROUPPER. AVX2
// takes them in two halves and tests a bit by shifting it up to its lane's sign:
// see blocked_avx2_amd64.s.
//
// Half of the time of a lookup in cache is the call. So the verbs themselves are
// assembly here, which the exported methods, being inlined, call directly; they
// branch on the levels of cpu.go as the other verbs do in Go. TestUint64 at 256
// KiB took 6.1 ns through two Go functions, 4.3 through one. And so there are
// two arguments only: each goes through memory.
//
// The rest is how many lookups the processor has under way at a time. In cache,
// on Zen 4, loads and what waits for a result of others bound that, and not the
// number of instructions: 16 NOPs cost nothing, eight loads 0.4 ns. Hence single's
// fields, a path of its own for each kind of k, and constants for AVX2 that are
// made, not loaded. x is loaded once, by a MOVQ, which does not wait for the
// caller's store as XORQ x+8(FP) does: 0.4 ns.

#include "textflag.h"
#include "go_asm.h"

#define filter BX
#define hash   DX
#define word   DX // the in-block word, which LOCATE puts in the hash's place
#define second DI // the second one
#define base   R8
#define offset SI // the key's block, in bytes from base
#define row    CX // a row of laneSigns

#define singleK     (Filter_probe+probe_k)(filter)
#define singleOn    (Filter_probe+probe_on)(filter)
#define singleOff   (Filter_probe+probe_off)(filter)
#define singleSigns (Filter_probe+probe_signs)(filter)

DATA mulMix<>+0(SB)/8, $const_mixMul
GLOBL mulMix<>(SB), RODATA|NOPTR, $8

DATA mulWord<>+0(SB)/8, $const_wordMul
GLOBL mulWord<>(SB), RODATA|NOPTR, $8

// MIX loads hash with mixUint64(x).
// clobbers CX
#define MIX \
	MOVQ  x+8(FP), hash       \
	MOVQ  hash, CX            \
	SHRQ  $const_mixFirst, CX \
	XORQ  CX, hash            \
	IMULQ mulMix<>(SB), hash  \
	MOVQ  hash, CX            \
	SHRQ  $32, CX             \
	XORQ  CX, hash            \
	IMULQ mulMix<>(SB), hash  \
	MOVQ  hash, CX            \
	SHRQ  $32, CX             \
	XORQ  CX, hash

// GIVEN loads hash with h.
#define GIVEN \
	MOVQ h+8(FP), hash

// LOCATE loads base and offset, and makes word of hash.
// clobbers AX
#define LOCATE \
	MULXQ (Filter_Blocks+8)(filter), AX, offset \
	MOVQ  Filter_Blocks(filter), base           \
	IMULQ mulWord<>(SB), word                    \
	SHLQ  $6, offset

// LOCATE2 is LOCATE that loads second too.
#define LOCATE2 \
	MOVQ  hash, second         \
	SHRQ  $32, second          \
	XORQ  hash, second         \
	IMULQ mulMix<>(SB), second \
	LOCATE

// ROTATE loads K1 with the lanes that word's rotation turns on.
// clobbers word
#define ROTATE \
	ANDL  $7, word             \
	KMOVB singleOn(word*1), K1

// FIELDS makes of a word, for every lane, the distance by which a rotation moves
// a one to its field: rotations use the low six bits only.
#define FIELDS(w, z) \
	VPBROADCASTQ w, z                  \
	VPSRLVQ      ·laneFields(SB), z, z

// BITS loads Z17 with the bit of word in every lane, leaving ones in Z16.
#define BITS \
	VPBROADCASTQ ·laneOne(SB), Z16 \
	FIELDS(word, Z17)              \
	VPROLVQ      Z17, Z16, Z17

// The tests and additions for AVX-512, from the hash on: for k = 8, k < 8 and
// k > 8. They return.

#define TEST8AVX512 \
	LOCATE                              \
	BITS                                \
	VPTESTNMQ (base)(offset*1), Z17, K1 \
	KORTESTB  K1, K1                    \
	SETEQ     ret+16(FP)                \
	RET

#define TESTROTAVX512 \
	LOCATE                                  \
	BITS                                    \
	ROTATE                                  \
	VPTESTNMQ (base)(offset*1), Z17, K1, K1 \
	KORTESTB  K1, K1                        \
	SETEQ     ret+16(FP)                    \
	RET

#define TESTTWOAVX512 \
	LOCATE2                         \
	BITS                            \
	FIELDS(second, Z18)             \
	VPROLVQ   Z18, Z16, Z18         \
	ROTATE                          \
	VMOVDQU64 (base)(offset*1), Z19 \
	VPTESTNMQ Z19, Z17, K2          \
	VPTESTNMQ Z19, Z18, K1, K1      \
	KORTESTB  K1, K2                \
	SETEQ     ret+16(FP)            \
	RET

// SET512 adds the bits in Z17 to the block and returns. A store that has to add
// up its address itself delays the loads of later keys: 5.5 ns for 4.9.
#define SET512 \
	ADDQ      base, offset       \
	VPORQ     (offset), Z17, Z17 \
	VMOVDQU64 Z17, (offset)      \
	RET

#define ADD8AVX512 \
	LOCATE \
	BITS   \
	SET512

#define ADDROTAVX512 \
	LOCATE                         \
	VPBROADCASTQ ·laneOne(SB), Z16 \
	FIELDS(word, Z17)              \
	ROTATE                         \
	VPROLVQ.Z Z17, Z16, K1, Z17    \
	SET512

#define ADDTWOAVX512 \
	LOCATE2                                      \
	BITS                                         \
	FIELDS(second, Z18)                          \
	ROTATE                                       \
	VPROLVQ.Z  Z18, Z16, K1, Z18                 \
	VPTERNLOGQ $0xFE, (base)(offset*1), Z18, Z17 \
	VMOVDQU64  Z17, (base)(offset*1)             \
	RET

#define ones  Y6
#define y63   Y7
#define ySign Y6

// ONES makes ones and y63.
#define ONES \
	VPCMPEQD ones, ones, ones \
	VPSRLQ   $58, ones, y63

// SHIFTS makes of a word, for the lanes in two halves, 63 − field.
#define SHIFTS(w, x, hi, lo) \
	VMOVQ        w, x                       \
	VPBROADCASTQ x, hi                      \
	VPSRLVQ      ·laneFields+0(SB), hi, lo  \
	VPSRLVQ      ·laneFields+32(SB), hi, hi \
	VPANDN       y63, lo, lo                \
	VPANDN       y63, hi, hi

// SIGNS loads Y0 and Y1 with lanes that have the bits of word in their signs,
// leaving the block in Y2 and Y3.
#define SIGNS \
	ONES                           \
	SHIFTS(word, X1, Y1, Y0)       \
	VMOVDQU (base)(offset*1), Y2   \
	VMOVDQU 32(base)(offset*1), Y3 \
	VPSLLVQ Y0, Y2, Y0             \
	VPSLLVQ Y1, Y3, Y1

// CHOSEN loads AX with the signs of lo and hi, and with ones for the lanes that
// word's rotation turns off, in lanesOff's order.
// clobbers word, lo
#define CHOSEN(hi, lo) \
	ANDL      $7, word              \
	VSHUFPS   $0xDD, hi, lo, lo     \
	VMOVMSKPS lo, AX                \
	ORB       singleOff(word*1), AX

// The same for AVX2.

#define TEST8AVX2 \
	LOCATE               \
	SIGNS                \
	VPAND     Y1, Y0, Y0 \
	VMOVMSKPD Y0, AX     \
	CMPL      AX, $15    \
	SETEQ     ret+16(FP) \
	VZEROUPPER           \
	RET

#define TESTROTAVX2 \
	LOCATE               \
	SIGNS                \
	CHOSEN(Y1, Y0)       \
	CMPB      AX, $0xFF  \
	SETEQ     ret+16(FP) \
	VZEROUPPER           \
	RET

#define TESTTWOAVX2 \
	LOCATE2                     \
	SIGNS                       \
	SHIFTS(second, X5, Y5, Y4)  \
	VPSLLVQ   Y4, Y2, Y4        \
	VPSLLVQ   Y5, Y3, Y5        \
	CHOSEN(Y5, Y4)              \
	VSHUFPS   $0xDD, Y1, Y0, Y0 \
	VMOVMSKPS Y0, CX            \
	ANDL      CX, AX            \
	CMPB      AX, $0xFF         \
	SETEQ     ret+16(FP)        \
	VZEROUPPER                  \
	RET

// ROW points row at the signs of the lanes that word's rotation turns on.
// clobbers word
#define ROW \
	MOVQ singleSigns, row   \
	ANDL $7, word           \
	LEAQ (row)(word*8), row

// SET adds the bits in Y0 and Y1 to the block and returns.
#define SET \
	VPOR    (base)(offset*1), Y0, Y0   \
	VPOR    32(base)(offset*1), Y1, Y1 \
	VMOVDQU Y0, (base)(offset*1)       \
	VMOVDQU Y1, 32(base)(offset*1)     \
	VZEROUPPER                         \
	RET

#define ADD8AVX2 \
	LOCATE                   \
	ONES                     \
	SHIFTS(word, X1, Y1, Y0) \
	VPSLLQ  $63, ones, ySign \
	VPSRLVQ Y0, ySign, Y0    \
	VPSRLVQ Y1, ySign, Y1    \
	SET

#define ADDROTAVX2 \
	LOCATE                   \
	ONES                     \
	SHIFTS(word, X1, Y1, Y0) \
	ROW                      \
	VMOVDQU (row), Y2        \
	VMOVDQU 32(row), Y3      \
	VPSRLVQ Y0, Y2, Y0       \
	VPSRLVQ Y1, Y3, Y1       \
	SET

#define ADDTWOAVX2 \
	LOCATE2                    \
	ONES                       \
	SHIFTS(word, X1, Y1, Y0)   \
	VPSLLQ  $63, ones, ySign   \
	VPSRLVQ Y0, ySign, Y0      \
	VPSRLVQ Y1, ySign, Y1      \
	SHIFTS(second, X3, Y3, Y2) \
	ROW                        \
	VMOVDQU (row), Y4          \
	VMOVDQU 32(row), Y5        \
	VPSRLVQ Y2, Y4, Y2         \
	VPSRLVQ Y3, Y5, Y3         \
	VPOR    Y2, Y0, Y0         \
	VPOR    Y3, Y1, Y1         \
	SET

// func testHash(f *Filter, h uint64) bool
TEXT ·testHash(SB), NOSPLIT, $0-17
	MOVQ f+0(FP), filter
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX512
	JNE  narrow
	CMPQ Filter_K(filter), $8
	JNE  some
	GIVEN
	TEST8AVX512

some:
	JGT  two
	GIVEN
	TESTROTAVX512

two:
	GIVEN
	TESTTWOAVX512

narrow:
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX2
	JNE  generic
	CMPQ Filter_K(filter), $8
	JNE  narrowSome
	GIVEN
	TEST8AVX2

narrowSome:
	JGT narrowTwo
	GIVEN
	TESTROTAVX2

narrowTwo:
	GIVEN
	TESTTWOAVX2

generic:
	JMP ·testHashGeneric(SB)

// func testUint64(f *Filter, x uint64) bool
TEXT ·testUint64(SB), NOSPLIT, $0-17
	MOVQ f+0(FP), filter
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX512
	JNE  narrow
	CMPQ singleK, $8
	JNE  some
	MIX
	TEST8AVX512

some:
	JGT  two
	MIX
	TESTROTAVX512

two:
	CMPQ singleK, $const_MaxK
	JGT  keyed
	MIX
	TESTTWOAVX512

narrow:
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX2
	JNE  generic
	CMPQ singleK, $8
	JNE  narrowSome
	MIX
	TEST8AVX2

narrowSome:
	JGT narrowTwo
	MIX
	TESTROTAVX2

narrowTwo:
	CMPQ singleK, $const_MaxK
	JGT  keyed
	MIX
	TESTTWOAVX2

generic:
	JMP ·testUint64Generic(SB)

keyed:
	JMP ·testUint64Generic(SB)

// func addHash(f *Filter, h uint64)
TEXT ·addHash(SB), NOSPLIT, $0-16
	MOVQ f+0(FP), filter
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX512
	JNE  narrow
	CMPQ Filter_K(filter), $8
	JNE  some
	GIVEN
	ADD8AVX512

some:
	JGT  two
	GIVEN
	ADDROTAVX512

two:
	GIVEN
	ADDTWOAVX512

narrow:
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX2
	JNE  generic
	CMPQ Filter_K(filter), $8
	JNE  narrowSome
	GIVEN
	ADD8AVX2

narrowSome:
	JGT narrowTwo
	GIVEN
	ADDROTAVX2

narrowTwo:
	GIVEN
	ADDTWOAVX2

generic:
	JMP ·addHashGeneric(SB)

// func addUint64(f *Filter, x uint64)
TEXT ·addUint64(SB), NOSPLIT, $0-16
	MOVQ f+0(FP), filter
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX512
	JNE  narrow
	CMPQ singleK, $8
	JNE  some
	MIX
	ADD8AVX512

some:
	JGT  two
	MIX
	ADDROTAVX512

two:
	CMPQ singleK, $const_MaxK
	JGT  keyed
	MIX
	ADDTWOAVX512

narrow:
	CMPB (Filter_probe+probe_level)(filter), $const_probeAVX2
	JNE  generic
	CMPQ singleK, $8
	JNE  narrowSome
	MIX
	ADD8AVX2

narrowSome:
	JGT narrowTwo
	MIX
	ADDROTAVX2

narrowTwo:
	CMPQ singleK, $const_MaxK
	JGT  keyed
	MIX
	ADDTWOAVX2

generic:
	JMP ·addUint64Generic(SB)

keyed:
	JMP ·addUint64Generic(SB)
