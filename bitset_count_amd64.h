// Macros that the kernels of cardinalities share: bitset_count_amd64.s tells how
// they work.

#define x    SI
#define y    DI
#define left CX

#define ADVANCE1(bytes) \
	ADDQ bytes, x

#define ADVANCE2(bytes) \
	ADDQ bytes, x \
	ADDQ bytes, y

// SUM_LANES sets r to the sum of the four lanes of Y0. Clobbers Y0, Y1.
#define SUM_LANES(r) \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDQ  X1, X0, X0      \
	VPSRLDQ $8, X0, X1      \
	VPADDQ  X1, X0, X0      \
	VMOVQ   X0, r

// ---- AVX2 ----

DATA nibbleCounts<>+0x00(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+0x08(SB)/8, $0x0403030203020201
DATA nibbleCounts<>+0x10(SB)/8, $0x0302020102010100
DATA nibbleCounts<>+0x18(SB)/8, $0x0403030203020201
GLOBL nibbleCounts<>(SB), RODATA|NOPTR, $32

DATA lowNibbles<>+0x00(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lowNibbles<>(SB), RODATA|NOPTR, $8

#define total  Y0 // four lanes of 64 bits
#define ones   Y1
#define twos   Y2
#define fours  Y3
#define eights Y4
#define table  Y5
#define low    Y6
#define zero   Y7

#define n0 AX // sums of counted words
#define n1 R8
#define n2 R9
#define n3 R10

// LOAD1 and LOAD2 set v to the vector of x, or of x op y, at distance off.

#define LOAD1(off, v) \
	VMOVDQU off(x), v

#define LOAD2(VOP, off, v) \
	VMOVDQU off(y), v    \
	VOP     off(x), v, v

#define LOAD_AND(off, v)    LOAD2(VPAND, off, v)
#define LOAD_OR(off, v)     LOAD2(VPOR, off, v)
#define LOAD_XOR(off, v)    LOAD2(VPXOR, off, v)
#define LOAD_ANDNOT(off, v) LOAD2(VPANDN, off, v) // complements v, which is y

// WORD1 and WORD2 add the count of the word of x, or of x op y, to sum.
// Clobbers t.

#define WORD1(off, t, sum) \
	POPCNTQ off(x), t \
	ADDQ    t, sum

#define WORD2(OP, off, t, sum) \
	MOVQ    off(y), t \
	OP(off, t)        \
	POPCNTQ t, t      \
	ADDQ    t, sum

#define ANDW(off, t)    ANDQ off(x), t
#define ORW(off, t)     ORQ off(x), t
#define XORW(off, t)    XORQ off(x), t
#define ANDNOTW(off, t) ANDNQ off(x), t, t

#define WORD_AND(off, t, sum)    WORD2(ANDW, off, t, sum)
#define WORD_OR(off, t, sum)     WORD2(ORW, off, t, sum)
#define WORD_XOR(off, t, sum)    WORD2(XORW, off, t, sum)
#define WORD_ANDNOT(off, t, sum) WORD2(ANDNOTW, off, t, sum)

// WORDS4 adds four words from distance off on. Clobbers R11, R12, R13, DX.
#define WORDS4(WORD, off) \
	WORD(off, R11, n0)    \
	WORD(off+8, R12, n1)  \
	WORD(off+16, R13, n2) \
	WORD(off+24, DX, n3)

// BESIDE adds the words that each quarter of a round counts beside the tree.

#define BESIDE1(quarter) WORDS4(WORD1, 512+32*quarter)

#define BESIDE_NONE(quarter)

// BYTES replaces each byte of v by its count, at most 8. Clobbers t.
#define BYTES(v, t) \
	VPSRLW  $4, v, t    \
	VPAND   low, v, v   \
	VPAND   low, t, t   \
	VPSHUFB v, table, v \
	VPSHUFB t, table, t \
	VPADDB  t, v, v

// WEIGHED adds the counts of v, times 1 << shift, to total. Clobbers v, t.
#define WEIGHED(v, shift, t) \
	BYTES(v, t)               \
	VPSADBW zero, v, v        \
	VPSLLQ  shift, v, v       \
	VPADDQ  v, total, total

// CSA is a full adder in each place: sum, carry = sum + a + b. carry may be a.
// Clobbers t.
#define CSA(sum, a, b, carry, t) \
	VPXOR a, sum, t       \
	VPAND a, sum, carry   \
	VPXOR b, t, sum       \
	VPAND b, t, t         \
	VPOR  t, carry, carry

// FOUR adds the four vectors at off to ones and twos; carry is what overflows
// into fours. Clobbers Y8, Y9, Y10, Y14.
#define FOUR(LOAD, off, carry) \
	LOAD(off, Y8)                    \
	LOAD(off+32, Y9)                 \
	LOAD(off+64, Y14)                \
	CSA(Y8, Y9, Y14, carry, Y10)     \
	LOAD(off+96, Y9)                 \
	CSA(ones, Y8, Y9, Y8, Y10)       \
	CSA(twos, carry, Y8, carry, Y10)

// COUNT256 sets AX to the sum over all words, ROUND of them a round: 64 in the
// tree and ROUND-64 beside it. The rest is taken by sixteens, half of them
// vectors, and by words. Fewer than 16 words touch no vector register.
//
// The bytes of two vectors' counts sum to at most 16, and VPSADBW adds eight of
// them into a lane of 64 bits, so nothing overflows.
// Clobbers x, y, left, DX, R8 to R13, Y0 to Y14.
#define COUNT256(LOAD, WORD, BESIDE, ROUND, ADVANCE) \
	XORL   n0, n0                   \
	XORL   n1, n1                   \
	XORL   n2, n2                   \
	XORL   n3, n3                   \
	CMPQ   left, $16                \
	JLT    words                    \
	VPXOR  X0, X0, X0               \
	VPXOR  X1, X1, X1               \
	VPXOR  X2, X2, X2               \
	VPXOR  X3, X3, X3               \
	VPXOR  X4, X4, X4               \
	VPXOR  X7, X7, X7               \
	VMOVDQU      nibbleCounts<>(SB), table \
	VPBROADCASTQ lowNibbles<>(SB), low     \
	SUBQ   $ROUND, left             \
	JLT    few                      \
round: \
	FOUR(LOAD, 0, Y11)              \
	BESIDE(0)                       \
	FOUR(LOAD, 128, Y12)            \
	BESIDE(1)                       \
	CSA(fours, Y11, Y12, Y11, Y10)  \
	FOUR(LOAD, 256, Y12)            \
	BESIDE(2)                       \
	FOUR(LOAD, 384, Y13)            \
	BESIDE(3)                       \
	CSA(fours, Y12, Y13, Y12, Y10)  \
	CSA(eights, Y11, Y12, Y11, Y10) \
	WEIGHED(Y11, $4, Y10)           \
	ADVANCE($8*ROUND)               \
	SUBQ   $ROUND, left             \
	JGE    round                    \
	WEIGHED(eights, $3, Y10)        \
	WEIGHED(fours, $2, Y10)         \
	WEIGHED(twos, $1, Y10)          \
	WEIGHED(ones, $0, Y10)          \
few: \
	ADDQ   $ROUND-16, left          \
	JLT    lanes                    \
loop16: \
	LOAD(0, Y8)                     \
	LOAD(32, Y9)                    \
	BYTES(Y8, Y10)                  \
	WORDS4(WORD, 64)                \
	BYTES(Y9, Y11)                  \
	WORDS4(WORD, 96)                \
	VPADDB  Y9, Y8, Y8              \
	VPSADBW zero, Y8, Y8            \
	VPADDQ  Y8, total, total        \
	ADVANCE($128)                   \
	SUBQ   $16, left                \
	JGE    loop16                   \
lanes: \
	SUM_LANES(DX)                   \
	VZEROUPPER                      \
	ADDQ   DX, n0                   \
	ADDQ   $16, left                \
words: \
	SUBQ   $4, left                 \
	JLT    last                     \
loop4: \
	WORDS4(WORD, 0)                 \
	ADVANCE($32)                    \
	SUBQ   $4, left                 \
	JGE    loop4                    \
last: \
	ADDQ   $4, left                 \
	JZ     done                     \
loop1: \
	WORD(0, DX, n0)                 \
	ADVANCE($8)                     \
	DECQ   left                     \
	JNZ    loop1                    \
done: \
	ADDQ   n1, n0                   \
	ADDQ   n3, n2                   \
	ADDQ   n2, n0
