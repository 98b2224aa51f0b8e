//go:build !purego

// One query against the rows of a matrix, as rows_avx2_amd64.s, with VPOPCNTQ. The
// sums of eight rows are kept, lane by lane, and their lanes are added across
// together, in 21 instructions instead of 56. The rows are read one after the
// other, not side by side, which defeats the prefetching from memory: TUNING.md.

#include "textflag.h"
#include "many_amd64.h"
#include "rows_amd64.h"

#define whole R9  // bytes of a row's whole vectors
#define off   CX  // how many bytes into the row
#define rest  R11 // words after its whole vectors

// MANY_ROW_SIZES divides a row into whole vectors and the rest.
// in: size; out: whole, rest, K1: the rest's words; clobbers: AX
#define MANY_ROW_SIZES \
	MOVQ  size, whole    \
	ANDQ  $~63, whole    \
	MOVQ  size, rest     \
	SHRQ  $3, rest       \
	ANDQ  $7, rest       \
	MOVL  $-1, AX        \
	BZHIL rest, AX, AX   \
	KMOVB AX, K1

// MANY_ROW_START begins a row.
// in: whole; out: sum = 0, off = 0, flags: GE if there is no whole vector
#define MANY_ROW_START(sum) \
	VPXORQ sum, sum, sum \
	XORL   off, off      \
	CMPQ   off, whole

// MANY_ROW_VECTOR adds to sum the counts of the lanes of query OP row at off, OP
// being VPANDQ, VPORQ or VPXORQ.
// in: queryp, rowsp, off, whole, sum; out: sum, off, flags: LT if there is
// another whole vector; clobbers: Z8
#define MANY_ROW_VECTOR(OP, sum) \
	VMOVDQU64 (queryp)(off*1), Z8    \
	OP        (rowsp)(off*1), Z8, Z8 \
	VPOPCNTQ  Z8, Z8                 \
	VPADDQ    Z8, sum, sum           \
	ADDQ      $64, off               \
	CMPQ      off, whole

// MANY_ROW_REST is MANY_ROW_VECTOR for the words of K1.
// in: queryp, rowsp, off, K1, sum; out: sum; clobbers: Z8, Z9
#define MANY_ROW_REST(OP, sum) \
	VMOVDQU64.Z (queryp)(off*1), K1, Z8 \
	VMOVDQU64.Z (rowsp)(off*1), K1, Z9  \
	OP       Z9, Z8, Z8                 \
	VPOPCNTQ Z8, Z8                     \
	VPADDQ   Z8, sum, sum

// func andCountRowsAVX512(counts *int, query, rows *uint64, words, n int)
// words >= 1, n >= 1.
TEXT ·andCountRowsAVX512(SB), NOSPLIT, $0-40
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	SHLQ $3, size
	MANY_ROW_SIZES
	SUBQ $8, left
	JLT  short

rows8:
	// Z<i> = popcount(query & row i), lane by lane
	MANY_ROW_START(Z0); JGE tail0
vector0:
	MANY_ROW_VECTOR(VPANDQ, Z0); JLT vector0
tail0:
	TESTQ rest, rest; JZ end0
	MANY_ROW_REST(VPANDQ, Z0)
end0:
	ADDQ size, rowsp
	MANY_ROW_START(Z1); JGE tail1
vector1:
	MANY_ROW_VECTOR(VPANDQ, Z1); JLT vector1
tail1:
	TESTQ rest, rest; JZ end1
	MANY_ROW_REST(VPANDQ, Z1)
end1:
	ADDQ size, rowsp
	MANY_ROW_START(Z2); JGE tail2
vector2:
	MANY_ROW_VECTOR(VPANDQ, Z2); JLT vector2
tail2:
	TESTQ rest, rest; JZ end2
	MANY_ROW_REST(VPANDQ, Z2)
end2:
	ADDQ size, rowsp
	MANY_ROW_START(Z3); JGE tail3
vector3:
	MANY_ROW_VECTOR(VPANDQ, Z3); JLT vector3
tail3:
	TESTQ rest, rest; JZ end3
	MANY_ROW_REST(VPANDQ, Z3)
end3:
	ADDQ size, rowsp
	MANY_ROW_START(Z4); JGE tail4
vector4:
	MANY_ROW_VECTOR(VPANDQ, Z4); JLT vector4
tail4:
	TESTQ rest, rest; JZ end4
	MANY_ROW_REST(VPANDQ, Z4)
end4:
	ADDQ size, rowsp
	MANY_ROW_START(Z5); JGE tail5
vector5:
	MANY_ROW_VECTOR(VPANDQ, Z5); JLT vector5
tail5:
	TESTQ rest, rest; JZ end5
	MANY_ROW_REST(VPANDQ, Z5)
end5:
	ADDQ size, rowsp
	MANY_ROW_START(Z6); JGE tail6
vector6:
	MANY_ROW_VECTOR(VPANDQ, Z6); JLT vector6
tail6:
	TESTQ rest, rest; JZ end6
	MANY_ROW_REST(VPANDQ, Z6)
end6:
	ADDQ size, rowsp
	MANY_ROW_START(Z7); JGE tail7
vector7:
	MANY_ROW_VECTOR(VPANDQ, Z7); JLT vector7
tail7:
	TESTQ rest, rest; JZ end7
	MANY_ROW_REST(VPANDQ, Z7)
end7:
	ADDQ size, rowsp

	// counts[i] = sum of Z<i>
	MANY_SUM_ROWS
	VMOVDQU64 Z0, (countsp)
	ADDQ $64, countsp
	SUBQ $8, left
	JGE  rows8

short:
	ADDQ $8, left
	JZ   done

rows1:
	MANY_ROW_START(Z0); JGE tail
vector:
	MANY_ROW_VECTOR(VPANDQ, Z0); JLT vector
tail:
	TESTQ rest, rest; JZ end
	MANY_ROW_REST(VPANDQ, Z0)
end:
	ADDQ size, rowsp

	// counts[0] = sum of Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDQ Y1, Y0, Y0
	MANY_SUM_LANES(AX)
	MOVQ AX, (countsp)
	ADDQ $8, countsp
	DECQ left
	JNZ  rows1

done:
	VZEROUPPER
	RET

// func orCountRowsAVX512(counts *int, query, rows *uint64, words, n int)
// words >= 1, n >= 1.
TEXT ·orCountRowsAVX512(SB), NOSPLIT, $0-40
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	SHLQ $3, size
	MANY_ROW_SIZES
	SUBQ $8, left
	JLT  short

rows8:
	// Z<i> = popcount(query | row i), lane by lane
	MANY_ROW_START(Z0); JGE tail0
vector0:
	MANY_ROW_VECTOR(VPORQ, Z0); JLT vector0
tail0:
	TESTQ rest, rest; JZ end0
	MANY_ROW_REST(VPORQ, Z0)
end0:
	ADDQ size, rowsp
	MANY_ROW_START(Z1); JGE tail1
vector1:
	MANY_ROW_VECTOR(VPORQ, Z1); JLT vector1
tail1:
	TESTQ rest, rest; JZ end1
	MANY_ROW_REST(VPORQ, Z1)
end1:
	ADDQ size, rowsp
	MANY_ROW_START(Z2); JGE tail2
vector2:
	MANY_ROW_VECTOR(VPORQ, Z2); JLT vector2
tail2:
	TESTQ rest, rest; JZ end2
	MANY_ROW_REST(VPORQ, Z2)
end2:
	ADDQ size, rowsp
	MANY_ROW_START(Z3); JGE tail3
vector3:
	MANY_ROW_VECTOR(VPORQ, Z3); JLT vector3
tail3:
	TESTQ rest, rest; JZ end3
	MANY_ROW_REST(VPORQ, Z3)
end3:
	ADDQ size, rowsp
	MANY_ROW_START(Z4); JGE tail4
vector4:
	MANY_ROW_VECTOR(VPORQ, Z4); JLT vector4
tail4:
	TESTQ rest, rest; JZ end4
	MANY_ROW_REST(VPORQ, Z4)
end4:
	ADDQ size, rowsp
	MANY_ROW_START(Z5); JGE tail5
vector5:
	MANY_ROW_VECTOR(VPORQ, Z5); JLT vector5
tail5:
	TESTQ rest, rest; JZ end5
	MANY_ROW_REST(VPORQ, Z5)
end5:
	ADDQ size, rowsp
	MANY_ROW_START(Z6); JGE tail6
vector6:
	MANY_ROW_VECTOR(VPORQ, Z6); JLT vector6
tail6:
	TESTQ rest, rest; JZ end6
	MANY_ROW_REST(VPORQ, Z6)
end6:
	ADDQ size, rowsp
	MANY_ROW_START(Z7); JGE tail7
vector7:
	MANY_ROW_VECTOR(VPORQ, Z7); JLT vector7
tail7:
	TESTQ rest, rest; JZ end7
	MANY_ROW_REST(VPORQ, Z7)
end7:
	ADDQ size, rowsp

	// counts[i] = sum of Z<i>
	MANY_SUM_ROWS
	VMOVDQU64 Z0, (countsp)
	ADDQ $64, countsp
	SUBQ $8, left
	JGE  rows8

short:
	ADDQ $8, left
	JZ   done

rows1:
	MANY_ROW_START(Z0); JGE tail
vector:
	MANY_ROW_VECTOR(VPORQ, Z0); JLT vector
tail:
	TESTQ rest, rest; JZ end
	MANY_ROW_REST(VPORQ, Z0)
end:
	ADDQ size, rowsp

	// counts[0] = sum of Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDQ Y1, Y0, Y0
	MANY_SUM_LANES(AX)
	MOVQ AX, (countsp)
	ADDQ $8, countsp
	DECQ left
	JNZ  rows1

done:
	VZEROUPPER
	RET

// func xorCountRowsAVX512(counts *int, query, rows *uint64, words, n int)
// words >= 1, n >= 1.
TEXT ·xorCountRowsAVX512(SB), NOSPLIT, $0-40
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	SHLQ $3, size
	MANY_ROW_SIZES
	SUBQ $8, left
	JLT  short

rows8:
	// Z<i> = popcount(query ^ row i), lane by lane
	MANY_ROW_START(Z0); JGE tail0
vector0:
	MANY_ROW_VECTOR(VPXORQ, Z0); JLT vector0
tail0:
	TESTQ rest, rest; JZ end0
	MANY_ROW_REST(VPXORQ, Z0)
end0:
	ADDQ size, rowsp
	MANY_ROW_START(Z1); JGE tail1
vector1:
	MANY_ROW_VECTOR(VPXORQ, Z1); JLT vector1
tail1:
	TESTQ rest, rest; JZ end1
	MANY_ROW_REST(VPXORQ, Z1)
end1:
	ADDQ size, rowsp
	MANY_ROW_START(Z2); JGE tail2
vector2:
	MANY_ROW_VECTOR(VPXORQ, Z2); JLT vector2
tail2:
	TESTQ rest, rest; JZ end2
	MANY_ROW_REST(VPXORQ, Z2)
end2:
	ADDQ size, rowsp
	MANY_ROW_START(Z3); JGE tail3
vector3:
	MANY_ROW_VECTOR(VPXORQ, Z3); JLT vector3
tail3:
	TESTQ rest, rest; JZ end3
	MANY_ROW_REST(VPXORQ, Z3)
end3:
	ADDQ size, rowsp
	MANY_ROW_START(Z4); JGE tail4
vector4:
	MANY_ROW_VECTOR(VPXORQ, Z4); JLT vector4
tail4:
	TESTQ rest, rest; JZ end4
	MANY_ROW_REST(VPXORQ, Z4)
end4:
	ADDQ size, rowsp
	MANY_ROW_START(Z5); JGE tail5
vector5:
	MANY_ROW_VECTOR(VPXORQ, Z5); JLT vector5
tail5:
	TESTQ rest, rest; JZ end5
	MANY_ROW_REST(VPXORQ, Z5)
end5:
	ADDQ size, rowsp
	MANY_ROW_START(Z6); JGE tail6
vector6:
	MANY_ROW_VECTOR(VPXORQ, Z6); JLT vector6
tail6:
	TESTQ rest, rest; JZ end6
	MANY_ROW_REST(VPXORQ, Z6)
end6:
	ADDQ size, rowsp
	MANY_ROW_START(Z7); JGE tail7
vector7:
	MANY_ROW_VECTOR(VPXORQ, Z7); JLT vector7
tail7:
	TESTQ rest, rest; JZ end7
	MANY_ROW_REST(VPXORQ, Z7)
end7:
	ADDQ size, rowsp

	// counts[i] = sum of Z<i>
	MANY_SUM_ROWS
	VMOVDQU64 Z0, (countsp)
	ADDQ $64, countsp
	SUBQ $8, left
	JGE  rows8

short:
	ADDQ $8, left
	JZ   done

rows1:
	MANY_ROW_START(Z0); JGE tail
vector:
	MANY_ROW_VECTOR(VPXORQ, Z0); JLT vector
tail:
	TESTQ rest, rest; JZ end
	MANY_ROW_REST(VPXORQ, Z0)
end:
	ADDQ size, rowsp

	// counts[0] = sum of Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDQ Y1, Y0, Y0
	MANY_SUM_LANES(AX)
	MOVQ AX, (countsp)
	ADDQ $8, countsp
	DECQ left
	JNZ  rows1

done:
	VZEROUPPER
	RET
