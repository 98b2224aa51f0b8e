// Registers and macros that the decoding kernels of both levels share.

#define dstp  DI  // the place in dst for the next index
#define limit R12 // the end of dst
#define wordp SI  // the next word
#define stop  DX  // the end of its block of eight words, or of words if that is less
#define end   R8  // the end of words
#define w     BX  // a word
#define ones  AX  // its number of set bits, or the largest one of a block's words
#define mask  R13 // bit i: word i of the block is not 0

// DECODE_MAX raises ones to the number of set bits of word, if that is larger.
// clobbers t
#define DECODE_MAX(word, t) \
	POPCNTQ word, t \
	CMPQ    t, ones \
	CMOVQHI t, ones

// DECODE_TWO takes the two words that are not 0 from the block at wordp, or the one
// that is not and a 0.
// in: mask, which is not 0
// out: w, R11 the words; R9, R10 their numbers in the block
// clobbers mask
#define DECODE_TWO \
	TZCNTL  mask, R9           \
	BLSRL   mask, mask         \
	TZCNTL  mask, R10          \
	XORL    R11, R11           \
	TESTL   mask, mask         \
	CMOVQEQ R9, R10            \
	MOVQ    (wordp)(R9*8), w   \
	CMOVQNE (wordp)(R10*8), R11
