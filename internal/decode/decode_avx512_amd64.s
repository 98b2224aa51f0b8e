//go:build !purego

// Decoding with AVX-512: VPCOMPRESSB packs the numbers of a word's set bits to the
// front of a vector of bytes, and VPMOVZX widens them (D. Lemire, "Faster bitset
// decoding using Intel AVX-512", 2022).
//
// A round takes a block of eight words. The fullest of them decides how many vectors
// are written for each, so that a branch may be mispredicted once in a block and not
// once in a word. What a vector has past the word's last index is overwritten by the
// next word's, or left. It is always inside dst: where the room is too short for all
// vectors of a word, the rest goes bit by bit. TUNING.md has the figures.

#include "textflag.h"
#include "decode_amd64.h"
#include "decode_avx512_amd64.h"

// func decodeAVX512(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
//
// As decodeGeneric does it, but up to 64 places of dst after the written ones may
// change. room >= 0 and n >= 0.
TEXT ·decodeAVX512(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), dstp
	MOVQ room+8(FP), limit
	SHLQ $3, limit
	ADDQ dstp, limit
	MOVQ words+16(FP), wordp
	MOVQ n+24(FP), end
	LEAQ (wordp)(end*8), end

	MOVL         $64, AX
	VPBROADCASTQ AX, step
	MOVQ         base+32(FP), AX
	VPBROADCASTQ AX, origin
	VMOVDQU64    bitNumbers<>(SB), numbers

block:
	CMPQ wordp, end
	JAE  done
	LEAQ 64(wordp), stop
	CMPQ stop, end
	JHI  part

	// if at most two words are not 0: go to sparse
	DECODE_LOOK512
	POPCNTL mask, w
	CMPL    w, $2
	JLS     sparse

	DECODE_FULLEST512
	CMPQ ones, $4
	JHI  choose

	// Seven words take 7*ones places at most, and the vector of the last one
	// four: if there is room for them, no word needs a check of its own.
	LEAQ (ones)(ones*2), R9
	LEAQ (R9)(ones*4), R9
	LEAQ (4*8)(dstp)(R9*8), R9
	CMPQ R9, limit
	JHI  words8
	DECODE_ONE64(0)
	DECODE_ONE64(8)
	DECODE_ONE64(16)
	DECODE_ONE64(24)
	DECODE_ONE64(32)
	DECODE_ONE64(40)
	DECODE_ONE64(48)
	DECODE_ONE64(56)
	MOVQ stop, wordp
	JMP  block

choose:
	CMPQ ones, $8
	JLS  words8
	CMPQ ones, $16
	JLS  words16
	CMPQ ones, $24
	JLS  words24
	CMPQ ones, $40
	JLS  words40
	JMP  words64

part:
	// ones = the largest of the rest, fewer than eight words
	MOVQ end, stop
	MOVQ wordp, R9
	XORL ones, ones
partWord:
	DECODE_MAX((R9), R10)
	ADDQ $8, R9
	CMPQ R9, stop
	JB   partWord
	JMP  choose

sparse:
	TESTL mask, mask
	JZ    next

	// The two words, if a vector holds the indices of each and there is room for
	// both vectors. The second one goes to the place that ones then is.
	DECODE_TWO
	POPCNTQ w, ones
	CMPQ    ones, $8
	JHI     words64
	POPCNTQ R11, mask
	CMPQ    mask, $8
	JHI     words64
	LEAQ    (dstp)(ones*8), ones
	LEAQ    64(ones), CX
	CMPQ    CX, limit
	JHI     words64
	DECODE_PUT_AT64(w, R9, dstp)
	DECODE_PUT_AT64(R11, R10, ones)
	LEAQ    (ones)(mask*8), dstp

next:
	// origin += 512
	MOVQ   stop, wordp
	VPSLLQ $3, step, Z0
	VPADDQ Z0, origin, origin
	JMP    block

words8:
	// Words of up to 8 set bits up to stop, while there is room for 8 indices.
	LEAQ (8*8)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT64_8
	DECODE_PASS64
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words8
	JMP  block

words16:
	LEAQ (16*8)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT64_16
	DECODE_PASS64
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words16
	JMP  block

words24:
	LEAQ (24*8)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT64_24
	DECODE_PASS64
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words24
	JMP  block

words40:
	LEAQ (40*8)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT64_40
	DECODE_PASS64
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words40
	JMP  block

words64:
	LEAQ (64*8)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT64_64
	DECODE_PASS64
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words64
	JMP  block

tight:
	// Bit by bit, while all indices of a word fit. A masked store takes an
	// assist by microcode where it leaves out places in a page that is not mapped.
	VMOVQ X16, R11
tightWord:
	MOVQ    (wordp), w
	POPCNTQ w, ones
	LEAQ    (dstp)(ones*8), R9
	CMPQ    R9, limit
	JHI     done
	TESTQ   w, w
	JZ      tightNext
tightBit:
	TZCNTQ w, R10
	ADDQ   R11, R10
	MOVQ   R10, (dstp)
	ADDQ   $8, dstp
	BLSRQ  w, w
	JNZ    tightBit
tightNext:
	ADDQ $64, R11
	ADDQ $8, wordp
	CMPQ wordp, end
	JB   tightWord

done:
	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $3, dstp
	MOVQ dstp, written+40(FP)
	SUBQ words+16(FP), wordp
	SHRQ $3, wordp
	MOVQ wordp, consumed+48(FP)
	RET

// func decode32AVX512(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
//
// The same for indices of 32 bits, which wrap around.
TEXT ·decode32AVX512(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), dstp
	MOVQ room+8(FP), limit
	SHLQ $2, limit
	ADDQ dstp, limit
	MOVQ words+16(FP), wordp
	MOVQ n+24(FP), end
	LEAQ (wordp)(end*8), end

	MOVL         $64, AX
	VPBROADCASTD AX, step
	MOVL         base+32(FP), AX
	VPBROADCASTD AX, origin
	VMOVDQU64    bitNumbers<>(SB), numbers

block:
	CMPQ wordp, end
	JAE  done
	LEAQ 64(wordp), stop
	CMPQ stop, end
	JHI  part

	// if at most two words are not 0: go to sparse
	DECODE_LOOK512
	POPCNTL mask, w
	CMPL    w, $2
	JLS     sparse

	DECODE_FULLEST512
	CMPQ ones, $8
	JHI  choose

	// Seven words take 7*ones places at most, and the vector of the last one
	// eight: if there is room for them, no word needs a check of its own.
	LEAQ (ones)(ones*2), R9
	LEAQ (R9)(ones*4), R9
	LEAQ (8*4)(dstp)(R9*4), R9
	CMPQ R9, limit
	JHI  words16
	DECODE_ONE32(0)
	DECODE_ONE32(8)
	DECODE_ONE32(16)
	DECODE_ONE32(24)
	DECODE_ONE32(32)
	DECODE_ONE32(40)
	DECODE_ONE32(48)
	DECODE_ONE32(56)
	MOVQ stop, wordp
	JMP  block

choose:
	CMPQ ones, $16
	JLS  words16
	CMPQ ones, $32
	JLS  words32
	CMPQ ones, $48
	JLS  words48
	JMP  words64

part:
	// ones = the largest of the rest, fewer than eight words
	MOVQ end, stop
	MOVQ wordp, R9
	XORL ones, ones
partWord:
	DECODE_MAX((R9), R10)
	ADDQ $8, R9
	CMPQ R9, stop
	JB   partWord
	JMP  choose

sparse:
	TESTL mask, mask
	JZ    next

	// The two words, if a vector holds the indices of each and there is room for
	// both vectors. The second one goes to the place that ones then is.
	DECODE_TWO
	POPCNTQ w, ones
	CMPQ    ones, $16
	JHI     words64
	POPCNTQ R11, mask
	CMPQ    mask, $16
	JHI     words64
	LEAQ    (dstp)(ones*4), ones
	LEAQ    64(ones), CX
	CMPQ    CX, limit
	JHI     words64
	DECODE_PUT_AT32(w, R9, dstp)
	DECODE_PUT_AT32(R11, R10, ones)
	LEAQ    (ones)(mask*4), dstp

next:
	// origin += 512
	MOVQ   stop, wordp
	VPSLLD $3, step, Z0
	VPADDD Z0, origin, origin
	JMP    block

words16:
	// Words of up to 16 set bits up to stop, while there is room for 16 indices.
	LEAQ (16*4)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT32_16
	DECODE_PASS32
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words16
	JMP  block

words32:
	LEAQ (32*4)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT32_32
	DECODE_PASS32
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words32
	JMP  block

words48:
	LEAQ (48*4)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT32_48
	DECODE_PASS32
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words48
	JMP  block

words64:
	LEAQ (64*4)(dstp), R9
	CMPQ R9, limit
	JHI  tight
	DECODE_WORD512(0)
	DECODE_PUT32_64
	DECODE_PASS32
	ADDQ $8, wordp
	CMPQ wordp, stop
	JB   words64
	JMP  block

tight:
	// Bit by bit, while all indices of a word fit. A masked store takes an
	// assist by microcode where it leaves out places in a page that is not mapped.
	VMOVQ X16, R11
tightWord:
	MOVQ    (wordp), w
	POPCNTQ w, ones
	LEAQ    (dstp)(ones*4), R9
	CMPQ    R9, limit
	JHI     done
	TESTQ   w, w
	JZ      tightNext
tightBit:
	TZCNTQ w, R10
	ADDQ   R11, R10
	MOVL   R10, (dstp)
	ADDQ   $4, dstp
	BLSRQ  w, w
	JNZ    tightBit
tightNext:
	ADDQ $64, R11
	ADDQ $8, wordp
	CMPQ wordp, end
	JB   tightWord

done:
	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $2, dstp
	MOVQ dstp, written+40(FP)
	SUBQ words+16(FP), wordp
	SHRQ $3, wordp
	MOVQ wordp, consumed+48(FP)
	RET
