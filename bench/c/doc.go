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
	"strings"
)

// A Kernel is one function in C.
type Kernel struct {
	Op   string // the benchmark's name of what it does
	Name string
	// Run does it reps times and returns the last count, if it counts. The
	// slices are of one length.
	Run func(dst, a, b []uint64, reps int) int
}

// Operations are the names of peer.h's operations of two operands, in its order. A
// kernel's Op is Count; one of these, for the result alone; one of these and Count,
// for its set bits alone; one of these and WithCount, for both; or AndInPlace.
var Operations = [...]string{"And", "Or", "Xor", "AndNot"}

// word returns what Op makes of two words.
func (k Kernel) word(a, b uint64) uint64 {
	switch strings.TrimSuffix(strings.TrimSuffix(k.Op, "Count"), "With") {
	case "":
		return a
	case "Or":
		return a | b
	case "Xor":
		return a ^ b
	case "AndNot":
		return a &^ b
	}
	return a & b
}

// check compares a kernel's answers with those of a loop.
func (k Kernel) check() error {
	const most = 2100 // words, past two containers of CRoaring's
	a, b, dst := make([]uint64, most), make([]uint64, most), make([]uint64, most)
	counts := strings.HasSuffix(k.Op, "Count")
	stores := !counts || strings.HasSuffix(k.Op, "WithCount")
	for n := range most + 1 {
		if n > 300 && n%256 > 2 { // past what the widest loops take at a time
			continue
		}
		ones := 0
		for i := range n {
			a[i], b[i] = rand.Uint64(), rand.Uint64()
			dst[i] = a[i] // AndInPlace starts from a
			if counts {
				ones += bits.OnesCount64(k.word(a[i], b[i]))
			}
		}
		if got := k.Run(dst[:n], a[:n], b[:n], 2); got != ones {
			return fmt.Errorf("%s of %d words is %d, want %d", k.Op, n, got, ones)
		}
		for i, w := range dst[:n] {
			if stores && w != k.word(a[i], b[i]) {
				return fmt.Errorf("%s of %d words: word %d is wrong", k.Op, n, i)
			}
		}
	}
	return nil
}
