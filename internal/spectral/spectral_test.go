package spectral

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// reference is the layout and the rules of the package's comment in the plainest
// form, for any width.
type reference struct {
	blocks   uint64
	bits, k  int
	counters []uint64
}

func newReference(blocks uint64, bits, k int) *reference {
	return &reference{blocks, bits, k, make([]uint64, blocks*Counters)}
}

// of returns the key's counters.
func (r *reference) of(h uint64) (counters []*uint64) {
	at, _ := bits.Mul64(h, r.blocks)
	w := h * 0x9e3779b97f4a7c15
	for j := range uint64(8) {
		if (j+w)%8 < uint64(r.k) {
			counters = append(counters, &r.counters[64*at+8*j+w>>(8*j+5)%8])
		}
	}
	return counters
}

func (r *reference) count(h uint64) uint64 {
	least := uint64(math.MaxUint64)
	for _, c := range r.of(h) {
		least = min(least, *c)
	}
	return least
}

// add adds one at a time.
func (r *reference) add(h, n uint64) {
	for range min(n, 1<<r.bits) {
		least := r.count(h)
		for _, c := range r.of(h) {
			if *c == least && least < 1<<r.bits-1 {
				*c++
			}
		}
	}
}

// words returns the counters as the file has them.
func (r *reference) words() (words []uint64) {
	per := 64 / r.bits
	for i, c := range r.counters {
		if i%per == 0 {
			words = append(words, 0)
		}
		words[i/per] |= c << (i % per * r.bits)
	}
	return words
}

// batchLengths lie around chunks' and words' boundaries.
var batchLengths = []int{0, 1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 200, 1000}

// Every verb, for one key and for batches, hashes and integers, at every level, for
// every width and k, against the reference.
func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, width := range []int{8, 16, 32} {
			for k := MinK; k <= MaxK; k++ {
				for _, blocks := range []uint64{1, 3, 40} {
					if testing.Short() && (k%3 != 1 || blocks == 3) {
						continue
					}
					testVerbs(t, width, k, blocks)
				}
			}
		}
	})
}

func testVerbs(t *testing.T, width, k int, blocks uint64) {
	var f Filter
	f.Init(New(blocks, width, false), width, k, hash.Hasher{}, 0)
	want := newReference(blocks, width, k)
	r := rand.New(rand.NewPCG(uint64(width), uint64(k)))
	total := uint64(0)
	pool := make([]uint64, 300)
	for i := range pool {
		pool[i] = r.Uint64()
	}
	for _, n := range batchLengths {
		if testing.Short() && n > 200 {
			continue
		}
		for v := addKeys; v <= testAndAdd; v++ {
			for _, mixed := range []bool{false, true} {
				keys := make([]uint64, n)
				for i := range keys {
					keys[i] = pool[r.IntN(len(pool))]
				}
				out, wantOut := make([]uint64, n+1), make([]uint64, n+1)
				for i := range out {
					out[i], wantOut[i] = 12345, 12345 // to be overwritten, or not
				}
				if v == testKeys || v == testAndAdd {
					clear(wantOut[:(n+63)/64])
				}
				for i, h := range keys {
					if mixed {
						h = hash.Mix(h)
					}
					if hit := want.count(h) > 0; hit && (v == testKeys || v == testAndAdd) {
						wantOut[i/64] |= 1 << (i % 64)
					}
					if v != countKeys && v != testKeys {
						want.add(h, 1)
						total++
					}
					if v == countKeys || v == addCount {
						wantOut[i] = want.count(h)
					}
				}
				f.batch(v, keys, out, mixed)
				name := fmt.Sprintf("%d bits, k = %d, %d blocks, verb %d of %d keys, mixed %v", width, k, blocks, v, n, mixed)
				if !slices.Equal(out, wantOut) {
					t.Fatalf("%s: results %d, want %d", name, out, wantOut)
				}
				if !slices.Equal(f.Words, want.words()) {
					t.Fatalf("%s: the counters differ from the reference's", name)
				}
			}
		}
		h, times := pool[n%len(pool)], uint64(n)*uint64(n)%700
		before := want.count(h)
		want.add(h, times)
		total += times
		gotBefore, gotAfter := f.AddHash(h, times)
		if gotBefore != before || gotAfter != want.count(h) || f.CountHash(h) != gotAfter {
			t.Fatalf("%d bits, k = %d: adding %d times: %d before, %d after, want %d and %d",
				width, k, times, gotBefore, gotAfter, before, want.count(h))
		}
	}
	if !slices.Equal(f.Words, want.words()) || f.Total != total {
		t.Fatalf("%d bits, k = %d: the counters differ, or the total %d is not %d", width, k, f.Total, total)
	}
	testStats(t, &f, want, pool)
}

// testStats compares what is said of all counters with what the reference has.
func testStats(t *testing.T, f *Filter, want *reference, pool []uint64) {
	t.Helper()
	for _, v := range []uint64{0, 1, 2, 10, 254, 255, 1000, 65535, 1 << 31, math.MaxUint32, math.MaxUint64} {
		var n uint64
		for _, c := range want.counters {
			if c > v {
				n++
			}
		}
		if got := f.Above(v); got != n {
			t.Errorf("%d counters above %d, want %d", got, v, n)
		}
		// Exceed is exact: over all blocks, rotations and places.
		var sum float64
		for b := range want.blocks {
			for rot := range 8 {
				p := 1.0
				for i := range want.k {
					j, n := (rot+i)%8, 0
					for _, c := range want.counters[64*int(b)+8*j:][:8] {
						if c > v {
							n++
						}
					}
					p *= float64(n) / 8
				}
				sum += p / 8
			}
		}
		sum /= float64(want.blocks)
		got := f.Exceed(v)
		if math.Abs(got-sum) > 1e-12 {
			t.Errorf("Exceed(%d) = %v, want %v", v, got, sum)
		}
	}
	for _, rate := range []float64{0, 1e-4, 0.01, 0.5, 0.9, 1} {
		q := f.Quantile(rate)
		if f.Exceed(q) > rate || q > 0 && f.Exceed(q-1) <= rate {
			t.Errorf("Quantile(%v) = %d: exceeded at a rate of %v, %d at %v", rate, q, f.Exceed(q), q-1, f.Exceed(q-1))
		}
	}
	var g Filter
	g.Init(slices.Clone(f.Words), f.Bits, f.K, f.Hash, f.Total)
	for _, h := range pool[:100] {
		g.AddHash(h, 200)
	}
	sum, least := *f, *f
	sum.Words, least.Words = slices.Clone(f.Words), slices.Clone(f.Words)
	sum.Sum(&g)
	least.Least(&g)
	for _, h := range pool {
		a, b := f.CountHash(h), g.CountHash(h)
		if got := sum.CountHash(h); got < min(a+b, f.Max()) {
			t.Fatalf("count of a sum: %d, less than %d + %d", got, a, b)
		}
		if got := least.CountHash(h); got != min(a, b) {
			t.Fatalf("count of the least: %d of %d and %d", got, a, b)
		}
	}
	if sum.Total != f.Total+g.Total || least.Total != f.Total {
		t.Errorf("totals of %d and %d: sum %d, least %d", f.Total, g.Total, sum.Total, least.Total)
	}
}

// Counters stop at their largest value, by ones and at once.
func TestSaturation(t *testing.T) {
	for _, width := range []int{8, 16, 32} {
		var f Filter
		f.Init(New(1, width, false), width, 3, hash.Hasher{}, 0)
		full := uint64(1)<<width - 1
		f.AddHash(7, full-1)
		for range 3 {
			f.AddHashes([]uint64{7})
		}
		if n := f.CountHash(7); n != full {
			t.Errorf("%d bits: count %d", width, n)
		}
		for _, n := range []uint64{1, full, math.MaxUint64} {
			if before, after := f.AddHash(7, n); before != full || after != full {
				t.Errorf("%d bits: %d before and %d after adding %d times to a full counter", width, before, after, n)
			}
		}
		if f.Total != math.MaxUint64 || f.Above(full-1) != 3 {
			t.Errorf("%d bits: total %d, %d full", width, f.Total, f.Above(full-1))
		}
		f.Sum(&f)
		if f.CountHash(7) != full || f.Total != math.MaxUint64 {
			t.Errorf("%d bits: after a sum: count %d, total %d", width, f.CountHash(7), f.Total)
		}
	}
}
