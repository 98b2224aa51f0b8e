//go:build !purego

#include "textflag.h"

// Bit extraction and deposit over word slices by PEXT and PDEP, a word in about
// four cycles. Variable shifts are SHLX and SHRX, which take the count modulo 64
// from any register; SHLD by CL would do the work of three of them in as many
// operations more. A shift by 64 - n, for n that may be 0, is one by 1 and one
// by 63 - n, which modulo 64 is ^n.

// func selectBMI2(w uint64, j uint) uint
//
// Deposits a one as the bit numbered j, and finds where it came down.
TEXT ·selectBMI2(SB), NOSPLIT, $0-24
	MOVQ   j+8(FP), CX
	MOVL   $1, AX
	SHLXQ  CX, AX, AX
	PDEPQ  w+0(FP), AX, AX
	TZCNTQ AX, AX
	MOVQ   AX, ret+16(FP)
	RET

// func extractBMI2(dst, src, mask *uint64, words int)
//
// Precondition: words > 0; mask[words-1] != 0; dst has room for the selected
// bits, rounded up to a word. As every word begins with at least one bit to
// come, the word of dst that it begins in exists, and is stored whether or not
// it is complete: that saves a branch that a random mask mispredicts.
//
// DI dst  SI src  DX mask  CX words to go
// R8 pos, the number of bits extracted  R9 pos/64  R10 the bits of word R9
TEXT ·extractBMI2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ mask+16(FP), DX
	MOVQ words+24(FP), CX
	XORL R8, R8
	XORL R9, R9
	XORL R10, R10

extract:
	// x = src & mask, packed
	MOVQ    (DX), AX
	MOVQ    (SI), BX
	PEXTQ   AX, BX, BX
	POPCNTQ AX, AX
	ADDQ    $8, DX
	ADDQ    $8, SI

	// dst[pos/64] |= x << pos%64
	SHLXQ R8, BX, R11
	ORQ   R11, R10
	MOVQ  R10, (DI)(R9*8)

	// hi = x >> (64 - pos%64)
	MOVQ  R8, R12
	NOTQ  R12
	SHRQ  $1, BX
	SHRXQ R12, BX, BX

	// pos += n; if that begins a new word, hi is what it has so far
	ADDQ    AX, R8
	MOVQ    R8, R12
	SHRQ    $6, R12
	CMPQ    R12, R9
	CMOVQNE BX, R10
	MOVQ    R12, R9
	DECQ    CX
	JNZ     extract

	TESTQ $63, R8
	JZ    extracted
	MOVQ  R10, (DI)(R9*8)

extracted:
	RET

// func depositBMI2(dst, src, mask *uint64, words int, end, pos uint) (done int, next uint)
//
// Deposits the bits of src from pos on, until all words are done or the next bit
// is bit end of src, a multiple of 64, or past it. Returns the number of words
// done and the next bit. Precondition: src has end/64 + 1 words.
//
// DI dst  SI src  DX mask  CX words  R8 end  R9 pos  R10 done
TEXT ·depositBMI2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ mask+16(FP), DX
	MOVQ words+24(FP), CX
	MOVQ end+32(FP), R8
	MOVQ pos+40(FP), R9
	XORL R10, R10

deposit:
	CMPQ R10, CX
	JGE  deposited
	CMPQ R9, R8
	JHS  deposited

	// x = 64 bits of src from pos on
	MOVQ  R9, AX
	SHRQ  $6, AX
	SHRXQ R9, (SI)(AX*8), BX
	MOVQ  8(SI)(AX*8), AX
	MOVQ  R9, R11
	NOTQ  R11
	ADDQ  AX, AX
	SHLXQ R11, AX, AX
	ORQ   AX, BX

	// dst = dst &^ mask | x, spread
	MOVQ  (DX)(R10*8), AX
	ANDNQ (DI)(R10*8), AX, R11
	PDEPQ AX, BX, BX
	ORQ   BX, R11
	MOVQ  R11, (DI)(R10*8)

	// pos += popcount(mask)
	POPCNTQ AX, AX
	ADDQ    AX, R9
	INCQ    R10
	JMP     deposit

deposited:
	MOVQ R10, done+48(FP)
	MOVQ R9, next+56(FP)
	RET
