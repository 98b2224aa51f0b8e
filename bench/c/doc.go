// Package c holds what a C compiler makes of the same kernels: plain loops at
// -O3 -march=native and, where the CPU has them, loops with intrinsics after the
// best known methods. They are measured in the same process, in turn with the
// others, if the build tag cbench is set and there is a C compiler:
//
//	go run -tags cbench .
//	CC=clang go run -tags cbench .
package c

// A Kernel is one function in C.
type Kernel struct {
	Op   string // the benchmark's name of what it does
	Name string
	// Run does it reps times and returns the last count, if it counts. The
	// slices are of one length.
	Run func(dst, a, b []uint64, reps int) int
}
