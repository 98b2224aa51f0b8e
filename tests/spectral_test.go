package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func mustSpectral(t testing.TB, blocks uint64, k, bits int, opts ...Option) *Spectral {
	t.Helper()
	f, err := NewSpectralWithSize(blocks, k, bits, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func marshalSpectral(t testing.TB, f *Spectral) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The counters of a filter are its file format: these digests never change, and are
// the same at every level and on every architecture, for batches and single keys.
func TestSpectralGolden(t *testing.T) {
	golden := map[string]string{}
	ints, texts, raw := goldenKeys(1500)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, bits := range []int{8, 16, 32} {
			for _, k := range []int{1, 4, 5, 8} {
				for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
					batch, single := mustSpectral(t, 97, k, bits, opts...), mustSpectral(t, 97, k, bits, opts...)
					batch.AddUint64s(ints)
					batch.AddStrings(texts)
					batch.AddBytes(raw)
					batch.AddHashes(ints[:700])
					for _, x := range ints {
						single.AddUint64(x)
					}
					for _, s := range texts {
						single.AddString(s)
					}
					for _, b := range raw {
						single.Add(b)
					}
					for _, h := range ints[:700] {
						single.AddHash(h)
					}
					name := fmt.Sprintf("bits=%d k=%d keyed=%v", bits, k, opts != nil)
					if !batch.Equal(single) {
						t.Errorf("%s: batches and single keys differ", name)
					}
					sum := sha256.Sum256(marshalSpectral(t, batch)[format.HeaderBytes:])
					got := hex.EncodeToString(sum[:8])
					if want := goldenSpectral[name]; got != want {
						t.Errorf("%s: digest %s, want %s", name, got, want)
					}
					golden[name] = got
				}
			}
		}
	})
	if t.Failed() {
		t.Logf("%#v", golden)
	}
}

// Every kind of key, single and batch, gives the same filter and the same answers.
func TestSpectralKeys(t *testing.T) {
	ints, texts, raw := goldenKeys(1200)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			for _, n := range []int{0, 1, 31, 64, 65, 511, 512, 513, 1200} {
				one := mustSpectral(t, 50, 4, 16, opts...)
				for round := range 3 { // the second time keys are present
					var hits BitSet
					counts := make([]uint64, n)
					check := func(kind string, count func(i int) uint64) {
						t.Helper()
						for i, c := range counts {
							if want := count(i); c != want {
								t.Fatalf("%s, round %d: counts[%d] = %d, want %d", kind, round, i, c, want)
							}
						}
					}
					batch := one.Clone()
					batch.AddCountUint64s(ints[:n], counts)
					check("AddCountUint64s", func(i int) uint64 { return one.AddCountUint64(ints[i]) })
					batch.AddCountStrings(texts[:n], counts)
					check("AddCountStrings", func(i int) uint64 { return one.AddCountString(texts[i]) })
					batch.AddCountBytes(raw[:n], counts)
					check("AddCountBytes", func(i int) uint64 { return one.AddCount(raw[i]) })
					batch.AddCountHashes(ints[:n], counts)
					check("AddCountHashes", func(i int) uint64 { return one.AddCountHash(ints[i]) })
					batch.CountUint64s(ints[:n], counts)
					check("CountUint64s", func(i int) uint64 { return one.CountUint64(ints[i]) })
					batch.CountStrings(texts[:n], counts)
					check("CountStrings", func(i int) uint64 { return one.CountString(texts[i]) })
					batch.CountBytes(raw[:n], counts)
					check("CountBytes", func(i int) uint64 { return one.Count(raw[i]) })
					batch.CountHashes(ints[:n], counts)
					check("CountHashes", func(i int) uint64 { return one.CountHash(ints[i]) })
					copy(counts, ints) // in place
					batch.CountHashes(counts, counts)
					check("CountHashes in place", func(i int) uint64 { return one.CountHash(ints[i]) })

					bit := func(kind string, got int, want func(i int) bool) {
						t.Helper()
						n := 0
						for i := range counts {
							w := want(i)
							if w {
								n++
							}
							if hits.Test(uint(i)) != w {
								t.Fatalf("%s: bit %d is %v", kind, i, !w)
							}
						}
						if got != n || hits.Len() != uint(len(counts)) {
							t.Fatalf("%s: %d of %d, want %d", kind, got, hits.Len(), n)
						}
					}
					bit("TestUint64s", batch.TestUint64s(ints[:n], &hits), func(i int) bool { return one.TestUint64(ints[i]) })
					bit("TestStrings", batch.TestStrings(texts[:n], &hits), func(i int) bool { return one.TestString(texts[i]) })
					bit("TestBytes", batch.TestBytes(raw[:n], &hits), func(i int) bool { return one.Test(raw[i]) })
					bit("TestHashes", batch.TestHashes(ints[:n], &hits), func(i int) bool { return one.TestHash(ints[i]) })
					other, otherOne := mustSpectral(t, 50, 4, 16, opts...), mustSpectral(t, 50, 4, 16, opts...)
					bit("TestAndAddUint64s", other.TestAndAddUint64s(ints[:n], &hits), func(i int) bool { return otherOne.TestAndAddUint64(ints[i]) })
					bit("TestAndAddStrings", other.TestAndAddStrings(texts[:n], &hits), func(i int) bool { return otherOne.TestAndAddString(texts[i]) })
					bit("TestAndAddBytes", other.TestAndAddBytes(raw[:n], &hits), func(i int) bool { return otherOne.TestAndAdd(raw[i]) })
					bit("TestAndAddHashes", other.TestAndAddHashes(ints[:n], &hits), func(i int) bool { return otherOne.TestAndAddHash(ints[i]) })
					if !batch.Equal(one) || !other.Equal(otherOne) {
						t.Fatalf("%d keys: batches and single keys differ", n)
					}
					if want := uint64(4 * n * (round + 1)); batch.Total() != want {
						t.Fatalf("Total() = %d, want %d", batch.Total(), want)
					}
				}
			}
		}
	})
	f := mustSpectral(t, 50, 4, 8)
	f.AddN(raw[9], 3)
	f.AddStringN(string(raw[9]), 4)
	f.AddHashN(f.HashString(string(raw[9])), 5)
	f.AddUint64N(77, 6)
	if n, m := f.CountHash(f.Hash(raw[9])), f.CountHash(f.HashUint64(77)); n != 12 || m != 6 || f.Total() != 18 {
		t.Errorf("counts %d and %d of 12 and 6, total %d", n, m, f.Total())
	}
}

// Random additions by ones and by more, against an exact map: no count is too low,
// full counters stay full, and the statistics hold.
func TestSpectralExact(t *testing.T) {
	operations := 10_000_000
	if testing.Short() {
		operations = 30_000
	}
	for _, bits := range []int{8, 16, 32} {
		f := mustSpectral(t, uint64(operations/300), 4, bits)
		full := uint64(1)<<bits - 1
		exact := map[uint64]uint64{}
		z := newZipf(1.1, uint64(operations))
		r := rand.New(rand.NewPCG(1, uint64(bits)))
		var batch []uint64
		flush := func() {
			f.AddUint64s(batch)
			batch = batch[:0]
		}
		var total uint64
		for range operations {
			x := z.next(r)
			n := uint64(1)
			if r.IntN(300) == 0 {
				flush()
				n = r.Uint64N(1 << (bits + 1))
				f.AddUint64N(x, n)
			} else if batch = append(batch, x); len(batch) == 300 {
				flush()
			}
			exact[x] += n
			total += n
		}
		flush()
		low, high := 0, 0
		for x, n := range exact {
			got := f.CountUint64(x)
			if got < min(n, full) {
				low++
			}
			if got > n {
				high++
			}
		}
		if low > 0 || f.Total() != total {
			t.Errorf("%d bits: %d of %d counts are too low; total %d, want %d", bits, low, len(exact), f.Total(), total)
		}
		if rate := f.FPRate(); float64(high) > 1.05*rate*float64(len(exact)) {
			t.Errorf("%d bits: %d of %d counts are too high, expected is a rate of at most %v", bits, high, len(exact), rate)
		}
		if n := f.EstimatedCount(); math.Abs(float64(n)/float64(len(exact))-1) > 0.02 {
			t.Errorf("%d bits: an estimated %d of %d keys", bits, n, len(exact))
		}
		if s := f.Saturated(); s == 0 {
			t.Errorf("%d bits: no counter is full", bits)
		}
	}
}

// Whatever keeps no keys is refused.
func TestSpectralParameters(t *testing.T) {
	for _, c := range []struct {
		blocks  uint64
		k, bits int
		err     error
	}{
		{0, 4, 8, ErrParameter}, {1, 0, 8, ErrParameter}, {1, 9, 8, ErrParameter}, {1, -1, 8, ErrParameter},
		{1, 4, 0, ErrParameter}, {1, 4, 4, ErrParameter}, {1, 4, 64, ErrParameter}, {1, 4, -8, ErrParameter},
		{math.MaxUint64, 4, 8, ErrParameter}, {maxBlocks + 1, 4, 8, ErrParameter}, {maxBlocks/4 + 1, 4, 32, ErrParameter},
		{1, 8, 8, nil}, {1, 1, 32, nil},
	} {
		f, err := NewSpectralWithSize(c.blocks, c.k, c.bits)
		if !errors.Is(err, c.err) || (f == nil) != (err != nil) {
			t.Errorf("%d blocks, k = %d, %d bits: error %v, want %v", c.blocks, c.k, c.bits, err, c.err)
		}
	}
	if _, err := NewSpectralWithSize(maxBlocks/4, 4, 32); strconv.IntSize == 64 && !errors.Is(err, ErrMemory) {
		t.Errorf("64 TiB: error %v", err)
	}
	for _, p := range []float64{0, -1, 1, 2, 1e-7, math.NaN(), math.Inf(1)} {
		if _, err := NewSpectral(100, p, 8); !errors.Is(err, ErrParameter) {
			t.Errorf("p = %v: error %v", p, err)
		}
	}
	if _, err := NewSpectral(100, 0.01, 12); !errors.Is(err, ErrParameter) {
		t.Errorf("12 bits: error %v", err)
	}
	if _, err := NewSpectral(math.MaxUint64, 0.9, 8); err == nil {
		t.Error("2^64 keys are accepted")
	}
	if _, err := NewSpectral(100, 0.01, 8, WithKey([]byte("short"))); !errors.Is(err, ErrKey) {
		t.Errorf("a short key: error %v", err)
	}
	f, err := NewSpectral(1000, 0.01, 16)
	if err != nil {
		t.Fatal(err)
	}
	if n, p := f.Capacity(); n != 1000 || p != 0.01 || f.CounterBits() != 16 || f.SizeBytes() != 128*f.Blocks() {
		t.Errorf("capacity %d at %v, %d bits, %d bytes in %d blocks", n, p, f.CounterBits(), f.SizeBytes(), f.Blocks())
	}
}

func TestSpectralUnion(t *testing.T) {
	a, b := mustSpectral(t, 20, 5, 8), mustSpectral(t, 20, 5, 8)
	for i := range uint64(300) {
		a.AddUint64N(i, i)
		b.AddUint64N(i+100, 2*i)
	}
	u, v := a.Clone(), a.Clone()
	if err := errors.Join(u.Union(b), v.Intersect(b)); err != nil {
		t.Fatal(err)
	}
	for i := range uint64(500) {
		x, y := a.CountUint64(i), b.CountUint64(i)
		if got := u.CountUint64(i); got < min(x+y, 255) {
			t.Errorf("union: count %d of %d and %d", got, x, y)
		}
		if got := v.CountUint64(i); got != min(x, y) {
			t.Errorf("intersection: count %d of %d and %d", got, x, y)
		}
	}
	if u.Total() != a.Total()+b.Total() || u.Equal(a) || !a.Equal(a.Clone()) {
		t.Errorf("total %d of %d and %d", u.Total(), a.Total(), b.Total())
	}
	before := u.Clone()
	for _, g := range []*Spectral{
		mustSpectral(t, 21, 5, 8), mustSpectral(t, 20, 4, 8), mustSpectral(t, 10, 5, 16),
		mustSpectral(t, 20, 5, 16), mustSpectral(t, 20, 5, 8, WithKey(secretKey)), new(Spectral),
	} {
		if err := u.Union(g); !errors.Is(err, ErrMismatch) {
			t.Errorf("union: %v", err)
		}
		if err := u.Intersect(g); !errors.Is(err, ErrMismatch) {
			t.Errorf("intersection: %v", err)
		}
		if u.Equal(g) || g.Equal(u) {
			t.Error("filters that do not match are equal")
		}
	}
	if !u.Equal(before) {
		t.Error("a failed operation changed the filter")
	}
	u.Clear()
	if u.Total() != 0 || u.Fill() != 0 || u.TestUint64(5) || u.FPRate() != 0 || u.ErrorBound(1) != 0 {
		t.Error("a cleared filter has something")
	}
}

// The zero value and a closed filter.
func TestSpectralEmpty(t *testing.T) {
	var f Spectral
	counts, hits := []uint64{5, 5}, new(BitSet)
	f.CountUint64s([]uint64{1, 2}, counts)
	if !slices.Equal(counts, []uint64{0, 0}) || f.TestStrings([]string{"a"}, hits) != 0 || f.Test(nil) || f.CountUint64(1) != 0 ||
		f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 || f.ErrorBound(0.5) != 0 || f.Saturated() != 0 ||
		f.ExpectedFPRate(9) != 0 || f.SizeBytes() != 0 {
		t.Error("the zero value contains something")
	}
	f.Clear()
	if c := f.Clone(); !c.Equal(&f) {
		t.Error("a clone of the zero value differs")
	}
	f.AddUint64s(nil)
	spectralPanics(t, "adding to the zero value", func() { f.AddUint64(1) })
	spectralPanics(t, "adding to the zero value", func() { f.AddStrings([]string{"a"}) })
	if _, err := f.WriteTo(new(bytes.Buffer)); err == nil {
		t.Error("the zero value was written")
	}
	g := mustSpectral(t, 5, 4, 8)
	g.Close()
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	for name, use := range map[string]func(){
		"Add": func() { g.AddUint64(1) }, "Count": func() { g.CountUint64(1) }, "AddUint64s": func() { g.AddUint64s([]uint64{1}) },
		"CountUint64s": func() { g.CountUint64s([]uint64{1}, counts) }, "TestStrings": func() { g.TestStrings([]string{"a"}, nil) },
		"Fill": func() { g.Fill() }, "FPRate": func() { g.FPRate() }, "ErrorBound": func() { g.ErrorBound(0.9) },
	} {
		spectralPanics(t, name+" after Close", use)
	}
	spectralPanics(t, "too few counts", func() { mustSpectral(t, 5, 4, 8).CountUint64s([]uint64{1, 2}, counts[:1:1]) })
}

func spectralPanics(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

// Adding, counting and testing allocate nothing.
func TestSpectralAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	ints, texts, raw := goldenKeys(1000)
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		f := mustSpectral(t, 100, 4, 16, opts...)
		hits, counts := new(BitSet), make([]uint64, 1000)
		f.TestStrings(texts, hits)
		for name, do := range map[string]func(){
			"Add": func() {
				f.Add(raw[5])
				f.AddString(texts[5])
				f.AddUint64(5)
				f.AddN(raw[5], 9)
				f.AddCountString(texts[5])
			},
			"Count":      func() { f.Count(raw[5]); f.CountString(texts[5]); f.CountUint64(5) },
			"Test":       func() { f.Test(raw[5]); f.TestAndAddString(texts[5]); f.TestUint64(5) },
			"adds":       func() { f.AddBytes(raw); f.AddStrings(texts); f.AddUint64s(ints); f.AddHashes(ints[:7]) },
			"tests":      func() { f.TestBytes(raw, hits); f.TestStrings(texts, nil); f.TestUint64s(ints, hits) },
			"TestAndAdd": func() { f.TestAndAddBytes(raw, nil); f.TestAndAddStrings(texts, hits); f.TestAndAddUint64s(ints, hits) },
			"counts":     func() { f.CountBytes(raw, counts); f.CountStrings(texts, counts); f.CountUint64s(ints, counts) },
			"AddCount": func() {
				f.AddCountBytes(raw, counts)
				f.AddCountStrings(texts, counts)
				f.AddCountUint64s(ints, counts)
			},
			"statistics": func() { f.FPRate(); f.ErrorBound(0.99); f.Fill(); f.Saturated(); f.EstimatedCount() },
		} {
			// HighwayHash's writer may escape; see TestBlockedAllocations.
			if n := testing.AllocsPerRun(10, do); n > 0 {
				t.Errorf("keyed %v: %s allocates %v times", opts != nil, name, n)
			}
		}
	}
}

// Files: all ways in and out, mapped and read, with and without a key.
func TestSpectralFile(t *testing.T) {
	for _, bits := range []int{8, 16, 32} {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			var open []OpenOption
			for _, o := range opts {
				open = append(open, o)
			}
			f, err := NewSpectral(1000, 0.02, bits, opts...)
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint64(1000) {
				f.AddUint64N(i, i*i)
			}
			path := filepath.Join(t.TempDir(), "f")
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			opened, err := OpenSpectral(path, open...)
			if err != nil {
				t.Fatal(err)
			}
			read, err := ReadSpectral(bytes.NewReader(marshalSpectral(t, f)), open...)
			if err != nil {
				t.Fatal(err)
			}
			decoded := mustSpectral(t, 1, 1, 8, opts...)
			if err := decoded.UnmarshalBinary(marshalSpectral(t, f)); err != nil {
				t.Fatal(err)
			}
			for _, g := range []*Spectral{opened, read, decoded} {
				n, p := g.Capacity()
				if !g.Equal(f) || g.Total() != f.Total() || n != 1000 || p != 0.02 || g.CountUint64(15) < 225 {
					t.Errorf("%d bits: what was read differs: capacity %d at %v, total %d", bits, n, p, g.Total())
				}
				g.AddUint64(3) // a mapping is private
			}
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
			info, err := InspectFile(path)
			if err != nil || info.Kind != "spectral" || !info.PayloadOK || info.FPRate != f.FPRate() || info.K != f.K() {
				t.Errorf("InspectFile: %+v, %v", info, err)
			}
			any, err := Open(path, open...)
			if g, ok := any.(*Spectral); !ok || !g.Equal(f) {
				t.Errorf("Open: %T, %v", any, err)
			}
			if opts != nil {
				if _, err := OpenSpectral(path); !errors.Is(err, ErrKey) {
					t.Errorf("without the key: %v", err)
				}
			}
			if _, err := OpenBlocked(path, open...); !errors.Is(err, ErrKind) {
				t.Errorf("as Blocked: %v", err)
			}
		}
	}
}

// goldenSpectral holds the digests of TestSpectralGolden.
var goldenSpectral = map[string]string{
	"bits=16 k=1 keyed=false": "3802734759e3384e",
	"bits=16 k=1 keyed=true":  "6c86af5930d8ddb5",
	"bits=16 k=4 keyed=false": "1f16e6ce54eee535",
	"bits=16 k=4 keyed=true":  "6bb0c2bcdd9f9ad4",
	"bits=16 k=5 keyed=false": "c33d897964802bdb",
	"bits=16 k=5 keyed=true":  "40fc7ab6f292b8e9",
	"bits=16 k=8 keyed=false": "1e83ff1172df5317",
	"bits=16 k=8 keyed=true":  "03781cc3ee248dc7",
	"bits=32 k=1 keyed=false": "5a503c2913895956",
	"bits=32 k=1 keyed=true":  "4b2d0670747e1cdb",
	"bits=32 k=4 keyed=false": "e6602ce88910ba9a",
	"bits=32 k=4 keyed=true":  "54d3dea6f94248fc",
	"bits=32 k=5 keyed=false": "82df749e0da7bc66",
	"bits=32 k=5 keyed=true":  "233c6594d0d00d8a",
	"bits=32 k=8 keyed=false": "084769052999e9fb",
	"bits=32 k=8 keyed=true":  "83b81273b4cc2484",
	"bits=8 k=1 keyed=false":  "ed1ac372cab05f44",
	"bits=8 k=1 keyed=true":   "11b1cc61a7e5da52",
	"bits=8 k=4 keyed=false":  "ece3713c61895244",
	"bits=8 k=4 keyed=true":   "fd4cc8e65bbc719f",
	"bits=8 k=5 keyed=false":  "0532780eca1027de",
	"bits=8 k=5 keyed=true":   "09cf019d36b01648",
	"bits=8 k=8 keyed=false":  "acae658d37949d74",
	"bits=8 k=8 keyed=true":   "5d04c44704bbfca6",
}

// Too few counts make every method panic, even if there is room behind them, which stays
// as it was.
func TestSpectralShortCounts(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		f, err := NewSpectralWithSize(10, 4, 8, opts...)
		if err != nil {
			t.Fatal(err)
		}
		for name, do := range map[string]func(counts []uint64){
			"CountHashes":     func(counts []uint64) { f.CountHashes(make([]uint64, 5), counts) },
			"CountUint64s":    func(counts []uint64) { f.CountUint64s(make([]uint64, 5), counts) },
			"CountStrings":    func(counts []uint64) { f.CountStrings(make([]string, 5), counts) },
			"CountBytes":      func(counts []uint64) { f.CountBytes(make([][]byte, 5), counts) },
			"AddCountHashes":  func(counts []uint64) { f.AddCountHashes(make([]uint64, 5), counts) },
			"AddCountUint64s": func(counts []uint64) { f.AddCountUint64s(make([]uint64, 5), counts) },
			"AddCountStrings": func(counts []uint64) { f.AddCountStrings(make([]string, 5), counts) },
			"AddCountBytes":   func(counts []uint64) { f.AddCountBytes(make([][]byte, 5), counts) },
		} {
			room := []uint64{7, 7, 7, 7, 7}
			func() {
				defer func() {
					if recover() == nil || room[4] != 7 || f.Total() != 0 {
						t.Errorf("%s: no panic, %d, %d added", name, room, f.Total())
					}
				}()
				do(room[:4])
			}()
		}
	}
}
