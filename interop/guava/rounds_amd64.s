//go:build !purego

// The rounds of tile.go, eight keys at a time.

#include "textflag.h"
#include "go_asm.h"

// Registers of both kernels:
#define datap DI // data
#define tp    SI // t
#define pp    DX // p
#define count R8  // n
#define s     CX // loop counter
#define live  BX
#define tmp   AX
#define next  Z0 // sums, then bits
#define terms Z1 // h1
#define steps Z2 // h2
#define t0    Z3
#define bits  Z4 // the bits to look at
#define keys  Z5
#define word  Z6 // the words of bits
#define round Z16 // i
#define flip  Z17
#define shift X18
#define m     Z19 // the number of bits
#define inv   Z20 // 1/m
#define one   Z21
#define order Z22 // 56, which turns a bit's number into its place in big-endian bytes

// GUAVA_PARAMETERS fills the constants from p. in: pp
#define GUAVA_PARAMETERS \
	VPBROADCASTQ probes_flip(pp), flip   \
	VMOVQ        probes_shift(pp), shift \
	VPBROADCASTQ probes_div(pp), m       \
	VPBROADCASTQ probes_inverse(pp), inv

// GUAVA_LOCATE computes bit i of eight keys, as probes.locate does.
//
// The quotient x/m by floating point is below 2^50 and has three roundings of 2^-53, so that
// truncated it is off by one at the most: the remainder is from −m to 2m, and one of two
// unsigned minima puts it right.
// in: terms, steps; out: next; clobbers: t0
#define GUAVA_LOCATE \
	VPMULLQ      round, steps, next \
	VPADDQ       terms, next, next  \
	VPSRAQ       $63, next, t0      \
	VPANDQ       flip, t0, t0       \
	VPXORQ       t0, next, next     \
	VPSRLQ       shift, next, next  \
	VCVTUQQ2PD   next, t0           \
	VMULPD       inv, t0, t0        \
	VCVTTPD2UQQ  t0, t0             \
	VPMULLQ      m, t0, t0          \
	VPSUBQ       t0, next, next     \
	VPADDQ       m, next, t0        \
	VPMINUQ      t0, next, next     \
	VPSUBQ       m, next, t0        \
	VPMINUQ      t0, next, next

// func locateKernel(t *tile, p *probes, n int, i uint64)
//
// Computes bit i of n keys, and of up to seven more, which are in the tile. n > 0.
TEXT ·locateKernel(SB), NOSPLIT, $0-32
	MOVQ         t+0(FP), tp
	MOVQ         p+8(FP), pp
	MOVQ         n+16(FP), count
	VPBROADCASTQ i+24(FP), round
	GUAVA_PARAMETERS
	XORL         s, s

loop8:
	VMOVDQU64 tile_h1(tp)(s*8), terms
	VMOVDQU64 tile_h2(tp)(s*8), steps
	GUAVA_LOCATE
	VMOVDQU64 next, tile_bit(tp)(s*8)
	ADDQ      $8, s
	CMPQ      s, count
	JLT       loop8
	VZEROUPPER
	RET

// func siftKernel(data *byte, t *tile, p *probes, n int, i uint64) int
//
// Looks at n bits, keeps the keys whose bit is set, computes bit i of each and returns
// their number. n > 0. What it stores past them are zeros, over elements that it has read.
TEXT ·siftKernel(SB), NOSPLIT, $0-48
	MOVQ         data+0(FP), datap
	MOVQ         t+8(FP), tp
	MOVQ         p+16(FP), pp
	MOVQ         n+24(FP), count
	VPBROADCASTQ i+32(FP), round
	GUAVA_PARAMETERS
	MOVL         $1, tmp
	VPBROADCASTQ tmp, one
	MOVL         $56, tmp
	VPBROADCASTQ tmp, order
	XORL         s, s
	XORL         live, live

loop8:
	// next = bit i of the keys
	VMOVDQU64  tile_key(tp)(s*8), keys
	VPXORQ     terms, terms, terms
	VPXORQ     steps, steps, steps
	KXNORW     K1, K1, K1
	VPGATHERQQ tile_h1(tp)(keys*8), K1, terms
	KXNORW     K2, K2, K2
	VPGATHERQQ tile_h2(tp)(keys*8), K2, steps
	GUAVA_LOCATE

	// K2 = the bits are set, as far as there are keys
	VMOVDQU64  tile_bit(tp)(s*8), bits
	VPSRLQ     $6, bits, t0
	VPXORQ     word, word, word
	KXNORW     K1, K1, K1
	VPGATHERQQ (datap)(t0*8), K1, word
	VPXORQ     order, bits, bits
	VPRORVQ    bits, word, word
	VPTESTMQ   one, word, K2
	MOVQ       count, R9
	SUBQ       s, R9
	MOVL       $-1, tmp
	BZHIL      R9, tmp, tmp
	KMOVW      tmp, K1
	KANDW      K1, K2, K2

	// t.key[live], t.bit[live] = keys, next; live += popcount(K2)
	VPCOMPRESSQ.Z keys, K2, keys
	VPCOMPRESSQ.Z next, K2, next
	VMOVDQU64     keys, tile_key(tp)(live*8)
	VMOVDQU64     next, tile_bit(tp)(live*8)
	KMOVB         K2, tmp
	POPCNTL       tmp, tmp
	ADDQ          tmp, live
	ADDQ          $8, s
	CMPQ          s, count
	JLT           loop8
	VZEROUPPER
	MOVQ          live, ret+40(FP)
	RET
