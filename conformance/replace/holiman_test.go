package replace

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve"
	ours "github.com/bitsieve/bitsieve/replace/holiman"
	peer "github.com/holiman/bloomfilter/v2"
)

// sum is a hash whose Sum64 is itself.
type sum struct {
	hash.Hash64
	x uint64
}

func (s sum) Sum64() uint64 { return s.x }

var holimanKs = []int{1, 2, 3, 4, 5, 7, 8, 9, 20}

var holimanSizes = []uint64{2, 3, 63, 64, 65, 127, 128, 1000, 10_007, 1<<16 - 1, 1 << 16, 1<<20 + 7, 17<<20 + 11}

// eachHolimanPair calls f with filters of both libraries that have the same random
// keys, and hashes that both were given by different methods.
func eachHolimanPair(t *testing.T, ks []int, f func(t *testing.T, p *peer.Filter, o *ours.Filter, hashes []uint64)) {
	for _, m := range holimanSizes {
		for _, k := range ks {
			t.Run(fmt.Sprintf("m=%d/k=%d", m, k), func(t *testing.T) {
				r := rand.New(rand.NewPCG(m, uint64(k)))
				keys := randomHashes(r, k)
				p, err := peer.NewWithKeys(m, keys)
				if err != nil {
					t.Fatal(err)
				}
				o, err := ours.NewWithKeys(m, keys)
				if err != nil {
					t.Fatal(err)
				}
				hashes := randomHashes(r, min(int(m)/(k+1), 3000))
				for i, h := range hashes {
					if i%2 == 0 {
						p.AddHash(h)
						o.Add(sum{x: h})
					} else {
						p.Add(sum{x: h})
						o.AddHash(h)
					}
				}
				more := randomHashes(r, len(hashes)/4)
				for _, h := range more {
					p.AddHash(h)
				}
				o.AddHashes(more)
				f(t, p, o, append(hashes, more...))
			})
		}
	}
}

func randomHashes(r *rand.Rand, n int) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = r.Uint64()
	}
	return s
}

func TestHolimanAnswers(t *testing.T) {
	eachHolimanPair(t, holimanKs, func(t *testing.T, p *peer.Filter, o *ours.Filter, added []uint64) {
		if p.N() != o.N() || p.M() != o.M() || p.K() != o.K() ||
			p.PreciseFilledRatio() != o.PreciseFilledRatio() || p.FalsePosititveProbability() != o.FalsePosititveProbability() {
			t.Errorf("N, M, K, fill, rate: %d %d %d %v %v, the peer's %d %d %d %v %v", o.N(), o.M(), o.K(), o.PreciseFilledRatio(),
				o.FalsePosititveProbability(), p.N(), p.M(), p.K(), p.PreciseFilledRatio(), p.FalsePosititveProbability())
		}
		r := rand.New(rand.NewPCG(3, 4))
		queries := append(randomHashes(r, 3000), 0, 1, math.MaxUint64, 1<<63, p.M(), p.M()-1)
		queries = append(queries, added...)
		var hits bitsieve.BitSet
		count := 0
		got := o.ContainsHashes(queries, &hits)
		for i, h := range queries {
			want := p.ContainsHash(h)
			if o.ContainsHash(h) != want || o.Contains(sum{x: h}) != want || hits.Test(uint(i)) != want {
				t.Fatalf("hash %#x: %v, in a batch %v, the peer says %v", h, o.ContainsHash(h), hits.Test(uint(i)), want)
			}
			if want {
				count++
			}
		}
		if got != count || hits.Count() != uint(count) || hits.Len() != uint(len(queries)) || o.ContainsHashes(queries, nil) != count {
			t.Errorf("%d hits counted, %d set among %d, the peer has %d", got, hits.Count(), hits.Len(), count)
		}
	})
}

// holimanForms are the serialised forms: what writes them and what reads them.
var holimanForms = map[string]struct {
	writePeer func(*peer.Filter) ([]byte, error)
	writeOurs func(*ours.Filter) ([]byte, error)
	readPeer  func(*peer.Filter, []byte) error
	readOurs  func(*ours.Filter, []byte) error
}{
	"binary": {(*peer.Filter).MarshalBinary, (*ours.Filter).MarshalBinary, (*peer.Filter).UnmarshalBinary, (*ours.Filter).UnmarshalBinary},
	"append": {
		(*peer.Filter).MarshalBinary,
		func(f *ours.Filter) ([]byte, error) {
			data, err := f.AppendBinary([]byte("before"))
			return bytes.TrimPrefix(data, []byte("before")), err
		},
		(*peer.Filter).UnmarshalBinary, (*ours.Filter).UnmarshalBinary,
	},
	"gob": {
		func(f *peer.Filter) ([]byte, error) { return viaGob(f.GobEncode) },
		func(f *ours.Filter) ([]byte, error) { return viaGob(f.GobEncode) },
		func(f *peer.Filter, data []byte) error { return fromGob(data, f.GobDecode) },
		func(f *ours.Filter, data []byte) error { return fromGob(data, f.GobDecode) },
	},
	"json": {
		func(f *peer.Filter) ([]byte, error) { return json.Marshal(f) },
		func(f *ours.Filter) ([]byte, error) { return json.Marshal(f) },
		func(f *peer.Filter, data []byte) error { return json.Unmarshal(data, f) },
		func(f *ours.Filter, data []byte) error { return json.Unmarshal(data, f) },
	},
	"writer": {
		func(f *peer.Filter) ([]byte, error) {
			var b bytes.Buffer
			n, sum, err := f.MarshallToWriter(&b)
			return fmt.Appendf(b.Bytes(), "%d %x", n, sum), err
		},
		func(f *ours.Filter) ([]byte, error) {
			var b bytes.Buffer
			n, sum, err := f.MarshallToWriter(&b)
			return fmt.Appendf(b.Bytes(), "%d %x", n, sum), err
		},
		func(f *peer.Filter, data []byte) error {
			_, err := f.UnmarshalFromReader(bytes.NewReader(data))
			return err
		},
		func(f *ours.Filter, data []byte) error {
			_, err := f.UnmarshalFromReader(bytes.NewReader(data))
			return err
		},
	},
	"gzip": {
		func(f *peer.Filter) ([]byte, error) {
			var b bytes.Buffer
			n, err := f.WriteTo(&b)
			return fmt.Append(b.Bytes(), n), err
		},
		func(f *ours.Filter) ([]byte, error) {
			var b bytes.Buffer
			n, err := f.WriteTo(&b)
			return fmt.Append(b.Bytes(), n), err
		},
		func(f *peer.Filter, data []byte) error { _, err := f.ReadFrom(bytes.NewReader(data)); return err },
		func(f *ours.Filter, data []byte) error { _, err := f.ReadFrom(bytes.NewReader(data)); return err },
	},
}

func viaGob(encode func() ([]byte, error)) ([]byte, error) {
	data, err := encode()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = gob.NewEncoder(&b).Encode(data)
	return b.Bytes(), err
}

func fromGob(data []byte, decode func([]byte) error) error {
	var inner []byte
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&inner); err != nil {
		return err
	}
	return decode(inner)
}

// TestHolimanForms holds both libraries to write the same bytes, and each to read what
// the other wrote.
func TestHolimanForms(t *testing.T) {
	eachHolimanPair(t, []int{1, 5, 8}, func(t *testing.T, p *peer.Filter, o *ours.Filter, _ []uint64) {
		for name, form := range holimanForms {
			want, err := form.writePeer(p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := form.writeOurs(o)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d other bytes than the peer's %d (%v)", name, len(got), len(want), err)
			}
			var p2 peer.Filter
			var o2 ours.Filter
			if err := form.readPeer(&p2, got); err != nil {
				t.Errorf("%s: the peer cannot read ours: %v", name, err)
			}
			if err := form.readOurs(&o2, want); err != nil {
				t.Errorf("%s: cannot read the peer's: %v", name, err)
			}
			if again, err := form.writeOurs(&o2); err != nil || !bytes.Equal(again, want) {
				t.Errorf("%s: what was read is another filter (%v)", name, err)
			}
			if again, err := form.writePeer(&p2); err != nil || !bytes.Equal(again, want) {
				t.Errorf("%s: what the peer read is another filter (%v)", name, err)
			}
		}
	})
}

func TestHolimanFiles(t *testing.T) {
	dir := t.TempDir()
	eachHolimanPair(t, []int{4}, func(t *testing.T, p *peer.Filter, o *ours.Filter, _ []uint64) {
		theirs, own := filepath.Join(dir, "peer.bf.gz"), filepath.Join(dir, "ours.bf.gz")
		pn, perr := p.WriteFile(theirs)
		on, oerr := o.WriteFile(own)
		if pn != on || perr != nil || oerr != nil {
			t.Fatalf("WriteFile: %d, %v; the peer's %d, %v", on, oerr, pn, perr)
		}
		o2, on, oerr := ours.ReadFile(theirs)
		p2, pn, perr := peer.ReadFile(own)
		if pn != on || perr != nil || oerr != nil {
			t.Fatalf("ReadFile: %d, %v; the peer's %d, %v", on, oerr, pn, perr)
		}
		want, _ := p.MarshalBinary()
		fromOurs, _ := p2.MarshalBinary()
		fromPeer, _ := o2.MarshalBinary()
		if !bytes.Equal(want, fromOurs) || !bytes.Equal(want, fromPeer) {
			t.Error("the files hold other filters")
		}
	})
}

// TestHolimanRandomKeys has each library read a filter whose keys the other drew.
func TestHolimanRandomKeys(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(7, 8)), 4000)
	o, err := ours.New(40_000, 4)
	if err != nil {
		t.Fatal(err)
	}
	p, err := peer.New(40_000, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hashes[:2000] {
		o.AddHash(h)
		p.AddHash(h)
	}
	fromOurs, _ := o.MarshalBinary()
	fromPeer, _ := p.MarshalBinary()
	if bytes.Equal(fromOurs[36:68], fromPeer[36:68]) {
		t.Error("both drew the same keys")
	}
	var o2 ours.Filter
	var p2 peer.Filter
	if err := o2.UnmarshalBinary(fromPeer); err != nil {
		t.Fatal(err)
	}
	if err := p2.UnmarshalBinary(fromOurs); err != nil {
		t.Fatal(err)
	}
	for i, h := range hashes {
		if o.ContainsHash(h) != p2.ContainsHash(h) || p.ContainsHash(h) != o2.ContainsHash(h) || i < 2000 && !(o.ContainsHash(h) && p.ContainsHash(h)) {
			t.Fatalf("hash %#x: %v and %v, read by the other %v and %v", h, o.ContainsHash(h), p.ContainsHash(h), p2.ContainsHash(h), o2.ContainsHash(h))
		}
	}
}

func TestHolimanSets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range holimanSizes {
		keys := randomHashes(r, 4)
		p1, _ := peer.NewWithKeys(m, keys)
		o1, err := ours.NewWithKeys(m, keys)
		if err != nil {
			t.Fatal(err)
		}
		p2, _ := p1.NewCompatible()
		o2, err := o1.NewCompatible()
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range randomHashes(r, 200) {
			p1.AddHash(h)
			o1.AddHash(h)
		}
		for _, h := range randomHashes(r, 100) {
			p2.AddHash(h)
			o2.AddHash(h)
		}
		same := func(what string, p *peer.Filter, o *ours.Filter) {
			t.Helper()
			want, _ := p.MarshalBinary()
			if got, _ := o.MarshalBinary(); !bytes.Equal(got, want) {
				t.Errorf("m = %d: %s gives another filter", m, what)
			}
		}
		pu, _ := p1.Union(p2)
		ou, err := o1.Union(o2)
		if err != nil {
			t.Fatal(err)
		}
		same("Union", pu, ou)
		same("Union's first operand", p1, o1)
		pc, _ := p2.Copy()
		oc, err := o2.Copy()
		if err != nil {
			t.Fatal(err)
		}
		same("Copy", pc, oc)
		if p1.UnionInPlace(p2) != nil || o1.UnionInPlace(o2) != nil {
			t.Error("UnionInPlace fails")
		}
		same("UnionInPlace", p1, o1)
		same("UnionInPlace's second operand", p2, o2)
		if p1.UnionInPlace(p1) != nil || o1.UnionInPlace(o1) != nil {
			t.Error("UnionInPlace with itself fails")
		}
		same("UnionInPlace with itself", p1, o1)
		other, _ := ours.New(m, 4)
		if o1.IsCompatible(other) || !o1.IsCompatible(o2) || o1.UnionInPlace(other) == nil {
			t.Error("IsCompatible is wrong")
		}
		if _, err := o1.Union(other); err == nil {
			t.Error("Union of incompatible filters")
		}
	}
}

func TestHolimanParameters(t *testing.T) {
	for _, n := range []uint64{1, 2, 10, 1000, 12345, 1 << 20, 1e9, 1e12} {
		for _, p := range []float64{0.5, 0.1, 0.01, 0.02, 1e-3, 1e-6, 1e-9, 0.99} {
			m := peer.OptimalM(n, p)
			if got := ours.OptimalM(n, p); got != m {
				t.Errorf("OptimalM(%d, %v) = %d, the peer's %d", n, p, got, m)
			}
			if got, want := ours.OptimalK(m, n), peer.OptimalK(m, n); got != want {
				t.Errorf("OptimalK(%d, %d) = %d, the peer's %d", m, n, got, want)
			}
		}
	}
	for _, c := range []struct {
		m    uint64
		keys []uint64
	}{{0, []uint64{1}}, {1, []uint64{1}}, {100, nil}, {100, []uint64{7, 8, 7}}, {2, []uint64{0}}} {
		_, want := peer.NewWithKeys(c.m, c.keys)
		if _, err := ours.NewWithKeys(c.m, slices.Clone(c.keys)); (err == nil) != (want == nil) {
			t.Errorf("NewWithKeys(%d, %v): %v, the peer's %v", c.m, c.keys, err, want)
		}
	}
	a, err1 := ours.NewOptimal(1000, 0.01)
	b, err2 := peer.NewOptimal(1000, 0.01)
	if err1 != nil || err2 != nil || a.M() != b.M() || a.K() != b.K() {
		t.Errorf("NewOptimal: %d, %d (%v), the peer's %d, %d (%v)", a.M(), a.K(), err1, b.M(), b.K(), err2)
	}
	words := randomHashes(rand.New(rand.NewPCG(1, 1)), 1000)
	if got, want := ours.CountBitsUint64s(words), peer.CountBitsUint64s(words); got != want {
		t.Errorf("CountBitsUint64s: %d, the peer's %d", got, want)
	}
}
