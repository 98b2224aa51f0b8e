//go:build !purego

// Gathering and scattering bits by PEXT and PDEP: see pext.go. A word takes about
// four cycles.
//
// SHLX and SHRX take their count modulo 64. So a shift by 64 - c, for a c that may
// be 0, is one by 1 and one by 63 - c, which modulo 64 is ^c. What else was tried is
// in TUNING.md.

#include "textflag.h"

#define dstp  DI // dst
#define srcp  SI // src
#define maskp DX // mask

// Registers of extractBMI2.
#define left  CX  // words to go
#define pos   R8  // the next bit of dst
#define at    R9  // pos/64
#define acc   R10 // the bits of dst[at] so far
#define m     AX  // a word of mask, then the number of bits in it
#define x     BX  // a word of src, then the bits of it that m selects
#define tmp   R11
#define shift R12

// func extractBMI2(dst, src, mask *uint64, n int, fill uint) (next uint)
//
// Packs the selected bits of n words behind the lowest fill bits of dst[0], which
// stay, and returns the bit after the last one. n > 0 and fill < 64. For every
// word of mask, a bit that it or a later one selects must have its place in dst:
// the word of dst at which its bits begin is then there, and is stored whether or
// not it is full. That saves a branch that a random mask mispredicts.
TEXT ·extractBMI2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), dstp
	MOVQ src+8(FP), srcp
	MOVQ mask+16(FP), maskp
	MOVQ n+24(FP), left
	MOVQ fill+32(FP), pos
	XORL at, at

	// acc = dst[0] & (1<<fill - 1)
	BZHIQ pos, (dstp), acc

loop:
	// x, m = the bits of src[i] that mask[i] selects, their number
	MOVQ    (maskp), m
	MOVQ    (srcp), x
	PEXTQ   m, x, x
	POPCNTQ m, m
	ADDQ    $8, maskp
	ADDQ    $8, srcp

	// acc |= x << pos%64
	// dst[at] = acc
	SHLXQ pos, x, tmp
	ORQ   tmp, acc
	MOVQ  acc, (dstp)(at*8)

	// x >>= 64 - pos%64
	MOVQ  pos, shift
	NOTQ  shift
	SHRQ  $1, x
	SHRXQ shift, x, x

	// pos += m
	// if pos/64 != at { acc = x }
	// at = pos/64
	ADDQ    m, pos
	MOVQ    pos, shift
	SHRQ    $6, shift
	CMPQ    shift, at
	CMOVQNE x, acc
	MOVQ    shift, at
	DECQ    left
	JNZ     loop

	// if pos%64 != 0 { dst[at] = acc }
	TESTQ $63, pos
	JZ    done
	MOVQ  acc, (dstp)(at*8)

done:
	MOVQ pos, next+40(FP)
	RET

#undef left
#undef pos
#undef at
#undef acc
#undef m
#undef x
#undef tmp
#undef shift

// Registers of depositBMI2.
#define words CX  // n
#define end   R8  // stop
#define pos   R9  // the next bit of src
#define i     R10 // the next word of dst
#define m     AX  // mask[i]
#define x     BX  // 64 bits of src from pos on, then spread
#define tmp   R11

// func depositBMI2(dst, src, mask *uint64, n int, first, stop uint) (done int, next uint)
//
// Deposits the bits of src from bit first on, until all n words are done or the
// next bit is bit stop of src, a multiple of 64, or past it. Returns the number of
// words done and the next bit. src has stop/64 + 1 words, or more.
TEXT ·depositBMI2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), dstp
	MOVQ src+8(FP), srcp
	MOVQ mask+16(FP), maskp
	MOVQ n+24(FP), words
	MOVQ first+32(FP), pos
	MOVQ stop+40(FP), end
	XORL i, i

loop:
	CMPQ i, words
	JGE  stopped
	CMPQ pos, end
	JHS  stopped

	// x = src[pos/64]>>(pos%64) | src[pos/64+1]<<(64-pos%64)
	MOVQ  pos, m
	SHRQ  $6, m
	SHRXQ pos, (srcp)(m*8), x
	MOVQ  8(srcp)(m*8), m
	MOVQ  pos, tmp
	NOTQ  tmp
	ADDQ  m, m
	SHLXQ tmp, m, m
	ORQ   m, x

	// dst[i] = dst[i]&^mask[i] | deposited x
	MOVQ  (maskp)(i*8), m
	ANDNQ (dstp)(i*8), m, tmp
	PDEPQ m, x, x
	ORQ   x, tmp
	MOVQ  tmp, (dstp)(i*8)

	// pos += popcount(mask[i])
	POPCNTQ m, m
	ADDQ    m, pos
	INCQ    i
	JMP     loop

stopped:
	MOVQ i, done+48(FP)
	MOVQ pos, next+56(FP)
	RET

#undef words
#undef end
#undef pos
#undef i
#undef m
#undef x
#undef tmp

// func selectBMI2(w uint64, j uint) uint
//
// Deposits a one at the set bit numbered j and finds its index. w has more than j
// set bits.
TEXT ·selectBMI2(SB), NOSPLIT, $0-24
	// tzcnt(pdep(1<<j, w))
	MOVQ   j+8(FP), CX
	MOVL   $1, AX
	SHLXQ  CX, AX, AX
	PDEPQ  w+0(FP), AX, AX
	TZCNTQ AX, AX
	MOVQ   AX, ret+16(FP)
	RET
