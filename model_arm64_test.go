//go:build !purego

package bitsieve

import (
	"fmt"
	"os"
	"testing"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:count":       countWords,
	"neon:and":         andWords,
	"neon:or":          orWords,
	"neon:xor":         xorWords,
	"neon:andNot":      andNotWords,
	"neon:andCount":    andCountWords,
	"neon:orCount":     orCountWords,
	"neon:xorCount":    xorCountWords,
	"neon:andNotCount": andNotCountWords,

	"go:count":       countGeneric,
	"go:and":         andGeneric,
	"go:or":          orGeneric,
	"go:xor":         xorGeneric,
	"go:andNot":      andNotGeneric,
	"go:andCount":    andCountGeneric,
	"go:orCount":     orCountGeneric,
	"go:xorCount":    xorCountGeneric,
	"go:andNotCount": andNotCountGeneric,
}

// TestForModel is no test: scripts/mca/run.sh traces it. BITSIEVE_MODEL="NAME
// ANDS K N" runs one kernel over N words or keys. The words are ANDS + 1 random
// words ANDed, those of scripts/mca/start.c.
func TestForModel(t *testing.T) {
	spec := os.Getenv("BITSIEVE_MODEL")
	if spec == "" {
		t.Skip("for scripts/mca/run.sh only")
	}
	var name string
	var ands, k, n int
	if _, err := fmt.Sscan(spec, &name, &ands, &k, &n); err != nil {
		t.Fatal(err)
	}
	state := uint64(88172645463325252)
	next := func() uint64 {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return state
	}
	a, b, dst := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i := range a {
		a[i] = next()
		for range ands {
			a[i] &= next()
		}
		b[i] = next()
	}
	switch f := modelKernels[name].(type) {
	case countFunc:
		f(a)
	case binaryFunc:
		f(dst, a, b)
	case count2Func:
		f(a, b)
	default:
		t.Fatalf("no kernel %q", name)
	}
}
