package bitsieve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The kernel table: every verb of bitset_noasm.go at every level, and every
// assembly function without its verb's threshold, against the Go reference, on
// memory that ends where the operand does.

// The shapes of kernels.
type (
	countFunc     = func(p []uint64) int
	binaryFunc    = func(dst, a, b []uint64)
	withCountFunc = func(dst, a, b []uint64) int
	count2Func    = func(a, b []uint64) int
)

// kernelRow is a kernel and the reference that it must agree with.
type kernelRow struct {
	kernel  string
	level   cpu.Level // the lowest level that can run it
	block   int       // words in one round of its widest loop
	fn, ref any       // both of one of the shapes above
}

// verbBlock is the most words that any kernel takes in one round.
const verbBlock = 64

// verbs are the kernels that the rest of the package calls. They are run at
// every level.
var verbs = []kernelRow{
	{"countWords", cpu.LevelGeneric, verbBlock, countWords, countGeneric},
	{"andWords", cpu.LevelGeneric, verbBlock, andWords, andGeneric},
	{"orWords", cpu.LevelGeneric, verbBlock, orWords, orGeneric},
	{"xorWords", cpu.LevelGeneric, verbBlock, xorWords, xorGeneric},
	{"andNotWords", cpu.LevelGeneric, verbBlock, andNotWords, andNotGeneric},
	{"notWords", cpu.LevelGeneric, verbBlock, func(dst, a, _ []uint64) { notWords(dst, a) }, notReference},
	{"andCountWords", cpu.LevelGeneric, verbBlock, andCountWords, andCountGeneric},
	{"orCountWords", cpu.LevelGeneric, verbBlock, orCountWords, orCountGeneric},
	{"xorCountWords", cpu.LevelGeneric, verbBlock, xorCountWords, xorCountGeneric},
	{"andNotCountWords", cpu.LevelGeneric, verbBlock, andNotCountWords, andNotCountGeneric},
	{"andWithCountWords", cpu.LevelGeneric, verbBlock, andWithCountWords, andWithCountGeneric},
	{"orWithCountWords", cpu.LevelGeneric, verbBlock, orWithCountWords, orWithCountGeneric},
	{"xorWithCountWords", cpu.LevelGeneric, verbBlock, xorWithCountWords, xorWithCountGeneric},
	{"andNotWithCountWords", cpu.LevelGeneric, verbBlock, andNotWithCountWords, andNotWithCountGeneric},
}

func notReference(dst, a, _ []uint64) {
	for i := range dst {
		dst[i] = ^a[i]
	}
}

// directKernels are the assembly functions of this architecture, called without
// the thresholds that keep short inputs in Go. asm_amd64_test.go and
// asm_arm64_test.go fill it.
var directKernels []kernelRow

func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, row := range verbs {
			t.Run(row.kernel, func(t *testing.T) { testKernel(t, row) })
		}
	})
}

func TestDirectKernels(t *testing.T) {
	if cpu.HasAsm && len(directKernels) == 0 {
		t.Error("this build has assembly, but directKernels is empty")
	}
	for _, row := range directKernels {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			testKernel(t, row)
		})
	}
}

// testKernel runs one row over sizes, contents and places.
func testKernel(t *testing.T, row kernelRow) {
	k := newKernelTest(t, row)
	for _, n := range kerneltest.Sizes(row.block) {
		for ca := range kerneltest.Contents {
			for cb := range kerneltest.Contents {
				if cb > 0 && !k.binary() || testing.Short() && (n+ca+cb)%12 != 0 {
					continue
				}
				k.check(kernelCase{n: n, contents: [2]int{ca, cb}, places: k.randomPlaces()})
			}
		}
	}
	// Every triple of offsets, for sizes with and without a whole round.
	for _, n := range []int{5, row.block + 7, 2*row.block + 1} {
		if testing.Short() {
			break
		}
		for i := range 512 {
			c := kernelCase{n: n, contents: [2]int{kerneltest.Random, kerneltest.Random}}
			for j, o := range []int{i % 8, i / 8 % 8, i / 64} {
				c.places[j] = kerneltest.Place{Off: o, AtEnd: i%3 == 0}
			}
			k.check(c)
		}
	}
	// One set bit, in every position of a round and a tail.
	for pos := range 64 * (row.block + 11) {
		if testing.Short() && pos%61 != 0 {
			continue
		}
		k.check(kernelCase{n: row.block + 11, bit: pos + 1,
			contents: [2]int{kerneltest.Walking, kerneltest.Walking}, places: k.randomPlaces()})
	}
}

type kernelCase struct {
	n        int
	contents [2]int              // of a and b
	places   [3]kerneltest.Place // of a, b and dst
	bit      int                 // 1 + the bit that kerneltest.Walking sets; 0 for any
}

func (c kernelCase) String() string {
	return fmt.Sprintf("n=%d a=%s b=%s places of a, b, dst=%v", c.n,
		kerneltest.Contents[c.contents[0]].Name, kerneltest.Contents[c.contents[1]].Name, c.places)
}

// kernelTest holds the memory that a kernel's cases share.
type kernelTest struct {
	t       *testing.T
	row     kernelRow
	rand    *rand.Rand
	a, b, d []uint64 // guarded on both sides
	want    []uint64
	saved   []uint64
}

// kernelMem is the size in words of each operand's memory.
const kernelMem = 1 << 17

func newKernelTest(t *testing.T, row kernelRow) *kernelTest {
	return &kernelTest{
		t: t, row: row, rand: rand.New(rand.NewPCG(1, 2)),
		a: kerneltest.Guarded(t, kernelMem), b: kerneltest.Guarded(t, kernelMem), d: kerneltest.Guarded(t, kernelMem),
		want: make([]uint64, kernelMem), saved: make([]uint64, kernelMem),
	}
}

func (k *kernelTest) randomPlaces() (p [3]kerneltest.Place) {
	for i := range p {
		p[i] = kerneltest.RandomPlace(k.rand)
	}
	return p
}

// binary tells whether the kernel has two operands.
func (k *kernelTest) binary() bool {
	switch k.row.fn.(type) {
	case count2Func, binaryFunc, withCountFunc:
		return true
	}
	return false
}

// check runs one case in every way that the kernel's shape has.
func (k *kernelTest) check(c kernelCase) {
	k.t.Helper()
	a, _ := c.places[0].Slice(k.a, c.n)
	b, _ := c.places[1].Slice(k.b, c.n)
	kerneltest.Fill(k.rand, a, c.contents[0], c.bit)
	switch fn := k.row.fn.(type) {
	case countFunc:
		k.unchanged(c, a, func() { k.same(c, fn(a), k.row.ref.(countFunc)(a)) })
	case count2Func:
		kerneltest.Fill(k.rand, b, c.contents[1], c.bit)
		k.unchanged(c, a, func() { k.same(c, fn(a, b), k.row.ref.(count2Func)(a, b)) })
		k.unchanged(c, b, func() { k.same(c, fn(a, b), k.row.ref.(count2Func)(a, b)) })
		k.same(c, fn(a, a), k.row.ref.(count2Func)(a, a))
	case binaryFunc:
		kerneltest.Fill(k.rand, b, c.contents[1], c.bit)
		k.checkBinary(c, a, b, fn, k.row.ref.(binaryFunc))
	case withCountFunc:
		kerneltest.Fill(k.rand, b, c.contents[1], c.bit)
		ref := k.row.ref.(withCountFunc)
		k.checkBinary(c, a, b, func(dst, a, b []uint64) {
			n := fn(dst, a, b)
			k.same(c, n, countGeneric(dst))
		}, func(dst, a, b []uint64) { ref(dst, a, b) })
	default:
		k.t.Fatalf("%s: no such shape: %T", k.row.kernel, fn)
	}
}

func (k *kernelTest) same(c kernelCase, got, want int) {
	k.t.Helper()
	if got != want {
		k.t.Fatalf("%s(%v) = %d, want %d", k.row.kernel, c, got, want)
	}
}

// unchanged fails when f changes p, which it must only read.
func (k *kernelTest) unchanged(c kernelCase, p []uint64, f func()) {
	k.t.Helper()
	saved := k.saved[:copy(k.saved, p)]
	f()
	if !slices.Equal(p, saved) {
		k.t.Fatalf("%s(%v) changed an operand that it must only read", k.row.kernel, c)
	}
}

func (k *kernelTest) checkBinary(c kernelCase, a, b []uint64, fn, ref binaryFunc) {
	k.t.Helper()
	want := k.want[:c.n]
	ref(want, a, b)
	apart, start := c.places[2].Slice(k.d, c.n)
	k.unchanged(c, a, func() { k.run(c, k.d, start, want, func() { fn(apart, a, b) }) })
	k.unchanged(c, b, func() { k.run(c, k.d, start, want, func() { fn(apart, a, b) }) })

	// In place: over the first operand, over the second, over both.
	first := slices.Clone(a)
	_, start = c.places[0].Slice(k.a, c.n)
	k.run(c, k.a, start, want, func() { fn(a, a, b) })
	copy(a, first)
	_, start = c.places[1].Slice(k.b, c.n)
	k.run(c, k.b, start, want, func() { fn(b, a, b) })
	copy(b, first)
	ref(want, b, first)
	k.run(c, k.b, start, want, func() { fn(b, b, b) })
}

// run calls f, which must leave want in mem[start:start+len(want)] and nothing
// else near it.
func (k *kernelTest) run(c kernelCase, mem []uint64, start int, want []uint64, f func()) {
	k.t.Helper()
	end := start + len(want)
	before, after := kerneltest.Sides(mem, start, len(want))
	kerneltest.SetCanary(before, after)
	f()
	if !slices.Equal(mem[start:end], want) {
		i := 0
		for mem[start+i] == want[i] {
			i++
		}
		k.t.Fatalf("%s(%v): word %d is %#016x, want %#016x", k.row.kernel, c, i, mem[start+i], want[i])
	}
	if !kerneltest.CanaryIntact(before, after) {
		k.t.Fatalf("%s(%v) wrote outside dst", k.row.kernel, c)
	}
}
