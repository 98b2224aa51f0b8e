package kerneltest

import (
	"fmt"
	"os"
	"testing"
)

// ModelEnv names the kernel that a package's TestForModel runs: "NAME ANDS K N".
const ModelEnv = "BITSIEVE_MODEL"

// Model is the body of every TestForModel, which is no test: scripts/mca/run.sh
// traces it. It calls run with the kernel's name, k, and N words or keys each in a
// and in b. The words are ANDS + 1 random words ANDed, those of
// scripts/mca/start.c. dst has room for 64 results for each. run reports whether
// there is such a kernel.
func Model(t *testing.T, run func(name string, k int, dst, a, b []uint64) bool) {
	spec := os.Getenv(ModelEnv)
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
	a, b, dst := make([]uint64, n), make([]uint64, n), make([]uint64, 64*n+64)
	for i := range a {
		a[i] = next()
		for range ands {
			a[i] &= next()
		}
		b[i] = next()
	}
	if !run(name, k, dst, a, b) {
		t.Fatalf("no kernel %q", name)
	}
}
