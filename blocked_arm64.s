//go:build !purego

// The blocked filter's batch kernels for NEON.
//
// A ring on the stack holds, for 32 keys, what their probes need. A step takes
// four keys: it probes the four oldest in the ring and puts in their place, and
// prefetches, the four that come 32 keys later. One prefetch per probe keeps the
// miss buffers full without the stall that a burst of prefetches causes once
// they overflow; and the general registers hash while the vector registers
// probe.
//
// A test works on bytes. A lane's bit lies in one of the lane's eight bytes, so
// that one TBL over the block, a table of 64 bytes, picks the eight bytes that
// matter; the eight bits in them make eight bytes more, and a key is present if
// none of these has a bit that the block lacks. Two keys share most of the work,
// as do a key's two words for k > 8. What lost: a USHL by the field on each of
// the block's four vectors, after four more that make the fields (20 vector
// instructions a key against 10).
//
// Either way the fields are cut out of a word by a TBL that gives each lane the
// two bytes in which its field lies, and a USHL that moves the field to one end
// of the two.
//
// The layout is specified in blocked_generic.go.

#include "textflag.h"
#include "go_asm.h"

// For tests: the bytes in which the fields of lanes 0 to 7 lie, of a first word
// and of a second; and how far to shift them.
DATA fields<>+0(SB)/8, $0x0403040303020201
DATA fields<>+8(SB)/8, $0x0706070606050504
DATA fields<>+16(SB)/8, $0x0c0b0c0b0b0a0a09
DATA fields<>+24(SB)/8, $0x0f0e0f0e0e0d0d0c
DATA fields<>+32(SB)/8, $0x0000000600040002
DATA fields<>+40(SB)/8, $0x0000000600040002
GLOBL fields<>(SB), RODATA|NOPTR, $48

// For additions: the same for lanes 0, 2, 4, 6, 1, 3, 5, 7, shifting right.
DATA evenodd<>+0(SB)/8, $0x0706060504030302
DATA evenodd<>+8(SB)/8, $0xff07060505040302
DATA evenodd<>+16(SB)/8, $0x0f0e0e0d0c0b0b0a
DATA evenodd<>+24(SB)/8, $0xff0f0e0d0d0c0b0a
DATA evenodd<>+32(SB)/8, $0xfffc0000fffc0000
DATA evenodd<>+40(SB)/8, $0xfffefffafffefffa
GLOBL evenodd<>(SB), RODATA|NOPTR, $48

// Lane j's first byte in a block.
DATA lanes<>+0(SB)/8, $0x3830282018100800
DATA lanes<>+8(SB)/8, $0x3830282018100800
GLOBL lanes<>(SB), RODATA|NOPTR, $16

// Key i's bit in a step's results.
DATA keys<>+0(SB)/8, $0x2000000010000000
DATA keys<>+8(SB)/8, $0x8000000040000000
GLOBL keys<>(SB), RODATA|NOPTR, $16

// Instructions that Go's assembler lacks, by the registers' numbers, in its
// order: the destination comes last.
#define USHLB(m, n, d)  WORD $(0x6e204400 | (m)<<16 | (n)<<5 | (d)) // USHL  Vd.16B, Vn.16B, Vm.16B
#define USHLH(m, n, d)  WORD $(0x6e604400 | (m)<<16 | (n)<<5 | (d)) // USHL  Vd.8H, Vn.8H, Vm.8H
#define USHLD(m, n, d)  WORD $(0x6ee04400 | (m)<<16 | (n)<<5 | (d)) // USHL  Vd.2D, Vn.2D, Vm.2D
#define UMAXPS(m, n, d) WORD $(0x6ea0a400 | (m)<<16 | (n)<<5 | (d)) // UMAXP Vd.4S, Vn.4S, Vm.4S

// Registers of every kernel in this file:
#define src     R0  // next keys to hash
#define left    R1  // keys that have not been in the ring
#define pending R2  // keys in the ring after the last of those
#define mix     R3  // whether keys want mixing
#define base    R4  // address of the first block
#define span    R5  // bytes in all blocks
#define mulMix  R6  // mixMul
#define mulWord R7  // wordMul
#define ring    R8  // the oldest step's record
#define begin   R9  // the first record
#define end     R10 // past the last record
#define h0      R11 // hashes
#define h1      R12
#define h2      R13
#define h3      R14
#define w0      R15 // in-block words
#define w1      R16
#define w2      R17
#define w3      R19
#define p0      R20 // addresses of blocks
#define p1      R21
#define p2      R22
#define p3      R23
// of tests:
#define out     R24 // next 32 bits of results
#define pattern R25 // lanePattern
#define all     R26 // lanePattern for eight lanes
// of additions:
#define ones    R24 // eight ones or zeros by lane, before rotation, twice
#define one     R25
#define odd     R26 // an odd key's word

// V0 to V19 hold blocks and what is computed from words.
#define vWords0 V16 // the words of keys 0 and 1, or the two of one key
#define vWords1 V17 // those of keys 2 and 3
#define vFirst  V20 // the bytes in which a first word's fields lie
#define vSecond V21 // a second word's
#define vShift  V22 // how far to shift them
#define nShift  22
#define vZero   V23
#define vOnes   V24 // 1 in every byte, or for additions in every 64-bit lane
#define nOnes   24
// of tests:
#define vHits   V25 // the last eight steps' results, four bits each, at the top
#define vKeys   V26
#define vLanes  V27
#define vSeven  V28
// of additions:
#define v63     V25

// A step's record in the ring:
#define recAddr  0  // four addresses of blocks
#define recWords 32 // four words, or for k > 8 four pairs of words
#define recRot   64 // four rotated patterns of lanes: 8 bytes, or their address
#define recTwo   96 // the same for k > 8; for tests, four pairs

// HASH1 to HASH4 put a step's new keys in the ring, in four parts that alternate
// with the four of its probes: cores with one slow multiplier and a short window
// want them mixed. HASH1 loads the keys.
// out: h0 to h3
#define HASH1(plain) \
	LDP (src), (h0, h1)            \
	LDP 16(src), (h2, h3)          \
	ADD $32, src                   \
	CBZ mix, plain                 \
	EOR h0>>const_mixFirst, h0, h0 \
	EOR h1>>const_mixFirst, h1, h1 \
	EOR h2>>const_mixFirst, h2, h2 \
	EOR h3>>const_mixFirst, h3, h3 \
	MUL mulMix, h0, h0             \
	MUL mulMix, h1, h1             \
	MUL mulMix, h2, h2             \
	MUL mulMix, h3, h3             \
plain:

#define HASH2(plain) \
	CBZ mix, plain     \
	EOR h0>>32, h0, h0 \
	EOR h1>>32, h1, h1 \
	EOR h2>>32, h2, h2 \
	EOR h3>>32, h3, h3 \
	MUL mulMix, h0, h0 \
	MUL mulMix, h1, h1 \
	MUL mulMix, h2, h2 \
	MUL mulMix, h3, h3 \
	EOR h0>>32, h0, h0 \
	EOR h1>>32, h1, h1 \
	EOR h2>>32, h2, h2 \
	EOR h3>>32, h3, h3 \
plain:

// HASH3 makes the in-block words.
// out: w0 to w3
#define HASH3 \
	MUL mulWord, h0, w0 \
	MUL mulWord, h1, w1 \
	MUL mulWord, h2, w2 \
	MUL mulWord, h3, w3

// HASH4 finds the blocks, prefetches them and stores all at ring. An address is
// base + 64 × (h × nblocks >> 64) = base + (h × span >> 64) &^ 63.
// clobbers p0 to p3
#define HASH4(hint, STORE) \
	UMULH span, h0, p0 \
	UMULH span, h1, p1 \
	UMULH span, h2, p2 \
	UMULH span, h3, p3 \
	AND   $~63, p0     \
	AND   $~63, p1     \
	AND   $~63, p2     \
	AND   $~63, p3     \
	ADD   base, p0     \
	ADD   base, p1     \
	ADD   base, p2     \
	ADD   base, p3     \
	PRFM  (p0), hint   \
	PRFM  (p1), hint   \
	PRFM  (p2), hint   \
	PRFM  (p3), hint   \
	STP   (p0, p1), (recAddr)(ring)    \
	STP   (p2, p3), (recAddr+16)(ring) \
	STORE

// STOREWORDS stores the words.
#define STOREWORDS \
	STP (w0, w1), (recWords)(ring)    \
	STP (w2, w3), (recWords+16)(ring)

// STOREPAIRS makes the second words and stores both.
// clobbers h0 to h3
#define STOREPAIRS \
	EOR h0>>32, h0, h0 \
	EOR h1>>32, h1, h1 \
	EOR h2>>32, h2, h2 \
	EOR h3>>32, h3, h3 \
	MUL mulMix, h0, h0 \
	MUL mulMix, h1, h1 \
	MUL mulMix, h2, h2 \
	MUL mulMix, h3, h3 \
	STP (w0, h0), (recWords)(ring)    \
	STP (w1, h1), (recWords+16)(ring) \
	STP (w2, h2), (recWords+32)(ring) \
	STP (w3, h3), (recWords+48)(ring)

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

// POINT finds the rotated patterns in memory, eight words each.
// out: w0 to w3
#define POINT \
	AND $7, w0           \
	AND $7, w1           \
	AND $7, w2           \
	AND $7, w3           \
	ADD w0<<3, ones, w0  \
	ADD w1<<3, ones, w1  \
	ADD w2<<3, ones, w2  \
	ADD w3<<3, ones, w3

#define STOREADDROT \
	STOREWORDS                      \
	POINT                           \
	STP (w0, w1), (recRot)(ring)    \
	STP (w2, w3), (recRot+16)(ring)

#define STOREADDTWO \
	STOREPAIRS                      \
	POINT                           \
	STP (w0, w1), (recTwo)(ring)    \
	STP (w2, w3), (recTwo+16)(ring)

#define NOTHING

// LOADADDR loads the addresses of the oldest four keys' blocks.
// out: p0 to p3
#define LOADADDR \
	LDP (recAddr)(ring), (p0, p1)    \
	LDP (recAddr+16)(ring), (p2, p3)

// LOCATE finds the bits of two words: V9 = 8 × lane + field / 8, the byte of the
// block, and V8 = field mod 8.
// The fields reach the upper bytes as 4 × field + 0…3.
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

// NUMBERS makes the numbers of a word's bits in the 16-bit lanes of V8, in the
// order 0, 2, 4, 6, 1, 3, 5, 7, and moves the next lanes to the lowest bytes of
// the 64-bit lanes of V10 to V12. half is vFirst or vSecond.
#define NUMBERS(words, half) \
	VTBL  half.B16, [words.B16], V8.B16 \
	USHLH(nShift, 8, 8)                 \
	VAND  v63.B16, V8.B16, V8.B16       \
	VEXT  $2, V8.B16, V8.B16, V10.B16   \
	VEXT  $4, V8.B16, V8.B16, V11.B16

// SET sets a bit in each half of b: those whose numbers are the lowest bytes of
// the halves of V8, V10, V11 or V12, if the halves of vector on are 1.
// clobbers V9
#define SET(number, on, b) \
	USHLD(number, on, 9)     \
	VORR V9.B16, b.B16, b.B16

// ADDKEY adds a key for k = 8. The general registers set the last two lanes,
// since the vector registers are the bottleneck.
// in: w, the word; clobbers w, t0 to t2, V0 to V2, V8 to V11
#define ADDKEY(words, half, p, w, t0, t1, t2) \
	NUMBERS(words, half)   \
	FLDPQ (p), (F0, F1)    \
	FMOVQ 32(p), F2        \
	LDP   48(p), (t1, t2)  \
	SET(8, nOnes, V0)      \
	SET(10, nOnes, V1)     \
	SET(11, nOnes, V2)     \
	LSR   $52, w, t0       \
	LSR   $58, w, w        \
	LSL   t0, one, t0      \
	LSL   w, one, w        \
	ORR   t0, t1           \
	ORR   w, t2            \
	FSTPQ (F0, F1), (p)    \
	FMOVQ F2, 32(p)        \
	STP   (t1, t2), 48(p)

// SETSOME sets a word's bits in the lanes of the block in V0 to V3 for which V4
// to V7 have ones.
// in: NUMBERS' output; clobbers V9, V12
#define SETSOME \
	VEXT $6, V8.B16, V8.B16, V12.B16 \
	SET(8, 4, V0)                    \
	SET(10, 5, V1)                   \
	SET(11, 6, V2)                   \
	SET(12, 7, V3)

// ADDSOME adds a key for k < 8.
// clobbers t, V0 to V12
#define ADDSOME(i, words, half, p, t) \
	NUMBERS(words, half)          \
	MOVD  (recRot+8*i)(ring), t   \
	FLDPQ (p), (F0, F1)           \
	FLDPQ 32(p), (F2, F3)         \
	FLDPQ (t), (F4, F5)           \
	FLDPQ 32(t), (F6, F7)         \
	SETSOME                       \
	FSTPQ (F0, F1), (p)           \
	FSTPQ (F2, F3), 32(p)

// ADDBOTH adds a key for k > 8.
// clobbers t, V0 to V12, V16
#define ADDBOTH(i, p, t) \
	FMOVQ (recWords+16*i)(ring), F16   \
	MOVD  (recTwo+8*i)(ring), t        \
	FLDPQ (p), (F0, F1)                \
	FLDPQ 32(p), (F2, F3)              \
	NUMBERS(vWords0, vFirst)           \
	VEXT  $6, V8.B16, V8.B16, V12.B16  \
	SET(8, nOnes, V0)                  \
	SET(10, nOnes, V1)                 \
	SET(11, nOnes, V2)                 \
	SET(12, nOnes, V3)                 \
	NUMBERS(vWords0, vSecond)          \
	FLDPQ (t), (F4, F5)                \
	FLDPQ 32(t), (F6, F7)              \
	SETSOME                            \
	FSTPQ (F0, F1), (p)                \
	FSTPQ (F2, F3), 32(p)

// Additions of the oldest four keys, each wholly before the next: they may meet
// in one block.
#define ADD8(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR                                         \
	FLDPQ (recWords)(ring), (F16, F17)               \
	LDP   (recWords)(ring), (w0, odd)                \
	ADDKEY(vWords0, vFirst, p0, w0, w1, w2, w3)      \
	HASH1                                            \
	ADDKEY(vWords0, vSecond, p1, odd, w1, w2, w3)    \
	HASH2                                            \
	LDP   (recWords+16)(ring), (w0, odd)             \
	ADDKEY(vWords1, vFirst, p2, w0, w1, w2, w3)      \
	HASH3                                            \
	ADDKEY(vWords1, vSecond, p3, odd, p0, p1, p2)    \
	HASH4

#define ADDROT(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR                               \
	FLDPQ (recWords)(ring), (F16, F17)     \
	ADDSOME(0, vWords0, vFirst, p0, w0)    \
	HASH1                                  \
	ADDSOME(1, vWords0, vSecond, p1, w0)   \
	HASH2                                  \
	ADDSOME(2, vWords1, vFirst, p2, w0)    \
	HASH3                                  \
	ADDSOME(3, vWords1, vSecond, p3, p0)   \
	HASH4

#define ADDTWO(HASH1, HASH2, HASH3, HASH4) \
	LOADADDR           \
	ADDBOTH(0, p0, w0) \
	HASH1              \
	ADDBOTH(1, p1, w0) \
	HASH2              \
	ADDBOTH(2, p2, w0) \
	HASH3              \
	ADDBOTH(3, p3, p0) \
	HASH4

// PROLOGUE loads what all kernels share.
#define PROLOGUE(table, bytes) \
	MOVD  blocks+0(FP), base        \
	MOVD  nblocks+8(FP), span       \
	LSL   $6, span                  \
	MOVD  keys+24(FP), src          \
	MOVD  n+32(FP), left            \
	MOVBU mixed+40(FP), mix         \
	MOVD  $const_mixMul, mulMix     \
	MOVD  $const_wordMul, mulWord   \
	MOVD  $records-bytes(SP), begin \
	ADD   $bytes, begin, end        \
	MOVD  begin, ring               \
	MOVD  $table<>(SB), h0          \
	FLDPQ (h0), (F20, F21)          \
	FMOVQ 32(h0), F22               \
	VEOR  vZero.B16, vZero.B16, vZero.B16

// FILL fills the ring.
// out: pending
#define FILL(record, hint, STORE) \
fill: \
	HASH1(plain1)          \
	HASH2(plain2)          \
	HASH3                  \
	HASH4(hint, STORE)     \
	ADD  $record, ring     \
	SUB  $4, left          \
	CBZ  left, filled      \
	CMP  end, ring         \
	BNE  fill              \
filled: \
	MOVD n+32(FP), pending \
	SUB  left, pending     \
	MOVD begin, ring

// GATHER makes 32 bits of vHits, the last result the highest.
// out: h0; clobbers V8
#define GATHER \
	VADDV vHits.S4, V8 \
	FMOVS F8, h0

// TESTBODY is a testing kernel: TEST tests, a step's record has a given size.
#define TESTBODY(TEST, record, STORE) \
	PROLOGUE(fields, (8*record))                \
	MOVD  hits+48(FP), out                      \
	MOVD  lanes+16(FP), pattern                 \
	MOVD  $0x0101010101010101, all              \
	MOVD  $lanes<>(SB), h0                      \
	FMOVQ (h0), F27                             \
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

// ADDBODY is an adding kernel.
#define ADDBODY(ADD4, record, STORE) \
	PROLOGUE(evenodd, (8*record))              \
	MOVD  $1, one                              \
	VDUP  one, vOnes.D2                        \
	VMOVI $63, v63.B16                         \
	FILL(record, PSTL1KEEP, STORE)             \
main: \
	CBZ  left, drain                           \
	ADD4(HASH1(plain3), HASH2(plain4), HASH3, HASH4(PSTL1KEEP, STORE)) \
	SUB  $4, left                              \
	ADD  $record, ring                         \
	CMP  end, ring                             \
	CSEL EQ, begin, ring, ring                 \
	B    main                                  \
drain: \
	ADD4(NOTHING, NOTHING, NOTHING, NOTHING)   \
	ADD  $record, ring                         \
	CMP  end, ring                             \
	CSEL EQ, begin, ring, ring                 \
	SUBS $4, pending                           \
	BNE  drain                                 \
	RET

// ONES writes to the frame, twice, a word of 1 for each lane that is on before
// rotation, and a word of 0 for each other.
// out: ones; clobbers V0 to V7
#define ONES(bytes) \
	FMOVD  lanes+16(FP), F0           \
	VUXTL  V0.B8, V0.H8               \
	VUXTL2 V0.H8, V2.S4               \
	VUXTL  V0.H4, V0.S4               \
	VUXTL2 V2.S4, V7.D2               \
	VUXTL  V2.S2, V6.D2               \
	VUXTL2 V0.S4, V5.D2               \
	VUXTL  V0.S2, V4.D2               \
	MOVD   $table-bytes(SP), ones      \
	FSTPQ  (F4, F5), (ones)           \
	FSTPQ  (F6, F7), 32(ones)         \
	FSTPQ  (F4, F5), 64(ones)         \
	FSTPQ  (F6, F7), 96(ones)

// func test8NEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·test8NEON(SB), 0, $512-56
	TESTBODY(TEST8, 64, STOREWORDS)

// func testRotNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testRotNEON(SB), 0, $768-56
	TESTBODY(TESTROT, 96, STORETESTROT)

// func testTwoNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)
TEXT ·testTwoNEON(SB), 0, $1280-56
	TESTBODY(TESTTWO, 160, STORETESTTWO)

// func add8NEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·add8NEON(SB), 0, $512-41
	ADDBODY(ADD8, 64, STOREWORDS)

// func addRotNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addRotNEON(SB), 0, $896-41
	ONES(896)
	ADDBODY(ADDROT, 96, STOREADDROT)

// func addTwoNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)
TEXT ·addTwoNEON(SB), 0, $1152-41
	ONES(1152)
	ADDBODY(ADDTWO, 128, STOREADDTWO)
