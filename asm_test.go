package bitsieve

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernel table: every verb of bitset_noasm.go at every level, and every
// assembly function without its verb's threshold, against the Go reference.

// verbBlock is the most words that any kernel takes in one round.
const verbBlock = 64

// verbs are the kernels that the rest of the package calls.
var verbs = []kerneltest.Row{
	{Kernel: "andWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: andWords, Ref: andGeneric},
	{Kernel: "orWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: orWords, Ref: orGeneric},
	{Kernel: "xorWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: xorWords, Ref: xorGeneric},
	{Kernel: "andNotWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: andNotWords, Ref: andNotGeneric},
	{Kernel: "notWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: func(dst, a, _ []uint64) { notWords(dst, a) }, Ref: notReference},
	{Kernel: "andWithCountWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: andWithCountWords, Ref: withCountReference(andGeneric)},
	{Kernel: "orWithCountWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: orWithCountWords, Ref: withCountReference(orGeneric)},
	{Kernel: "xorWithCountWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: xorWithCountWords, Ref: withCountReference(xorGeneric)},
	{Kernel: "andNotWithCountWords", Level: cpu.LevelGeneric, Block: verbBlock, Fn: andNotWithCountWords, Ref: withCountReference(andNotGeneric)},
}

func notReference(dst, a, _ []uint64) {
	for i := range dst {
		dst[i] = ^a[i]
	}
}

func withCountReference(op kerneltest.BinaryFunc) kerneltest.WithCountFunc {
	return func(dst, a, b []uint64) (n int) {
		op(dst, a, b)
		for _, w := range dst {
			n += bits.OnesCount64(w)
		}
		return n
	}
}

// directKernels are the assembly functions of this architecture, called without
// the thresholds that keep short inputs in Go. asm_amd64_test.go and
// asm_arm64_test.go fill it.
var directKernels []kerneltest.Row

func TestVerbs(t *testing.T) { kerneltest.TestVerbs(t, verbs) }

func TestDirectKernels(t *testing.T) { kerneltest.TestKernels(t, directKernels) }

// TestPieces runs the verbs on lengths around those at which they begin to cut.
func TestPieces(t *testing.T) {
	const most = 1<<17 + 33
	a, b := benchWords(most + 1)[1:], benchWords(most)
	dst, want := make([]uint64, most), make([]uint64, most)
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			for _, row := range verbs {
				for _, n := range []int{255, 256, 257, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1 << 16, 1<<16 + 1, most} {
					row.Compare(t, dst[:n], a[:n], b[:n], want[:n])
				}
			}
		})
	})
}

// TestStreams runs the verbs past the length from which some of them write past the
// caches, at addresses of every kind, of which some are no multiple of 8: package
// unsafe can make such slices.
func TestStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 8 MiB")
	}
	const n = 1<<20 + 31
	memory := func(off uintptr) []uint64 {
		p := make([]uint64, n+8)
		return unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(&p[0]), off)), n)
	}
	a, oddA := memory(8), memory(21)
	b, dst, oddDst, want := memory(24), memory(0), memory(3), make([]uint64, n)
	for i, w := range benchWords(2 * n) {
		if i < n {
			a[i], oddA[i] = w, w
		} else {
			b[i-n] = w
		}
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			for _, row := range verbs {
				row.Compare(t, dst[1:], a[1:], b[1:], want[1:])
				row.Compare(t, dst[2:], a[2:], b[2:], want[2:])
				row.Compare(t, oddDst, oddA, b, want)
			}
		})
	})
}

func TestStops(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 64 MiB")
	}
	if race.Enabled {
		t.Skip("to declare a piece to the race detector takes longer than the piece")
	}
	kerneltest.TestStops(t, verbs, 1<<23)
}

// Benchmarks of the word-slice kernels. The names are for benchstat:
//
//	go test -run '^$' -bench Kernels -count 5 | benchstat -col /impl -row '/kernel /size' -

var benchSizes = []struct {
	name  string
	words int
}{
	{"8B", 1}, {"32B", 4}, {"64B", 8}, {"128B", 16}, {"256B", 32}, {"1KiB", 128},
	{"8KiB", 1 << 10}, {"256KiB", 1 << 15}, {"4MiB", 1 << 19}, {"64MiB", 1 << 23},
}

func benchWords(n int) []uint64 { return kerneltest.RandomWords(n) }

// sinkInt keeps the compiler from dropping what a benchmark computes.
var sinkInt int

// counts are the verbs of internal/popcount that only count.
var counts = []kerneltest.Row{
	{Kernel: "countWords", Fn: popcount.Count},
	{Kernel: "andCountWords", Fn: popcount.And},
	{Kernel: "orCountWords", Fn: popcount.Or},
	{Kernel: "xorCountWords", Fn: popcount.Xor},
	{Kernel: "andNotCountWords", Fn: popcount.AndNot},
}

// BenchmarkKernels runs the verbs, and those of internal/popcount, at every level.
// The binary ones work in place, on the first operand.
func BenchmarkKernels(b *testing.B) {
	largest := benchSizes[len(benchSizes)-1].words
	x, y := benchWords(largest), benchWords(largest)
	for _, row := range slices.Concat(counts, verbs) {
		for _, size := range benchSizes {
			x, y := x[:size.words], y[:size.words]
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				name := fmt.Sprintf("kernel=%s/size=%s/impl=%v", row.Kernel, size.name, l)
				switch fn := row.Fn.(type) {
				case kerneltest.CountFunc:
					benchBytes(b, name, x, func() { sinkInt += fn(x) })
				case kerneltest.Count2Func:
					benchBytes(b, name, x, func() { sinkInt += fn(x, y) })
				case kerneltest.BinaryFunc:
					benchBytes(b, name, x, func() { fn(x, x, y) })
				case kerneltest.WithCountFunc:
					benchBytes(b, name, x, func() { sinkInt += fn(x, x, y) })
				}
			})
		}
	}
}

// benchBytes reports the speed of f by the bytes of one operand.
func benchBytes(b *testing.B, name string, operand []uint64, f func()) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(8 * len(operand)))
		for b.Loop() {
			f()
		}
	})
}

func TestCalibrate(t *testing.T) { calibrate.Run(t, thresholds...) }

// thresholds return those of one subject each. The files of the subjects fill it
// in.
var thresholds []func() []calibrate.Threshold

// calibrationWords are three operands of 128 MiB each, which are made when needed.
var calibrationWords = sync.OnceValue(func() (p [3][]uint64) {
	for i := range p {
		p[i] = benchWords(1 << 24)
	}
	return p
})

func init() { thresholds = append(thresholds, shortWordsThreshold) }

func shortWordsThreshold() []calibrate.Threshold {
	return []calibrate.Threshold{calibrate.Threshold{
		Name: "shortWords", Unit: "words", Value: shortWords, UpTo: true, Sizes: []int{4, 8, 12, 16, 17, 20, 24, 32, 48, 64},
		Cases: []calibrate.Case{
			{Name: "fill", Level: cpu.Current(), Ways: func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { fillShort(p) }, func() { fillMany(p) }
			}},
			{Name: "not", Level: cpu.Current(), Ways: func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { notShort(p) }, func() { notMany(p, p) }
			}},
		},
	}.Short()}
}

// fillShort and notShort are the loops of fillWords and notWords.

func fillShort(p []uint64) {
	for i := range p {
		p[i] = math.MaxUint64
	}
}

func notShort(p []uint64) {
	for i := range p {
		p[i] = ^p[i]
	}
}

// Tests of what package tests, which has those of everything exported, cannot see.

func TestWordsFor(t *testing.T) {
	for _, row := range []struct {
		length uint
		want   int
	}{
		{0, 0}, {1, 1}, {63, 1}, {64, 1}, {65, 2}, {128, 2}, {129, 3},
		{1<<31 - 63, 1 << 25}, {1<<31 + 1, 1<<25 + 1}, {math.MaxUint32, 1 << 26},
		{math.MaxUint - 63, math.MaxUint / 64}, {math.MaxUint, math.MaxUint/64 + 1},
	} {
		if got := wordsFor(row.length); got != row.want {
			t.Errorf("wordsFor(%d) = %d, want %d", row.length, got, row.want)
		}
	}
}

// The slow path is for filters over too few words alone, by a single bit.
func TestBloomShortByOneBit(t *testing.T) {
	for _, c := range []struct {
		m     uint64
		short bool
	}{{0, true}, {1, false}, {191, false}, {192, false}, {193, true}} {
		f, err := NewBloomFromWords(make([]uint64, 3), c.m, 1)
		if err != nil {
			t.Fatal(err)
		}
		if f.short() != c.short {
			t.Errorf("m = %d over 192 bits: short is %v", c.m, f.short())
		}
	}
}

func TestApplyOptions(t *testing.T) {
	key := bytes.Repeat([]byte{7}, KeySize)
	o := applyOptions([]Option{WithKey(key), WithoutHugePages()})
	if !bytes.Equal(o.key, key) || !o.noHugePages || o.skipChecksum {
		t.Errorf("%+v", o)
	}
	o = applyOpenOptions([]OpenOption{WithKey(key), WithoutHugePages(), WithoutChecksum()})
	if !bytes.Equal(o.key, key) || !o.noHugePages || !o.skipChecksum {
		t.Errorf("%+v", o)
	}
}

// WithoutHugePages holds for what is made from the filter, too.
func TestHugePagesOption(t *testing.T) {
	made, err := NewBlocked(100, 0.01, WithoutHugePages())
	if err != nil {
		t.Fatal(err)
	}
	file, err := made.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadBlocked(bytes.NewReader(file), WithoutHugePages())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Blocked{made, made.Clone(), read} {
		if !f.noHugePages || !f.expect().NoHugePages {
			t.Error("the option is forgotten")
		}
	}
	if f, _ := NewBlocked(100, 0.01); f.noHugePages {
		t.Error("huge pages are off by default")
	}
}
