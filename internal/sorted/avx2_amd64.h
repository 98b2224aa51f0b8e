// Registers and macros of the AVX2 kernels on sorted lists. avx512_amd64.h has the method.
//
// Found elements are moved together by a table of shuffles, and a whole vector is written,
// which fits into what a's block has taken of dst. It may cover elements that are not yet
// read where dst is one of the lists: then the caller gives another dst.

#define dstp  DI
#define ap    SI // what is left of a
#define bp    DX
#define alast R8 // the last place of a whole block
#define blast R9
#define table R10 // of shuffles
#define count R11
#define sign  Y15 // each lane of 64 bits: the sign bit

// SORTED_MATCH16 looks for the elements of a's block in that of b, and for what is done
// with.
// in: Y0, Y1, the blocks
// out: Y2, the lanes of a that are found; Y3, those that are done with; Y4, those of b
// that are not
// clobbers Y5 to Y8
#define SORTED_MATCH16 \
	VBROADCASTI128 (bp), Y5        \
	VBROADCASTI128 16(bp), Y6      \
	VPCMPEQW       Y5, Y0, Y2      \
	VPCMPEQW       Y6, Y0, Y3      \
	VPALIGNR       $2, Y5, Y5, Y7  \
	VPALIGNR       $2, Y6, Y6, Y8  \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPALIGNR       $4, Y5, Y5, Y7  \
	VPALIGNR       $4, Y6, Y6, Y8  \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPALIGNR       $6, Y5, Y5, Y7  \
	VPALIGNR       $6, Y6, Y6, Y8  \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPALIGNR       $8, Y5, Y5, Y7  \
	VPALIGNR       $8, Y6, Y6, Y8  \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPALIGNR       $10, Y5, Y5, Y7 \
	VPALIGNR       $10, Y6, Y6, Y8 \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPALIGNR       $12, Y5, Y5, Y7 \
	VPALIGNR       $12, Y6, Y6, Y8 \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPALIGNR       $14, Y5, Y5, Y7 \
	VPALIGNR       $14, Y6, Y6, Y8 \
	VPCMPEQW       Y7, Y0, Y7      \
	VPCMPEQW       Y8, Y0, Y8      \
	VPOR           Y7, Y2, Y2      \
	VPOR           Y8, Y3, Y3      \
	VPOR           Y3, Y2, Y2      \
	VPBROADCASTW   30(bp), Y3      \
	VPMINUW        Y0, Y3, Y3      \
	VPCMPEQW       Y0, Y3, Y3      \
	VPBROADCASTW   30(ap), Y4      \
	VPMAXUW        Y1, Y4, Y4      \
	VPCMPEQW       Y1, Y4, Y4

// SORTED_MATCH32 looks for the elements of a's block in that of b, and for what is done
// with.
// in: Y0, Y1, the blocks
// out: Y2, the lanes of a that are found; Y3, those that are done with; Y4, those of b
// that are not
// clobbers Y5 to Y8
#define SORTED_MATCH32 \
	VPBROADCASTD (bp), Y2   \
	VPBROADCASTD 4(bp), Y3  \
	VPCMPEQD     Y0, Y2, Y2 \
	VPCMPEQD     Y0, Y3, Y3 \
	VPBROADCASTD 8(bp), Y5  \
	VPBROADCASTD 12(bp), Y6 \
	VPCMPEQD     Y0, Y5, Y5 \
	VPCMPEQD     Y0, Y6, Y6 \
	VPOR         Y5, Y2, Y2 \
	VPOR         Y6, Y3, Y3 \
	VPBROADCASTD 16(bp), Y5 \
	VPBROADCASTD 20(bp), Y6 \
	VPCMPEQD     Y0, Y5, Y5 \
	VPCMPEQD     Y0, Y6, Y6 \
	VPOR         Y5, Y2, Y2 \
	VPOR         Y6, Y3, Y3 \
	VPBROADCASTD 24(bp), Y5 \
	VPBROADCASTD 28(bp), Y6 \
	VPCMPEQD     Y0, Y5, Y5 \
	VPCMPEQD     Y0, Y6, Y6 \
	VPOR         Y5, Y2, Y2 \
	VPOR         Y6, Y3, Y3 \
	VPOR         Y3, Y2, Y2 \
	VPBROADCASTD 28(bp), Y3 \
	VPMINUD      Y0, Y3, Y3 \
	VPCMPEQD     Y0, Y3, Y3 \
	VPBROADCASTD 28(ap), Y4 \
	VPMAXUD      Y1, Y4, Y4 \
	VPCMPEQD     Y1, Y4, Y4

// SORTED_MATCH64 looks for the elements of a's block in that of b, and for what is done
// with.
// in: Y0, Y1, the blocks; sign
// out: Y2, the lanes of a that are found; Y3, those that are done with; Y4, those of b
// that are not
// clobbers Y5 to Y8
#define SORTED_MATCH64 \
	VPBROADCASTQ (bp), Y2     \
	VPBROADCASTQ 8(bp), Y3    \
	VPBROADCASTQ 16(bp), Y5   \
	VPBROADCASTQ 24(bp), Y6   \
	VPCMPEQQ     Y0, Y2, Y2   \
	VPCMPEQQ     Y0, Y3, Y3   \
	VPCMPEQQ     Y0, Y5, Y5   \
	VPCMPEQQ     Y0, Y6, Y7   \
	VPOR         Y3, Y2, Y2   \
	VPOR         Y7, Y5, Y5   \
	VPOR         Y5, Y2, Y2   \
	VPXOR        sign, Y0, Y7 \
	VPXOR        sign, Y6, Y6 \
	VPCMPGTQ     Y6, Y7, Y3   \
	VPCMPEQD     Y8, Y8, Y8   \
	VPXOR        Y8, Y3, Y3   \
	VPBROADCASTQ 24(ap), Y4   \
	VPXOR        sign, Y4, Y4 \
	VPXOR        sign, Y1, Y6 \
	VPCMPGTQ     Y6, Y4, Y4   \
	VPXOR        Y8, Y4, Y4

// SORTED_PICK_FOUND and SORTED_PICK_MISSING choose the lanes of a that are written or
// counted.
// in: Y2, Y3
// out: Y2

#define SORTED_PICK_FOUND VPAND Y3, Y2, Y2

#define SORTED_PICK_MISSING VPANDN Y3, Y2, Y2

// SORTED_SUM counts the lanes of Y2.
// out: count
// clobbers BX

#define SORTED_SUM16 \
	VPMOVMSKB Y2, BX    \
	POPCNTL   BX, BX    \
	SHRL      $1, BX    \
	ADDQ      BX, count

#define SORTED_SUM32 \
	VMOVMSKPS Y2, BX    \
	POPCNTL   BX, BX    \
	ADDQ      BX, count

#define SORTED_SUM64 \
	VMOVMSKPD Y2, BX    \
	POPCNTL   BX, BX    \
	ADDQ      BX, count

// SORTED_STORE writes the lanes Y2 of Y0, and what a whole vector has behind them.
// in: table
// out: dstp
// clobbers BX, CX, Y2, Y5

#define SORTED_STORE16 \
	VEXTRACTI128 $1, Y2, X5            \
	VPACKSSWB    X5, X2, X2            \
	VPMOVMSKB    X2, CX                \
	MOVBLZX      CX, BX                \
	SHRL         $8, CX                \
	MOVQ         BX, AX                \
	SHLQ         $4, AX                \
	VPSHUFB      (table)(AX*1), X0, X2 \
	VMOVDQU      X2, (dstp)            \
	POPCNTL      BX, BX                \
	LEAQ         (dstp)(BX*2), dstp    \
	VEXTRACTI128 $1, Y0, X5            \
	MOVQ         CX, AX                \
	SHLQ         $4, AX                \
	VPSHUFB      (table)(AX*1), X5, X2 \
	VMOVDQU      X2, (dstp)            \
	POPCNTL      CX, CX                \
	LEAQ         (dstp)(CX*2), dstp

#define SORTED_STORE32 \
	VMOVMSKPS Y2, BX             \
	VPMOVZXBD (table)(BX*8), Y5  \
	VPERMD    Y0, Y5, Y5         \
	VMOVDQU   Y5, (dstp)         \
	POPCNTL   BX, BX             \
	LEAQ      (dstp)(BX*4), dstp

#define SORTED_STORE64 \
	VMOVMSKPD Y2, BX             \
	VPMOVZXBD (table)(BX*8), Y5  \
	VPERMD    Y0, Y5, Y5         \
	VMOVDQU   Y5, (dstp)         \
	POPCNTL   BX, BX             \
	LEAQ      (dstp)(BX*8), dstp

// SORTED_STEP goes on to what is not done with.
// in: Y3, Y4
// out: ap, bp
// clobbers AX, CX

#define SORTED_STEP16 \
	VPMOVMSKB Y3, AX           \
	VPMOVMSKB Y4, CX           \
	POPCNTL   AX, AX           \
	POPCNTL   CX, CX           \
	LEAQ      (ap)(AX*1), ap   \
	NEGQ      CX               \
	LEAQ      32(bp)(CX*1), bp

#define SORTED_STEP32 \
	VMOVMSKPS Y3, AX           \
	VMOVMSKPS Y4, CX           \
	POPCNTL   AX, AX           \
	POPCNTL   CX, CX           \
	LEAQ      (ap)(AX*4), ap   \
	NEGQ      CX               \
	LEAQ      32(bp)(CX*4), bp

#define SORTED_STEP64 \
	VMOVMSKPD Y3, AX           \
	VMOVMSKPD Y4, CX           \
	POPCNTL   AX, AX           \
	POPCNTL   CX, CX           \
	LEAQ      (ap)(AX*8), ap   \
	NEGQ      CX               \
	LEAQ      32(bp)(CX*8), bp
