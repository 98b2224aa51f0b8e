//go:build !purego

// SipHash-2-4 of eight keys side by side, a lane of 64 bits each. A round is 14
// instructions, of which two start in a cycle: it costs eight keys about what the chain
// of dependent additions costs one.

#include "textflag.h"

#define sumsp DI
#define rowsp SI
#define count CX
#define tmp   AX
#define v0    Z0
#define v1    Z1
#define v2    Z2
#define v3    Z3
#define m     Z4
#define key   Z5

// SIP_ROUND is sipRound for eight keys.
// in, out: v0, v1, v2, v3
#define SIP_ROUND \
	VPADDQ v1, v0, v0  \
	VPADDQ v3, v2, v2  \
	VPROLQ $13, v1, v1 \
	VPROLQ $16, v3, v3 \
	VPXORQ v0, v1, v1  \
	VPXORQ v2, v3, v3  \
	VPROLQ $32, v0, v0 \
	VPADDQ v1, v2, v2  \
	VPADDQ v3, v0, v0  \
	VPROLQ $17, v1, v1 \
	VPROLQ $21, v3, v3 \
	VPXORQ v2, v1, v1  \
	VPXORQ v0, v3, v3  \
	VPROLQ $32, v2, v2

// SIP_INIT puts key ^ c into every lane of v.
// in: key; out: v; clobbers: tmp
#define SIP_INIT(c, v) \
	MOVQ         c, tmp    \
	VPBROADCASTQ tmp, v    \
	VPXORQ       key, v, v

// func sipHash8AVX512(sums *[8]uint64, rows *[8]uint64, n int, k0, k1 uint64)
//
// Hashes eight keys of n words, the last of which has the length: word i of key j is
// rows[i][j]. 0 < n <= maxRows.
TEXT ·sipHash8AVX512(SB), NOSPLIT, $0-40
	MOVQ         sums+0(FP), sumsp
	MOVQ         rows+8(FP), rowsp
	MOVQ         n+16(FP), count
	VPBROADCASTQ k0+24(FP), key
	SIP_INIT($0x736f6d6570736575, v0)
	SIP_INIT($0x6c7967656e657261, v2)
	VPBROADCASTQ k1+32(FP), key
	SIP_INIT($0x646f72616e646f6d, v1)
	SIP_INIT($0x7465646279746573, v3)

loop:
	// compress a word
	VMOVDQU64 (rowsp), m
	VPXORQ    m, v3, v3
	SIP_ROUND
	SIP_ROUND
	VPXORQ    m, v0, v0
	ADDQ      $64, rowsp
	DECQ      count
	JNZ       loop

	// v2 ^= 0xff, four rounds, the sum of all
	MOVQ         $0xff, tmp
	VPBROADCASTQ tmp, m
	VPXORQ       m, v2, v2
	SIP_ROUND
	SIP_ROUND
	SIP_ROUND
	SIP_ROUND
	VPXORQ       v1, v0, v0
	VPXORQ       v3, v2, v2
	VPXORQ       v2, v0, v0
	VMOVDQU64    v0, (sumsp)
	VZEROUPPER
	RET
