package replace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve"
	ourbbloom "github.com/bitsieve/bitsieve/replace/bbloom"
	ours "github.com/bitsieve/bitsieve/replace/holiman"
	peer "github.com/holiman/bloomfilter/v2"
	peerbbloom "github.com/ipfs/bbloom"
)

// Times are for a key, or for a filter where the name says no key. For ratios run the
// binary several times with -test.count 1 and take medians: see conformance/thirdparty.

// holimanShapes are go-ethereum's filters: of a snapshot's layers, and of the pruner,
// an eighth of its smallest.
var holimanShapes = []struct {
	name string
	m    uint64
	k    int
	n    int
}{
	{"128KiB/k=4", 1 << 20, 4, 128 << 10},
	{"128KiB-7/k=6", 1<<20 - 57, 6, 120 << 10},
	{"32MiB/k=4", 32 << 23, 4, 8 << 20},
}

func BenchmarkHoliman(b *testing.B) {
	for _, s := range holimanShapes {
		r := rand.New(rand.NewPCG(1, 2))
		keys := randomHashes(r, s.k)
		p, err := peer.NewWithKeys(s.m, keys)
		if err != nil {
			b.Fatal(err)
		}
		o, err := ours.NewWithKeys(s.m, keys)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < s.n; i += 1 << 16 {
			hashes := randomHashes(r, 1<<16)
			for _, h := range hashes {
				p.AddHash(h)
			}
			o.AddHashes(hashes)
		}
		hashes := randomHashes(r, 1<<16)
		added := randomHashes(rand.New(rand.NewPCG(1, 2)), s.k+1<<16)[s.k:]
		for _, q := range []struct {
			name   string
			hashes []uint64
		}{{"miss", hashes}, {"hit", added}} {
			b.Run("op=Contains/"+q.name+"/size="+s.name+"/impl=peer", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					p.ContainsHash(q.hashes[i&(1<<16-1)])
				}
			})
			b.Run("op=Contains/"+q.name+"/size="+s.name+"/impl=bitsieve", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					o.ContainsHash(q.hashes[i&(1<<16-1)])
				}
			})
			b.Run("op=Contains/"+q.name+"/size="+s.name+"/impl=bitsieve-batch", func(b *testing.B) {
				var hits bitsieve.BitSet
				for i := 0; i < b.N; i += 1024 {
					o.ContainsHashes(q.hashes[i&(1<<16-1):][:1024], &hits)
				}
			})
		}
		b.Run("op=Add/size="+s.name+"/impl=peer", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				p.AddHash(hashes[i&(1<<16-1)])
			}
		})
		b.Run("op=Add/size="+s.name+"/impl=bitsieve", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				o.AddHash(hashes[i&(1<<16-1)])
			}
		})
		b.Run("op=Add/size="+s.name+"/impl=bitsieve-batch", func(b *testing.B) {
			for i := 0; i < b.N; i += 1024 {
				o.AddHashes(hashes[i&(1<<16-1):][:1024])
			}
		})
		p2, _ := p.NewCompatible()
		o2, _ := o.NewCompatible()
		eachBoth(b, "op=UnionInPlace/size="+s.name, func() { p.UnionInPlace(p2) }, func() { o.UnionInPlace(o2) })
		eachBoth(b, "op=PreciseFilledRatio/size="+s.name, func() { p.PreciseFilledRatio() }, func() { o.PreciseFilledRatio() })
		eachBoth(b, "op=Copy/size="+s.name, func() { p.Copy() }, func() { o.Copy() })
		if s.m > 1<<20 {
			continue
		}
		eachBoth(b, "op=MarshalBinary/size="+s.name, func() { p.MarshalBinary() }, func() { o.MarshalBinary() })
		data, _ := p.MarshalBinary()
		eachBoth(b, "op=UnmarshalBinary/size="+s.name, func() { p2.UnmarshalBinary(data) }, func() { o2.UnmarshalBinary(data) })
		var file bytes.Buffer
		p.WriteTo(&file)
		eachBoth(b, "op=ReadFrom/size="+s.name, func() { p2.ReadFrom(bytes.NewReader(file.Bytes())) }, func() { o2.ReadFrom(bytes.NewReader(file.Bytes())) })
		eachBoth(b, "op=WriteTo/size="+s.name, func() { p.WriteTo(new(bytes.Buffer)) }, func() { o.WriteTo(new(bytes.Buffer)) })
		eachBoth(b, "op=MarshalJSON/size="+s.name, func() { p.MarshalJSON() }, func() { o.MarshalJSON() })
	}
}

func eachBoth(b *testing.B, name string, peer, ours func()) {
	for i, f := range []func(){peer, ours} {
		b.Run(name+"/impl="+[]string{"peer", "bitsieve"}[i], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

// BenchmarkBbloom has boxo's filters: 512 KiB of its block store, with 7 bits for each
// of 34-byte multihashes, and one of 8 MiB with 22 of its walker.
func BenchmarkBbloom(b *testing.B) {
	for _, s := range []struct {
		name       string
		size, locs float64
		n          int
	}{{"512KiB/k=7", 512 << 13, 7, 400_000}, {"8MiB/k=22", 8 << 23, 22, 2_000_000}} {
		r := rand.New(rand.NewPCG(1, 2))
		p, _ := peerbbloom.New(s.size, s.locs)
		o, _ := ourbbloom.New(s.size, s.locs)
		const some = 1 << 14
		keys := func() [][]byte {
			keys := make([][]byte, some)
			for i := range keys {
				keys[i] = fmt.Appendf(nil, "%017x%017x", r.Uint64(), r.Uint64())
			}
			return keys
		}
		var added [][]byte
		for range s.n / some {
			added = keys()
			for _, key := range added {
				p.Add(key)
			}
			o.AddBytes(added)
		}
		others := keys()
		for _, q := range []struct {
			name string
			keys [][]byte
		}{{"miss", others}, {"hit", added}} {
			name := q.name + "/size=" + s.name + "/impl="
			b.Run("op=Has/"+name+"peer", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					p.Has(q.keys[i&(some-1)])
				}
			})
			b.Run("op=Has/"+name+"bitsieve", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					o.Has(q.keys[i&(some-1)])
				}
			})
			b.Run("op=Has/"+name+"bitsieve-batch", func(b *testing.B) {
				var hits bitsieve.BitSet
				for i := 0; i < b.N; i += 1024 {
					o.HasBytes(q.keys[i&(some-1):][:1024], &hits)
				}
			})
			b.Run("op=HasTS/"+name+"peer", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					p.HasTS(q.keys[i&(some-1)])
				}
			})
			b.Run("op=HasTS/"+name+"bitsieve", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					o.HasTS(q.keys[i&(some-1)])
				}
			})
		}
		name := "/size=" + s.name + "/impl="
		b.Run("op=Add"+name+"peer", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				p.Add(others[i&(some-1)])
			}
		})
		b.Run("op=Add"+name+"bitsieve", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				o.Add(others[i&(some-1)])
			}
		})
		b.Run("op=Add"+name+"bitsieve-batch", func(b *testing.B) {
			for i := 0; i < b.N; i += 1024 {
				o.AddBytes(others[i&(some-1):][:1024])
			}
		})
		b.Run("op=AddIfNotHas"+name+"peer", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				p.AddIfNotHas(others[i&(some-1)])
			}
		})
		b.Run("op=AddIfNotHas"+name+"bitsieve", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				o.AddIfNotHas(others[i&(some-1)])
			}
		})
		eachBoth(b, "op=FillRatio/size="+s.name, func() { p.FillRatio() }, func() { o.FillRatio() })
		if s.size > 1<<23 {
			continue
		}
		eachBoth(b, "op=JSONMarshal/size="+s.name, func() { p.JSONMarshal() }, func() { o.JSONMarshal() })
		data := p.JSONMarshal()
		eachBoth(b, "op=JSONUnmarshal/size="+s.name, func() { peerbbloom.JSONUnmarshal(data) }, func() { ourbbloom.JSONUnmarshal(data) })
	}
}
