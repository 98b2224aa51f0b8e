// Instructions that Go's assembler lacks, by the numbers of their registers, in
// its order: the destination comes last.

#define UMAXPS(m, n, d) WORD $(0x6ea0a400 | (m)<<16 | (n)<<5 | (d)) // UMAXP  Vd.4S, Vn.4S, Vm.4S
#define USHLB(m, n, d)  WORD $(0x6e204400 | (m)<<16 | (n)<<5 | (d)) // USHL   Vd.16B, Vn.16B, Vm.16B
#define USHLH(m, n, d)  WORD $(0x6e604400 | (m)<<16 | (n)<<5 | (d)) // USHL   Vd.8H, Vn.8H, Vm.8H
#define USHLD(m, n, d)  WORD $(0x6ee04400 | (m)<<16 | (n)<<5 | (d)) // USHL   Vd.2D, Vn.2D, Vm.2D
