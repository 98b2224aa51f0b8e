package bitsieve

import "github.com/bitsieve/bitsieve/internal/cpu"

// Acceleration returns the name of the kernels in use: "avx512", "avx2",
// "neon" or "generic". They are chosen once, at start-up, as the best that the
// CPU has; the environment variable BITSIEVE_CPU=generic|avx2|avx512|neon
// lowers the choice, never raises it past the hardware. BITSIEVE_TUNING=zen5, or
// the name of another microarchitecture, has them work as is best there: how far
// ahead they prefetch, and the like. No answer depends on either variable.
func Acceleration() string { return cpu.Current().String() }

// AccelerationError returns an error that says why the value of BITSIEVE_CPU was
// not followed: it is not the name of a level, or of one that this machine
// lacks. It returns nil if the value was followed or there was none.
func AccelerationError() error { return cpu.EnvError() }

func init() {
	cpu.Refresh = func(filter any) {
		if f, ok := filter.(*Blocked); ok {
			f.filter.Init(f.filter.Blocks, f.filter.K, f.filter.Hash)
		}
	}
}
