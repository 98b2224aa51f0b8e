//go:build !purego

// The blocked filter's kernels for a single key, of any k.
//
// The layout is specified in blocked_generic.go. AVX-512 takes the eight lanes
// in one instruction, in registers above 15, which need no VZEROUPPER. AVX2
// takes them in two halves and tests a bit by shifting it up to its lane's sign:
// see blocked_avx2_amd64.s.
//
// Half of the time of a lookup in cache is the call. So the verbs themselves are
// assembly here, which the exported methods, being inlined, call directly; they
// branch on the levels of cpu.go as the other verbs do in Go. TestUint64 at 256
// KiB took 6.1 ns through two Go functions, 4.3 through one. And so there are
// two arguments only: each goes through memory.

#include "textflag.h"
#include "go_asm.h"

#define addr   DX // the key's block
#define word   CX // its in-block word
#define hash   SI
#define filter BX
#define lanes  DI // k, then how many lanes the rotation turns on, then which

// MIX makes hash mixUint64(hash).
// clobbers AX, CX
#define MIX \
	MOVQ  $const_mixMul, AX \
	MOVQ  hash, CX \
	SHRQ  $const_mixFirst, CX \
	XORQ  CX, hash \
	IMULQ AX, hash \
	MOVQ  hash, CX \
	SHRQ  $32, CX \
	XORQ  CX, hash \
	IMULQ AX, hash \
	MOVQ  hash, CX \
	SHRQ  $32, CX \
	XORQ  CX, hash

// LOCATE loads word, addr and lanes.
// in: filter, hash; clobbers AX
#define LOCATE \
	MOVQ  $const_wordMul, word \
	IMULQ hash, word \
	MOVQ  hash, AX \
	MULQ  (Blocked_blocks+8)(filter) \
	SHLQ  $6, addr \
	ADDQ  Blocked_blocks(filter), addr \
	MOVQ  Blocked_k(filter), lanes

// SECOND makes hash the second word.
// clobbers AX
#define SECOND \
	MOVQ  hash, AX \
	SHRQ  $32, AX \
	XORQ  AX, hash \
	MOVQ  $const_mixMul, AX \
	IMULQ AX, hash

// ROTATE loads K1 with the lanes that word's rotation turns on.
// clobbers lanes, word, AX
#define ROTATE \
	MOVL  $-1, AX \
	BZHIL lanes, AX, lanes \
	MOVL  lanes, AX \
	SHLL  $8, AX \
	ORL   AX, lanes \
	ANDL  $7, word \
	SHRXL word, lanes, lanes \
	KMOVB lanes, K1

// FIELDS makes of a word, for every lane, the distance by which a rotation moves
// a one to its field: rotations use the low six bits only.
#define FIELDS(word, z) \
	VPBROADCASTQ word, z \
	VPSRLVQ      ·laneFields(SB), z, z

// TEST512 returns whether filter has hash.
#define TEST512 \
	LOCATE \
	VPBROADCASTQ ·laneOne(SB), Z16 \
	FIELDS(word, Z17) \
	VPROLVQ      Z17, Z16, Z17 \
	CMPQ         lanes, $8 \
	JNE          some \
	VPTESTNMQ (addr), Z17, K1 \
	KORTESTB  K1, K1 \
	SETEQ     ret+16(FP) \
	RET \
some: \
	JGT       two \
	ROTATE \
	VPTESTNMQ (addr), Z17, K1, K1 \
	KORTESTB  K1, K1 \
	SETEQ     ret+16(FP) \
	RET \
two: \
	SECOND \
	FIELDS(hash, Z18) \
	VPROLVQ   Z18, Z16, Z18 \
	SUBQ      $8, lanes \
	ROTATE \
	VMOVDQU64 (addr), Z19 \
	VPTESTNMQ Z19, Z17, K2 \
	VPTESTNMQ Z19, Z18, K1, K1 \
	KORTESTB  K1, K2 \
	SETEQ     ret+16(FP) \
	RET

// ADD512 adds hash to filter and returns.
#define ADD512 \
	LOCATE \
	VPBROADCASTQ ·laneOne(SB), Z16 \
	FIELDS(word, Z17) \
	CMPQ         lanes, $8 \
	JNE          some \
	VPROLVQ      Z17, Z16, Z17 \
	JMP          set \
some: \
	JGT       two \
	ROTATE \
	VPROLVQ.Z Z17, Z16, K1, Z17 \
set: \
	VPORQ     (addr), Z17, Z17 \
	VMOVDQU64 Z17, (addr) \
	RET \
two: \
	VPROLVQ    Z17, Z16, Z17 \
	SECOND \
	FIELDS(hash, Z18) \
	SUBQ       $8, lanes \
	ROTATE \
	VPROLVQ.Z  Z18, Z16, K1, Z18 \
	VPTERNLOGQ $0xFE, (addr), Z18, Z17 \
	VMOVDQU64  Z17, (addr) \
	RET

#define y63   Y7
#define ySign Y6
#define row   DI // signs of the lanes that are on, from word's rotation

// SHIFTS makes of a word, for the lanes in two halves, 63 − field.
#define SHIFTS(word, x, hi, lo) \
	VMOVQ        word, x \
	VPBROADCASTQ x, hi \
	VPSRLVQ      ·laneFields+0(SB), hi, lo \
	VPSRLVQ      ·laneFields+32(SB), hi, hi \
	VPANDN       y63, lo, lo \
	VPANDN       y63, hi, hi

// CONSTANTS loads y63 and ySign.
#define CONSTANTS \
	VPCMPEQD Y6, Y6, Y6 \
	VPSRLQ   $58, Y6, y63 \
	VPSLLQ   $63, Y6, ySign

// ROW points row at the signs of the lanes that word's rotation turns on:
// laneSigns[lanes][word & 7].
// clobbers word, AX
#define ROW \
	SHLQ $7, lanes \
	LEAQ ·laneSigns(SB), AX \
	ADDQ AX, row \
	ANDL $7, word \
	LEAQ (row)(word*8), row

// func testOneAVX2(f *Blocked, h uint64) bool
TEXT ·testOneAVX2(SB), NOSPLIT, $0-17
	MOVQ f+0(FP), filter
	MOVQ h+8(FP), hash
	LOCATE
	CONSTANTS
	SHIFTS(word, X1, Y1, Y0)
	VMOVDQU (addr), Y2
	VMOVDQU 32(addr), Y3
	VPSLLVQ Y0, Y2, Y0
	VPSLLVQ Y1, Y3, Y1
	CMPQ    lanes, $8
	JLT     some
	VPAND   Y1, Y0, Y0   // signs of both halves' bits
	JGT     two

	VMOVMSKPD Y0, AX
	CMPL      AX, $15
	SETEQ     ret+16(FP)
	VZEROUPPER
	RET

some:
	ROW
	VPANDN    (row), Y0, Y0
	VPANDN    32(row), Y1, Y1
	VPOR      Y0, Y1, Y0
	VMOVMSKPD Y0, AX
	TESTL     AX, AX
	SETEQ     ret+16(FP)
	VZEROUPPER
	RET

two:
	SECOND
	SHIFTS(hash, X5, Y5, Y4)
	SUBQ      $8, lanes
	ROW
	VPSLLVQ   Y4, Y2, Y4
	VPSLLVQ   Y5, Y3, Y5
	VPANDN    (row), Y4, Y4
	VPANDN    32(row), Y5, Y5
	VPOR      Y4, Y5, Y4
	VPANDN    Y0, Y4, Y0
	VMOVMSKPD Y0, AX
	CMPL      AX, $15
	SETEQ     ret+16(FP)
	VZEROUPPER
	RET

// func addOneAVX2(f *Blocked, h uint64)
TEXT ·addOneAVX2(SB), NOSPLIT, $0-16
	MOVQ f+0(FP), filter
	MOVQ h+8(FP), hash
	LOCATE
	CONSTANTS
	SHIFTS(word, X1, Y1, Y0)
	CMPQ    lanes, $8
	JLT     some
	VPSRLVQ Y0, ySign, Y0
	VPSRLVQ Y1, ySign, Y1
	JGT     two

set:
	VPOR    (addr), Y0, Y0
	VPOR    32(addr), Y1, Y1
	VMOVDQU Y0, (addr)
	VMOVDQU Y1, 32(addr)
	VZEROUPPER
	RET

some:
	ROW
	VMOVDQU (row), Y2
	VMOVDQU 32(row), Y3
	VPSRLVQ Y0, Y2, Y0
	VPSRLVQ Y1, Y3, Y1
	JMP     set

two:
	SECOND
	SHIFTS(hash, X3, Y3, Y2)
	SUBQ    $8, lanes
	ROW
	VMOVDQU (row), Y4
	VMOVDQU 32(row), Y5
	VPSRLVQ Y2, Y4, Y2
	VPSRLVQ Y3, Y5, Y3
	VPOR    Y2, Y0, Y0
	VPOR    Y3, Y1, Y1
	JMP     set

// func testHash(f *Blocked, h uint64) bool
TEXT ·testHash(SB), NOSPLIT, $0-17
	CMPB ·useAVX512(SB), $0
	JEQ  narrow
	MOVQ f+0(FP), filter
	MOVQ h+8(FP), hash
	TEST512

narrow:
	CMPB ·useAVX2(SB), $0
	JEQ  generic
	JMP  ·testOneAVX2(SB)

generic:
	JMP ·testHashGeneric(SB)

// func testUint64(f *Blocked, x uint64) bool
TEXT ·testUint64(SB), NOSPLIT, $0-17
	MOVQ f+0(FP), filter
	CMPQ (Blocked_hash+hasher_key)(filter), $0
	JNE  keyed
	MOVQ x+8(FP), hash
	MIX
	CMPB ·useAVX512(SB), $0
	JEQ  narrow
	TEST512

narrow:
	MOVQ hash, x+8(FP)
	CMPB ·useAVX2(SB), $0
	JEQ  generic
	JMP  ·testOneAVX2(SB)

generic:
	JMP ·testHashGeneric(SB)

keyed:
	JMP ·testKeyed(SB)

// func addHash(f *Blocked, h uint64)
TEXT ·addHash(SB), NOSPLIT, $0-16
	CMPB ·useAVX512(SB), $0
	JEQ  narrow
	MOVQ f+0(FP), filter
	MOVQ h+8(FP), hash
	ADD512

narrow:
	CMPB ·useAVX2(SB), $0
	JEQ  generic
	JMP  ·addOneAVX2(SB)

generic:
	JMP ·addHashGeneric(SB)

// func addUint64(f *Blocked, x uint64)
TEXT ·addUint64(SB), NOSPLIT, $0-16
	MOVQ f+0(FP), filter
	CMPQ (Blocked_hash+hasher_key)(filter), $0
	JNE  keyed
	MOVQ x+8(FP), hash
	MIX
	CMPB ·useAVX512(SB), $0
	JEQ  narrow
	ADD512

narrow:
	MOVQ hash, x+8(FP)
	CMPB ·useAVX2(SB), $0
	JEQ  generic
	JMP  ·addOneAVX2(SB)

generic:
	JMP ·addHashGeneric(SB)

keyed:
	JMP ·addKeyed(SB)
