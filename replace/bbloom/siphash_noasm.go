//go:build !amd64 || purego

package bbloom

var useAVX512 = false

func sipHash8AVX512(_, _ *[8]uint64, _ int, _, _ uint64) { panic("bbloom: no assembly") }
