//go:build !purego

// Batches of keys, for NEON: the bits of one key in two registers. sbbf.go specifies
// the layout of a block.
//
// Keys go in groups of four. Each round prefetches the blocks of the group that
// comes distance bytes of hashes later, or of the last one, and probes its own. The
// general registers compute addresses, twice for each key, beside the vectors.
//
// Every kernel: b has blocks > 0 blocks, fewer than 2^32; n > 0 hashes, a multiple
// of 4; distance is a positive multiple of 32. Those with results write (n+31)/32
// masks of 32 bits to hits, and clear the bits of the last one that stand for no key.

#include "textflag.h"
#include "go_asm.h"

// Instructions that Go's assembler lacks, by the numbers of their registers.
#define MULS(m, i, n, d) WORD $(0x4f808000 | (i)<<10 | (m)<<16 | (n)<<5 | (d)) // MUL   Vd.4S, Vn.4S, Vm.S[i]; i is 0 or 2
#define USHLS(m, n, d)   WORD $(0x6ea04400 | (m)<<16 | (n)<<5 | (d))           // USHL  Vd.4S, Vn.4S, Vm.4S
#define UMAXPS(m, n, d)  WORD $(0x6ea0a400 | (m)<<16 | (n)<<5 | (d))           // UMAXP Vd.4S, Vn.4S, Vm.4S

DATA ·saltsNEON+0(SB)/4, $const_salt0
DATA ·saltsNEON+4(SB)/4, $const_salt1
DATA ·saltsNEON+8(SB)/4, $const_salt2
DATA ·saltsNEON+12(SB)/4, $const_salt3
DATA ·saltsNEON+16(SB)/4, $const_salt4
DATA ·saltsNEON+20(SB)/4, $const_salt5
DATA ·saltsNEON+24(SB)/4, $const_salt6
DATA ·saltsNEON+28(SB)/4, $const_salt7
DATA ·saltsNEON+32(SB)/8, $0x2000000010000000 // key i's bit in a group's results
DATA ·saltsNEON+40(SB)/8, $0x8000000040000000
DATA ·saltsNEON+48(SB)/8, $0x0000000100000001 // a 1 in every word
DATA ·saltsNEON+56(SB)/8, $0x0000000100000001
GLOBL ·saltsNEON(SB), RODATA|NOPTR, $64

#define src     R0  // the hashes of the group to probe
#define last    R1  // those of the last group
#define left    R2  // keys to probe
#define ahead   R3  // the hashes of the group to prefetch
#define base    R4  // address of the first block
#define nblocks R5  // their number
#define dist    R6  // distance
#define room    R7  // groups that the current mask of results has room for
#define hitsp   R8  // the next mask of results
#define stop    R9  // the last group to prefetch before the first is probed
#define p0      R11 // addresses of a group's blocks
#define p1      R12
#define p2      R13
#define p3      R14

#define vHashes0 V16 // of keys 0 and 1
#define vHashes1 V17
#define vKeys    V20 // key i's bit in a group's results
#define vZero    V21
#define vHits    V22 // the last eight groups' results, four bits each, at the top
#define nSaltsLo 23
#define nSaltsHi 24
#define nOnes    25

// SBBF_NEON_START loads the constants and finds the last group.
// in: src, left; out: last, vKeys, vZero, vHits, room, the salts and ones; clobbers p0
#define SBBF_NEON_START \
	ADD   left<<3, src, last   \
	SUB   $32, last            \
	MOVD  $·saltsNEON(SB), p0  \
	FLDPQ (p0), (F23, F24)     \
	FLDPQ 32(p0), (F20, F25)   \
	VEOR  vZero.B16, vZero.B16, vZero.B16 \
	VEOR  vHits.B16, vHits.B16, vHits.B16 \
	MOVD  $8, room

// SBBF_NEON_LOCATE finds the blocks of four hashes: base + 32 × ((h >> 32) × nblocks
// >> 32).
// in: hashes, base, nblocks; out: p0 to p3
#define SBBF_NEON_LOCATE(hashes) \
	LDP (hashes), (p0, p1)   \
	LDP 16(hashes), (p2, p3) \
	LSR $32, p0, p0          \
	LSR $32, p1, p1          \
	LSR $32, p2, p2          \
	LSR $32, p3, p3          \
	MUL nblocks, p0, p0      \
	MUL nblocks, p1, p1      \
	MUL nblocks, p2, p2      \
	MUL nblocks, p3, p3      \
	LSR $32, p0, p0          \
	LSR $32, p1, p1          \
	LSR $32, p2, p2          \
	LSR $32, p3, p3          \
	ADD p0<<5, base, p0      \
	ADD p1<<5, base, p1      \
	ADD p2<<5, base, p2      \
	ADD p3<<5, base, p3

// SBBF_NEON_PREFETCH prefetches the blocks of a group.
// in: ahead, base, nblocks; clobbers p0 to p3
#define SBBF_NEON_PREFETCH \
	SBBF_NEON_LOCATE(ahead) \
	PRFM (p0), PLDL1KEEP \
	PRFM (p1), PLDL1KEEP \
	PRFM (p2), PLDL1KEEP \
	PRFM (p3), PLDL1KEEP

// SBBF_NEON_NEXT loads the hashes of the group to probe, and finds its blocks, after
// it has prefetched those of another.
// in: src, last, dist; out: vHashes0, vHashes1, p0 to p3; clobbers ahead
#define SBBF_NEON_NEXT \
	ADD   dist, src, ahead        \
	CMP   last, ahead             \
	CSEL  HI, last, ahead, ahead  \
	SBBF_NEON_PREFETCH            \
	FLDPQ (src), (F16, F17)       \
	SBBF_NEON_LOCATE(src)

// SBBF_NEON_MASK makes the bits of the key in word i of vector m, and loads its block.
// in: p; out: V0, V1 the bits, V2, V3 the block
#define SBBF_NEON_MASK(m, i, p) \
	MULS(m, i, nSaltsLo, 0)                \
	MULS(m, i, nSaltsHi, 1)                \
	FLDPQ (p), (F2, F3)                    \
	VUSHR $const_bitShift, V0.S4, V0.S4    \
	VUSHR $const_bitShift, V1.S4, V1.S4    \
	USHLS(0, nOnes, 0)                     \
	USHLS(1, nOnes, 1)

// SBBF_NEON_ADD sets the bits of a key.
// in: p; clobbers V0 to V3
#define SBBF_NEON_ADD(m, i, p) \
	SBBF_NEON_MASK(m, i, p)        \
	VORR  V0.B16, V2.B16, V2.B16   \
	VORR  V1.B16, V3.B16, V3.B16   \
	FSTPQ (F2, F3), (p)

// SBBF_NEON_TEST leaves the bits of a key that are missing.
// in: p; out: d; clobbers V0 to V3
#define SBBF_NEON_TEST(m, i, p, d) \
	SBBF_NEON_MASK(m, i, p)            \
	VBIT V2.B16, vZero.B16, V0.B16     \
	VBIT V3.B16, vZero.B16, V1.B16     \
	VORR V0.B16, V1.B16, d.B16

// SBBF_NEON_TESTADD does both.
// in: p; out: d; clobbers V0 to V5
#define SBBF_NEON_TESTADD(m, i, p, d) \
	SBBF_NEON_MASK(m, i, p)            \
	VORR  V0.B16, V2.B16, V4.B16       \
	VORR  V1.B16, V3.B16, V5.B16       \
	FSTPQ (F4, F5), (p)                \
	VBIT  V2.B16, vZero.B16, V0.B16    \
	VBIT  V3.B16, vZero.B16, V1.B16    \
	VORR  V0.B16, V1.B16, d.B16

// SBBF_NEON_RESULTS appends a group's results to vHits.
// in: V6, V7, V18, V19, what is missing; in, out: vHits; clobbers V6, V18
#define SBBF_NEON_RESULTS \
	UMAXPS(7, 6, 6)                   \
	UMAXPS(19, 18, 18)                \
	UMAXPS(18, 6, 6)                  \
	VCMEQ V6.S4, vZero.S4, V6.S4      \
	VUSHR $4, vHits.S4, vHits.S4      \
	VBIT  vKeys.B16, V6.B16, vHits.B16

// SBBF_NEON_GATHER makes 32 bits of eight groups' results.
// in: vHits; out: p0; clobbers V0
#define SBBF_NEON_GATHER \
	VADDV vHits.S4, V0 \
	FMOVS F0, p0

// func testNEON(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)
TEXT ·testNEON(SB), NOSPLIT, $0-48
	MOVD b+0(FP), base
	MOVD blocks+8(FP), nblocks
	MOVD hashes+16(FP), src
	MOVD n+24(FP), left
	MOVD distance+32(FP), dist
	MOVD hits+40(FP), hitsp
	SBBF_NEON_START

	// prefetch the first groups, the last of them at stop
	ADD  dist, src, stop
	SUB  $32, stop
	CMP  last, stop
	CSEL HI, last, stop, stop
	MOVD src, ahead
fill:
	SBBF_NEON_PREFETCH
	ADD  $32, ahead
	CMP  stop, ahead
	BLS  fill

	// probe a group, prefetch another
next:
	SBBF_NEON_NEXT
	SBBF_NEON_TEST(16, 0, p0, V6)
	SBBF_NEON_TEST(16, 2, p1, V7)
	SBBF_NEON_TEST(17, 0, p2, V18)
	SBBF_NEON_TEST(17, 2, p3, V19)
	ADD  $32, src
	SBBF_NEON_RESULTS
	SUBS $1, room
	BNE  more
	SBBF_NEON_GATHER
	MOVW.P p0, 4(hitsp)
	MOVD $8, room
more:
	SUBS $4, left
	BNE  next

	// *hits = the results of the last, fewer than 32, keys
	CMP  $8, room
	BEQ  done
	SBBF_NEON_GATHER
	LSL  $2, room
	LSRW room, p0, p0
	MOVW p0, (hitsp)
done:
	RET

// func addNEON(b *byte, blocks uint64, hashes *uint64, n, distance int)
TEXT ·addNEON(SB), NOSPLIT, $0-40
	MOVD b+0(FP), base
	MOVD blocks+8(FP), nblocks
	MOVD hashes+16(FP), src
	MOVD n+24(FP), left
	MOVD distance+32(FP), dist
	SBBF_NEON_START

	// prefetch the first groups, the last of them at stop
	ADD  dist, src, stop
	SUB  $32, stop
	CMP  last, stop
	CSEL HI, last, stop, stop
	MOVD src, ahead
fill:
	SBBF_NEON_PREFETCH
	ADD  $32, ahead
	CMP  stop, ahead
	BLS  fill

	// probe a group, prefetch another
next:
	SBBF_NEON_NEXT
	SBBF_NEON_ADD(16, 0, p0)
	SBBF_NEON_ADD(16, 2, p1)
	SBBF_NEON_ADD(17, 0, p2)
	SBBF_NEON_ADD(17, 2, p3)
	ADD  $32, src
	SUBS $4, left
	BNE  next
	RET

// func testAddNEON(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)
TEXT ·testAddNEON(SB), NOSPLIT, $0-48
	MOVD b+0(FP), base
	MOVD blocks+8(FP), nblocks
	MOVD hashes+16(FP), src
	MOVD n+24(FP), left
	MOVD distance+32(FP), dist
	MOVD hits+40(FP), hitsp
	SBBF_NEON_START

	// prefetch the first groups, the last of them at stop
	ADD  dist, src, stop
	SUB  $32, stop
	CMP  last, stop
	CSEL HI, last, stop, stop
	MOVD src, ahead
fill:
	SBBF_NEON_PREFETCH
	ADD  $32, ahead
	CMP  stop, ahead
	BLS  fill

	// probe a group, prefetch another
next:
	SBBF_NEON_NEXT
	SBBF_NEON_TESTADD(16, 0, p0, V6)
	SBBF_NEON_TESTADD(16, 2, p1, V7)
	SBBF_NEON_TESTADD(17, 0, p2, V18)
	SBBF_NEON_TESTADD(17, 2, p3, V19)
	ADD  $32, src
	SBBF_NEON_RESULTS
	SUBS $1, room
	BNE  more
	SBBF_NEON_GATHER
	MOVW.P p0, 4(hitsp)
	MOVD $8, room
more:
	SUBS $4, left
	BNE  next

	// *hits = the results of the last, fewer than 32, keys
	CMP  $8, room
	BEQ  done
	SBBF_NEON_GATHER
	LSL  $2, room
	LSRW room, p0, p0
	MOVW p0, (hitsp)
done:
	RET
