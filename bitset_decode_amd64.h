// Macros that the decoding kernels share: bitset_decode_amd64.s tells how they
// work.

#define to    DI  // where the next index goes
#define limit R12 // the end of dst
#define src   SI  // the next word
#define stop  DX  // the end of its block of eight
#define end   R8  // the end of all words
#define w     BX  // a word
#define cnt   AX  // its count, or the largest of the block
#define m     R13 // the words of the block that are not 0

// ARGS loads the arguments for indices of 1 << size bytes.
#define ARGS(size) \
	MOVQ dst+0(FP), to     \
	MOVQ room+8(FP), limit \
	SHLQ $size, limit      \
	ADDQ to, limit         \
	MOVQ words+16(FP), src \
	MOVQ n+24(FP), end     \
	LEAQ (src)(end*8), end

// RESULTS stores the results and returns.
#define RESULTS(size) \
	SUBQ dst+0(FP), to        \
	SHRQ $size, to            \
	MOVQ to, written+40(FP)   \
	SUBQ words+16(FP), src    \
	SHRQ $3, src              \
	MOVQ src, consumed+48(FP) \
	RET

// LARGER makes cnt the count of word if that is larger. Clobbers t.
#define LARGER(word, t) \
	POPCNTQ word, t \
	CMPQ    t, cnt  \
	CMOVQHI t, cnt

// LARGEST_PART sets cnt to the largest count of the words from src to stop.
// Clobbers R9, R10.
#define LARGEST_PART \
	MOVQ src, R9      \
	XORL cnt, cnt     \
larger: \
	LARGER((R9), R10) \
	ADDQ $8, R9       \
	CMPQ R9, stop     \
	JB   larger

// TWO_WORDS sets w, R11 to the words of the block that m has, or to one and 0,
// and R9, R10 to their numbers in the block. Clobbers m.
#define TWO_WORDS \
	TZCNTL  m, R9            \
	BLSRL   m, m             \
	TZCNTL  m, R10           \
	XORL    R11, R11         \
	TESTL   m, m             \
	CMOVQEQ R9, R10          \
	MOVQ    (src)(R9*8), w   \
	CMOVQNE (src)(R10*8), R11

// TIGHT writes the words from src on bit by bit while their indices fit. index is
// that of the first word's bit 0. Clobbers R9, R10, w, cnt.
//
// A masked store would do it without a loop, but it takes an assist by microcode
// where the part it leaves out lies in a page that is not mapped: a hundred
// cycles a word, seen with 256 places at the end of a page.
#define TIGHT(index, SCALE, MOV) \
tightWord: \
	MOVQ    (src), w            \
	POPCNTQ w, cnt              \
	LEAQ    (to)(cnt*SCALE), R9 \
	CMPQ    R9, limit           \
	JHI     done                \
	TESTQ   w, w                \
	JZ      tightNext           \
tightBit: \
	TZCNTQ  w, R10              \
	ADDQ    index, R10          \
	MOV     R10, (to)           \
	ADDQ    $SCALE, to          \
	BLSRQ   w, w                \
	JNZ     tightBit            \
tightNext: \
	ADDQ    $64, index          \
	ADDQ    $8, src             \
	CMPQ    src, end            \
	JB      tightWord           \
done: \
	VZEROUPPER
