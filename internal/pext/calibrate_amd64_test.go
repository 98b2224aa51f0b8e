//go:build !purego

package pext

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, pextThreshold) }

// sink keeps the compiler from dropping what a measurement computes.
var sink uint

// pextThreshold asks whether PEXT and PDEP beat the Go code, which cpu.PEXT decides
// by the CPU's family: 1, from one word on, is for yes, and never for no.
func pextThreshold() []calibrate.Threshold {
	const never = 1 << 30
	th := calibrate.Threshold{Name: "cpu.PEXT", Unit: "words", Value: never, Sizes: []int{1, 4, 64, 1024}}
	if cpu.PEXT {
		th.Value = 1
	}
	by := func(fast bool, f func()) func() {
		return func() {
			saved := cpu.PEXT
			cpu.PEXT = fast
			f()
			cpu.PEXT = saved
		}
	}
	add := func(name string, run func(n int) func()) {
		th.Cases = append(th.Cases, calibrate.Case{Name: name, Level: cpu.LevelAVX2, Ways: func(n int) (below, from func()) {
			f := run(n)
			return by(false, f), by(true, f)
		}})
	}
	add("extract", func(n int) func() {
		src, mask := randomWords(n, 1), randomWords(n, 2)
		ones := 0
		for _, w := range mask {
			ones += bits.OnesCount64(w)
		}
		dst := make([]uint64, (ones+63)/64)
		return func() { Extract(dst, src, mask) }
	})
	add("deposit", func(n int) func() {
		src, mask, dst := randomWords(n, 1), randomWords(n, 2), make([]uint64, n)
		return func() { Deposit(dst, src, mask) }
	})
	add("select", func(n int) func() {
		p := randomWords(n, 1)
		return func() {
			for i, w := range p {
				sink += Select(w, min(uint(i)%16, uint(bits.OnesCount64(w)-1)))
			}
		}
	})
	return []calibrate.Threshold{th.Short()}
}

func randomWords(n int, seed uint64) []uint64 {
	p := make([]uint64, n)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range p {
		p[i] = r.Uint64()
	}
	return p
}
