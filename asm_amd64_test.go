//go:build !purego

package bitsieve

import (
	"testing"
	"time"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// mostWords is the most that the kernels take in one round.
const mostWords = 64

func init() {
	binary := func(name string, fn func(dst, a, b *uint64, n int), ref kerneltest.BinaryFunc) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: cpu.LevelAVX2, Block: mostWords, Fn: func(dst, a, b []uint64) {
			fn(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
		}, Ref: ref}
	}
	wide := func(name string, fn func(dst, a, b *uint64, n int), ref kerneltest.BinaryFunc) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: cpu.LevelAVX512, Block: mostWords, Fn: func(dst, a, b []uint64) {
			if len(dst) < 8 {
				ref(dst, a, b)
				return
			}
			fn(&dst[0], &a[0], &b[0], len(dst))
		}, Ref: ref}
	}
	stream := func(name string, op wordOp, ref kerneltest.BinaryFunc) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: cpu.LevelAVX2, Block: mostWords, Fn: func(dst, a, b []uint64) {
			if len(dst) > 0 {
				binaryStream(op, dst, a, b)
			}
		}, Ref: ref}
	}
	directKernels = []kerneltest.Row{
		binary("andAVX2", andAVX2, andGeneric),
		wide("andAVX512", andAVX512, andGeneric),
		stream("andStreamAVX2", opAnd, andGeneric),
		binary("orAVX2", orAVX2, orGeneric),
		wide("orAVX512", orAVX512, orGeneric),
		stream("orStreamAVX2", opOr, orGeneric),
		binary("xorAVX2", xorAVX2, xorGeneric),
		wide("xorAVX512", xorAVX512, xorGeneric),
		stream("xorStreamAVX2", opXor, xorGeneric),
		binary("andNotAVX2", andNotAVX2, andNotGeneric),
		wide("andNotAVX512", andNotAVX512, andNotGeneric),
		stream("andNotStreamAVX2", opAndNot, andNotGeneric),
	}
	thresholds = append(thresholds, binaryThresholds, wideThresholds, streamThresholds)
}

// Which operands go by vectors of 512 bits: offsets are in words.
func TestWide(t *testing.T) {
	saved := cpu.Tune.Words
	defer func() { cpu.Tune.Words = saved }()
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, c := range []struct {
			wide, n, dst, a, b int
			want               bool
		}{
			{64, 64, 0, 0, 0, true}, {64, 64, 4, 4, 4, true}, {64, 64, 0, 0, 4, true}, {64, 64, 0, 4, 0, true},
			{64, 64, 4, 0, 4, true}, {64, 64, 1, 2, 5, true}, {64, 64, 1, 5, 5, false}, {64, 64, 0, 4, 4, false},
			{64, 64, 4, 0, 0, false}, {100, 99, 0, 0, 0, false}, {100, 100, 0, 0, 0, true}, {cpu.Never, 100, 0, 0, 0, false},
		} {
			cpu.Tune.Words.Wide = c.wide
			mem := benchWords(3 * 128)
			at := func(i, off int) []uint64 { return mem[128*i+off:][:c.n] }
			if got := wide(at(0, c.dst), at(1, c.a), at(2, c.b)); got != (c.want && cpu.AVX512) {
				t.Errorf("%+v: %v", c, got)
			}
		}
	})
}

func binaryThresholds() []calibrate.Threshold {
	binary := []kerneltest.ShortCase{
		{Name: "andAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					andAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{Name: "orAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					orAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{Name: "xorAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					xorAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{Name: "andNotAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					andNotAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
	}
	return []calibrate.Threshold{kerneltest.ShortThreshold("minBinary", minBinary, 1, binary)}
}

// wideThresholds compares vectors of 256 bits with those of 512, in place and not, for
// operands at the places where the allocator puts them.
func wideThresholds() []calibrate.Threshold {
	th := calibrate.Threshold{Name: "Wide", Unit: "words", Value: cpu.Tune.Words.Wide,
		Sizes: append([]int{64, 96, 128, 192}, calibrate.Powers(8, 15)...), Rounds: 30, Span: 50 * time.Microsecond}
	add := func(name string, narrow, wide func(dst, a, b *uint64, n int)) {
		for _, place := range []string{", in place", ", apart"} {
			th.Cases = append(th.Cases, calibrate.Case{Name: name + place, Level: cpu.LevelAVX512, Ways: func(n int) (below, from func()) {
				dst, a, b := benchWords(n), benchWords(n), benchWords(n)
				if place == ", in place" {
					a = dst
				}
				return func() { narrow(&dst[0], &a[0], &b[0], n) }, func() { wide(&dst[0], &a[0], &b[0], n) }
			}})
		}
	}
	add("and", andAVX2, andAVX512)
	add("or", orAVX2, orAVX512)
	add("xor", xorAVX2, xorAVX512)
	add("andNot", andNotAVX2, andNotAVX512)
	return []calibrate.Threshold{th}
}

// streamThresholds compares kernels for operands in the caches with those for
// operands past them. The destination lies apart from the operands.
func streamThresholds() []calibrate.Threshold {
	binary := calibrate.Threshold{Name: "StreamBinary", Unit: "words", Value: cpu.Tune.Words.StreamBinary, Sizes: calibrate.Powers(17, 23)}
	for op, name := range []string{opAnd: "and", opOr: "or", opXor: "xor", opAndNot: "andNot"} {
		binary.Cases = append(binary.Cases, calibrate.Case{Name: name, Level: cpu.LevelAVX2, Ways: func(n int) (below, from func()) {
			p := calibrationWords()
			dst, a, b := p[2][:n], p[0][:n], p[1][:n]
			return func() { binaryPieces(wordOp(op), dst, a, b) }, func() { binaryStream(wordOp(op), dst, a, b) }
		}})
	}

	// What has been written past the caches comes back slowly.
	reread := calibrate.Threshold{Name: "StreamBinary+read", Unit: "words", Value: cpu.Tune.Words.StreamBinary, Sizes: binary.Sizes}
	for _, c := range binary.Cases {
		reread.Cases = append(reread.Cases, calibrate.Case{Name: c.Name + ", counted afterwards", Level: c.Level, Ways: func(n int) (below, from func()) {
			f, g := c.Ways(n)
			dst := calibrationWords()[2][:n]
			return func() { f(); sinkInt += popcount.Count(dst) }, func() { g(); sinkInt += popcount.Count(dst) }
		}})
	}
	return []calibrate.Threshold{binary.Long(), reread.Long()}
}
