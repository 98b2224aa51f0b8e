package tests

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/model"
)

// A zipf draws ranks 1 … n with probabilities in proportion to rank^-s, s >= 1, by
// rejection-inversion (Hörmann and Derflinger, 1996). That of math/rand wants s > 1.
type zipf struct{ s, low, high float64 }

func newZipf(s float64, n uint64) *zipf {
	z := &zipf{s: s}
	z.low, z.high = z.integral(1.5)-1, z.integral(float64(n)+0.5)
	return z
}

// integral is that of x^-s from 1 to x, inverse its inverse.

func (z *zipf) integral(x float64) float64 {
	if z.s == 1 {
		return math.Log(x)
	}
	return (math.Pow(x, 1-z.s) - 1) / (1 - z.s)
}

func (z *zipf) inverse(y float64) float64 {
	if z.s == 1 {
		return math.Exp(y)
	}
	return math.Pow(1+y*(1-z.s), 1/(1-z.s))
}

func (z *zipf) next(r *rand.Rand) uint64 {
	for {
		u := z.high + r.Float64()*(z.low-z.high)
		k := max(math.Floor(z.inverse(u)+0.5), 1)
		if u >= z.integral(k+0.5)-math.Pow(k, -z.s) {
			return uint64(k)
		}
	}
}

// NewSpectral keeps to its rate, by what it measures: for keys that were not added,
// and for the counts of those that were.
func TestNewSpectralKeepsRate(t *testing.T) {
	sizes, rates := []int{100, 20_000, 1_000_000}, []float64{0.5, 0.1, 0.01, 0.001, 1e-5}
	if testing.Short() {
		sizes, rates = sizes[:2], rates[1:3]
	}
	for _, n := range sizes {
		for _, p := range rates {
			f, err := NewSpectral(uint64(n), p, 16)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(uint64(n), 1))
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64()
			}
			f.AddUint64s(keys)
			high, counts := 0, make([]uint64, n)
			f.CountUint64s(keys, counts)
			for _, c := range counts {
				if c > 1 {
					high++
				}
			}
			for i := range keys {
				keys[i] = r.Uint64()
			}
			hits := f.TestUint64s(keys, nil)
			name := fmt.Sprintf("n = %d, p = %v", n, p)
			checkRate(t, name+": absent", hits, n, 0, p)
			checkRate(t, name+": too high", high, n, 0, p)
			if rate := f.FPRate(); rate > p || n >= 20_000 && rate < 0.7*p {
				t.Errorf("%s: FPRate() = %v", name, rate)
			}
			if rate, want := f.FPRate(), f.ExpectedFPRate(uint64(n)); n >= 20_000 && math.Abs(rate/want-1) > 0.15 {
				t.Errorf("%s: FPRate() = %v, the model says %v", name, rate, want)
			}
			t.Logf("%s: k = %d, %.2f counters a key", name, f.K(), float64(64*f.Blocks())/float64(n))
		}
	}
}

// What the model says of a block with m keys, by trial.
func TestSpectralModel(t *testing.T) {
	for k := 1; k <= 8; k++ {
		const keys, blocks = 9, 500
		var sum float64
		for i := range uint64(blocks) {
			f := mustSpectral(t, 1, k, 8)
			for j := range uint64(keys) {
				f.AddUint64(i*keys + j)
			}
			sum += f.FPRate()
		}
		// Of a Poisson distribution that is sharp: the mean over many loads.
		mean, _ := model.SpectralRate(keys, k)
		if got := sum / blocks; got > 1.02*mean || got < 0.4*mean {
			t.Errorf("k = %d: a rate of %v in blocks of exactly %d keys, %v in those of %d on average", k, got, keys, mean, keys)
		}
	}
	if mean, _ := model.SpectralRate(0, 4); mean != 0 {
		t.Errorf("rate of an empty filter: %v", mean)
	}
	if mean, _ := model.SpectralRate(1e9, 4); mean != 1 {
		t.Errorf("rate of a full filter: %v", mean)
	}
}

// ErrorBound holds for keys that were never added, and for those that were.
func TestSpectralErrorBound(t *testing.T) {
	additions := 2_000_000
	if testing.Short() {
		additions = 20_000
	}
	for _, s := range []float64{1, 1.1, 1.5} {
		for _, k := range []int{3, 4, 8} {
			if testing.Short() && k == 4 {
				continue
			}
			f := mustSpectral(t, uint64(additions/200), k, 32)
			exact := zipfAdditions(f, s, additions)
			var absent []uint64
			for i := range min(additions, 100_000) {
				absent = append(absent, f.CountUint64(1<<40+uint64(i)))
			}
			var present []uint64
			for x, n := range exact {
				if n > 0 {
					present = append(present, f.CountUint64(uint64(x))-uint64(n))
				}
			}
			for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
				e := f.ErrorBound(q)
				over := func(errors []uint64) (n int) {
					for _, x := range errors {
						if x > e {
							n++
						}
					}
					return n
				}
				name := fmt.Sprintf("s = %v, k = %d, ErrorBound(%v) = %d", s, k, q, e)
				checkRate(t, name+", absent", over(absent), len(absent), 0, 1-q)
				checkRate(t, name+", present", over(present), len(present), 0, 1-q)
				if q > 0.5 && e > 0 {
					e--
					if n := over(absent); float64(n) < (1-q)*float64(len(absent))-6*math.Sqrt((1-q)*float64(len(absent))) {
						t.Errorf("%s: less would do: %d of %d are beyond %d", name, n, len(absent), e)
					}
				}
			}
		}
	}
}

// zipfAdditions adds keys by Zipf's law and returns how often each was.
func zipfAdditions(f *Spectral, s float64, additions int) (exact []uint32) {
	keys := zipfKeys(s, additions)
	f.AddUint64s(keys)
	exact = make([]uint32, slices.Max(keys)+1)
	for _, x := range keys {
		exact[x]++
	}
	return exact
}

// zipfKeys returns n of the first 2^24 ranks.
func zipfKeys(s float64, n int) []uint64 {
	z, r := newZipf(s, 1<<24), rand.New(rand.NewPCG(1, 2))
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = z.next(r)
	}
	return keys
}

// freeSketch is minimal increase on counters chosen freely, k arrays of them: what
// blocks are measured against.
type freeSketch struct {
	rows [][]uint32
}

func (f *freeSketch) counters(x uint64) (c [8]*uint32) {
	h := hash.Mix(x)
	step := hash.Mix(h + 1)
	for i, row := range f.rows {
		at, _ := bits.Mul64(h, uint64(len(row)))
		c[i] = &row[at]
		h = hash.Mix(h + step)
	}
	return c
}

func (f *freeSketch) add(x uint64, n uint32) (least uint32) {
	c := f.counters(x)
	least = *c[0]
	for i := range f.rows {
		least = min(least, *c[i])
	}
	for i := range f.rows {
		*c[i] = max(*c[i], least+n)
	}
	return least
}

// The figures in Spectral's comment: ten million additions by Zipf's law, beside
// counters of the same number chosen freely.
func TestSpectralAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("30 million additions")
	}
	const additions, k = 10_000_000, 4
	for _, c := range []struct{ s, mean, exact float64 }{{1, 0.35, 0.70}, {1.1, 0.35, 0.70}, {1.5, 0.58, 0.69}} {
		keys := zipfKeys(c.s, additions)
		exact, distinct := make([]uint32, 1<<24+1), 0
		for _, x := range keys {
			if exact[x]++; exact[x] == 1 {
				distinct++
			}
		}
		f := mustSpectral(t, uint64(distinct+31)/32, k, 32) // 2 counters a key
		f.AddUint64s(keys)
		free := &freeSketch{}
		for range k {
			free.rows = append(free.rows, make([]uint32, 64*f.Blocks()/k))
		}
		for _, x := range keys {
			free.add(x, 1)
		}
		var blocked, unblocked []uint64
		for x, n := range exact {
			if n > 0 {
				blocked = append(blocked, f.CountUint64(uint64(x))-uint64(n))
				unblocked = append(unblocked, uint64(free.add(uint64(x), 0)-n))
			}
		}
		mean, p99, right := summary(blocked)
		freeMean, freeP99, freeRight := summary(unblocked)
		t.Logf("s = %v, %d keys: mean error %.3f (%.3f), 99 %% within %d (%d), exact %.3f (%.3f), largest %d (%d)",
			c.s, distinct, mean, freeMean, p99, freeP99, right, freeRight, blocked[len(blocked)-1], unblocked[len(unblocked)-1])
		if math.Abs(mean-c.mean) > 0.03 || math.Abs(right-c.exact) > 0.01 {
			t.Errorf("s = %v: mean error %.3f, %.3f exact: the comment says %v and %v", c.s, mean, right, c.mean, c.exact)
		}
	}
}

// summary returns the mean of errors, the one that 99 % are within, and which part
// is 0.
func summary(errors []uint64) (mean float64, p99 uint64, exact float64) {
	slices.Sort(errors)
	zeros := 0
	for _, e := range errors {
		mean += float64(e)
		if e == 0 {
			zeros++
		}
	}
	n := float64(len(errors))
	return mean / n, errors[len(errors)*99/100], float64(zeros) / n
}
