// What the word kernels for NEON share: registers, operations and loads.
//
// All kernels take 16 words a round, as four loads of a register pair: no core
// charges more for that than for the two halves, as Apple's do for a VLD1 of four
// registers. What is left goes two words at a time, then one.

#define aptr   R0 // the next word of a, which is p where that is all
#define bptr   R1 // the next word of b
#define dstptr R2 // the next word of dst
#define left   R3 // words left
#define zero   V18

// WORDS_AND and so on set va to va op vb.
// in: va, vb, zero; out: va
#define WORDS_AND(vb, va)    VAND vb.B16, va.B16, va.B16
#define WORDS_OR(vb, va)     VORR vb.B16, va.B16, va.B16
#define WORDS_XOR(vb, va)    VEOR vb.B16, va.B16, va.B16
#define WORDS_ANDNOT(vb, va) VBIT vb.B16, zero.B16, va.B16 // inserts zeros where vb is set

// WORDS_A16 and WORDS_B16 fetch the next 16 words of a and b.
// in: aptr or bptr; out: V0 to V7 or V20 to V27, the pointer advanced
#define WORDS_A16 \
	FLDPQ 0(aptr), (F0, F1)  \
	FLDPQ 32(aptr), (F2, F3) \
	FLDPQ 64(aptr), (F4, F5) \
	FLDPQ 96(aptr), (F6, F7) \
	ADD   $128, aptr

#define WORDS_B16 \
	FLDPQ 0(bptr), (F20, F21)  \
	FLDPQ 32(bptr), (F22, F23) \
	FLDPQ 64(bptr), (F24, F25) \
	FLDPQ 96(bptr), (F26, F27) \
	ADD   $128, bptr

// WORDS_EACH16 applies OP, one of WORDS_AND and so on, to 16 words.
// in: V0 to V7, V20 to V27, zero; out: V0 to V7
#define WORDS_EACH16(OP) \
	OP(V20, V0) \
	OP(V21, V1) \
	OP(V22, V2) \
	OP(V23, V3) \
	OP(V24, V4) \
	OP(V25, V5) \
	OP(V26, V6) \
	OP(V27, V7)
