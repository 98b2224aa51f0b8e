// An instruction that Go's assembler lacks, by the numbers of its registers, in
// its order: the destination comes last.

#define UADDLH(m, n, d) WORD $(0x2e200000 | (m)<<16 | (n)<<5 | (d)) // UADDL  Vd.8H, Vn.8B, Vm.8B
