//go:build !purego

#include "textflag.h"

#define datap R0 // data
#define bitsp R1 // the next of bits
#define left  R2 // how many are left
#define at    R3 // a byte's address

// func prefetchKernel(data *byte, bits *uint64, n int)
//
// n > 0. The byte of bit i is i/8 ^ 7, which lies in the same aligned eight as i/8: what
// differs is the line of few words, those that cross one's end in data at odd places.
TEXT ·prefetchKernel(SB), NOSPLIT, $0-24
	MOVD data+0(FP), datap
	MOVD bits+8(FP), bitsp
	MOVD n+16(FP), left

loop:
	MOVD.P 8(bitsp), at
	ADD    at>>3, datap, at
	PRFM   (at), PLDL1KEEP
	SUB    $1, left
	CBNZ   left, loop
	RET
