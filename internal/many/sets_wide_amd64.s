//go:build !purego

// The AND and the OR of many sets, and their counts, by vectors of 512 bits, for CPUs
// that cpu.Tune gives them to. A round takes 256 words of each set in turn, half a
// page, in all 32 registers: so few turns among the sets that the hardware's prefetching
// follows each of them, and nothing is prefetched here. Figures: TUNING.md.
//
// AND and OR may do a word twice, in place too: the ends are whole vectors that share
// words with their neighbours.

#include "textflag.h"
#include "sets_amd64.h"
#include "many_amd64.h"

#define count AX

// What is done to a vector v of eight words at off + at.

#define MANY_WIDE_READ(at, v)   VMOVDQU64 at(s)(off*1), v    // v = s[…]
#define MANY_WIDE_AND(at, v)    VPANDQ at(s)(off*1), v, v    // v &= s[…]
#define MANY_WIDE_OR(at, v)     VPORQ at(s)(off*1), v, v     // v |= s[…]
#define MANY_WIDE_WRITE(at, v)  VMOVDQU64 v, at(dstp)(off*1) // dst[…] = v
#define MANY_WIDE_STREAM(at, v) VMOVNTDQ v, at(dstp)(off*1)  // the same, past the caches

// MANY_DO256 does one of the above to 256 words, in Z0 to Z31.
#define MANY_DO256(DO) \
	DO(0, Z0) \
	DO(64, Z1) \
	DO(128, Z2) \
	DO(192, Z3) \
	DO(256, Z4) \
	DO(320, Z5) \
	DO(384, Z6) \
	DO(448, Z7) \
	DO(512, Z8) \
	DO(576, Z9) \
	DO(640, Z10) \
	DO(704, Z11) \
	DO(768, Z12) \
	DO(832, Z13) \
	DO(896, Z14) \
	DO(960, Z15) \
	DO(1024, Z16) \
	DO(1088, Z17) \
	DO(1152, Z18) \
	DO(1216, Z19) \
	DO(1280, Z20) \
	DO(1344, Z21) \
	DO(1408, Z22) \
	DO(1472, Z23) \
	DO(1536, Z24) \
	DO(1600, Z25) \
	DO(1664, Z26) \
	DO(1728, Z27) \
	DO(1792, Z28) \
	DO(1856, Z29) \
	DO(1920, Z30) \
	DO(1984, Z31)

// MANY_DO32_WIDE does one of the above to 32 words, in Z0 to Z3.
#define MANY_DO32_WIDE(DO) \
	DO(0, Z0) \
	DO(64, Z1) \
	DO(128, Z2) \
	DO(192, Z3)

// MANY_POPCNT4 sets a, b, c and d to the counts of their lanes, and adds those of b,
// c and d to a.
// in: a, b, c, d; out: a; clobbers: b, c, d
#define MANY_POPCNT4(a, b, c, d) \
	VPOPCNTQ a, a    \
	VPOPCNTQ b, b    \
	VPOPCNTQ c, c    \
	VPOPCNTQ d, d    \
	VPADDQ   b, a, a \
	VPADDQ   d, c, c \
	VPADDQ   c, a, a

// MANY_COUNT256 adds the counts of 256 words to count. It keeps no vector of sums:
// all registers are taken.
// in: Z0 to Z31, count; out: count; clobbers: Z0 to Z31, R13
#define MANY_COUNT256 \
	MANY_POPCNT4(Z0, Z1, Z2, Z3)     \
	MANY_POPCNT4(Z4, Z5, Z6, Z7)     \
	MANY_POPCNT4(Z8, Z9, Z10, Z11)   \
	MANY_POPCNT4(Z12, Z13, Z14, Z15) \
	MANY_POPCNT4(Z16, Z17, Z18, Z19) \
	MANY_POPCNT4(Z20, Z21, Z22, Z23) \
	MANY_POPCNT4(Z24, Z25, Z26, Z27) \
	MANY_POPCNT4(Z28, Z29, Z30, Z31) \
	VPADDQ Z4, Z0, Z0                \
	VPADDQ Z12, Z8, Z8               \
	VPADDQ Z20, Z16, Z16             \
	VPADDQ Z28, Z24, Z24             \
	VPADDQ Z8, Z0, Z0                \
	VPADDQ Z24, Z16, Z16             \
	VPADDQ Z16, Z0, Z0               \
	VEXTRACTI64X4 $1, Z0, Y1         \
	VPADDQ Y1, Y0, Y0                \
	MANY_SUM_LANES(R13)              \
	ADDQ R13, count

// func andAllAVX512(dst *uint64, sets *[]uint64, k, from, to int)
// k >= 2, 0 <= from <= to-8; dst may be one of the sets.
TEXT ·andAllAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstp
	MOVQ sets+8(FP), setsp
	MOVQ k+16(FP), sets_k
	MOVQ from+24(FP), off
	MOVQ to+32(FP), end
	SHLQ $3, off
	SHLQ $3, end

	// If dst does not begin with a cache line, do a vector and go on to the next line.
	LEAQ (dstp)(off*1), AX
	NEGQ AX
	ANDQ $63, AX
	JZ   round256
	MANY_FIRST_SET
	MANY_WIDE_READ(0, Z0)

sets0:
	MANY_NEXT_SET
	MANY_WIDE_AND(0, Z0)
	DECQ left
	JNZ  sets0
	MANY_WIDE_WRITE(0, Z0)
	ADDQ AX, off

round256:
	LEAQ 2048(off), AX
	CMPQ AX, end
	JHI  round32
	MANY_FIRST_SET
	MANY_DO256(MANY_WIDE_READ)

sets256:
	// w &= s[…]
	MANY_NEXT_SET
	MANY_DO256(MANY_WIDE_AND)
	DECQ left
	JNZ  sets256

	// dst[…] = w
	MANY_DO256(MANY_WIDE_WRITE)
	ADDQ $2048, off
	JMP  round256

	PCALIGN $64
round32:
	LEAQ 256(off), AX
	CMPQ AX, end
	JHI  round8
	MANY_FIRST_SET
	MANY_DO32_WIDE(MANY_WIDE_READ)

sets32:
	MANY_NEXT_SET
	MANY_DO32_WIDE(MANY_WIDE_AND)
	DECQ left
	JNZ  sets32
	MANY_DO32_WIDE(MANY_WIDE_WRITE)
	ADDQ $256, off
	JMP  round32

	// The last vector ends where the sets end: some of it has been done.
	PCALIGN $64
round8:
	LEAQ 64(off), AX
	CMPQ AX, end
	JLS  vector
	CMPQ off, end
	JAE  done
	LEAQ -64(end), off

vector:
	MANY_FIRST_SET
	MANY_WIDE_READ(0, Z0)

sets8:
	MANY_NEXT_SET
	MANY_WIDE_AND(0, Z0)
	DECQ left
	JNZ  sets8
	MANY_WIDE_WRITE(0, Z0)
	ADDQ $64, off
	JMP  round8

done:
	VZEROUPPER
	RET

// func orAllAVX512(dst *uint64, sets *[]uint64, k, from, to int)
// k >= 2, 0 <= from <= to-8; dst may be one of the sets.
TEXT ·orAllAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstp
	MOVQ sets+8(FP), setsp
	MOVQ k+16(FP), sets_k
	MOVQ from+24(FP), off
	MOVQ to+32(FP), end
	SHLQ $3, off
	SHLQ $3, end

	// If dst does not begin with a cache line, do a vector and go on to the next line.
	LEAQ (dstp)(off*1), AX
	NEGQ AX
	ANDQ $63, AX
	JZ   round256
	MANY_FIRST_SET
	MANY_WIDE_READ(0, Z0)

sets0:
	MANY_NEXT_SET
	MANY_WIDE_OR(0, Z0)
	DECQ left
	JNZ  sets0
	MANY_WIDE_WRITE(0, Z0)
	ADDQ AX, off

round256:
	LEAQ 2048(off), AX
	CMPQ AX, end
	JHI  round32
	MANY_FIRST_SET
	MANY_DO256(MANY_WIDE_READ)

sets256:
	// w |= s[…]
	MANY_NEXT_SET
	MANY_DO256(MANY_WIDE_OR)
	DECQ left
	JNZ  sets256

	// dst[…] = w
	MANY_DO256(MANY_WIDE_WRITE)
	ADDQ $2048, off
	JMP  round256

	PCALIGN $64
round32:
	LEAQ 256(off), AX
	CMPQ AX, end
	JHI  round8
	MANY_FIRST_SET
	MANY_DO32_WIDE(MANY_WIDE_READ)

sets32:
	MANY_NEXT_SET
	MANY_DO32_WIDE(MANY_WIDE_OR)
	DECQ left
	JNZ  sets32
	MANY_DO32_WIDE(MANY_WIDE_WRITE)
	ADDQ $256, off
	JMP  round32

	// The last vector ends where the sets end: some of it has been done.
	PCALIGN $64
round8:
	LEAQ 64(off), AX
	CMPQ AX, end
	JLS  vector
	CMPQ off, end
	JAE  done
	LEAQ -64(end), off

vector:
	MANY_FIRST_SET
	MANY_WIDE_READ(0, Z0)

sets8:
	MANY_NEXT_SET
	MANY_WIDE_OR(0, Z0)
	DECQ left
	JNZ  sets8
	MANY_WIDE_WRITE(0, Z0)
	ADDQ $64, off
	JMP  round8

done:
	VZEROUPPER
	RET

// func andAllStreamAVX512(dst *uint64, sets *[]uint64, k, from, to int)
// k >= 2; from < to, a multiple of 256 words. dst is apart from the sets, and aligned to 64
// bytes at from.
TEXT ·andAllStreamAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstp
	MOVQ sets+8(FP), setsp
	MOVQ k+16(FP), sets_k
	MOVQ from+24(FP), off
	MOVQ to+32(FP), end
	SHLQ $3, off
	SHLQ $3, end

round256:
	MANY_FIRST_SET
	MANY_DO256(MANY_WIDE_READ)

sets256:
	// w &= s[…]
	MANY_NEXT_SET
	MANY_DO256(MANY_WIDE_AND)
	DECQ left
	JNZ  sets256

	// dst[…] = w
	MANY_DO256(MANY_WIDE_STREAM)
	ADDQ $2048, off
	CMPQ off, end
	JLT  round256

	SFENCE
	VZEROUPPER
	RET

// func orAllStreamAVX512(dst *uint64, sets *[]uint64, k, from, to int)
// Preconditions as of andAllStreamAVX512.
TEXT ·orAllStreamAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), dstp
	MOVQ sets+8(FP), setsp
	MOVQ k+16(FP), sets_k
	MOVQ from+24(FP), off
	MOVQ to+32(FP), end
	SHLQ $3, off
	SHLQ $3, end

round256:
	MANY_FIRST_SET
	MANY_DO256(MANY_WIDE_READ)

sets256:
	// w |= s[…]
	MANY_NEXT_SET
	MANY_DO256(MANY_WIDE_OR)
	DECQ left
	JNZ  sets256

	// dst[…] = w
	MANY_DO256(MANY_WIDE_STREAM)
	ADDQ $2048, off
	CMPQ off, end
	JLT  round256

	SFENCE
	VZEROUPPER
	RET

// func andAllCountWideAVX512(sets *[]uint64, k, from, to int) int
// k >= 2; from < to, a multiple of 256 words.
TEXT ·andAllCountWideAVX512(SB), NOSPLIT, $0-40
	MOVQ sets+0(FP), setsp
	MOVQ k+8(FP), sets_k
	MOVQ from+16(FP), off
	MOVQ to+24(FP), end
	SHLQ $3, off
	SHLQ $3, end
	XORL count, count

round256:
	MANY_FIRST_SET
	MANY_DO256(MANY_WIDE_READ)

sets256:
	// w &= s[…]
	MANY_NEXT_SET
	MANY_DO256(MANY_WIDE_AND)
	DECQ left
	JNZ  sets256

	// count += popcount(w)
	MANY_COUNT256
	ADDQ $2048, off
	CMPQ off, end
	JLT  round256

	VZEROUPPER
	MOVQ count, ret+32(FP)
	RET

// func orAllCountWideAVX512(sets *[]uint64, k, from, to int) int
// k >= 2; from < to, a multiple of 256 words.
TEXT ·orAllCountWideAVX512(SB), NOSPLIT, $0-40
	MOVQ sets+0(FP), setsp
	MOVQ k+8(FP), sets_k
	MOVQ from+16(FP), off
	MOVQ to+24(FP), end
	SHLQ $3, off
	SHLQ $3, end
	XORL count, count

round256:
	MANY_FIRST_SET
	MANY_DO256(MANY_WIDE_READ)

sets256:
	// w |= s[…]
	MANY_NEXT_SET
	MANY_DO256(MANY_WIDE_OR)
	DECQ left
	JNZ  sets256

	// count += popcount(w)
	MANY_COUNT256
	ADDQ $2048, off
	CMPQ off, end
	JLT  round256

	VZEROUPPER
	MOVQ count, ret+32(FP)
	RET
