package main

import (
	"math/bits"
	"math/rand/v2"

	bnb "github.com/bits-and-blooms/bitset"
	"github.com/bitsieve/bitsieve"
	"github.com/kelindar/bitmap"

	"github.com/bitsieve/bitsieve/bench/c"
	"github.com/bitsieve/bitsieve/bench/internal/memory"
	"github.com/bitsieve/bitsieve/bench/internal/report"
)

// The names of the peers.
const (
	bitsAndBlooms = "bits-and-blooms"
	kelindar      = "kelindar"
	goLoop        = "go loop" // what one writes without a library
)

// operands are the words that all contenders of one stage work on.
type operands struct {
	a, b, dst []uint64
	both      []uint64 // as many words as a and b have, and mostly those
	free      func()
}

// skew keeps the operands off each other's place within a page: a store to
// the same place as a later load stalls it on many CPUs.
const skew = (2<<10 + 256) / 8

// make maps the operands' memory, on huge pages where there are any, and fills
// it with random bits.
func (o *operands) make(size int64) error {
	n := int(size / 8)
	words, free, err := memory.Map(3*(n+skew), true)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range words {
		words[i] = r.Uint64()
	}
	o.a, o.b, o.dst = words[:n], words[n+skew:][:n], words[2*(n+skew):][:n]
	o.both, o.free = words[:2*n], free
	return nil
}

func (o *operands) release() {
	if o.free != nil {
		o.free()
	}
	*o = operands{}
}

// kernelStage measures the word kernels at one size.
func kernelStage(size int64) *Stage {
	o := new(operands)
	warm := max(1, int(min(4, 64<<10/size)))
	return &Stage{
		Title:   "kernels, " + report.Size(size),
		Need:    3 * size,
		Groups:  []*Group{countGroup(o, size, warm), andGroup(o, size, warm), andInPlaceGroup(o, size, warm), andCountGroup(o, size, warm)},
		Setup:   func() error { return o.make(size) },
		Cleanup: o.release,
	}
}

func countGroup(o *operands, size int64, warm int) *Group {
	cs := perLevel(func(calls int) {
		p := o.a
		for range calls {
			sink += bitsieve.Count(p)
		}
	}, warm)
	cs = append(cs,
		peer(bitsAndBlooms, warm, func(calls int) {
			s := bnb.From(o.a)
			for range calls {
				sink += int(s.Count())
			}
		}),
		peer(kelindar, warm, func(calls int) {
			s := bitmap.Bitmap(o.a)
			for range calls {
				sink += s.Count()
			}
		}),
		peer(goLoop, warm, func(calls int) {
			p := o.a
			for range calls {
				n := 0
				for _, w := range p {
					n += bits.OnesCount64(w)
				}
				sink += n
			}
		}))
	cs = append(cs, cContenders("Count", o, warm)...)
	cs = append(cs, streamLimits(size, warm, func() []uint64 { return o.a })...)
	return &Group{Op: "Count", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

func andGroup(o *operands, size int64, warm int) *Group {
	cs := perLevel(func(calls int) {
		dst, a, b := o.dst, o.a, o.b
		for range calls {
			bitsieve.And(dst, a, b)
		}
	}, warm)
	cs = append(cs, peer(goLoop, warm, func(calls int) {
		dst := o.dst
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for range calls {
			for i := range dst {
				dst[i] = a[i] & b[i]
			}
		}
	}))
	cs = append(cs, cContenders("And", o, warm)...)
	return &Group{Op: "And", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

func andInPlaceGroup(o *operands, size int64, warm int) *Group {
	cs := perLevel(func(calls int) {
		dst, b := o.dst, o.b
		for range calls {
			bitsieve.And(dst, dst, b)
		}
	}, warm)
	cs = append(cs,
		peer(bitsAndBlooms, warm, func(calls int) {
			dst, b := bnb.From(o.dst), bnb.From(o.b)
			for range calls {
				dst.InPlaceIntersection(b)
			}
		}),
		peer(kelindar, warm, func(calls int) {
			dst, b := bitmap.Bitmap(o.dst), bitmap.Bitmap(o.b)
			for range calls {
				dst.And(b)
			}
		}),
		peer(goLoop, warm, func(calls int) {
			dst := o.dst
			b := o.b[:len(dst)]
			for range calls {
				for i := range dst {
					dst[i] &= b[i]
				}
			}
		}))
	cs = append(cs, cContenders("AndInPlace", o, warm)...)
	return &Group{Op: "AndInPlace", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

func andCountGroup(o *operands, size int64, warm int) *Group {
	cs := perLevel(func(calls int) {
		a, b := o.a, o.b
		for range calls {
			sink += bitsieve.AndCount(a, b)
		}
	}, warm)
	cs = append(cs,
		peer(bitsAndBlooms, warm, func(calls int) {
			a, b := bnb.From(o.a), bnb.From(o.b)
			for range calls {
				sink += int(a.IntersectionCardinality(b))
			}
		}),
		peer(goLoop, warm, func(calls int) {
			a := o.a
			b := o.b[:len(a)]
			for range calls {
				n := 0
				for i, w := range a {
					n += bits.OnesCount64(w & b[i])
				}
				sink += n
			}
		}))
	cs = append(cs, cContenders("AndCount", o, warm)...)
	cs = append(cs, streamLimits(2*size, warm, func() []uint64 { return o.both })...)
	return &Group{Op: "AndCount", Size: size, Unit: report.Bytes, PerCall: float64(size), Contenders: cs}
}

// cContenders returns the kernels in C that do op, if they were built.
func cContenders(op string, o *operands, warm int) (cs []Contender) {
	for _, k := range c.Kernels() {
		if k.Op == op {
			cs = append(cs, Contender{Impl: k.Name, Kind: report.C, Warm: warm, Run: func(calls int) {
				if calls > 0 {
					sink += k.Run(o.dst, o.a, o.b, calls)
				}
			}})
		}
	}
	return cs
}
