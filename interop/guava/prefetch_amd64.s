//go:build !purego

#include "textflag.h"

#define datap DI // data
#define bitsp SI // the next of bits
#define left  CX // how many are left
#define at    AX // a byte's index

// func prefetchKernel(data *byte, bits *uint64, n int)
//
// n > 0. The byte of bit i is i/8 ^ 7, which lies in the same aligned eight as i/8: what
// differs is the line of few words, those that cross one's end in data at odd places.
TEXT ·prefetchKernel(SB), NOSPLIT, $0-24
	MOVQ data+0(FP), datap
	MOVQ bits+8(FP), bitsp
	MOVQ n+16(FP), left

loop:
	MOVQ       (bitsp), at
	SHRQ       $3, at
	PREFETCHT0 (datap)(at*1)
	ADDQ       $8, bitsp
	DECQ       left
	JNZ        loop
	RET
