// Package cpulevel lets this repository's own benchmarks and tests, which lie in
// other modules, change the kernels in use. Users have BITSIEVE_CPU.
package cpulevel

// Available returns the names of the levels that this machine has, lowest first.
// Set puts one of them in force and reports whether the machine has it; nothing
// else may run at the time. Package bitsieve fills in both.
var (
	Available func() []string
	Set       func(name string) bool
)
