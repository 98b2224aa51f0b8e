//go:build !purego

package bbloom

import "github.com/bitsieve/bitsieve"

// useAVX512 is bitsieve's decision, which BITSIEVE_CPU lowers.
var useAVX512 = bitsieve.Acceleration() == "avx512"

//go:noescape
func sipHash8AVX512(sums *[8]uint64, rows *[8]uint64, n int, k0, k1 uint64)
