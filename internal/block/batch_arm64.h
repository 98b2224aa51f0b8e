// What the blocked filter's batch kernels for NEON share: blocked_arm64.s tests,
// blocked_add_arm64.s adds.
//
// A ring on the stack holds, for 32 keys, what their probes need. A step takes
// four keys: it probes the four oldest in the ring and puts in their place, and
// prefetches, the four that come 32 keys later. One prefetch per probe keeps the
// miss buffers full without the stall that a burst of prefetches causes once
// they overflow; and the general registers hash while the vector registers
// probe.
//
// A word's fields are cut out by a TBL that gives each lane the two bytes in
// which its field lies, and a USHL that moves the field to one end of the two.
//
// The layout is specified in block.go.

// Registers of every kernel:
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

// A step's record in the ring:
#define recAddr  0  // four addresses of blocks
#define recWords 32 // four words, or for k > 8 four pairs of words
#define recRot   64 // four rotated patterns of lanes: 8 bytes, or their address
#define recTwo   96 // the same for k > 8; for tests, four pairs

// HASH1 to HASH4 put a step's new keys in the ring, in four parts that alternate
// with the four of its probes: cores with one slow multiplier and a short window
// want them mix. HASH1 loads the keys.
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

#define NOTHING

// LOADADDR loads the addresses of the oldest four keys' blocks.
// out: p0 to p3
#define LOADADDR \
	LDP (recAddr)(ring), (p0, p1)    \
	LDP (recAddr+16)(ring), (p2, p3)

// PROLOGUE loads what all kernels share, and makes a ring of the given size.
// out: h0, the address of table
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
	MOVD  $table(SB), h0            \
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
