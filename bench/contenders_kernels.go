package main

import (
	"math/bits"
	"slices"

	bnb "github.com/bits-and-blooms/bitset"
	"github.com/bitsieve/bitsieve"
	"github.com/kelindar/bitmap"

	"github.com/bitsieve/bitsieve/bench/c"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// The names of the peers.
const (
	bitsAndBlooms = "bits-and-blooms"
	kelindar      = "kelindar"
	goLoop        = "go loop" // what one writes without a library
)

// kernelStage measures the word kernels at one size.
func kernelStage(size int64, cPeers ...*c.Peer) *Stage {
	o := new(measure.Operands)
	warm := measure.WarmCalls(size)
	groups := []*Group{countGroup(o, size, warm), andGroup(o, size, warm), andInPlaceGroup(o, size, warm), andCountGroup(o, size, warm)}
	for _, g := range groups {
		limits := len(g.Contenders) // come last
		if i := slices.IndexFunc(g.Contenders, func(c Contender) bool { return c.Kind == report.Bound }); i >= 0 {
			limits = i
		}
		for _, p := range slices.Backward(cPeers) {
			g.Contenders = slices.Insert(g.Contenders, limits, cContenders(p.Kernels, g.Op, o, warm)...)
		}
	}
	return &Stage{
		Title:   "kernels, " + report.Size(size),
		Need:    3 * size,
		Groups:  groups,
		Setup:   func() error { return o.Make(size) },
		Cleanup: o.Release,
	}
}

func countGroup(o *measure.Operands, size int64, warm int) *Group {
	cs := measure.PerLevel(func(calls int) {
		p := o.A
		for range calls {
			sink += bitsieve.Count(p)
		}
	}, warm)
	cs = append(cs,
		peer(bitsAndBlooms, warm, func(calls int) {
			s := bnb.From(o.A)
			for range calls {
				sink += int(s.Count())
			}
		}),
		peer(kelindar, warm, func(calls int) {
			s := bitmap.Bitmap(o.A)
			for range calls {
				sink += s.Count()
			}
		}),
		peer(goLoop, warm, func(calls int) {
			p := o.A
			for range calls {
				n := 0
				for _, w := range p {
					n += bits.OnesCount64(w)
				}
				sink += n
			}
		}))
	if size%containerBytes == 0 {
		count := roaringCounts(func(a, _ []uint64) uint64 { return roaringCount(a) })
		cs = append(cs, peer(roaringPeer, warm, func(calls int) {
			for range calls {
				sink += count(nil, o.A, o.A)
			}
		}))
	}
	cs = append(cs, cContenders(c.Kernels(), "Count", o, warm)...)
	cs = append(cs, measure.StreamLimits(size, warm, func() []uint64 { return o.A })...)
	return &Group{Op: "Count", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

func andGroup(o *measure.Operands, size int64, warm int) *Group {
	cs := measure.PerLevel(func(calls int) {
		dst, a, b := o.Dst, o.A, o.B
		for range calls {
			bitsieve.And(dst, a, b)
		}
	}, warm)
	cs = append(cs, peer(goLoop, warm, func(calls int) {
		dst := o.Dst
		a, b := o.A[:len(dst)], o.B[:len(dst)]
		for range calls {
			for i := range dst {
				dst[i] = a[i] & b[i]
			}
		}
	}))
	if size%containerBytes == 0 {
		and := roaringStores(roaringAnd)
		cs = append(cs, peer(roaringPeer, warm, func(calls int) {
			for range calls {
				and(o.Dst, o.A, o.B)
			}
		}))
	}
	cs = append(cs, cContenders(c.Kernels(), "And", o, warm)...)
	return &Group{Op: "And", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

func andInPlaceGroup(o *measure.Operands, size int64, warm int) *Group {
	cs := measure.PerLevel(func(calls int) {
		dst, b := o.Dst, o.B
		for range calls {
			bitsieve.And(dst, dst, b)
		}
	}, warm)
	cs = append(cs,
		peer(bitsAndBlooms, warm, func(calls int) {
			dst, b := bnb.From(o.Dst), bnb.From(o.B)
			for range calls {
				dst.InPlaceIntersection(b)
			}
		}),
		peer(kelindar, warm, func(calls int) {
			dst, b := bitmap.Bitmap(o.Dst), bitmap.Bitmap(o.B)
			for range calls {
				dst.And(b)
			}
		}),
		peer(goLoop, warm, func(calls int) {
			dst := o.Dst
			b := o.B[:len(dst)]
			for range calls {
				for i := range dst {
					dst[i] &= b[i]
				}
			}
		}))
	if size%containerBytes == 0 {
		and := roaringStores(roaringAnd)
		cs = append(cs, peer(roaringPeer, warm, func(calls int) {
			for range calls {
				and(o.Dst, o.Dst, o.B)
			}
		}))
	}
	cs = append(cs, cContenders(c.Kernels(), "AndInPlace", o, warm)...)
	return &Group{Op: "AndInPlace", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

func andCountGroup(o *measure.Operands, size int64, warm int) *Group {
	cs := measure.PerLevel(func(calls int) {
		a, b := o.A, o.B
		for range calls {
			sink += bitsieve.AndCount(a, b)
		}
	}, warm)
	cs = append(cs,
		peer(bitsAndBlooms, warm, func(calls int) {
			a, b := bnb.From(o.A), bnb.From(o.B)
			for range calls {
				sink += int(a.IntersectionCardinality(b))
			}
		}),
		peer(goLoop, warm, func(calls int) {
			a := o.A
			b := o.B[:len(a)]
			for range calls {
				n := 0
				for i, w := range a {
					n += bits.OnesCount64(w & b[i])
				}
				sink += n
			}
		}))
	if size%containerBytes == 0 {
		count := roaringCounts(roaringAndCount)
		cs = append(cs, peer(roaringPeer, warm, func(calls int) {
			for range calls {
				sink += count(nil, o.A, o.B)
			}
		}))
	}
	cs = append(cs, cContenders(c.Kernels(), "AndCount", o, warm)...)
	cs = append(cs, measure.StreamLimits(2*size, warm, func() []uint64 { return o.Both })...)
	return &Group{Op: "AndCount", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

// cContenders returns those of the kernels in C that do op.
func cContenders(kernels []c.Kernel, op string, o *measure.Operands, warm int) (cs []Contender) {
	for _, k := range kernels {
		if k.Op == op {
			cs = append(cs, Contender{Impl: k.Name, Kind: report.C, Warm: warm, Run: func(calls int) {
				if calls > 0 {
					sink += calls * k.Run(o.Dst, o.A, o.B, calls) // which returns the last count
				}
			}})
		}
	}
	return cs
}
