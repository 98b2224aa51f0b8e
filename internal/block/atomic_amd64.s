//go:build !purego

#include "textflag.h"

// func prefetchWrite(b *Block)
//
// PREFETCHW is part of AMD64 as Intel and AMD have it; where a processor does not
// follow the hint, it is no operation.
TEXT ·prefetchWrite(SB), NOSPLIT, $0-8
	MOVQ b+0(FP), AX
	BYTE $0x0F; BYTE $0x0D; BYTE $0x08 // prefetchw (%rax)
	RET
