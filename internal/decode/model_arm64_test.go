//go:build !purego

package decode

import (
	"fmt"
	"os"
	"testing"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:decode64": Indices[uint],
	"neon:decode32": Indices[uint32],

	"go:decode64": decodeGeneric[uint],
	"go:decode32": decodeGeneric[uint32],
}

// TestForModel is no test: scripts/mca/run.sh traces it. BITSIEVE_MODEL="NAME
// ANDS K N" runs one kernel over N words. They are ANDS + 1 random words ANDed,
// those of scripts/mca/start.c. K is for other packages.
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
	words := make([]uint64, n)
	for i := range words {
		words[i] = next()
		for range ands {
			words[i] &= next()
		}
		next() // the second operand of other kernels
	}
	switch f := modelKernels[name].(type) {
	case indicesFunc[uint]:
		f(make([]uint, 64*n+64), words, 0)
	case indicesFunc[uint32]:
		f(make([]uint32, 64*n+64), words, 0)
	default:
		t.Fatalf("no kernel %q", name)
	}
}
