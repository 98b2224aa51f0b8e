//go:build !purego

// The blocked filter's batch tests for NEON. See batch_arm64.h.
//
// A test works on bytes. A lane's bit lies in one of the lane's eight bytes, so
// that one TBL over the block, a table of 64 bytes, picks the eight bytes that
// matter; the eight bits in them make eight bytes more, and a key is present if
// none of these has a bit that the block lacks. Two keys share most of the work,
// as do a key's two words for k > 8. What lost: a USHL by the field on each of
// the block's four vectors, after four more that make the fields (20 vector
// instructions a key against 10).
//
// The general registers hash, with four multiplications a key. These are the
// limit on Neoverse N1, which takes three cycles for each, and nowhere else.

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"
#include "batch_arm64.h"

// The bytes in which the fields of lanes 0 to 7 lie, of a first word and of a
// second; how far to shift them left; and lane j's first byte in a block.
DATA ·testFields+0(SB)/8, $0x0403040303020201
DATA ·testFields+8(SB)/8, $0x0706070606050504
DATA ·testFields+16(SB)/8, $0x0c0b0c0b0b0a0a09
DATA ·testFields+24(SB)/8, $0x0f0e0f0e0e0d0d0c
DATA ·testFields+32(SB)/8, $0x0000000600040002
DATA ·testFields+40(SB)/8, $0x0000000600040002
DATA ·testFields+48(SB)/8, $0x3830282018100800
DATA ·testFields+56(SB)/8, $0x3830282018100800
GLOBL ·testFields(SB), RODATA|NOPTR, $64

// Key i's bit in a step's results.
DATA keys<>+0(SB)/8, $0x2000000010000000
DATA keys<>+8(SB)/8, $0x8000000040000000
GLOBL keys<>(SB), RODATA|NOPTR, $16

#define out     R24 // next 32 bits of results
#define pattern R25 // lanePattern
#define all     R26 // lanePattern for eight lanes

#define vHits   V25 // the last eight steps' results, four bits each, at the top
#define vKeys   V26
#define vLanes  V27
#define vSeven  V28

// ROTATE rotates the pattern of lanes, a byte each, by the words.
// out: p0 to p3
#define ROTATE \
	LSL $3, w0, p0      \
	LSL $3, w1, p1      \
	LSL $3, w2, p2      \
	LSL $3, w3, p3      \
	ROR p0, pattern, p0 \
	ROR p1, pattern, p1 \
	ROR p2, pattern, p2 \
	ROR p3, pattern, p3

// What the kernels store besides addresses:
#define STORETESTROT \
	STOREWORDS                      \
	ROTATE                          \
	STP (p0, p1), (recRot)(ring)    \
	STP (p2, p3), (recRot+16)(ring)

#define STORETESTTWO \
	STOREPAIRS                       \
	ROTATE                           \
	STP (all, p0), (recTwo)(ring)    \
	STP (all, p1), (recTwo+16)(ring) \
	STP (all, p2), (recTwo+32)(ring) \
	STP (all, p3), (recTwo+48)(ring)

// LOCATE finds the bits of two words: V9 = 8 × lane + field / 8, the byte of the
// block, and V8 = field mod 8. On the way the upper bytes of V8 and V9 are
// 4 × field, plus two bits of no use.
#define LOCATE(words) \
	VTBL  vFirst.B16, [words.B16], V8.B16  \
	VTBL  vSecond.B16, [words.B16], V9.B16 \
	USHLH(nShift, 8, 8)                    \
	USHLH(nShift, 9, 9)                    \
	VUZP2 V9.B16, V8.B16, V8.B16           \
	VMOV  vLanes.B16, V9.B16               \
	VSRI  $5, V8.B16, V9.B16               \
	VUSHR $2, V8.B16, V8.B16               \
	VAND  vSeven.B16, V8.B16, V8.B16

// PICK picks the bytes at V9 of the block at p.
// out: d; clobbers V0 to V3
#define PICK(p, d) \
	FLDPQ (p), (F0, F1)                                   \
	FLDPQ 32(p), (F2, F3)                                 \
	VTBL  V9.B16, [V0.B16, V1.B16, V2.B16, V3.B16], d.B16

// A test makes bytes of its keys' bits, then removes what the block has.
// MISSPAIR does the latter for two keys.
// in: V9; out: m &^= the block's bytes; clobbers V0 to V5
#define MISSPAIR(pA, pB, m) \
	PICK(pA, V4)          \
	PICK(pB, V5)          \
	VMOV V5.D[1], V4.D[1] \
	VBIT V4.B16, vZero.B16, m.B16

// MISSKEY does both for the two words of key i.
// out: m, of number nm; clobbers V0 to V4, V8, V9, V16, V18
#define MISSKEY(i, p, m, nm) \
	FMOVQ (recWords+16*i)(ring), F16 \
	FMOVQ (recTwo+16*i)(ring), F18   \
	LOCATE(vWords0)                  \
	USHLB(8, 18, nm)                 \
	PICK(p, V4)                      \
	VBIT V4.B16, vZero.B16, m.B16

// RESULTS appends four results to vHits. A key is present if its 32 bits of V10
// are zero.
#define RESULTS \
	VCMEQ V10.S4, vZero.S4, V10.S4 \
	VUSHR $4, vHits.S4, vHits.S4   \
	VBIT  vKeys.B16, V10.B16, vHits.B16

// TESTPAIRS tests the oldest four keys, between a step's hashing. n0 and n1 are
// the numbers of vectors that have 1 in the bytes of lanes that are on.
#define TESTPAIRS(n0, n1, HASH1, HASH2, HASH3, HASH4) \
	LOADADDR              \
	LOCATE(vWords0)       \
	USHLB(8, n0, 10)      \
	HASH1                 \
	MISSPAIR(p0, p1, V10) \
	HASH2                 \
	LOCATE(vWords1)       \
	USHLB(8, n1, 11)      \
	HASH3                 \
	MISSPAIR(p2, p3, V11) \
	UMAXPS(11, 10, 10)    \
	RESULTS               \
	HASH4

#define TEST8(HASH1, HASH2, HASH3, HASH4) \
	FLDPQ (recWords)(ring), (F16, F17) \
	TESTPAIRS(nOnes, nOnes, HASH1, HASH2, HASH3, HASH4)

#define TESTROT(HASH1, HASH2, HASH3, HASH4) \
	FLDPQ (recWords)(ring), (F16, F17) \
	FLDPQ (recRot)(ring), (F18, F19)   \
	TESTPAIRS(18, 19, HASH1, HASH2, HASH3, HASH4)

#define TESTTWO(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR                \
	MISSKEY(0, p0, V10, 10) \
	HASH1                   \
	MISSKEY(1, p1, V11, 11) \
	HASH2                   \
	MISSKEY(2, p2, V12, 12) \
	HASH3                   \
	MISSKEY(3, p3, V13, 13) \
	UMAXPS(11, 10, 10)      \
	UMAXPS(13, 12, 12)      \
	UMAXPS(12, 10, 10)      \
	RESULTS                 \
	HASH4

// GATHER makes 32 bits of vHits, the last result the highest.
// out: h0; clobbers V8
#define GATHER \
	VADDV vHits.S4, V8 \
	FMOVS F8, h0

// TESTBODY is a testing kernel: TEST tests, a step's record has a given size.
#define TESTBODY(TEST, record, STORE) \
	PROLOGUE(·testFields, (8*record))           \
	MOVD  hits+48(FP), out                      \
	MOVD  lanes+16(FP), pattern                 \
	MOVD  $0x0101010101010101, all              \
	FMOVQ 48(h0), F27                           \
	MOVD  $keys<>(SB), h0                       \
	FMOVQ (h0), F26                             \
	VEOR  vHits.B16, vHits.B16, vHits.B16       \
	VMOVI $7, vSeven.B16                        \
	VMOVI $1, vOnes.B16                         \
	FILL(record, PLDL1KEEP, STORE)              \
main: \
	CBZ  left, drain                            \
	TEST(HASH1(plain3), HASH2(plain4), HASH3, HASH4(PLDL1KEEP, STORE)) \
	SUB  $4, left                               \
	ADD  $record, ring                          \
	CMP  end, ring                              \
	BNE  main                                   \
	GATHER                                      \
	MOVW h0, (out)                              \
	ADD  $4, out                                \
	MOVD begin, ring                            \
	B    main                                   \
drain: \
	TEST(NOTHING, NOTHING, NOTHING, NOTHING)    \
	ADD  $record, ring                          \
	CMP  end, ring                              \
	BNE  next                                   \
	GATHER                                      \
	MOVW h0, (out)                              \
	ADD  $4, out                                \
	MOVD begin, ring                            \
next: \
	SUBS $4, pending                            \
	BNE  drain                                  \
	CMP  begin, ring                            \
	BEQ  done                                   \
	MOVD n+32(FP), h1                           \
	NEG  h1, h1                                 \
	AND  $31, h1                                \
	GATHER                                      \
	LSRW h1, h0, h0                             \
	MOVW h0, (out)                              \
done: \
	RET

// func test8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·test8NEON(SB), 0, $512-56
	TESTBODY(TEST8, 64, STOREWORDS)

// func testRotNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testRotNEON(SB), 0, $768-56
	TESTBODY(TESTROT, 96, STORETESTROT)

// func testTwoNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testTwoNEON(SB), 0, $1280-56
	TESTBODY(TESTTWO, 160, STORETESTTWO)
