//go:build !purego

// Decoding with AVX2: blocks of eight words, as with AVX-512 (see
// decode_avx512_amd64.s).
//
// Where the fullest word of a block has 4, 8 or 16 set bits at most, that many of its
// lowest bits are taken one by one, for one cycle each and without a branch. Otherwise
// each byte of a word is looked up in a table of the numbers of its set bits, whatever
// the density (the table is byteNumbers, in decode_asm.go). TUNING.md has the figures.

#include "textflag.h"
#include "decode_amd64.h"
#include "decode_avx2_amd64.h"

// func decodeAVX2(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)
//
// As decodeGeneric does it, but up to 64 places of dst after the written ones may
// change. room >= 0 and n >= 0.
TEXT ·decodeAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), dstp
	MOVQ room+8(FP), limit
	SHLQ $3, limit
	ADDQ dstp, limit
	MOVQ words+16(FP), wordp
	MOVQ n+24(FP), end
	LEAQ (wordp)(end*8), end

	MOVQ         base+32(FP), index
	MOVL         $8, AX
	VMOVQ        AX, X3
	VPBROADCASTQ X3, eight
	VPXOR        X4, X4, X4

block:
	CMPQ wordp, end
	JAE  done
	LEAQ 64(wordp), stop
	CMPQ stop, end
	JHI  part

	// if at most two words are not 0: go to sparse
	DECODE_LOOK256
	POPCNTL mask, w
	CMPL    w, $2
	JLS     sparse

busy:
	DECODE_FULLEST256
	CMPQ ones, $4
	JHI  choose

	// Seven words take 7*ones places at most, and the last one four: if there is
	// room for them, no word needs a check of its own.
	LEAQ (ones)(ones*2), R9
	LEAQ (R9)(ones*4), R9
	LEAQ (4*8)(dstp)(R9*8), R9
	CMPQ R9, limit
	JHI  bits4
	DECODE_SHORT64(0)
	DECODE_SHORT64(8)
	DECODE_SHORT64(16)
	DECODE_SHORT64(24)
	DECODE_SHORT64(32)
	DECODE_SHORT64(40)
	DECODE_SHORT64(48)
	DECODE_SHORT64(56)
	MOVQ stop, wordp
	JMP  block

choose:
	CMPQ ones, $4
	JLS  bits4
	CMPQ ones, $8
	JLS  bits8
	CMPQ ones, $16
	JLS  bits16
	JMP  bytes

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

	// The two words, if each has up to four set bits and there is room for eight
	// indices.
	DECODE_TWO
	POPCNTQ w, ones
	CMPQ    ones, $4
	JHI     busy
	POPCNTQ R11, mask
	CMPQ    mask, $4
	JHI     busy
	LEAQ    (8*8)(dstp), CX
	CMPQ    CX, limit
	JHI     busy
	SHLL    $6, R9
	SHLL    $6, R10
	ADDQ    index, R9
	ADDQ    index, R10
	DECODE_BITS64_4(w, R9)
	LEAQ    (dstp)(ones*8), dstp
	DECODE_BITS64_4(R11, R10)
	LEAQ    (dstp)(mask*8), dstp

next:
	MOVQ stop, wordp
	ADDQ $512, index
	JMP  block

bits4:
	// Words of up to 4 set bits up to stop, while there is room for 4 indices.
	LEAQ    (4*8)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BITS64_4(w, index)
	LEAQ    (dstp)(ones*8), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bits4
	JMP     block

bits8:
	LEAQ    (8*8)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BITS64_8(w, index)
	LEAQ    (dstp)(ones*8), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bits8
	JMP     block

bits16:
	LEAQ    (16*8)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BITS64_16(w, index)
	LEAQ    (dstp)(ones*8), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bits16
	JMP     block

bytes:
	// Words of any number of set bits, byte by byte, while there is room for 64.
	LEAQ    (64*8)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BYTES64
	LEAQ    (dstp)(ones*8), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bytes
	JMP     block

tight:
	// Bit by bit, while all indices of a word fit.
	MOVQ    (wordp), w
	POPCNTQ w, ones
	LEAQ    (dstp)(ones*8), R9
	CMPQ    R9, limit
	JHI     done
	TESTQ   w, w
	JZ      tightNext
tightBit:
	TZCNTQ w, R10
	ADDQ   index, R10
	MOVQ   R10, (dstp)
	ADDQ   $8, dstp
	BLSRQ  w, w
	JNZ    tightBit
tightNext:
	ADDQ $64, index
	ADDQ $8, wordp
	CMPQ wordp, end
	JB   tight

done:
	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $3, dstp
	MOVQ dstp, written+40(FP)
	SUBQ words+16(FP), wordp
	SHRQ $3, wordp
	MOVQ wordp, consumed+48(FP)
	RET

// func decode32AVX2(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)
//
// The same for indices of 32 bits, which wrap around.
TEXT ·decode32AVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), dstp
	MOVQ room+8(FP), limit
	SHLQ $2, limit
	ADDQ dstp, limit
	MOVQ words+16(FP), wordp
	MOVQ n+24(FP), end
	LEAQ (wordp)(end*8), end

	MOVL         base+32(FP), index
	MOVL         $8, AX
	VMOVQ        AX, X3
	VPBROADCASTD X3, eight
	VPXOR        X4, X4, X4

block:
	CMPQ wordp, end
	JAE  done
	LEAQ 64(wordp), stop
	CMPQ stop, end
	JHI  part

	// if at most two words are not 0: go to sparse
	DECODE_LOOK256
	POPCNTL mask, w
	CMPL    w, $2
	JLS     sparse

busy:
	DECODE_FULLEST256
	CMPQ ones, $4
	JHI  choose

	// Seven words take 7*ones places at most, and the last one four: if there is
	// room for them, no word needs a check of its own.
	LEAQ (ones)(ones*2), R9
	LEAQ (R9)(ones*4), R9
	LEAQ (4*4)(dstp)(R9*4), R9
	CMPQ R9, limit
	JHI  bits4
	DECODE_SHORT32(0)
	DECODE_SHORT32(8)
	DECODE_SHORT32(16)
	DECODE_SHORT32(24)
	DECODE_SHORT32(32)
	DECODE_SHORT32(40)
	DECODE_SHORT32(48)
	DECODE_SHORT32(56)
	MOVQ stop, wordp
	JMP  block

choose:
	CMPQ ones, $4
	JLS  bits4
	CMPQ ones, $8
	JLS  bits8
	JMP  bytes

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

	// The two words, if each has up to four set bits and there is room for eight
	// indices.
	DECODE_TWO
	POPCNTQ w, ones
	CMPQ    ones, $4
	JHI     busy
	POPCNTQ R11, mask
	CMPQ    mask, $4
	JHI     busy
	LEAQ    (8*4)(dstp), CX
	CMPQ    CX, limit
	JHI     busy
	SHLL    $6, R9
	SHLL    $6, R10
	ADDQ    index, R9
	ADDQ    index, R10
	DECODE_BITS32_4(w, R9)
	LEAQ    (dstp)(ones*4), dstp
	DECODE_BITS32_4(R11, R10)
	LEAQ    (dstp)(mask*4), dstp

next:
	MOVQ stop, wordp
	ADDQ $512, index
	JMP  block

bits4:
	// Words of up to 4 set bits up to stop, while there is room for 4 indices.
	LEAQ    (4*4)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BITS32_4(w, index)
	LEAQ    (dstp)(ones*4), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bits4
	JMP     block

bits8:
	LEAQ    (8*4)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BITS32_8(w, index)
	LEAQ    (dstp)(ones*4), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bits8
	JMP     block

bytes:
	// Words of any number of set bits, byte by byte, while there is room for 64.
	LEAQ    (64*4)(dstp), R9
	CMPQ    R9, limit
	JHI     tight
	MOVQ    (wordp), w
	POPCNTQ w, ones
	DECODE_BYTES32
	LEAQ    (dstp)(ones*4), dstp
	ADDQ    $64, index
	ADDQ    $8, wordp
	CMPQ    wordp, stop
	JB      bytes
	JMP     block

tight:
	// Bit by bit, while all indices of a word fit.
	MOVQ    (wordp), w
	POPCNTQ w, ones
	LEAQ    (dstp)(ones*4), R9
	CMPQ    R9, limit
	JHI     done
	TESTQ   w, w
	JZ      tightNext
tightBit:
	TZCNTQ w, R10
	ADDQ   index, R10
	MOVL   R10, (dstp)
	ADDQ   $4, dstp
	BLSRQ  w, w
	JNZ    tightBit
tightNext:
	ADDQ $64, index
	ADDQ $8, wordp
	CMPQ wordp, end
	JB   tight

done:
	VZEROUPPER
	SUBQ dst+0(FP), dstp
	SHRQ $2, dstp
	MOVQ dstp, written+40(FP)
	SUBQ words+16(FP), wordp
	SHRQ $3, wordp
	MOVQ wordp, consumed+48(FP)
	RET
