// An instruction that Go's assembler lacks, by the numbers of its registers, in
// its order: the destination comes last.

#define UADALPH(n, d) WORD $(0x6e206800 | (n)<<5 | (d)) // UADALP Vd.8H, Vn.16B
