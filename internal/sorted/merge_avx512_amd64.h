// Registers and macros of the AVX-512 kernels that merge sorted lists.
//
// Of all that has been taken from both lists, the vector carry holds the greatest
// elements. The next block comes from the list whose next element is the lesser. A
// bitonic network merges it with carry: the lower half goes out, since no element that
// is still in a list is less than its greatest one, and the upper half is carry again
// (H. Inoue, K. Taura, "SIMD- and cache-friendly algorithm for sorting an array of
// structures", 2015). Doubles lie side by side then.
//
// Blocks near the ends are filled up with the greatest integer, which is not written,
// and carry begins with zeros, which equal those that prev begins with: neither integer
// may be in the lists. Results are written by masked stores, and nothing past them.

#define dstp  DI
#define ap    SI // what is left of a
#define bp    DX
#define aend  R8
#define bend  R9
#define alast R10 // the last place of a whole block
#define blast R11
#define ones  R12 // all bits set
#define carry Z4
#define prev  Z5 // what went out before
#define top   Z6 // each lane: the greatest integer
#define turn  Z7 // the lanes in reverse

DATA turn16<>+0x00(SB)/8, $0x001c001d001e001f
DATA turn16<>+0x08(SB)/8, $0x00180019001a001b
DATA turn16<>+0x10(SB)/8, $0x0014001500160017
DATA turn16<>+0x18(SB)/8, $0x0010001100120013
DATA turn16<>+0x20(SB)/8, $0x000c000d000e000f
DATA turn16<>+0x28(SB)/8, $0x00080009000a000b
DATA turn16<>+0x30(SB)/8, $0x0004000500060007
DATA turn16<>+0x38(SB)/8, $0x0000000100020003
GLOBL turn16<>(SB), RODATA|NOPTR, $64

DATA turn32<>+0x00(SB)/8, $0x0000000e0000000f
DATA turn32<>+0x08(SB)/8, $0x0000000c0000000d
DATA turn32<>+0x10(SB)/8, $0x0000000a0000000b
DATA turn32<>+0x18(SB)/8, $0x0000000800000009
DATA turn32<>+0x20(SB)/8, $0x0000000600000007
DATA turn32<>+0x28(SB)/8, $0x0000000400000005
DATA turn32<>+0x30(SB)/8, $0x0000000200000003
DATA turn32<>+0x38(SB)/8, $0x0000000000000001
GLOBL turn32<>(SB), RODATA|NOPTR, $64

DATA turn64<>+0x00(SB)/8, $0x0000000000000007
DATA turn64<>+0x08(SB)/8, $0x0000000000000006
DATA turn64<>+0x10(SB)/8, $0x0000000000000005
DATA turn64<>+0x18(SB)/8, $0x0000000000000004
DATA turn64<>+0x20(SB)/8, $0x0000000000000003
DATA turn64<>+0x28(SB)/8, $0x0000000000000002
DATA turn64<>+0x30(SB)/8, $0x0000000000000001
DATA turn64<>+0x38(SB)/8, $0x0000000000000000
GLOBL turn64<>(SB), RODATA|NOPTR, $64

// SORTED_MERGE16 merges Z0 and carry.
// in: turn, the masks of the stages
// out: Z3, the lower half; carry, the upper one
// clobbers Z0, Z8 to Z11
#define SORTED_MERGE16 \
	VPERMW     Z0, turn, Z0            \
	VPMINUW    Z0, carry, Z3           \
	VPMAXUW    Z0, carry, carry        \
	VSHUFI64X2 $0x4e, carry, carry, Z8 \
	VSHUFI64X2 $0x4e, Z3, Z3, Z9       \
	VPMINUW    Z8, carry, Z10          \
	VPMINUW    Z9, Z3, Z11             \
	VPMAXUW    Z8, carry, K3, Z10      \
	VPMAXUW    Z9, Z3, K3, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VSHUFI64X2 $0xb1, carry, carry, Z8 \
	VSHUFI64X2 $0xb1, Z3, Z3, Z9       \
	VPMINUW    Z8, carry, Z10          \
	VPMINUW    Z9, Z3, Z11             \
	VPMAXUW    Z8, carry, K4, Z10      \
	VPMAXUW    Z9, Z3, K4, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VPSHUFD    $0x4e, carry, Z8        \
	VPSHUFD    $0x4e, Z3, Z9           \
	VPMINUW    Z8, carry, Z10          \
	VPMINUW    Z9, Z3, Z11             \
	VPMAXUW    Z8, carry, K5, Z10      \
	VPMAXUW    Z9, Z3, K5, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VPSHUFD    $0xb1, carry, Z8        \
	VPSHUFD    $0xb1, Z3, Z9           \
	VPMINUW    Z8, carry, Z10          \
	VPMINUW    Z9, Z3, Z11             \
	VPMAXUW    Z8, carry, K6, Z10      \
	VPMAXUW    Z9, Z3, K6, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VPROLD     $16, carry, Z8          \
	VPROLD     $16, Z3, Z9             \
	VPMINUW    Z8, carry, Z10          \
	VPMINUW    Z9, Z3, Z11             \
	VPMAXUW    Z8, carry, K7, Z10      \
	VPMAXUW    Z9, Z3, K7, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3

// SORTED_MERGE32 merges Z0 and carry.
// in: turn, the masks of the stages
// out: Z3, the lower half; carry, the upper one
// clobbers Z0, Z8 to Z11
#define SORTED_MERGE32 \
	VPERMD     Z0, turn, Z0            \
	VPMINUD    Z0, carry, Z3           \
	VPMAXUD    Z0, carry, carry        \
	VSHUFI64X2 $0x4e, carry, carry, Z8 \
	VSHUFI64X2 $0x4e, Z3, Z3, Z9       \
	VPMINUD    Z8, carry, Z10          \
	VPMINUD    Z9, Z3, Z11             \
	VPMAXUD    Z8, carry, K4, Z10      \
	VPMAXUD    Z9, Z3, K4, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VSHUFI64X2 $0xb1, carry, carry, Z8 \
	VSHUFI64X2 $0xb1, Z3, Z3, Z9       \
	VPMINUD    Z8, carry, Z10          \
	VPMINUD    Z9, Z3, Z11             \
	VPMAXUD    Z8, carry, K5, Z10      \
	VPMAXUD    Z9, Z3, K5, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VPSHUFD    $0x4e, carry, Z8        \
	VPSHUFD    $0x4e, Z3, Z9           \
	VPMINUD    Z8, carry, Z10          \
	VPMINUD    Z9, Z3, Z11             \
	VPMAXUD    Z8, carry, K6, Z10      \
	VPMAXUD    Z9, Z3, K6, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VPSHUFD    $0xb1, carry, Z8        \
	VPSHUFD    $0xb1, Z3, Z9           \
	VPMINUD    Z8, carry, Z10          \
	VPMINUD    Z9, Z3, Z11             \
	VPMAXUD    Z8, carry, K7, Z10      \
	VPMAXUD    Z9, Z3, K7, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3

// SORTED_MERGE64 merges Z0 and carry.
// in: turn, the masks of the stages
// out: Z3, the lower half; carry, the upper one
// clobbers Z0, Z8 to Z11
#define SORTED_MERGE64 \
	VPERMQ     Z0, turn, Z0            \
	VPMINUQ    Z0, carry, Z3           \
	VPMAXUQ    Z0, carry, carry        \
	VSHUFI64X2 $0x4e, carry, carry, Z8 \
	VSHUFI64X2 $0x4e, Z3, Z3, Z9       \
	VPMINUQ    Z8, carry, Z10          \
	VPMINUQ    Z9, Z3, Z11             \
	VPMAXUQ    Z8, carry, K5, Z10      \
	VPMAXUQ    Z9, Z3, K5, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VSHUFI64X2 $0xb1, carry, carry, Z8 \
	VSHUFI64X2 $0xb1, Z3, Z3, Z9       \
	VPMINUQ    Z8, carry, Z10          \
	VPMINUQ    Z9, Z3, Z11             \
	VPMAXUQ    Z8, carry, K6, Z10      \
	VPMAXUQ    Z9, Z3, K6, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3                 \
	VPSHUFD    $0x4e, carry, Z8        \
	VPSHUFD    $0x4e, Z3, Z9           \
	VPMINUQ    Z8, carry, Z10          \
	VPMINUQ    Z9, Z3, Z11             \
	VPMAXUQ    Z8, carry, K7, Z10      \
	VPMAXUQ    Z9, Z3, K7, Z11         \
	VMOVDQA64  Z10, carry              \
	VMOVDQA64  Z11, Z3

// SORTED_MERGE_START16 loads what the kernels on 16 bits begin with: the masks have the
// lanes that take the greater element in a stage.
// clobbers AX
#define SORTED_MERGE_START16 \
	MOVL       $0xffff0000, AX      \
	KMOVD      AX, K3               \
	MOVL       $0xff00ff00, AX      \
	KMOVD      AX, K4               \
	MOVL       $0xf0f0f0f0, AX      \
	KMOVD      AX, K5               \
	MOVL       $0xcccccccc, AX      \
	KMOVD      AX, K6               \
	MOVL       $0xaaaaaaaa, AX      \
	KMOVD      AX, K7               \
	MOVL       $-1, ones            \
	VPTERNLOGD $0xff, top, top, top \
	VPXORD     carry, carry, carry  \
	VPXORD     prev, prev, prev     \
	VMOVDQU64  turn16<>(SB), turn

// SORTED_MERGE_START32 loads what the kernels on 32 bits begin with: the masks have the
// lanes that take the greater element in a stage.
// clobbers AX
#define SORTED_MERGE_START32 \
	MOVL       $0xff00, AX          \
	KMOVW      AX, K4               \
	MOVL       $0xf0f0, AX          \
	KMOVW      AX, K5               \
	MOVL       $0xcccc, AX          \
	KMOVW      AX, K6               \
	MOVL       $0xaaaa, AX          \
	KMOVW      AX, K7               \
	MOVL       $-1, ones            \
	VPTERNLOGD $0xff, top, top, top \
	VPXORD     carry, carry, carry  \
	VPXORD     prev, prev, prev     \
	VMOVDQU64  turn32<>(SB), turn

// SORTED_MERGE_START64 loads what the kernels on 64 bits begin with: the masks have the
// lanes that take the greater element in a stage.
// clobbers AX
#define SORTED_MERGE_START64 \
	MOVL       $0xf0, AX            \
	KMOVB      AX, K5               \
	MOVL       $0xcc, AX            \
	KMOVB      AX, K6               \
	MOVL       $0xaa, AX            \
	KMOVB      AX, K7               \
	MOVL       $-1, ones            \
	VPTERNLOGD $0xff, top, top, top \
	VPXORD     carry, carry, carry  \
	VPXORD     prev, prev, prev     \
	VMOVDQU64  turn64<>(SB), turn

// SORTED_NEW chooses what is written of a union: what differs from the element before it.
// in: Z3, prev
// out: Z0, K1, prev
// clobbers Z2, Z8

#define SORTED_NEW16 \
	VALIGND   $15, prev, Z3, Z8   \
	VPSHLDD   $16, Z8, Z3, Z2     \
	VPCMPW    $4, Z2, Z3, K1      \
	VPCMPW    $4, top, Z3, K1, K1 \
	VMOVDQA64 Z3, Z0              \
	VMOVDQA64 Z3, prev

#define SORTED_NEW32 \
	VALIGND   $15, prev, Z3, Z2   \
	VPCMPD    $4, Z2, Z3, K1      \
	VPCMPD    $4, top, Z3, K1, K1 \
	VMOVDQA64 Z3, Z0              \
	VMOVDQA64 Z3, prev

#define SORTED_NEW64 \
	VALIGNQ   $7, prev, Z3, Z2    \
	VPCMPQ    $4, Z2, Z3, K1      \
	VPCMPQ    $4, top, Z3, K1, K1 \
	VMOVDQA64 Z3, Z0              \
	VMOVDQA64 Z3, prev

// SORTED_SINGLE chooses what is written of a symmetric difference: of the elements from the
// last one of prev on, those that differ from both neighbours.
// in: Z3, prev
// out: Z0, K1, prev
// clobbers Z2, Z8

#define SORTED_SINGLE16 \
	VALIGND   $15, prev, Z3, Z8   \
	VPSHLDD   $16, Z8, Z3, Z0     \
	VALIGND   $15, prev, Z3, Z2   \
	VPCMPW    $4, Z2, Z0, K1      \
	VPCMPW    $4, Z3, Z0, K1, K1  \
	VPCMPW    $4, top, Z0, K1, K1 \
	VMOVDQA64 Z3, prev

#define SORTED_SINGLE32 \
	VALIGND   $15, prev, Z3, Z0   \
	VALIGND   $14, prev, Z3, Z2   \
	VPCMPD    $4, Z2, Z0, K1      \
	VPCMPD    $4, Z3, Z0, K1, K1  \
	VPCMPD    $4, top, Z0, K1, K1 \
	VMOVDQA64 Z3, prev

#define SORTED_SINGLE64 \
	VALIGNQ   $7, prev, Z3, Z0    \
	VALIGNQ   $6, prev, Z3, Z2    \
	VPCMPQ    $4, Z2, Z0, K1      \
	VPCMPQ    $4, Z3, Z0, K1, K1  \
	VPCMPQ    $4, top, Z0, K1, K1 \
	VMOVDQA64 Z3, prev

// SORTED_WRITE16 writes the lanes K1 of Z0.
// out: dstp
// clobbers BX, CX, K2, Z2
#define SORTED_WRITE16 \
	VPCOMPRESSW.Z Z0, K1, Z2         \
	KMOVD         K1, BX             \
	POPCNTL       BX, BX             \
	BZHIL         BX, ones, CX       \
	KMOVD         CX, K2             \
	VMOVDQU16     Z2, K2, (dstp)     \
	LEAQ          (dstp)(BX*2), dstp

// SORTED_WRITE32 writes the lanes K1 of Z0.
// out: dstp
// clobbers BX, CX, K2, Z2
#define SORTED_WRITE32 \
	VPCOMPRESSD.Z Z0, K1, Z2         \
	KMOVW         K1, BX             \
	POPCNTL       BX, BX             \
	BZHIL         BX, ones, CX       \
	KMOVW         CX, K2             \
	VMOVDQU32     Z2, K2, (dstp)     \
	LEAQ          (dstp)(BX*4), dstp

// SORTED_WRITE64 writes the lanes K1 of Z0.
// out: dstp
// clobbers BX, CX, K2, Z2
#define SORTED_WRITE64 \
	VPCOMPRESSQ.Z Z0, K1, Z2         \
	KMOVB         K1, BX             \
	POPCNTL       BX, BX             \
	BZHIL         BX, ones, CX       \
	KMOVB         CX, K2             \
	VMOVDQU64     Z2, K2, (dstp)     \
	LEAQ          (dstp)(BX*8), dstp
