package bbloom

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve"
)

func randomKeys(r *rand.Rand, n int, size func() int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = make([]byte, size())
		for j := range keys[i] {
			keys[i][j] = byte(r.Uint32())
		}
	}
	return keys
}

// TestSipHash holds the hash to the vectors of its authors: the key is the bytes 0 to
// 15, the message the first n of 0, 1, 2, … (SipHash: a fast short-input PRF, appendix A,
// gives that of 15 bytes).
func TestSipHash(t *testing.T) {
	const k0, k1 = 0x0706050403020100, 0x0f0e0d0c0b0a0908
	msg := make([]byte, 64)
	for i := range msg {
		msg[i] = byte(i)
	}
	if got := siphash24(k0, k1, msg[:15]); got != 0xa129ca6149be45e5 {
		t.Errorf("hash of 15 bytes: %#x", got)
	}
	for n := range msg { // what tail reads, against the definition
		want := uint64(0)
		for i, b := range msg[:n%8] {
			want |= uint64(b) << (8 * i)
		}
		if got := tail(msg[:n%8]); got != want {
			t.Errorf("tail of %d bytes: %#x, want %#x", n%8, got, want)
		}
	}
}

// TestSipHash8 holds the kernel to the Go code: keys of every number of words and every
// length of the last one in every lane.
func TestSipHash8(t *testing.T) {
	if !useAVX512 {
		if strings.Contains(os.Getenv("BITSIEVE_TEST_REQUIRE"), "avx512") && os.Getenv("BITSIEVE_CPU") == "" {
			t.Fatal("no AVX-512, which BITSIEVE_TEST_REQUIRE asks for")
		}
		t.Skip("the kernel needs AVX-512")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for words := range maxRows + 2 {
		for range 50 {
			keys := randomKeys(r, 8, func() int { return 8*words + r.IntN(8) })
			bl := &Bloom{k0: r.Uint64(), k1: r.Uint64()}
			var rows [maxRows][8]uint64
			if got := transpose(&rows, (*[8][]byte)(keys)); got != words+1 && words < maxRows || got != 0 && words >= maxRows {
				t.Fatalf("%d words are %d rows", words, got)
			}
			var sums [tile]uint64
			if n := bl.hashEights(&sums, keys); n != 8 {
				t.Fatalf("%d keys hashed", n)
			}
			for i, key := range keys {
				if want := siphash24(bl.k0, bl.k1, key); sums[i] != want {
					t.Fatalf("key %d of %d bytes: %#x, want %#x", i, len(key), sums[i], want)
				}
			}
		}
	}
}

// TestGolden holds bits and JSON to what v0.1.0 of the peer wrote.
func TestGolden(t *testing.T) {
	bl, err := NewWithKeys(7, 1<<63+9, 512, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "a", "abcdefg", "abcdefgh", "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG"} {
		bl.Add([]byte(key))
	}
	if got := string(bl.JSONMarshal()); got != golden {
		t.Errorf("JSON %s, want %s", got, golden)
	}
}

// TestBatch holds batches to single calls, for keys of one length and of many, with
// the kernel and without.
func TestBatch(t *testing.T) {
	t.Run(bitsieve.Acceleration(), testBatch)
	defer func(before bool) { useAVX512 = before }(useAVX512)
	useAVX512 = false
	t.Run("one by one", testBatch)
}

func testBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, size := range map[string]func() int{
		"34": func() int { return 34 }, "0": func() int { return 0 }, "mixed": func() int { return r.IntN(70) },
		"long": func() int { return 500 + r.IntN(9) }, "8": func() int { return 8 }, "few": func() int { return 30 + r.IntN(3) },
	} {
		for _, locs := range []float64{1, 3, 4, 7, 22} {
			a, _ := New(20_000, locs)
			b, _ := New(20_000, locs)
			keys := randomKeys(r, 700, size)
			for n := 0; n < 300; n += 1 + n/3 {
				for _, key := range keys[:n] {
					a.Add(key)
				}
				b.AddBytes(keys[:n])
			}
			if !bytes.Equal(a.JSONMarshal(), b.JSONMarshal()) || a.ElementsAdded() != b.ElementsAdded() {
				t.Fatalf("%s, %v: AddBytes makes another filter than Add", name, locs)
			}
			for n := 0; n <= len(keys); n += 1 + n/3 {
				var hits bitsieve.BitSet
				want := 0
				got := b.HasBytes(keys[:n], &hits)
				for i, key := range keys[:n] {
					has := b.Has(key)
					if hits.Test(uint(i)) != has {
						t.Fatalf("%s, %v: key %d of %d: %v, alone %v", name, locs, i, n, !has, has)
					}
					if has {
						want++
					}
				}
				if got != want || int(hits.Count()) != want || int(hits.Len()) != n || b.HasBytesTS(keys[:n], nil) != want {
					t.Errorf("%s, %v: HasBytes of %d keys: %d, %d bits of %d, want %d", name, locs, n, got, hits.Count(), hits.Len(), want)
				}
			}
		}
	}
}

// TestBits holds the filter to the definition of its bits.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, version := range []uint8{0, 1} {
		for _, locs := range []float64{1, 4, 6, 9} {
			bl, _ := New(3000, locs)
			bl.hashVersion = version
			want := make([]bool, 4096)
			for _, key := range randomKeys(r, 1500, func() int { return r.IntN(40) }) {
				sum := siphash24(defaultK0, defaultK1, key)
				l, h := sum%4096, sum>>52
				if version == 1 {
					l |= 1
				}
				all := true
				for i := range uint64(locs) {
					all = all && want[(h+i*l)%4096]
				}
				for i := range uint64(locs) {
					want[(h+i*l)%4096] = true
				}
				if bl.Has(key) != all || bl.AddIfNotHas(key) == all || !bl.Has(key) {
					t.Fatalf("version %d, %v bits: wrong about a key", version, locs)
				}
			}
			for i, set := range want {
				if bl.bitset[i/64]>>(i%64)&1 != 0 != set {
					t.Fatalf("version %d, %v bits: bit %d is %v", version, locs, i, !set)
				}
			}
		}
	}
}

// TestVersions has a filter of v0.0.4 keep its hash through JSON.
func TestVersions(t *testing.T) {
	for _, version := range []uint8{0, 1} {
		bl, _ := New(3000, 5)
		bl.hashVersion = version
		back, err := JSONUnmarshal(bl.JSONMarshal())
		if err != nil || back.hashVersion != version {
			t.Errorf("version %d is read as %d (%v)", version, back.hashVersion, err)
		}
	}
}

func TestParameters(t *testing.T) {
	for _, p := range [][]float64{
		{-1, 2}, {2, -1}, {math.NaN(), 2}, {2, math.NaN()}, {math.Inf(1), 2}, {2, math.Inf(1)},
		{1000, 0}, {1e30, 3}, {1 << 62, 3}, {1000, 65537}, {math.MaxFloat64, 0.5}, {1e18, 1e-300},
	} {
		if bl, err := New(p...); !errors.Is(err, ErrInvalidParms) || bl != nil {
			t.Errorf("New(%v): %v", p, err)
		}
	}
	for _, p := range [][]float64{nil, {1}, {1, 2, 3}} {
		if _, err := New(p...); err != ErrUsage {
			t.Errorf("New(%v): %v", p, err)
		}
	}
	for _, bs := range []int{0, 63, 65, 96} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewWithBoolset of %d bytes does not panic", bs)
				}
			}()
			NewWithBoolset(make([]byte, bs), 3)
		}()
	}
}

func TestZeroValue(t *testing.T) {
	var bl Bloom
	bl.Add([]byte("key"))
	bl.Clear()
	if !bl.Has([]byte("key")) || bl.FillRatio() != 0 {
		t.Error("the zero value is not the peer's")
	}
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	bl, _ := New(10_000, 0.01)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 200 {
				key := fmt.Appendf(nil, "%d/%d", i, j)
				bl.AddTS(key)
				bl.AddBytesTS([][]byte{key})
				bl.AddIfNotHasTS(key)
				if !bl.HasTS(key) || bl.HasBytesTS([][]byte{key}, nil) != 1 {
					t.Error("a key is missing")
				}
			}
			bl.FillRatioTS()
			bl.JSONMarshalTS()
		}()
	}
	wg.Wait()
	bl.ClearTS()
}

func TestNoAllocations(t *testing.T) {
	bl, _ := New(10_000, 7)
	keys := randomKeys(rand.New(rand.NewPCG(1, 1)), 200, func() int { return 34 })
	var hits bitsieve.BitSet
	bl.HasBytes(keys, &hits)
	if n := testing.AllocsPerRun(10, func() {
		bl.AddTS(keys[0])
		bl.AddIfNotHasTS(keys[0])
		bl.HasTS(keys[0])
		bl.AddBytes(keys)
		bl.HasBytes(keys, &hits)
		bl.FillRatio()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var hostile = []string{
	`null`, `{}`, `[]`, `{"FilterSet":"","SetLocs":3}`, `{"FilterSet":"AAAAAAAAAA==","SetLocs":3}`,
	`{"FilterSet":"` + strings.Repeat("AAAA", 32) + `","SetLocs":3}`, // 96 bytes
	`{"FilterSet":"` + strings.Repeat("AAAA", 21) + `AA==","SetLocs":0}`,
	`{"FilterSet":"` + strings.Repeat("AAAA", 21) + `AA==","SetLocs":65537}`,
	`{"FilterSet":"` + strings.Repeat("AAAA", 21) + `AA==","SetLocs":18446744073709551615}`,
	`{"FilterSet":"` + strings.Repeat("AAAA", 21) + `AA==","SetLocs":3,"K0":1}`,
	`{"FilterSet":"` + strings.Repeat("AAAA", 21) + `AA==","SetLocs":3,"Version":256}`,
	`{"FilterSet":"` + strings.Repeat("AAAA", 21) + `AA==","SetLocs":-1}`,
}

func TestHostileJSON(t *testing.T) {
	for _, c := range hostile {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		bl, err := JSONUnmarshal([]byte(c))
		runtime.ReadMemStats(&after)
		if err == nil || bl != nil {
			t.Errorf("%s is a filter", c)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 50_000 {
			t.Errorf("%s: %d bytes allocated", c, got)
		}
	}
	_, err := JSONUnmarshal([]byte(hostile[7]))
	var fe *bitsieve.FormatError
	if !errors.As(err, &fe) || fe.Field != "SetLocs" || !errors.Is(err, bitsieve.ErrHeader) {
		t.Error(err)
	}
}

func FuzzJSONUnmarshal(f *testing.F) {
	for _, c := range hostile {
		f.Add([]byte(c))
	}
	f.Add([]byte(golden))
	for _, locs := range []float64{1, 7, 65536} {
		bl, _ := New(1000, locs)
		bl.Add([]byte("key"))
		f.Add(bl.JSONMarshal())
		bl.hashVersion = 0
		f.Add(bl.JSONMarshal())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		bl, err := JSONUnmarshal(data)
		if err != nil {
			return
		}
		key := []byte("some other key")
		has := bl.Has(key)
		written := bl.JSONMarshal()
		again, err := JSONUnmarshal(written)
		if err != nil {
			t.Fatalf("what is written cannot be read: %v", err)
		}
		if !bytes.Equal(again.JSONMarshal(), written) || again.Has(key) != has || again.HasBytes([][]byte{key}, nil) == 1 != has {
			t.Fatal("another filter after reading again")
		}
		bl.Add(key)
		if !bl.Has(key) {
			t.Fatal("a key is missing")
		}
	})
}

const golden = `{"FilterSet":"AAAAAAAAAAAAAAAEAACAAAAAEAIAAAAAAAAARQAAAAAAAAAAAAAAAAAgEAAAAAAIAAAAAQSAAAgAAAAAAAAAAg==","SetLocs":3,"Version":1,"K0":7,"K1":9223372036854775817}`
