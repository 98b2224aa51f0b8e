//go:build !purego

// One query against rows of up to eight words: each is one vector, counted with
// VPOPCNTQ. The query stays in a register, and the sums of eight rows are added across
// together, as in rows_avx512_amd64.s.

#include "textflag.h"
#include "many_amd64.h"
#include "rows_amd64.h"

#define ahead R12 // how many bytes ahead to prefetch
#define queryv Z8 // the query

// MANY_SHORT_ROW sets v to the counts of the lanes of query OP row, OP being VPANDQ.Z,
// VPORQ.Z or VPXORQ.Z, and goes on to the next row.
// in: rowsp, queryv, K1, size, ahead; out: v, rowsp
#define MANY_SHORT_ROW(OP, v) \
	PREFETCHT0 (rowsp)(ahead*1)     \
	OP         (rowsp), queryv, K1, v \
	VPOPCNTQ   v, v                 \
	ADDQ       size, rowsp

// func andCountShortRowsAVX512(counts *int, query, rows *uint64, words, n, far int)
// 1 <= words <= 8, n >= 1. What lies ahead may be anything.
TEXT ·andCountShortRowsAVX512(SB), NOSPLIT, $0-48
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	MOVQ far+40(FP), ahead
	MOVL  $-1, AX
	BZHIL size, AX, AX
	KMOVB AX, K1
	SHLQ  $3, size
	VMOVDQU64.Z (queryp), K1, queryv
	SUBQ $8, left
	JLT  short
	PCALIGN $32

rows8:
	// Z<i> = popcount(query & row i), lane by lane
	MANY_SHORT_ROW(VPANDQ.Z, Z0)
	MANY_SHORT_ROW(VPANDQ.Z, Z1)
	MANY_SHORT_ROW(VPANDQ.Z, Z2)
	MANY_SHORT_ROW(VPANDQ.Z, Z3)
	MANY_SHORT_ROW(VPANDQ.Z, Z4)
	MANY_SHORT_ROW(VPANDQ.Z, Z5)
	MANY_SHORT_ROW(VPANDQ.Z, Z6)
	MANY_SHORT_ROW(VPANDQ.Z, Z7)

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
	MANY_SHORT_ROW(VPANDQ.Z, Z0)

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

// func orCountShortRowsAVX512(counts *int, query, rows *uint64, words, n, far int)
// 1 <= words <= 8, n >= 1.
TEXT ·orCountShortRowsAVX512(SB), NOSPLIT, $0-48
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	MOVQ far+40(FP), ahead
	MOVL  $-1, AX
	BZHIL size, AX, AX
	KMOVB AX, K1
	SHLQ  $3, size
	VMOVDQU64.Z (queryp), K1, queryv
	SUBQ $8, left
	JLT  short
	PCALIGN $32

rows8:
	// Z<i> = popcount(query | row i), lane by lane
	MANY_SHORT_ROW(VPORQ.Z, Z0)
	MANY_SHORT_ROW(VPORQ.Z, Z1)
	MANY_SHORT_ROW(VPORQ.Z, Z2)
	MANY_SHORT_ROW(VPORQ.Z, Z3)
	MANY_SHORT_ROW(VPORQ.Z, Z4)
	MANY_SHORT_ROW(VPORQ.Z, Z5)
	MANY_SHORT_ROW(VPORQ.Z, Z6)
	MANY_SHORT_ROW(VPORQ.Z, Z7)

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
	MANY_SHORT_ROW(VPORQ.Z, Z0)

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

// func xorCountShortRowsAVX512(counts *int, query, rows *uint64, words, n, far int)
// 1 <= words <= 8, n >= 1.
TEXT ·xorCountShortRowsAVX512(SB), NOSPLIT, $0-48
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	MOVQ far+40(FP), ahead
	MOVL  $-1, AX
	BZHIL size, AX, AX
	KMOVB AX, K1
	SHLQ  $3, size
	VMOVDQU64.Z (queryp), K1, queryv
	SUBQ $8, left
	JLT  short
	PCALIGN $32

rows8:
	// Z<i> = popcount(query ^ row i), lane by lane
	MANY_SHORT_ROW(VPXORQ.Z, Z0)
	MANY_SHORT_ROW(VPXORQ.Z, Z1)
	MANY_SHORT_ROW(VPXORQ.Z, Z2)
	MANY_SHORT_ROW(VPXORQ.Z, Z3)
	MANY_SHORT_ROW(VPXORQ.Z, Z4)
	MANY_SHORT_ROW(VPXORQ.Z, Z5)
	MANY_SHORT_ROW(VPXORQ.Z, Z6)
	MANY_SHORT_ROW(VPXORQ.Z, Z7)

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
	MANY_SHORT_ROW(VPXORQ.Z, Z0)

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
