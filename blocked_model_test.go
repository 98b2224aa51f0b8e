package bitsieve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// fillFilter adds n keys to f and returns how many of tests other keys pass.
// The keys are gen(0) … gen(n+tests-1), which must differ.
func fillFilter(f *Blocked, n, tests int, gen func(i uint64) uint64) (hits int) {
	tile := make([]uint64, 4096)
	for i := 0; i < n+tests; {
		end := n
		if i >= n {
			end = n + tests
		}
		t := tile[:min(len(tile), end-i)]
		for j := range t {
			t[j] = gen(uint64(i + j))
		}
		if i < n {
			f.AddUint64s(t)
		} else {
			hits += f.TestUint64s(t, nil)
		}
		i += len(t)
	}
	return hits
}

// The model against the filter, at the bits per key and k of the design.
func TestBlockedRateFollowsModel(t *testing.T) {
	blocks, tests := 40_000, 4_000_000
	if testing.Short() {
		blocks, tests = 2000, 40_000
	}
	for _, bitsPerKey := range []int{6, 8, 10, 12, 16, 20} {
		for _, k := range []int{1, 3, 4, 6, 7, 8, 9, 11, 14, 16} {
			f := mustBlocked(t, uint64(blocks), k)
			n := blocks * 512 / bitsPerKey
			hits := fillFilter(f, n, tests, func(i uint64) uint64 { return i })
			mean, dev := blockedRate(float64(n)/float64(blocks), k)
			// The filter's own rate varies with its keys around the mean.
			slack := 5 * dev / math.Sqrt(float64(blocks))
			checkRate(t, fmt.Sprintf("%d bits per key, k=%d", bitsPerKey, k), hits, tests, mean-slack, mean+slack)
		}
	}
}

// NewBlocked keeps to the rate asked for, by what it measures.
func TestNewBlockedKeepsRate(t *testing.T) {
	tests := 10_000_000
	sizes := []int{100, 5000, 1_000_000}
	if testing.Short() {
		tests, sizes = 100_000, sizes[:2]
	}
	for _, p := range []float64{0.1, 0.03, 0.01, 0.001, 1e-4} {
		for _, n := range sizes {
			f, err := NewBlocked(uint64(n), p)
			if err != nil {
				t.Fatal(err)
			}
			hits := fillFilter(f, n, tests, func(i uint64) uint64 { return i * 0x9e3779b97f4a7c15 })
			if got := float64(hits) / float64(tests); got > p {
				t.Errorf("n=%d: rate %.5g exceeds p = %v (%.2f bits per key, k=%d)", n, got, p,
					float64(f.SizeBytes())*8/float64(n), f.K())
			}
		}
	}
}

// Keys with structure do no worse than random ones.
func TestBlockedStructuredKeys(t *testing.T) {
	blocks, tests := 20_000, 2_000_000
	if testing.Short() {
		blocks, tests = 1000, 20_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, gen := range map[string]func(i uint64) uint64{
		"counter":                 func(i uint64) uint64 { return i },
		"multiples":               func(i uint64) uint64 { return i * 4096 },
		"high bits":               func(i uint64) uint64 { return i << 40 },
		"both halves":             func(i uint64) uint64 { return i<<32 | i },
		"both halves, bad stride": func(i uint64) uint64 { return (i*15824)<<32 | i*15824 },
		"swapped":                 func(i uint64) uint64 { return i<<32 | i>>32 },
		"negative":                func(i uint64) uint64 { return -i },
		"floats":                  func(i uint64) uint64 { return math.Float64bits(float64(i)) },
		"random":                  func(uint64) uint64 { return r.Uint64() },
		"bytes apart":             func(i uint64) uint64 { return i&0xff | i&0xff00<<16 | i&0xff0000<<32 },
		"golden stride":           func(i uint64) uint64 { return i * wordMul },
		"mixer stride":            func(i uint64) uint64 { return i * mixMul },
	} {
		for _, k := range []int{5, 8, 12} {
			f := mustBlocked(t, uint64(blocks), k)
			n := blocks * 512 / 10
			hits := fillFilter(f, n, tests, gen)
			mean, dev := blockedRate(float64(n)/float64(blocks), k)
			slack := 5 * dev / math.Sqrt(float64(blocks))
			checkRate(t, fmt.Sprintf("%s, k=%d", name, k), hits, tests, mean-slack, mean+slack)
		}
	}
}

// The model's table against a direct simulation of one block.
func TestPassRates(t *testing.T) {
	trials := 400_000
	if testing.Short() {
		trials = 20_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for k := minK; k <= maxK; k++ {
		for _, m := range []int{1, 10, 50} {
			hits := 0
			for range trials / 100 {
				var b block
				for range m {
					addBlock(&b, r.Uint64(), k)
				}
				for range 100 {
					hits += int(testBlock(&b, r.Uint64(), k))
				}
			}
			rate := passRates(k)[m]
			// A hundred tests share a block, so their spread is wider than
			// binomial: take the bound of a hundredth of the tests where it is
			// the block that decides.
			want := rate * float64(trials)
			if got := float64(hits); math.Abs(got-want) > 5*math.Sqrt(3*want)+5+0.02*want {
				t.Errorf("k=%d, %d keys: %v of %d pass, want %.1f", k, m, got, trials, want)
			}
		}
	}
}

func TestSizeBlocked(t *testing.T) {
	// Bits per key at a million keys: a change here is a change of every
	// filter's size.
	for _, c := range []struct {
		p    float64
		bits float64
		k    int
	}{
		{0.1, 4.87, 3}, {0.03, 7.47, 5}, {0.01, 9.97, 6}, {0.001, 15.65, 9}, {1e-4, 22.19, 12}, {1e-6, 39.34, 16},
	} {
		blocks, k, err := sizeBlocked(1e6, c.p)
		if bits := float64(blocks) * 512 / 1e6; err != nil || math.Abs(bits-c.bits) > 0.01 || k != c.k {
			t.Errorf("p=%v: %.3f bits per key, k=%d, error %v; want %.2f, k=%d", c.p, bits, k, err, c.bits, c.k)
		}
	}
	// Rates fall and sizes grow all the way down, through the change of method
	// at cancelRate.
	last := uint64(0)
	for p := 0.99; p >= minRate; p *= 0.7 {
		blocks, k, err := sizeBlocked(1e7, p)
		if err != nil || blocks < last || k < minK || k > maxK {
			t.Fatalf("p=%v: %d blocks after %d, k=%d, error %v", p, blocks, last, k, err)
		}
		if mean, _ := blockedRate(1e7/float64(blocks), k); mean > p {
			t.Errorf("p=%v: the model gives %v", p, mean)
		}
		last = blocks
	}
}

// Every input bit flips every output bit half of the time.
func TestMixerAvalanche(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(5, 6))
	for name, gen := range map[string]func(i int) uint64{
		"random":  func(int) uint64 { return r.Uint64() },
		"counter": func(i int) uint64 { return uint64(i) },
	} {
		var flips [64][64]int
		for i := range n {
			x := gen(i)
			h := mixUint64(x)
			for in := range flips {
				d := h ^ mixUint64(x^1<<in)
				for out := range flips[in] {
					flips[in][out] += int(d >> out & 1)
				}
			}
		}
		// 6 standard deviations over 4096 cells, and a bias of 0.5 % that the
		// field accepts of a mixer of two rounds on counters.
		limit := 6*math.Sqrt(float64(n))/2 + 0.005*float64(n)
		for in := range flips {
			for out, c := range flips[in] {
				if math.Abs(float64(c)-float64(n)/2) > limit {
					t.Errorf("%s: input bit %d flips output bit %d in %d of %d", name, in, out, c, n)
				}
			}
		}
	}
}
