// Package c holds what a C compiler makes of the same kernels: plain loops at
// -O3 -march=native and, where the CPU has them, loops with intrinsics after the
// best known methods. They are measured in the same process, in turn with the
// others, if the build tag cbench is set and there is a C compiler:
//
//	go run -tags cbench .
//	CC=clang go run -tags cbench .
//
// Libraries in C and C++ are measured beside them if they come as shared objects
// that implement peer.h:
//
//	go run -tags cbench . -peer FILE.so
package c

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// A Kernel is one function in C.
type Kernel struct {
	Op   string // the benchmark's name of what it does
	Name string
	// Run does it reps times and returns the last count, if it counts. The
	// slices are of one length.
	Run func(dst, a, b []uint64, reps int) int
}

// check compares a kernel's answers with those of a loop.
func (k Kernel) check() error {
	const most = 300 // words, past what the widest loops take at a time
	a, b, dst := make([]uint64, most), make([]uint64, most), make([]uint64, most)
	for n := range most + 1 {
		ones := 0
		for i := range n {
			a[i], b[i] = rand.Uint64(), rand.Uint64()
			dst[i] = a[i] // AndInPlace starts from a
			switch k.Op {
			case "Count":
				ones += bits.OnesCount64(a[i])
			case "AndCount":
				ones += bits.OnesCount64(a[i] & b[i])
			}
		}
		if got := k.Run(dst[:n], a[:n], b[:n], 2); got != ones {
			return fmt.Errorf("%s of %d words is %d, want %d", k.Op, n, got, ones)
		}
		for i, w := range dst[:n] {
			if (k.Op == "And" || k.Op == "AndInPlace") && w != a[i]&b[i] {
				return fmt.Errorf("%s of %d words: word %d is wrong", k.Op, n, i)
			}
		}
	}
	return nil
}
