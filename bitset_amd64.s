//go:build !purego

// Set operations into a destination, dst = a op b: eight vectors a round, each
// loaded, combined and stored before the next is loaded. Vectors of 256 bits do at
// both levels; those of 512 bits are for CPUs that store as many in a cycle, which
// cpu.Tune says.
//
// A store that straddles two cache lines costs as much as two, so dst is aligned
// first where there are enough words to pay for it. With 256 bits the ends go by 128
// and 64 bits rather than by masks: a load cannot be forwarded from a masked store,
// and the next operation on the same memory often follows at once. With 512 bits they
// are whole vectors that share words with their neighbours.

#include "textflag.h"

#define dstptr DI // the next word of dst, a and b
#define aptr   SI
#define bptr   DX
#define left   CX // words left

// WORDS_ADVANCE moves the three pointers on by a number of bytes.
// in, out: dstptr, aptr, bptr
#define WORDS_ADVANCE(bytes) \
	ADDQ bytes, aptr \
	ADDQ bytes, bptr \
	ADDQ bytes, dstptr

// WORDS_VECTOR sets the vector at off of dst to a op b; its size is that of v.
// VOP(a, b, v) is v = a op b, where VPANDN complements b; VSTORE stores.
// in: dstptr, aptr, bptr; clobbers: v
#define WORDS_VECTOR(VOP, VSTORE, off, v) \
	VMOVDQU off(bptr), v    \
	VOP     off(aptr), v, v \
	VSTORE  v, off(dstptr)

// WORDS_1 sets one word of dst, and WORDS_8, WORDS_16 and WORDS_32 as many.
// in: dstptr, aptr, bptr; clobbers: Y0 to Y7
#define WORDS_1(VOP) \
	VMOVQ (bptr), X0   \
	VMOVQ (aptr), X1   \
	VOP   X1, X0, X0   \
	VMOVQ X0, (dstptr)

#define WORDS_8(VOP) \
	WORDS_VECTOR(VOP, VMOVDQU, 0, Y0)  \
	WORDS_VECTOR(VOP, VMOVDQU, 32, Y1)

#define WORDS_16(VOP) \
	WORDS_VECTOR(VOP, VMOVDQU, 0, Y0)  \
	WORDS_VECTOR(VOP, VMOVDQU, 32, Y1) \
	WORDS_VECTOR(VOP, VMOVDQU, 64, Y2) \
	WORDS_VECTOR(VOP, VMOVDQU, 96, Y3)

#define WORDS_32(VOP, VSTORE) \
	WORDS_VECTOR(VOP, VSTORE, 0, Y0)   \
	WORDS_VECTOR(VOP, VSTORE, 32, Y1)  \
	WORDS_VECTOR(VOP, VSTORE, 64, Y2)  \
	WORDS_VECTOR(VOP, VSTORE, 96, Y3)  \
	WORDS_VECTOR(VOP, VSTORE, 128, Y4) \
	WORDS_VECTOR(VOP, VSTORE, 160, Y5) \
	WORDS_VECTOR(VOP, VSTORE, 192, Y6) \
	WORDS_VECTOR(VOP, VSTORE, 224, Y7)

// func andAVX2(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b; if it overlaps them otherwise, its contents are undefined.
TEXT ·andAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	WORDS_1(VPAND)
	WORDS_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	WORDS_VECTOR(VPAND, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)
	SUBQ  $2, left

	// dst[:32] = a[:32] & b[:32], as long as there are 32 words.
rounds:
	SUBQ  $32, left
	JLT   tail16
	PCALIGN $32

loop32:
	WORDS_32(VPAND, VMOVDQU)
	WORDS_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

	// The low five bits of left are now the number of words left: take 16, 8, 4, 2 and
	// 1 of them, as those bits are set.
tail16:
	TESTQ $16, left
	JZ    tail8
	WORDS_16(VPAND)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $8, left
	JZ    tail4
	WORDS_8(VPAND)
	WORDS_ADVANCE($64)

tail4:
	TESTQ $4, left
	JZ    tail2
	WORDS_VECTOR(VPAND, VMOVDQU, 0, Y0)
	WORDS_ADVANCE($32)

tail2:
	TESTQ $2, left
	JZ    tail1
	WORDS_VECTOR(VPAND, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	WORDS_1(VPAND)

done:
	VZEROUPPER
	RET

// func orAVX2(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b.
TEXT ·orAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	WORDS_1(VPOR)
	WORDS_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	WORDS_VECTOR(VPOR, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)
	SUBQ  $2, left

	// dst[:32] = a[:32] | b[:32], as long as there are 32 words.
rounds:
	SUBQ  $32, left
	JLT   tail16
	PCALIGN $32

loop32:
	WORDS_32(VPOR, VMOVDQU)
	WORDS_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

	// The low five bits of left are now the number of words left: take 16, 8, 4, 2 and
	// 1 of them, as those bits are set.
tail16:
	TESTQ $16, left
	JZ    tail8
	WORDS_16(VPOR)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $8, left
	JZ    tail4
	WORDS_8(VPOR)
	WORDS_ADVANCE($64)

tail4:
	TESTQ $4, left
	JZ    tail2
	WORDS_VECTOR(VPOR, VMOVDQU, 0, Y0)
	WORDS_ADVANCE($32)

tail2:
	TESTQ $2, left
	JZ    tail1
	WORDS_VECTOR(VPOR, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	WORDS_1(VPOR)

done:
	VZEROUPPER
	RET

// func xorAVX2(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b.
TEXT ·xorAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	WORDS_1(VPXOR)
	WORDS_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	WORDS_VECTOR(VPXOR, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)
	SUBQ  $2, left

	// dst[:32] = a[:32] ^ b[:32], as long as there are 32 words.
rounds:
	SUBQ  $32, left
	JLT   tail16
	PCALIGN $32

loop32:
	WORDS_32(VPXOR, VMOVDQU)
	WORDS_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

	// The low five bits of left are now the number of words left: take 16, 8, 4, 2 and
	// 1 of them, as those bits are set.
tail16:
	TESTQ $16, left
	JZ    tail8
	WORDS_16(VPXOR)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $8, left
	JZ    tail4
	WORDS_8(VPXOR)
	WORDS_ADVANCE($64)

tail4:
	TESTQ $4, left
	JZ    tail2
	WORDS_VECTOR(VPXOR, VMOVDQU, 0, Y0)
	WORDS_ADVANCE($32)

tail2:
	TESTQ $2, left
	JZ    tail1
	WORDS_VECTOR(VPXOR, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	WORDS_1(VPXOR)

done:
	VZEROUPPER
	RET

// func andNotAVX2(dst, a, b *uint64, n int)
// n >= 0. dst may be a or b.
TEXT ·andNotAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left

	// If n >= 64, align dst to 32 bytes.
	CMPQ  left, $64
	JLT   rounds
	TESTQ $8, dstptr
	JZ    align2
	WORDS_1(VPANDN)
	WORDS_ADVANCE($8)
	DECQ  left

align2:
	TESTQ $16, dstptr
	JZ    rounds
	WORDS_VECTOR(VPANDN, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)
	SUBQ  $2, left

	// dst[:32] = a[:32] &^ b[:32], as long as there are 32 words.
rounds:
	SUBQ  $32, left
	JLT   tail16
	PCALIGN $32

loop32:
	WORDS_32(VPANDN, VMOVDQU)
	WORDS_ADVANCE($256)
	SUBQ  $32, left
	JGE   loop32

	// The low five bits of left are now the number of words left: take 16, 8, 4, 2 and
	// 1 of them, as those bits are set.
tail16:
	TESTQ $16, left
	JZ    tail8
	WORDS_16(VPANDN)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $8, left
	JZ    tail4
	WORDS_8(VPANDN)
	WORDS_ADVANCE($64)

tail4:
	TESTQ $4, left
	JZ    tail2
	WORDS_VECTOR(VPANDN, VMOVDQU, 0, Y0)
	WORDS_ADVANCE($32)

tail2:
	TESTQ $2, left
	JZ    tail1
	WORDS_VECTOR(VPANDN, VMOVDQU, 0, X0)
	WORDS_ADVANCE($16)

tail1:
	TESTQ $1, left
	JZ    done
	WORDS_1(VPANDN)

done:
	VZEROUPPER
	RET

// ---- 512 bits ----

#define first  R8  // dst[:8]
#define last   R9  // dst[n-8:]
#define ragged R10 // not 0 if dst does not begin and end with a cache line

// WORDS_LINE sets the 64 bytes at off of dst, which is aligned, to a op b.
// in: dstptr, aptr, bptr; clobbers: v
#define WORDS_LINE(VOP, off, v) \
	VMOVDQU64 off(bptr), v    \
	VOP       off(aptr), v, v \
	VMOVDQA64 v, off(dstptr)

// WORDS_LINES_4 sets four lines of dst, and WORDS_LINES_8 eight.
// in: dstptr, aptr, bptr; clobbers: Z0 to Z7
#define WORDS_LINES_4(VOP) \
	WORDS_LINE(VOP, 0, Z0)   \
	WORDS_LINE(VOP, 64, Z1)  \
	WORDS_LINE(VOP, 128, Z2) \
	WORDS_LINE(VOP, 192, Z3)

#define WORDS_LINES_8(VOP) \
	WORDS_LINES_4(VOP)       \
	WORDS_LINE(VOP, 256, Z4) \
	WORDS_LINE(VOP, 320, Z5) \
	WORDS_LINE(VOP, 384, Z6) \
	WORDS_LINE(VOP, 448, Z7)

// WORDS_ENDS combines the first and the last eight words. left is in bytes.
// in: dstptr, aptr, bptr, left; out: first, last, Z8, Z9: what belongs there
#define WORDS_ENDS(VOP) \
	MOVQ      dstptr, first                 \
	LEAQ      -64(dstptr)(left*1), last     \
	VMOVDQU64 (bptr), Z8                    \
	VOP       (aptr), Z8, Z8                \
	VMOVDQU64 -64(bptr)(left*1), Z9         \
	VOP       -64(aptr)(left*1), Z9, Z9

// WORDS_ALIGN moves on to where dst is aligned.
// in, out: dstptr, aptr, bptr, left; clobbers: AX
#define WORDS_ALIGN \
	MOVQ dstptr, AX  \
	NEGQ AX          \
	ANDQ $63, AX     \
	SUBQ AX, left    \
	WORDS_ADVANCE(AX)

// func andAVX512(dst, a, b *uint64, n int)
// n >= 8. dst may be a or b; if it overlaps them otherwise, its contents are undefined.
TEXT ·andAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	SHLQ $3, left

	// If dst does not begin and end with a line, keep its ends for the end: they share
	// words with the lines, and a or b may be dst.
	LEAQ  (dstptr)(left*1), ragged
	ORQ   dstptr, ragged
	ANDQ  $63, ragged
	JZ    lines
	WORDS_ENDS(VPANDQ)
	WORDS_ALIGN

	// dst[:64] = a[:64] & b[:64], as long as there are 64 words.
lines:
	SUBQ  $512, left
	JLT   tail32
	PCALIGN $32

loop64:
	WORDS_LINES_8(VPANDQ)
	WORDS_ADVANCE($512)
	SUBQ  $512, left
	JGE   loop64

	// Take 32, 16 and 8 words of what is left.
tail32:
	TESTQ $256, left
	JZ    tail16
	WORDS_LINES_4(VPANDQ)
	WORDS_ADVANCE($256)

tail16:
	TESTQ $128, left
	JZ    tail8
	WORDS_LINE(VPANDQ, 0, Z0)
	WORDS_LINE(VPANDQ, 64, Z1)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $64, left
	JZ    ends
	WORDS_LINE(VPANDQ, 0, Z0)

ends:
	TESTQ ragged, ragged
	JZ    done
	VMOVDQU64 Z8, (first)
	VMOVDQU64 Z9, (last)

done:
	VZEROUPPER
	RET

// func orAVX512(dst, a, b *uint64, n int)
// n >= 8. dst may be a or b.
TEXT ·orAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	SHLQ $3, left

	// If dst does not begin and end with a line, keep its ends for the end: they share
	// words with the lines, and a or b may be dst.
	LEAQ  (dstptr)(left*1), ragged
	ORQ   dstptr, ragged
	ANDQ  $63, ragged
	JZ    lines
	WORDS_ENDS(VPORQ)
	WORDS_ALIGN

	// dst[:64] = a[:64] | b[:64], as long as there are 64 words.
lines:
	SUBQ  $512, left
	JLT   tail32
	PCALIGN $32

loop64:
	WORDS_LINES_8(VPORQ)
	WORDS_ADVANCE($512)
	SUBQ  $512, left
	JGE   loop64

	// Take 32, 16 and 8 words of what is left.
tail32:
	TESTQ $256, left
	JZ    tail16
	WORDS_LINES_4(VPORQ)
	WORDS_ADVANCE($256)

tail16:
	TESTQ $128, left
	JZ    tail8
	WORDS_LINE(VPORQ, 0, Z0)
	WORDS_LINE(VPORQ, 64, Z1)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $64, left
	JZ    ends
	WORDS_LINE(VPORQ, 0, Z0)

ends:
	TESTQ ragged, ragged
	JZ    done
	VMOVDQU64 Z8, (first)
	VMOVDQU64 Z9, (last)

done:
	VZEROUPPER
	RET

// func xorAVX512(dst, a, b *uint64, n int)
// n >= 8. dst may be a or b.
TEXT ·xorAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	SHLQ $3, left

	// If dst does not begin and end with a line, keep its ends for the end: they share
	// words with the lines, and a or b may be dst.
	LEAQ  (dstptr)(left*1), ragged
	ORQ   dstptr, ragged
	ANDQ  $63, ragged
	JZ    lines
	WORDS_ENDS(VPXORQ)
	WORDS_ALIGN

	// dst[:64] = a[:64] ^ b[:64], as long as there are 64 words.
lines:
	SUBQ  $512, left
	JLT   tail32
	PCALIGN $32

loop64:
	WORDS_LINES_8(VPXORQ)
	WORDS_ADVANCE($512)
	SUBQ  $512, left
	JGE   loop64

	// Take 32, 16 and 8 words of what is left.
tail32:
	TESTQ $256, left
	JZ    tail16
	WORDS_LINES_4(VPXORQ)
	WORDS_ADVANCE($256)

tail16:
	TESTQ $128, left
	JZ    tail8
	WORDS_LINE(VPXORQ, 0, Z0)
	WORDS_LINE(VPXORQ, 64, Z1)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $64, left
	JZ    ends
	WORDS_LINE(VPXORQ, 0, Z0)

ends:
	TESTQ ragged, ragged
	JZ    done
	VMOVDQU64 Z8, (first)
	VMOVDQU64 Z9, (last)

done:
	VZEROUPPER
	RET

// func andNotAVX512(dst, a, b *uint64, n int)
// n >= 8. dst may be a or b.
TEXT ·andNotAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	SHLQ $3, left

	// If dst does not begin and end with a line, keep its ends for the end: they share
	// words with the lines, and a or b may be dst.
	LEAQ  (dstptr)(left*1), ragged
	ORQ   dstptr, ragged
	ANDQ  $63, ragged
	JZ    lines
	WORDS_ENDS(VPANDNQ)
	WORDS_ALIGN

	// dst[:64] = a[:64] &^ b[:64], as long as there are 64 words.
lines:
	SUBQ  $512, left
	JLT   tail32
	PCALIGN $32

loop64:
	WORDS_LINES_8(VPANDNQ)
	WORDS_ADVANCE($512)
	SUBQ  $512, left
	JGE   loop64

	// Take 32, 16 and 8 words of what is left.
tail32:
	TESTQ $256, left
	JZ    tail16
	WORDS_LINES_4(VPANDNQ)
	WORDS_ADVANCE($256)

tail16:
	TESTQ $128, left
	JZ    tail8
	WORDS_LINE(VPANDNQ, 0, Z0)
	WORDS_LINE(VPANDNQ, 64, Z1)
	WORDS_ADVANCE($128)

tail8:
	TESTQ $64, left
	JZ    ends
	WORDS_LINE(VPANDNQ, 0, Z0)

ends:
	TESTQ ragged, ragged
	JZ    done
	VMOVDQU64 Z8, (first)
	VMOVDQU64 Z9, (last)

done:
	VZEROUPPER
	RET

// The Stream kernels write past the caches, which spares the memory the reading of
// what is overwritten.

// func andStreamAVX2(dst, a, b *uint64, n int)
// n is a positive multiple of 32. dst is aligned to 32 bytes and apart from a and b.
TEXT ·andStreamAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	PCALIGN $32

	// dst[:32] = a[:32] & b[:32]
loop32:
	WORDS_32(VPAND, VMOVNTDQ)
	WORDS_ADVANCE($256)
	SUBQ $32, left
	JNZ  loop32

	SFENCE
	VZEROUPPER
	RET

// func orStreamAVX2(dst, a, b *uint64, n int)
// Preconditions as of andStreamAVX2.
TEXT ·orStreamAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	PCALIGN $32

	// dst[:32] = a[:32] | b[:32]
loop32:
	WORDS_32(VPOR, VMOVNTDQ)
	WORDS_ADVANCE($256)
	SUBQ $32, left
	JNZ  loop32

	SFENCE
	VZEROUPPER
	RET

// func xorStreamAVX2(dst, a, b *uint64, n int)
// Preconditions as of andStreamAVX2.
TEXT ·xorStreamAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	PCALIGN $32

	// dst[:32] = a[:32] ^ b[:32]
loop32:
	WORDS_32(VPXOR, VMOVNTDQ)
	WORDS_ADVANCE($256)
	SUBQ $32, left
	JNZ  loop32

	SFENCE
	VZEROUPPER
	RET

// func andNotStreamAVX2(dst, a, b *uint64, n int)
// Preconditions as of andStreamAVX2.
TEXT ·andNotStreamAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), dstptr
	MOVQ a+8(FP), aptr
	MOVQ b+16(FP), bptr
	MOVQ n+24(FP), left
	PCALIGN $32

	// dst[:32] = a[:32] &^ b[:32]
loop32:
	WORDS_32(VPANDN, VMOVNTDQ)
	WORDS_ADVANCE($256)
	SUBQ $32, left
	JNZ  loop32

	SFENCE
	VZEROUPPER
	RET
