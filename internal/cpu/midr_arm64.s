//go:build !purego && linux

#include "textflag.h"

// func readMIDR() uint64
// The kernel emulates the instruction where it says so by HWCAP_CPUID; elsewhere it
// is illegal.
TEXT ·readMIDR(SB), NOSPLIT, $0-8
	MRS  MIDR_EL1, R0
	MOVD R0, ret+0(FP)
	RET
