// What the blocked filter's batch kernels for NEON share: test_arm64.s,
// add_arm64.s and testadd_arm64.s.
//
// The kernels are software pipelines. A ring of records on the stack holds, for so
// many groups of four keys as the CPU's row of tuning has them prefetched ahead,
// what their probes need. A round probes the oldest group and puts in its record,
// and prefetches, the group that comes a ring later. One prefetch per probe keeps
// the line-fill buffers busy without the stall that a burst of prefetches causes
// once they overflow; and the general registers hash while the vector registers
// probe. A prefetch's hint is part of the instruction: there is one for either
// level of cache, chosen by a branch a round, which is always predicted.
//
// The layout is specified in block.go. Figures: TUNING.md.

// Registers of every kernel:
#define keysp   R0  // the next keys to hash
#define left    R1  // keys that have not been in the pipeline; after them those in it
#define stop    R2  // where results are due or the ring ends: from NEON_BLOCK_TURN
#define mode    R3  // how: bits mixBit and farBit
#define base    R4  // address of the first block
#define span    R5  // bytes in all blocks
#define mulMix  R6  // mixMul
#define mulWord R7  // wordMul
#define oldest  R8  // the record of the oldest group
#define first   R9  // the first record
#define end     R10 // past the ring's last record
#define h0      R11 // the hashes of a new group
#define h1      R12
#define h2      R13
#define h3      R14
#define w0      R15 // their in-block words
#define w1      R16
#define w2      R17
#define w3      R19
#define p0      R20 // addresses of a group's blocks
#define p1      R21
#define p2      R22
#define p3      R23
#define hitsp   R24 // the next 32 bits of results, where there are results
#define on      R25 // additions: from NEON_BLOCK_ON

// V0 to V15, V18 and V19 hold blocks and what is computed from words.
#define vWords0 V16 // the words of keys 0 and 1, or the two of one key
#define vWords1 V17 // those of keys 2 and 3
#define vFirst  V20 // the bytes in which a first word's fields lie
#define vSecond V21 // a second word's
#define vShift  V22 // how far to shift them
#define nShift  22
#define vZero   V23
#define vOnes   V24 // 1 in every byte, or for additions in every 64-bit lane
#define nOnes   24
#define vHits   V25 // the last eight groups' results, four bits each, at the top
#define vKeys   V26 // key i's bit in a group's results
#define vMask   V27 // in every byte what a field is ANDed with: 7 or 63

// A group's record:
#define recAddr  0  // four addresses of blocks
#define recWords 32 // four words, or for k > 8 four pairs of words
#define recRot   64 // k < 8: four rotated patterns of lanes, of 8 bytes, or their addresses
#define recTwo   96 // the same for k > 8; for tests, four pairs

// NEON_BLOCK_SETUP loads what all kernels share.
// in: span, the number of blocks; first; end, the number of records in the ring;
// bytes, in a record; table, fields for vFirst to vShift
// out: span, mulMix, mulWord, oldest, end, vFirst, vSecond, vShift, vZero; h0,
// table's address
#define NEON_BLOCK_SETUP(table, bytes) \
	MOVD  $bytes, h0              \
	MADD  h0, first, end, end     \
	LSL   $6, span                \
	MOVD  $const_mixMul, mulMix   \
	MOVD  $const_wordMul, mulWord \
	MOVD  first, oldest           \
	MOVD  $table(SB), h0          \
	FLDPQ (h0), (F20, F22)        \
	FMOVQ 32(h0), F21             \
	VEOR  vZero.B16, vZero.B16, vZero.B16

// A new group goes into the pipeline in four steps, which alternate with those of
// the oldest group's probes: cores with one slow multiplier and a short window
// want them mixed.

// NEON_BLOCK_KEYS loads the next four keys.
// in: keysp; out: h0 to h3, keysp
#define NEON_BLOCK_KEYS \
	LDP (keysp), (h0, h1)   \
	LDP 16(keysp), (h2, h3) \
	ADD $32, keysp

// NEON_BLOCK_MIX1 and NEON_BLOCK_MIX2 turn integers into hashes: hash.Mix.
// in, out: h0 to h3
#define NEON_BLOCK_MIX1 \
	EOR h0>>const_mixFirst, h0, h0 \
	EOR h1>>const_mixFirst, h1, h1 \
	EOR h2>>const_mixFirst, h2, h2 \
	EOR h3>>const_mixFirst, h3, h3 \
	MUL mulMix, h0, h0             \
	MUL mulMix, h1, h1             \
	MUL mulMix, h2, h2             \
	MUL mulMix, h3, h3

#define NEON_BLOCK_MIX2 \
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
	EOR h3>>32, h3, h3

// NEON_BLOCK_WORDS makes the in-block words.
// in: h0 to h3; out: w0 to w3
#define NEON_BLOCK_WORDS \
	MUL mulWord, h0, w0 \
	MUL mulWord, h1, w1 \
	MUL mulWord, h2, w2 \
	MUL mulWord, h3, w3

// NEON_BLOCK_FIND puts the blocks' addresses in the record:
// base + 64 × (h × nblocks >> 64) = base + (h × span >> 64) &^ 63.
// in: h0 to h3, base, span, oldest; out: p0 to p3
#define NEON_BLOCK_FIND \
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
	STP   (p0, p1), (recAddr)(oldest)    \
	STP   (p2, p3), (recAddr+16)(oldest)

// NEON_BLOCK_PREFETCH prefetches the blocks.
// in: p0 to p3
#define NEON_BLOCK_PREFETCH(hint) \
	PRFM (p0), hint \
	PRFM (p1), hint \
	PRFM (p2), hint \
	PRFM (p3), hint

// NEON_BLOCK_PUT_WORDS puts the words in the record.
// in: w0 to w3, oldest
#define NEON_BLOCK_PUT_WORDS \
	STP (w0, w1), (recWords)(oldest)    \
	STP (w2, w3), (recWords+16)(oldest)

// NEON_BLOCK_PUT_PAIRS makes the second words and puts both in the record.
// in: h0 to h3, w0 to w3, oldest; clobbers: h0 to h3
#define NEON_BLOCK_PUT_PAIRS \
	EOR h0>>32, h0, h0 \
	EOR h1>>32, h1, h1 \
	EOR h2>>32, h2, h2 \
	EOR h3>>32, h3, h3 \
	MUL mulMix, h0, h0 \
	MUL mulMix, h1, h1 \
	MUL mulMix, h2, h2 \
	MUL mulMix, h3, h3 \
	STP (w0, h0), (recWords)(oldest)    \
	STP (w1, h1), (recWords+16)(oldest) \
	STP (w2, h2), (recWords+32)(oldest) \
	STP (w3, h3), (recWords+48)(oldest)

// NEON_BLOCK_ADDRS loads the addresses of the oldest group's blocks.
// in: oldest; out: p0 to p3
#define NEON_BLOCK_ADDRS \
	LDP (recAddr)(oldest), (p0, p1)    \
	LDP (recAddr+16)(oldest), (p2, p3)

// NEON_BLOCK_RESULTS appends a group's results to vHits. A key is present if its
// 32 bits of m are zero.
// in: m, vHits, vKeys; out: vHits; clobbers: m
#define NEON_BLOCK_RESULTS(m) \
	VCMEQ m.S4, vZero.S4, m.S4     \
	VUSHR $4, vHits.S4, vHits.S4   \
	VBIT  vKeys.B16, m.B16, vHits.B16

// NEON_BLOCK_GATHER makes 32 bits of eight groups' results, the last key's the
// highest.
// in: vHits; out: h0; clobbers: V8
#define NEON_BLOCK_GATHER \
	VADDV vHits.S4, V8 \
	FMOVS F8, h0

// NEON_BLOCK_GATHER_LAST makes the results of the last keys, fewer than 32.
// in: vHits; h1, their number; out: h0, the other bits 0; clobbers: h1, V8
#define NEON_BLOCK_GATHER_LAST \
	NEON_BLOCK_GATHER   \
	NEG  h1, h1         \
	AND  $31, h1        \
	LSRW h1, h0, h0

// Results are due every eight groups. The record before which they are, were the ring
// without end, is in a local variable: due.

// NEON_BLOCK_TURN goes on with the ring's first record after its last one and finds
// where next to stop.
// in: oldest, first, end; h1, due; out: oldest, h1, stop; clobbers: h0, h2
#define NEON_BLOCK_TURN \
	SUB  first, end, h0            \
	SUB  h0, h1, h2                \
	CMP  end, oldest               \
	CSEL EQ, first, oldest, oldest \
	CSEL EQ, h2, h1, h1            \
	CMP  end, h1                   \
	CSEL LO, h1, end, stop

// NEON_BLOCK_PENDING sets left to the number of keys in the pipeline at its end.
// in: left, n; h0, the number of records in the ring
#define NEON_BLOCK_PENDING \
	LSL  $2, h0              \
	CMP  h0, left            \
	CSEL LO, left, h0, left

// What adding needs. It makes each lane's bit by shifting a 1 by the field's
// number. The fields are cut out in the order 0, 2, 4, 6, 1, 3, 5, 7 of the lanes,
// 16 bits each, so that rotating all by 16 bits brings the next two lanes' to the
// ends of a vector's halves, of which USHL reads the lowest byte.

// NEON_BLOCK_ON writes a word of 1 for each lane that is on before rotation, and a
// word of 0 for each other, twice to memory: rotation r begins at word r.
// in: on, 128 bytes; F0, lanePattern(k); clobbers: V0, V2, V4 to V7
#define NEON_BLOCK_ON \
	VUXTL  V0.B8, V0.H8      \
	VUXTL2 V0.H8, V2.S4      \
	VUXTL  V0.H4, V0.S4      \
	VUXTL2 V2.S4, V7.D2      \
	VUXTL  V2.S2, V6.D2      \
	VUXTL2 V0.S4, V5.D2      \
	VUXTL  V0.S2, V4.D2      \
	FSTPQ  (F4, F5), (on)    \
	FSTPQ  (F6, F7), 32(on)  \
	FSTPQ  (F4, F5), 64(on)  \
	FSTPQ  (F6, F7), 96(on)

// NEON_BLOCK_PUT_ON puts the addresses of the rotated words in the record at rec.
// in: w0 to w3, on, oldest; clobbers: w0 to w3
#define NEON_BLOCK_PUT_ON(rec) \
	AND $7, w0         \
	AND $7, w1         \
	AND $7, w2         \
	AND $7, w3         \
	ADD w0<<3, on, w0  \
	ADD w1<<3, on, w1  \
	ADD w2<<3, on, w2  \
	ADD w3<<3, on, w3  \
	STP (w0, w1), (rec)(oldest)    \
	STP (w2, w3), (rec+16)(oldest)

// NEON_BLOCK_NUMBERS makes the numbers of a word's bits in the 16-bit lanes of V8,
// and moves the next lanes to the lowest bytes of the 64-bit lanes of V10 and V11.
// in: words, half, which is vFirst or vSecond; out: V8, V10, V11
#define NEON_BLOCK_NUMBERS(words, half) \
	VTBL  half.B16, [words.B16], V8.B16 \
	USHLH(nShift, 8, 8)                 \
	VAND  vMask.B16, V8.B16, V8.B16     \
	VEXT  $2, V8.B16, V8.B16, V10.B16   \
	VEXT  $4, V8.B16, V8.B16, V11.B16

// NEON_BLOCK_NUMBERS67 moves the numbers of lanes 6 and 7 there too.
// in: V8; out: V12
#define NEON_BLOCK_NUMBERS67 \
	VEXT $6, V8.B16, V8.B16, V12.B16
