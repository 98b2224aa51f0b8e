//go:build !purego

// One operand, the query, against the rows of a matrix: they lie one after the
// other, each as long as the query. A call for every row would take longer than
// the reading of a row of a few hundred bytes: rows of 128 bytes, from the
// second-level cache of Zen 4, go by at 98 GB/s with AVX-512 and 38 with AVX2, by
// calls at 23 and 17.
//
// AVX-512 keeps the sums of eight rows and adds their lanes across together, in 21
// instructions instead of 56. The rows are read one after the other, not side by
// side: that would load each vector of the query once for eight rows, but defeats
// the prefetching from memory (rows of 256 bytes: 13 GB/s instead of 25).

#include "textflag.h"
#include "bitset_count_amd64.h"

#undef y
#undef left

#define to    DI  // where the next count goes
#define row   DX  // the next row, or the next vector of it
#define size  R8  // bytes of a row
#define whole R9  // bytes of its whole vectors
#define left  R10 // rows left
#define off   CX  // how far into the row
#define rest  R11 // words after them

#define ARGS \
	MOVQ counts+0(FP), to \
	MOVQ query+8(FP), x   \
	MOVQ rows+16(FP), row \
	MOVQ words+24(FP), size \
	MOVQ n+32(FP), left   \
	SHLQ $3, size

// ---- AVX-512 ----

// ROW sets sum to the counts of the next row, lane by lane. K1 has the words of
// the rest. Clobbers off, Z8.
#define ROW(VOP, sum, vector, last, end) \
	VPXORQ sum, sum, sum         \
	XORL   off, off              \
	CMPQ   off, whole            \
	JGE    last                  \
vector: \
	VMOVDQU64 (x)(off*1), Z8     \
	VOP       (row)(off*1), Z8, Z8 \
	VPOPCNTQ  Z8, Z8             \
	VPADDQ    Z8, sum, sum       \
	ADDQ   $64, off              \
	CMPQ   off, whole            \
	JLT    vector                \
last: \
	TESTQ  rest, rest            \
	JZ     end                   \
	VMOVDQU64.Z (x)(off*1), K1, Z8   \
	VMOVDQU64.Z (row)(off*1), K1, Z9 \
	VOP       Z9, Z8, Z8         \
	VPOPCNTQ  Z8, Z8             \
	VPADDQ    Z8, sum, sum       \
end: \
	ADDQ   size, row

// LANES sets a to the sums of neighbouring lanes of a and b, which alternate in
// it. QUARTERS does so for neighbouring pairs of lanes: those of a come first,
// then those of b. Clobber Z9.

#define LANES(a, b) \
	VPUNPCKLQDQ b, a, Z9 \
	VPUNPCKHQDQ b, a, a  \
	VPADDQ      Z9, a, a

#define QUARTERS(a, b) \
	VSHUFI64X2 $0x88, b, a, Z9 \
	VSHUFI64X2 $0xdd, b, a, a  \
	VPADDQ     Z9, a, a

// ROWS512 does eight rows at a time, then one.
#define ROWS512(VOP) \
	MOVQ  size, whole          \
	ANDQ  $~63, whole          \
	MOVQ  size, rest           \
	SHRQ  $3, rest             \
	ANDQ  $7, rest             \
	MOVL  $-1, AX              \
	BZHIL rest, AX, AX         \
	KMOVB AX, K1               \
	SUBQ  $8, left             \
	JLT   few                  \
next8: \
	ROW(VOP, Z0, v0, l0, e0)   \
	ROW(VOP, Z1, v1, l1, e1)   \
	ROW(VOP, Z2, v2, l2, e2)   \
	ROW(VOP, Z3, v3, l3, e3)   \
	ROW(VOP, Z4, v4, l4, e4)   \
	ROW(VOP, Z5, v5, l5, e5)   \
	ROW(VOP, Z6, v6, l6, e6)   \
	ROW(VOP, Z7, v7, l7, e7)   \
	LANES(Z0, Z1)              \
	LANES(Z2, Z3)              \
	LANES(Z4, Z5)              \
	LANES(Z6, Z7)              \
	QUARTERS(Z0, Z2)           \
	QUARTERS(Z4, Z6)           \
	QUARTERS(Z0, Z4)           \
	VMOVDQU64 Z0, (to)         \
	ADDQ  $64, to              \
	SUBQ  $8, left             \
	JGE   next8                \
few: \
	ADDQ  $8, left             \
	JZ    done                 \
next1: \
	ROW(VOP, Z0, v, l, e)      \
	VEXTRACTI64X4 $1, Z0, Y1   \
	VPADDQ Y1, Y0, Y0          \
	SUM_LANES(AX)              \
	MOVQ  AX, (to)             \
	ADDQ  $8, to               \
	DECQ  left                 \
	JNZ   next1                \
done: \
	VZEROUPPER

// The functions take n >= 1 rows of words >= 1 words.

// func andCountRowsAVX512(counts *int, query, rows *uint64, words, n int)
TEXT ·andCountRowsAVX512(SB), NOSPLIT, $0-40
	ARGS
	ROWS512(VPANDQ)
	RET

// func orCountRowsAVX512(counts *int, query, rows *uint64, words, n int)
TEXT ·orCountRowsAVX512(SB), NOSPLIT, $0-40
	ARGS
	ROWS512(VPORQ)
	RET

// func xorCountRowsAVX512(counts *int, query, rows *uint64, words, n int)
TEXT ·xorCountRowsAVX512(SB), NOSPLIT, $0-40
	ARGS
	ROWS512(VPXORQ)
	RET

// ---- AVX2 ----

// PAIR256 sets v to the counts of the bytes at distance at. Clobbers t.
#define PAIR256(VOP, at, v, t) \
	VMOVDQU at(x)(off*1), v       \
	VOP     at(row)(off*1), v, v  \
	BYTES(v, t)

// ROWS256 does one row at a time: eight words a round, then one.
#define ROWS256(VOP, OP) \
	MOVQ  size, whole              \
	ANDQ  $~63, whole              \
	VPXOR X7, X7, X7               \
	VMOVDQU      nibbleCounts<>(SB), table \
	VPBROADCASTQ lowNibbles<>(SB), low     \
next: \
	VPXOR X0, X0, X0               \
	XORL  off, off                 \
	CMPQ  off, whole               \
	JGE   words                    \
vectors: \
	PAIR256(VOP, 0, Y8, Y10)       \
	PAIR256(VOP, 32, Y9, Y11)      \
	VPADDB  Y9, Y8, Y8             \
	VPSADBW zero, Y8, Y8           \
	VPADDQ  Y8, total, total       \
	ADDQ  $64, off                 \
	CMPQ  off, whole               \
	JLT   vectors                  \
words: \
	SUM_LANES(n0)                  \
	JMP   check                    \
word: \
	MOVQ    (x)(off*1), R11        \
	OP      (row)(off*1), R11      \
	POPCNTQ R11, R11               \
	ADDQ    R11, n0                \
	ADDQ    $8, off                \
check: \
	CMPQ  off, size                \
	JLT   word                     \
	MOVQ  n0, (to)                 \
	ADDQ  $8, to                   \
	ADDQ  size, row                \
	DECQ  left                     \
	JNZ   next                     \
	VZEROUPPER

// func andCountRowsAVX2(counts *int, query, rows *uint64, words, n int)
TEXT ·andCountRowsAVX2(SB), NOSPLIT, $0-40
	ARGS
	ROWS256(VPAND, ANDQ)
	RET

// func orCountRowsAVX2(counts *int, query, rows *uint64, words, n int)
TEXT ·orCountRowsAVX2(SB), NOSPLIT, $0-40
	ARGS
	ROWS256(VPOR, ORQ)
	RET

// func xorCountRowsAVX2(counts *int, query, rows *uint64, words, n int)
TEXT ·xorCountRowsAVX2(SB), NOSPLIT, $0-40
	ARGS
	ROWS256(VPXOR, XORQ)
	RET
