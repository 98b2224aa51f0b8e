// Package simd is an experiment: four of the library's kernels in Go's experimental
// package simd/archsimd, to see what a compiler that inlines vector code gains over
// assembly, which is called. Nothing uses it. Ordinary builds have no more of it than
// this comment; TUNING.md has the figures.
//
//	GOEXPERIMENT=simd go test -bench . ./simd
package simd
