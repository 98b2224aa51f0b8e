//go:build !purego

// One query against the rows of a matrix, which lie one after the other, each as
// long as the query. The AVX2 kernels take a row at a time: eight words a round,
// counted by nibbles, then one. What calls for each row cost: TUNING.md.

#include "textflag.h"
#include "many_amd64.h"

#define countsp DI  // counts: where the next one goes
#define queryp  SI  // query
#define rowsp   DX  // rows: the next one
#define size    R8  // bytes of a row
#define whole   R9  // bytes of its whole rounds
#define left    R10 // rows left
#define off     CX  // how many bytes into the row
#define count   AX

// MANY_COUNT_PAIR sets v to the counts of the bytes of query OP row at off + at,
// OP being VPAND, VPOR or VPXOR.
// in: queryp, rowsp, off, table, low; out: v; clobbers: t
#define MANY_COUNT_PAIR(OP, at, v, t) \
	VMOVDQU at(queryp)(off*1), v   \
	OP      at(rowsp)(off*1), v, v \
	MANY_COUNT_BYTES(v, t)

// func andCountRowsAVX2(counts *int, query, rows *uint64, words, n int)
// words >= 1, n >= 1.
TEXT ·andCountRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	SHLQ $3, size
	MOVQ size, whole
	ANDQ $~63, whole
	MANY_COUNT_CONSTANTS

row:
	VPXOR X0, X0, X0
	XORL  off, off
	CMPQ  off, whole
	JGE   lanes

round8:
	// total += popcount(query[…] & row[…])
	MANY_COUNT_PAIR(VPAND, 0, Y8, Y10)
	MANY_COUNT_PAIR(VPAND, 32, Y9, Y11)
	VPADDB Y9, Y8, Y8
	MANY_ADD_BYTES(Y8)
	ADDQ $64, off
	CMPQ off, whole
	JLT  round8

lanes:
	MANY_SUM_LANES(count)
	JMP check

round1:
	// count += popcount(query[…] & row[…])
	MOVQ    (queryp)(off*1), R11
	ANDQ    (rowsp)(off*1), R11
	POPCNTQ R11, R11
	ADDQ    R11, count
	ADDQ    $8, off

check:
	CMPQ off, size
	JLT  round1

	MOVQ count, (countsp)
	ADDQ $8, countsp
	ADDQ size, rowsp
	DECQ left
	JNZ  row
	VZEROUPPER
	RET

// func orCountRowsAVX2(counts *int, query, rows *uint64, words, n int)
// words >= 1, n >= 1.
TEXT ·orCountRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	SHLQ $3, size
	MOVQ size, whole
	ANDQ $~63, whole
	MANY_COUNT_CONSTANTS

row:
	VPXOR X0, X0, X0
	XORL  off, off
	CMPQ  off, whole
	JGE   lanes

round8:
	// total += popcount(query[…] | row[…])
	MANY_COUNT_PAIR(VPOR, 0, Y8, Y10)
	MANY_COUNT_PAIR(VPOR, 32, Y9, Y11)
	VPADDB Y9, Y8, Y8
	MANY_ADD_BYTES(Y8)
	ADDQ $64, off
	CMPQ off, whole
	JLT  round8

lanes:
	MANY_SUM_LANES(count)
	JMP check

round1:
	// count += popcount(query[…] | row[…])
	MOVQ    (queryp)(off*1), R11
	ORQ    (rowsp)(off*1), R11
	POPCNTQ R11, R11
	ADDQ    R11, count
	ADDQ    $8, off

check:
	CMPQ off, size
	JLT  round1

	MOVQ count, (countsp)
	ADDQ $8, countsp
	ADDQ size, rowsp
	DECQ left
	JNZ  row
	VZEROUPPER
	RET

// func xorCountRowsAVX2(counts *int, query, rows *uint64, words, n int)
// words >= 1, n >= 1.
TEXT ·xorCountRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ counts+0(FP), countsp
	MOVQ query+8(FP), queryp
	MOVQ rows+16(FP), rowsp
	MOVQ words+24(FP), size
	MOVQ n+32(FP), left
	SHLQ $3, size
	MOVQ size, whole
	ANDQ $~63, whole
	MANY_COUNT_CONSTANTS

row:
	VPXOR X0, X0, X0
	XORL  off, off
	CMPQ  off, whole
	JGE   lanes

round8:
	// total += popcount(query[…] ^ row[…])
	MANY_COUNT_PAIR(VPXOR, 0, Y8, Y10)
	MANY_COUNT_PAIR(VPXOR, 32, Y9, Y11)
	VPADDB Y9, Y8, Y8
	MANY_ADD_BYTES(Y8)
	ADDQ $64, off
	CMPQ off, whole
	JLT  round8

lanes:
	MANY_SUM_LANES(count)
	JMP check

round1:
	// count += popcount(query[…] ^ row[…])
	MOVQ    (queryp)(off*1), R11
	XORQ    (rowsp)(off*1), R11
	POPCNTQ R11, R11
	ADDQ    R11, count
	ADDQ    $8, off

check:
	CMPQ off, size
	JLT  round1

	MOVQ count, (countsp)
	ADDQ $8, countsp
	ADDQ size, rowsp
	DECQ left
	JNZ  row
	VZEROUPPER
	RET
