package main

import (
	"math/bits"

	"github.com/bitsieve/bitsieve"

	"github.com/bitsieve/bitsieve/bench/c"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A verb is what one group of containers does, by whom. Those that only store return 0.
type verb struct {
	op      string
	ours    func(dst, a, b []uint64) int
	roaring func(dst, a, b []uint64) int
	loop    func(dst, a, b []uint64) int
}

// containerStage measures the operations on two bitmap containers of roaring's, 1,024
// words each, that kernelStage does not have: the result, its set bits, and both.
func containerStage(cPeers ...*c.Peer) *Stage {
	o := new(measure.Operands)
	warm := measure.WarmCalls(containerBytes)
	var groups []*Group
	for _, v := range containerVerbs {
		groups = append(groups, v.group(o, warm, cPeers))
	}
	return &Stage{
		Title:   "containers of roaring's",
		Need:    3 * containerBytes,
		Groups:  groups,
		Setup:   func() error { return o.Make(containerBytes) },
		Cleanup: o.Release,
	}
}

func (v verb) group(o *measure.Operands, warm int, cPeers []*c.Peer) *Group {
	each := func(f func(dst, a, b []uint64) int) func(calls int) {
		return func(calls int) {
			dst, a, b := o.Dst, o.A, o.B
			for range calls {
				sink += f(dst, a, b)
			}
		}
	}
	cs := append(measure.PerLevel(each(v.ours), warm),
		peer(roaringPeer, warm, each(v.roaring)),
		peer(goLoop, warm, each(v.loop)))
	for _, p := range cPeers {
		cs = append(cs, cContenders(p.Kernels, v.op, o, warm)...)
	}
	return &Group{Op: v.op, Size: containerBytes, Unit: report.Bytes, PerCall: containerBytes, Contenders: cs}
}

// stored makes a verb that returns nothing return 0.
func stored(f func(dst, a, b []uint64)) func(dst, a, b []uint64) int {
	return func(dst, a, b []uint64) int {
		f(dst, a, b)
		return 0
	}
}

func counted(f func(a, b []uint64) uint64) func(dst, a, b []uint64) int {
	return func(_, a, b []uint64) int { return int(f(a, b)) }
}

func both(f func(dst, a, b []uint64) uint64) func(dst, a, b []uint64) int {
	return func(dst, a, b []uint64) int { return int(f(dst, a, b)) }
}

func ourCount(f func(a, b []uint64) int) func(dst, a, b []uint64) int {
	return func(_, a, b []uint64) int { return f(a, b) }
}

var containerVerbs = []verb{
	{"Or", stored(bitsieve.Or), stored(roaringOr), func(dst, a, b []uint64) int {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			dst[i] = w | b[i]
		}
		return 0
	}},
	{"Xor", stored(bitsieve.Xor), stored(roaringXor), func(dst, a, b []uint64) int {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			dst[i] = w ^ b[i]
		}
		return 0
	}},
	{"AndNot", stored(bitsieve.AndNot), stored(roaringAndNot), func(dst, a, b []uint64) int {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			dst[i] = w &^ b[i]
		}
		return 0
	}},
	{"OrCount", ourCount(bitsieve.OrCount), counted(roaringOrCount), func(_, a, b []uint64) (n int) {
		b = b[:len(a)]
		for i, w := range a {
			n += bits.OnesCount64(w | b[i])
		}
		return n
	}},
	{"XorCount", ourCount(bitsieve.XorCount), counted(roaringXorCount), func(_, a, b []uint64) (n int) {
		b = b[:len(a)]
		for i, w := range a {
			n += bits.OnesCount64(w ^ b[i])
		}
		return n
	}},
	{"AndNotCount", ourCount(bitsieve.AndNotCount), counted(roaringAndNotCount), func(_, a, b []uint64) (n int) {
		b = b[:len(a)]
		for i, w := range a {
			n += bits.OnesCount64(w &^ b[i])
		}
		return n
	}},
	{"AndWithCount", bitsieve.AndWithCount, both(roaringAndWithCount), func(dst, a, b []uint64) (n int) {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			w &= b[i]
			dst[i] = w
			n += bits.OnesCount64(w)
		}
		return n
	}},
	{"OrWithCount", bitsieve.OrWithCount, both(roaringOrWithCount), func(dst, a, b []uint64) (n int) {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			w |= b[i]
			dst[i] = w
			n += bits.OnesCount64(w)
		}
		return n
	}},
	{"XorWithCount", bitsieve.XorWithCount, both(roaringXorWithCount), func(dst, a, b []uint64) (n int) {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			w ^= b[i]
			dst[i] = w
			n += bits.OnesCount64(w)
		}
		return n
	}},
	{"AndNotWithCount", bitsieve.AndNotWithCount, both(roaringAndNotWithCount), func(dst, a, b []uint64) (n int) {
		dst, b = dst[:len(a)], b[:len(a)]
		for i, w := range a {
			w &^= b[i]
			dst[i] = w
			n += bits.OnesCount64(w)
		}
		return n
	}},
}
