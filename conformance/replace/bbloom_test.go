package replace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve"
	ourbbloom "github.com/bitsieve/bitsieve/replace/bbloom"
	peerbbloom "github.com/ipfs/bbloom"
)

// bbloomParameters are sizes and numbers of bits, and numbers of keys and rates.
var bbloomParameters = [][]float64{
	{0, 1}, {1, 3}, {512, 4}, {513, 5}, {650000, 7}, {1 << 19, 22}, {1000, 2.9},
	{0, 0.5}, {1, 0.01}, {1000, 0.01}, {65536, 0.03}, {10000, 1e-9}, {100, 0.99},
}

func randomKeys(r *rand.Rand, n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = make([]byte, r.IntN(80))
		if i%3 == 0 {
			keys[i] = make([]byte, 34)
		}
		for j := range keys[i] {
			keys[i][j] = byte(r.Uint32())
		}
	}
	return keys
}

// eachBbloomPair calls f with filters of both libraries that were given the same keys.
func eachBbloomPair(t *testing.T, f func(t *testing.T, p *peerbbloom.Bloom, o *ourbbloom.Bloom, keys [][]byte)) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, params := range bbloomParameters {
		for _, secret := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/secret=%v", params, secret), func(t *testing.T) {
				p, err1 := peerbbloom.New(params...)
				o, err2 := ourbbloom.New(params...)
				if secret {
					k0, k1 := r.Uint64(), r.Uint64()
					p, err1 = peerbbloom.NewWithKeys(k0, k1, params...)
					o, err2 = ourbbloom.NewWithKeys(k0, k1, params...)
				}
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				keys := randomKeys(r, 1000)
				for i, key := range keys[:600] {
					switch i % 4 {
					case 0:
						p.Add(key)
						o.Add(key)
					case 1:
						p.AddTS(key)
						o.AddTS(key)
					case 2:
						if p.AddIfNotHas(key) != o.AddIfNotHas(key) {
							t.Fatal("AddIfNotHas says otherwise")
						}
					case 3:
						if p.AddIfNotHasTS(key) != o.AddIfNotHasTS(key) {
							t.Fatal("AddIfNotHasTS says otherwise")
						}
					}
				}
				f(t, p, o, keys)
			})
		}
	}
}

func sameAnswers(t *testing.T, p *peerbbloom.Bloom, o *ourbbloom.Bloom, keys [][]byte) {
	t.Helper()
	for _, key := range keys {
		want := p.Has(key)
		if o.Has(key) != want || o.HasTS(key) != want {
			t.Fatalf("Has(%x): %v, the peer's %v", key, o.Has(key), want)
		}
	}
}

func TestBbloomAnswers(t *testing.T) {
	eachBbloomPair(t, func(t *testing.T, p *peerbbloom.Bloom, o *ourbbloom.Bloom, keys [][]byte) {
		sameAnswers(t, p, o, keys)
		if p.ElementsAdded() != o.ElementsAdded() || p.FillRatio() != o.FillRatio() || p.FillRatioTS() != o.FillRatioTS() {
			t.Errorf("%d keys, fill %v, the peer's %d, %v", o.ElementsAdded(), o.FillRatio(), p.ElementsAdded(), p.FillRatio())
		}
		p.Clear()
		o.Clear()
		sameAnswers(t, p, o, keys)
		p.Add(keys[0])
		o.Add(keys[0])
		p.ClearTS()
		o.ClearTS()
		sameAnswers(t, p, o, keys)
		if o.ElementsAdded() != 0 || o.FillRatio() != 0 {
			t.Error("not empty after Clear")
		}
	})
}

// TestBbloomBatches holds AddBytes and HasBytes to the peer's Add and Has.
func TestBbloomBatches(t *testing.T) {
	eachBbloomPair(t, func(t *testing.T, p *peerbbloom.Bloom, o *ourbbloom.Bloom, keys [][]byte) {
		for _, key := range keys[600:800] {
			p.Add(key)
		}
		o.AddBytes(keys[600:800])
		checkBatch(t, p, o, keys)
	})
}

// TestBbloomForms holds both libraries to the same JSON, and each to reading the
// other's, that of v0.0.4 included.
func TestBbloomForms(t *testing.T) {
	eachBbloomPair(t, func(t *testing.T, p *peerbbloom.Bloom, o *ourbbloom.Bloom, keys [][]byte) {
		want, got := p.JSONMarshal(), o.JSONMarshal()
		if !bytes.Equal(want, got) || !bytes.Equal(p.JSONMarshalTS(), o.JSONMarshalTS()) {
			t.Fatalf("JSON of %d other bytes than the peer's %d", len(got), len(want))
		}
		old := bytes.Replace(want, []byte(`,"Version":1`), nil, 1)
		if len(old) == len(want) {
			t.Fatal("no version in the JSON form")
		}
		for _, form := range [][]byte{want, old} {
			p2, err1 := peerbbloom.JSONUnmarshal(form)
			o2, err2 := ourbbloom.JSONUnmarshal(form)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			sameAnswers(t, p2, o2, keys)
			for _, key := range keys[600:700] {
				p2.Add(key)
				o2.Add(key)
			}
			sameAnswers(t, p2, o2, keys)
			if !bytes.Equal(p2.JSONMarshal(), o2.JSONMarshal()) {
				t.Error("another filter after reading")
			}
		}
	})
}

func TestBbloomBoolset(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	keys := randomKeys(r, 500)
	for _, size := range []int{64, 128, 4096, 1 << 16} {
		bs := make([]byte, size)
		for i := range bs {
			bs[i] = byte(r.Uint32() | r.Uint32())
		}
		for _, locs := range []uint64{1, 2, 7, 13} {
			sameAnswers(t, peerbbloom.NewWithBoolset(bs, locs), ourbbloom.NewWithBoolset(bs, locs), keys)
			sameAnswers(t, peerbbloom.NewWithBoolsetAndKeys(bs, locs, 5, 6), ourbbloom.NewWithBoolsetAndKeys(bs, locs, 5, 6), keys)
		}
	}
}

func TestBbloomParameters(t *testing.T) {
	for _, params := range [][]float64{nil, {1}, {1, 2, 3}, {-1, 2}, {1, -2}, {-1, 0.5}} {
		_, want := peerbbloom.New(params...)
		_, err := ourbbloom.New(params...)
		if want == nil || (want == peerbbloom.ErrUsage) != (err == ourbbloom.ErrUsage) ||
			(want == peerbbloom.ErrInvalidParms) != (err == ourbbloom.ErrInvalidParms) {
			t.Errorf("New(%v): %v, the peer's %v", params, err, want)
		}
	}
}

func checkBatch(t *testing.T, p *peerbbloom.Bloom, o *ourbbloom.Bloom, keys [][]byte) {
	t.Helper()
	sameAnswers(t, p, o, keys)
	for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, len(keys)} {
		var hits bitsieve.BitSet
		count := 0
		got := o.HasBytes(keys[:n], &hits)
		for i, key := range keys[:n] {
			want := p.Has(key)
			if hits.Test(uint(i)) != want {
				t.Fatalf("HasBytes, key %d of %d: %v, the peer says %v", i, n, hits.Test(uint(i)), want)
			}
			if want {
				count++
			}
		}
		if got != count || hits.Len() != uint(n) || hits.Count() != uint(count) || o.HasBytesTS(keys[:n], nil) != count {
			t.Errorf("HasBytes of %d keys: %d, %d set of %d, the peer has %d", n, got, hits.Count(), hits.Len(), count)
		}
	}
	if p.ElementsAdded() != o.ElementsAdded() {
		t.Errorf("%d keys added, the peer's %d", o.ElementsAdded(), p.ElementsAdded())
	}
}
