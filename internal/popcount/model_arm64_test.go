//go:build !purego

package popcount

import (
	"fmt"
	"os"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:count":       Count,
	"neon:andCount":    And,
	"neon:orCount":     Or,
	"neon:xorCount":    Xor,
	"neon:andNotCount": AndNot,

	"go:count":       countGeneric,
	"go:andCount":    andCountGeneric,
	"go:orCount":     orCountGeneric,
	"go:xorCount":    xorCountGeneric,
	"go:andNotCount": andNotCountGeneric,
}

// TestForModel is no test: scripts/mca/run.sh traces it. BITSIEVE_MODEL="NAME
// ANDS K N" runs one kernel over N words. The words are ANDS + 1 random
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
	a, b := make([]uint64, n), make([]uint64, n)
	for i := range a {
		a[i] = next()
		for range ands {
			a[i] &= next()
		}
		b[i] = next()
	}
	switch f := modelKernels[name].(type) {
	case kerneltest.CountFunc:
		f(a)
	case kerneltest.Count2Func:
		f(a, b)
	default:
		t.Fatalf("no kernel %q", name)
	}
}
