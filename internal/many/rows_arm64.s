//go:build !purego

// One query against the rows of a matrix, which lie one after the other, each as long
// as the query, for NEON: a row at a time, eight words a round, then four, two, one.
// UADALP adds the pairs of a round's bytes, at most 64 in all, to eight sums of 16
// bits, which hold for 1023 rounds. MOVI clears them, for an EOR of a register with
// itself waits for the row before.

#include "textflag.h"
#include "neon_arm64.h"

#define countsp R0 // counts: where the next one goes
#define queryp  R1 // query
#define rowsp   R2 // rows: what comes next
#define width   R3 // words of a row
#define left    R4 // rows left
#define nextp   R5 // what of the query comes next
#define rounds  R6 // of eight words
#define count   R7

#define sums    V16 // eight of 16 bits
#define sumsReg 16

// MANY_NEON_8, MANY_NEON_4, MANY_NEON_2 and MANY_NEON_1 add to sums the counts of so
// many words of query OP row, OP being VAND, VORR or VEOR.
// in, out: nextp, rowsp, sums; clobbers: V0 to V7

#define MANY_NEON_8(OP) \
	FLDPQ (nextp), (F0, F1)      \
	FLDPQ 32(nextp), (F2, F3)    \
	FLDPQ (rowsp), (F4, F5)      \
	FLDPQ 32(rowsp), (F6, F7)    \
	ADD   $64, nextp             \
	ADD   $64, rowsp             \
	OP    V4.B16, V0.B16, V0.B16 \
	OP    V5.B16, V1.B16, V1.B16 \
	OP    V6.B16, V2.B16, V2.B16 \
	OP    V7.B16, V3.B16, V3.B16 \
	VCNT  V0.B16, V0.B16         \
	VCNT  V1.B16, V1.B16         \
	VCNT  V2.B16, V2.B16         \
	VCNT  V3.B16, V3.B16         \
	VADD  V0.B16, V1.B16, V0.B16 \
	VADD  V2.B16, V3.B16, V2.B16 \
	VADD  V0.B16, V2.B16, V0.B16 \
	UADALPH(0, sumsReg)

#define MANY_NEON_4(OP) \
	FLDPQ (nextp), (F0, F1)      \
	FLDPQ (rowsp), (F4, F5)      \
	ADD   $32, nextp             \
	ADD   $32, rowsp             \
	OP    V4.B16, V0.B16, V0.B16 \
	OP    V5.B16, V1.B16, V1.B16 \
	VCNT  V0.B16, V0.B16         \
	VCNT  V1.B16, V1.B16         \
	VADD  V0.B16, V1.B16, V0.B16 \
	UADALPH(0, sumsReg)

#define MANY_NEON_2(OP) \
	FMOVQ.P 16(nextp), F0          \
	FMOVQ.P 16(rowsp), F4          \
	OP      V4.B16, V0.B16, V0.B16 \
	VCNT    V0.B16, V0.B16         \
	UADALPH(0, sumsReg)

#define MANY_NEON_1(OP) \
	FMOVD.P 8(nextp), F0           \
	FMOVD.P 8(rowsp), F4           \
	OP      V4.B16, V0.B16, V0.B16 \
	VCNT    V0.B16, V0.B16         \
	UADALPH(0, sumsReg)

// func andCountRowsNEON(counts *int, query, rows *uint64, words, n int)
// 1 <= words <= maxRowNEON, n >= 1.
TEXT ·andCountRowsNEON(SB), NOSPLIT, $0-40
	MOVD counts+0(FP), countsp
	MOVD query+8(FP), queryp
	MOVD rows+16(FP), rowsp
	MOVD words+24(FP), width
	MOVD n+32(FP), left

row:
	MOVD queryp, nextp
	LSR  $3, width, rounds
	VMOVI $0, sums.B16
	CBZ  rounds, try4

	// sums += popcount(query[:8] & row[:8])
round8:
	MANY_NEON_8(VAND)
	SUBS $1, rounds
	BNE  round8

try4:
	TBZ  $2, width, try2
	MANY_NEON_4(VAND)
try2:
	TBZ  $1, width, try1
	MANY_NEON_2(VAND)
try1:
	TBZ  $0, width, sum
	MANY_NEON_1(VAND)

sum:
	VUADDLV sums.H8, V0
	FMOVS   F0, count
	MOVD.P  count, 8(countsp)
	SUBS    $1, left
	BNE     row
	RET

// func orCountRowsNEON(counts *int, query, rows *uint64, words, n int)
// 1 <= words <= maxRowNEON, n >= 1.
TEXT ·orCountRowsNEON(SB), NOSPLIT, $0-40
	MOVD counts+0(FP), countsp
	MOVD query+8(FP), queryp
	MOVD rows+16(FP), rowsp
	MOVD words+24(FP), width
	MOVD n+32(FP), left

row:
	MOVD queryp, nextp
	LSR  $3, width, rounds
	VMOVI $0, sums.B16
	CBZ  rounds, try4

	// sums += popcount(query[:8] | row[:8])
round8:
	MANY_NEON_8(VORR)
	SUBS $1, rounds
	BNE  round8

try4:
	TBZ  $2, width, try2
	MANY_NEON_4(VORR)
try2:
	TBZ  $1, width, try1
	MANY_NEON_2(VORR)
try1:
	TBZ  $0, width, sum
	MANY_NEON_1(VORR)

sum:
	VUADDLV sums.H8, V0
	FMOVS   F0, count
	MOVD.P  count, 8(countsp)
	SUBS    $1, left
	BNE     row
	RET

// func xorCountRowsNEON(counts *int, query, rows *uint64, words, n int)
// 1 <= words <= maxRowNEON, n >= 1.
TEXT ·xorCountRowsNEON(SB), NOSPLIT, $0-40
	MOVD counts+0(FP), countsp
	MOVD query+8(FP), queryp
	MOVD rows+16(FP), rowsp
	MOVD words+24(FP), width
	MOVD n+32(FP), left

row:
	MOVD queryp, nextp
	LSR  $3, width, rounds
	VMOVI $0, sums.B16
	CBZ  rounds, try4

	// sums += popcount(query[:8] ^ row[:8])
round8:
	MANY_NEON_8(VEOR)
	SUBS $1, rounds
	BNE  round8

try4:
	TBZ  $2, width, try2
	MANY_NEON_4(VEOR)
try2:
	TBZ  $1, width, try1
	MANY_NEON_2(VEOR)
try1:
	TBZ  $0, width, sum
	MANY_NEON_1(VEOR)

sum:
	VUADDLV sums.H8, V0
	FMOVS   F0, count
	MOVD.P  count, 8(countsp)
	SUBS    $1, left
	BNE     row
	RET
