//go:build !purego

#include "textflag.h"

// func prefetchWrite(b *Block)
TEXT ·prefetchWrite(SB), NOSPLIT, $0-8
	MOVD b+0(FP), R0
	PRFM (R0), PSTL1KEEP
	RET
