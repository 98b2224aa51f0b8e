//go:build !purego

// The verbs for a single key. The exported methods, which are inlined, call them
// directly: half the time of a lookup in cache is the call. Two arguments only,
// for each goes through memory.
//
// Each branches on the path that newProbe has chosen for the filter's K and for
// the CPU. A zero Filter's path is that to Go.

#include "single_amd64.h"

// func testHash(f *Filter, h uint64) bool
TEXT ·testHash(SB), NOSPLIT, $0-17
	MOVQ    f+0(FP), filter
	MOVBLZX probePath, path
	MOVQ    h+8(FP), hash
	CMPL    path, $const_pathK8AVX512
	JNE     notK8AVX512
	PROBE512_TEST_K8
	SETEQ ret+16(FP)
	RET

notK8AVX512:
	CMPL path, $const_pathK1to7AVX512
	JLT  avx2
	JNE  k9to16AVX512
	PROBE512_TEST_K1TO7
	SETEQ ret+16(FP)
	RET

k9to16AVX512:
	PROBE512_TEST_K9TO16
	SETEQ ret+16(FP)
	RET

avx2:
	CMPL path, $const_pathK8AVX2
	JNE  notK8AVX2
	PROBE256_TEST_K8
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

notK8AVX2:
	JLT  notK1to7AVX2
	PROBE256_TEST_K1TO7
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

notK1to7AVX2:
	TESTL path, path
	JEQ   generic
	PROBE256_TEST_K9TO16
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testHashGeneric(SB)

// func testUint64(f *Filter, x uint64) bool
TEXT ·testUint64(SB), NOSPLIT, $0-17
	MOVQ    f+0(FP), filter
	MOVBLZX probeUint64s, path
	MOVQ    x+8(FP), hash
	CMPL    path, $const_pathK8AVX512
	JNE     notK8AVX512
	PROBE_MIX
	PROBE512_TEST_K8
	SETEQ ret+16(FP)
	RET

notK8AVX512:
	CMPL path, $const_pathK1to7AVX512
	JLT  avx2
	JNE  k9to16AVX512
	PROBE_MIX
	PROBE512_TEST_K1TO7
	SETEQ ret+16(FP)
	RET

k9to16AVX512:
	PROBE_MIX
	PROBE512_TEST_K9TO16
	SETEQ ret+16(FP)
	RET

avx2:
	CMPL path, $const_pathK8AVX2
	JNE  notK8AVX2
	PROBE_MIX
	PROBE256_TEST_K8
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

notK8AVX2:
	JLT  notK1to7AVX2
	PROBE_MIX
	PROBE256_TEST_K1TO7
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

notK1to7AVX2:
	TESTL path, path
	JEQ   generic
	PROBE_MIX
	PROBE256_TEST_K9TO16
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

generic:
	JMP ·testUint64Generic(SB)

// func addHash(f *Filter, h uint64)
TEXT ·addHash(SB), NOSPLIT, $0-16
	MOVQ    f+0(FP), filter
	MOVBLZX probePath, path
	MOVQ    h+8(FP), hash
	CMPL    path, $const_pathK8AVX512
	JNE     notK8AVX512
	PROBE512_ADD_K8
	RET

notK8AVX512:
	CMPL path, $const_pathK1to7AVX512
	JLT  avx2
	JNE  k9to16AVX512
	PROBE512_ADD_K1TO7
	RET

k9to16AVX512:
	PROBE512_ADD_K9TO16
	RET

avx2:
	CMPL path, $const_pathK8AVX2
	JNE  notK8AVX2
	PROBE256_ADD_K8
	VZEROUPPER
	RET

notK8AVX2:
	JLT  notK1to7AVX2
	PROBE256_ADD_K1TO7
	VZEROUPPER
	RET

notK1to7AVX2:
	TESTL path, path
	JEQ   generic
	PROBE256_ADD_K9TO16
	VZEROUPPER
	RET

generic:
	JMP ·addHashGeneric(SB)

// func addUint64(f *Filter, x uint64)
TEXT ·addUint64(SB), NOSPLIT, $0-16
	MOVQ    f+0(FP), filter
	MOVBLZX probeUint64s, path
	MOVQ    x+8(FP), hash
	CMPL    path, $const_pathK8AVX512
	JNE     notK8AVX512
	PROBE_MIX
	PROBE512_ADD_K8
	RET

notK8AVX512:
	CMPL path, $const_pathK1to7AVX512
	JLT  avx2
	JNE  k9to16AVX512
	PROBE_MIX
	PROBE512_ADD_K1TO7
	RET

k9to16AVX512:
	PROBE_MIX
	PROBE512_ADD_K9TO16
	RET

avx2:
	CMPL path, $const_pathK8AVX2
	JNE  notK8AVX2
	PROBE_MIX
	PROBE256_ADD_K8
	VZEROUPPER
	RET

notK8AVX2:
	JLT  notK1to7AVX2
	PROBE_MIX
	PROBE256_ADD_K1TO7
	VZEROUPPER
	RET

notK1to7AVX2:
	TESTL path, path
	JEQ   generic
	PROBE_MIX
	PROBE256_ADD_K9TO16
	VZEROUPPER
	RET

generic:
	JMP ·addUint64Generic(SB)
