package kerneltest

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// EachWords runs f as a subtest once for each way that rows of the tuning treat words,
// with that row in force, under the name of the first microarchitecture that has it.
// Neither f nor t may be parallel: the row is global.
func EachWords(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	saved := cpu.Tuned()
	t.Cleanup(func() { cpu.SetTuning(saved) })
	seen := map[cpu.Words]bool{}
	for m := range cpu.NumMicros {
		if cpu.SetTuning(m); !seen[cpu.Tune.Words] {
			seen[cpu.Tune.Words] = true
			t.Run(m.String(), f)
		}
	}
}
