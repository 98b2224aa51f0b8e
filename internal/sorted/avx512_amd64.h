// Registers and macros of the AVX-512 kernels on sorted lists.
//
// A block of a is compared with a block of b, each element with each, which finds all
// pairs without a branch that data decide (B. Schlegel, T. Willhalm, W. Lehner, "Fast
// sorted-set intersection using SIMD instructions", 2011). Then a goes on by as many
// elements as are not above the last of b's block, and b by as many as are below the
// last of a's: to the element, not to the block, so that of two blocks of 16 some 27
// elements are done with in one step and not 16. What is done with has met all that
// may equal it. One of the two goes on by a whole block, so that every step gets ahead,
// even in lists that are not ascending; there n <= i holds too, for no element is
// written that is not done with.
//
// Results are written by masked stores, and nothing past them. So dst may be where the
// operands are: what is not yet read is not touched.

#define dstp  DI
#define ap    SI // what is left of a
#define bp    DX
#define aend  R8
#define bend  R9
#define alast R10 // the last place of a whole block
#define blast R11
#define ones  R12 // all bits set
#define count R13

// SORTED_FIND16 looks for the elements of a's block among the 16 at q. One half of a vector
// compares them with eight of those, the other half with the other eight, in all
// rotations: by VPCMPW, which has one port, or by VPXORD and VPMINUW, which have others.
// in: Y0
// out: K1, the lanes that equal none
// clobbers Z2, Z5 to Z12, K2
#define SORTED_FIND16(q) \
	VMOVDQU      (q), Y5            \
	VSHUFI64X2   $0x50, Z5, Z5, Z5  \
	VINSERTI64X4 $1, Y0, Z0, Z2     \
	VPCMPW       $4, Z5, Z2, K1     \
	VPALIGNR     $2, Z5, Z5, Z6     \
	VPCMPW       $4, Z6, Z2, K1, K1 \
	VPALIGNR     $4, Z5, Z5, Z7     \
	VPCMPW       $4, Z7, Z2, K1, K1 \
	VPALIGNR     $6, Z5, Z5, Z8     \
	VPXORD       Z8, Z2, Z8         \
	VPALIGNR     $8, Z5, Z5, Z9     \
	VPXORD       Z9, Z2, Z9         \
	VPALIGNR     $10, Z5, Z5, Z10   \
	VPXORD       Z10, Z2, Z10       \
	VPALIGNR     $12, Z5, Z5, Z11   \
	VPXORD       Z11, Z2, Z11       \
	VPALIGNR     $14, Z5, Z5, Z12   \
	VPXORD       Z12, Z2, Z12       \
	VPMINUW      Z8, Z9, Z8         \
	VPMINUW      Z10, Z11, Z10      \
	VPMINUW      Z8, Z12, Z8        \
	VPMINUW      Z8, Z10, Z8        \
	VPTESTMW     Z8, Z8, K1, K1     \
	KSHIFTRD     $16, K1, K2        \
	KANDW        K1, K2, K1

// SORTED_FIND32 looks for the elements of a's block among the 16 at q. Each chain of
// compares keeps the lanes that have differed so far.
// in: Z0
// out: K1, the lanes that equal none
// clobbers K2, K3, K4
#define SORTED_FIND32(q) \
	VPCMPD.BCST $4, 0(q), Z0, K1      \
	VPCMPD.BCST $4, 4(q), Z0, K2      \
	VPCMPD.BCST $4, 8(q), Z0, K3      \
	VPCMPD.BCST $4, 12(q), Z0, K4     \
	VPCMPD.BCST $4, 16(q), Z0, K1, K1 \
	VPCMPD.BCST $4, 20(q), Z0, K2, K2 \
	VPCMPD.BCST $4, 24(q), Z0, K3, K3 \
	VPCMPD.BCST $4, 28(q), Z0, K4, K4 \
	VPCMPD.BCST $4, 32(q), Z0, K1, K1 \
	VPCMPD.BCST $4, 36(q), Z0, K2, K2 \
	VPCMPD.BCST $4, 40(q), Z0, K3, K3 \
	VPCMPD.BCST $4, 44(q), Z0, K4, K4 \
	VPCMPD.BCST $4, 48(q), Z0, K1, K1 \
	VPCMPD.BCST $4, 52(q), Z0, K2, K2 \
	VPCMPD.BCST $4, 56(q), Z0, K3, K3 \
	VPCMPD.BCST $4, 60(q), Z0, K4, K4 \
	KANDW       K1, K2, K1            \
	KANDW       K3, K4, K3            \
	KANDW       K1, K3, K1

// SORTED_FIND64 looks for the elements of a's block among the 8 at q. Each chain of
// compares keeps the lanes that have differed so far.
// in: Z0
// out: K1, the lanes that equal none
// clobbers K2, K3, K4
#define SORTED_FIND64(q) \
	VPCMPQ.BCST $4, 0(q), Z0, K1      \
	VPCMPQ.BCST $4, 8(q), Z0, K2      \
	VPCMPQ.BCST $4, 16(q), Z0, K3     \
	VPCMPQ.BCST $4, 24(q), Z0, K4     \
	VPCMPQ.BCST $4, 32(q), Z0, K1, K1 \
	VPCMPQ.BCST $4, 40(q), Z0, K2, K2 \
	VPCMPQ.BCST $4, 48(q), Z0, K3, K3 \
	VPCMPQ.BCST $4, 56(q), Z0, K4, K4 \
	KANDB       K1, K2, K1            \
	KANDB       K3, K4, K3            \
	KANDB       K1, K3, K1

// SORTED_KEEP_FOUND and SORTED_KEEP_MISSING choose the lanes of a that are written or
// counted.
// in: K1, the lanes that equal none; K5, those that are done with
// out: K1

#define SORTED_KEEP_FOUND KANDNW K5, K1, K1

#define SORTED_KEEP_MISSING KANDW K5, K1, K1

// SORTED_TALLY counts the lanes of K1.
// clobbers BX
#define SORTED_TALLY \
	KMOVW   K1, BX    \
	POPCNTL BX, BX    \
	ADDQ    BX, count

// SORTED_PUT16 writes the lanes K1 of Y0.
// out: dstp
// clobbers BX, R13, K2, Y2
#define SORTED_PUT16 \
	VPCOMPRESSW.Z Y0, K1, Y2         \
	KMOVW         K1, BX             \
	POPCNTL       BX, BX             \
	BZHIL         BX, ones, R13      \
	KMOVW         R13, K2            \
	VMOVDQU16     Y2, K2, (dstp)     \
	LEAQ          (dstp)(BX*2), dstp

// SORTED_PUT32 writes the lanes K1 of Z0.
// out: dstp
// clobbers BX, R13, K2, Z2
#define SORTED_PUT32 \
	VPCOMPRESSD.Z Z0, K1, Z2         \
	KMOVW         K1, BX             \
	POPCNTL       BX, BX             \
	BZHIL         BX, ones, R13      \
	KMOVW         R13, K2            \
	VMOVDQU32     Z2, K2, (dstp)     \
	LEAQ          (dstp)(BX*4), dstp

// SORTED_PUT64 writes the lanes K1 of Z0.
// out: dstp
// clobbers BX, R13, K2, Z2
#define SORTED_PUT64 \
	VPCOMPRESSQ.Z Z0, K1, Z2         \
	KMOVW         K1, BX             \
	POPCNTL       BX, BX             \
	BZHIL         BX, ones, R13      \
	KMOVW         R13, K2            \
	VMOVDQU64     Z2, K2, (dstp)     \
	LEAQ          (dstp)(BX*8), dstp

// SORTED_ADVANCE16 goes on to what is not done with.
// in: K5, K6, the lanes of a and b that are
// out: ap, bp
// clobbers AX, CX
#define SORTED_ADVANCE16 \
	KMOVW   K5, AX         \
	KMOVW   K6, CX         \
	POPCNTL AX, AX         \
	POPCNTL CX, CX         \
	LEAQ    (ap)(AX*2), ap \
	LEAQ    (bp)(CX*2), bp

// SORTED_ADVANCE32 goes on to what is not done with.
// in: K5, K6, the lanes of a and b that are
// out: ap, bp
// clobbers AX, CX
#define SORTED_ADVANCE32 \
	KMOVW   K5, AX         \
	KMOVW   K6, CX         \
	POPCNTL AX, AX         \
	POPCNTL CX, CX         \
	LEAQ    (ap)(AX*4), ap \
	LEAQ    (bp)(CX*4), bp

// SORTED_ADVANCE64 goes on to what is not done with.
// in: K5, K6, the lanes of a and b that are
// out: ap, bp
// clobbers AX, CX
#define SORTED_ADVANCE64 \
	KMOVW   K5, AX         \
	KMOVW   K6, CX         \
	POPCNTL AX, AX         \
	POPCNTL CX, CX         \
	LEAQ    (ap)(AX*8), ap \
	LEAQ    (bp)(CX*8), bp

