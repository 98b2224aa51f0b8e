package bitsieve

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The kernel table: every verb of bitset_noasm.go at every level, and every
// assembly function without its verb's threshold, against the Go reference, on
// memory that ends where the operand does.

// requireEnv names the levels, separated by commas, whose absence is a failure
// instead of a skip: continuous integration sets it to what its machine has.
const requireEnv = "BITSIEVE_TEST_REQUIRE"

// needLevel skips the test when this machine lacks level l, or fails it when
// requireEnv names l.
func needLevel(t *testing.T, l level) {
	t.Helper()
	if hardwareLevel.has(l) {
		return
	}
	required := strings.Split(os.Getenv(requireEnv), ",")
	if slices.Contains(required, l.String()) {
		t.Fatalf("level %v is required but missing: the best here is %v", l, hardwareLevel)
	}
	t.Skipf("no %v here: the best level is %v", l, hardwareLevel)
}

// forEachLevel runs f as a subtest once for each level, with that level in
// force. Neither f nor t may be parallel: the level is global.
func forEachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	saved := currentLevel
	t.Cleanup(func() { setLevel(saved) })
	for l := range numLevels {
		if hardwareLevel.has(l) {
			setLevel(l)
		}
		t.Run(l.String(), func(t *testing.T) {
			needLevel(t, l)
			f(t)
		})
	}
}

// The shapes of kernels.
type (
	countFunc    = func(p []uint64) int
	binaryFunc   = func(dst, a, b []uint64)
	countedFunc  = func(dst, a, b []uint64) int
	fusedFunc    = func(a, b []uint64) int
	decodeFunc   = func(dst []uint, words []uint64, base uint) (written, consumed int)
	decode32Func = func(dst []uint32, words []uint64, base uint32) (written, consumed int)
)

// kernelRow is a kernel and the reference that it must agree with.
type kernelRow struct {
	kernel  string
	level   level // the lowest level that can run it
	block   int   // words in one round of its widest loop
	fn, ref any   // both of one of the shapes above
}

// verbBlock is the most words that any kernel takes in one round.
const verbBlock = 64

// verbs are the kernels that the rest of the package calls. They are run at
// every level.
var verbs = []kernelRow{
	{"countWords", levelGeneric, verbBlock, countWords, countGeneric},
	{"andWords", levelGeneric, verbBlock, andWords, andGeneric},
	{"orWords", levelGeneric, verbBlock, orWords, orGeneric},
	{"xorWords", levelGeneric, verbBlock, xorWords, xorGeneric},
	{"andNotWords", levelGeneric, verbBlock, andNotWords, andNotGeneric},
	{"andCountWords", levelGeneric, verbBlock, andCountWords, andCountGeneric},
	{"orCountWords", levelGeneric, verbBlock, orCountWords, orCountGeneric},
	{"xorCountWords", levelGeneric, verbBlock, xorCountWords, xorCountGeneric},
	{"andNotCountWords", levelGeneric, verbBlock, andNotCountWords, andNotCountGeneric},
	{"andCountedWords", levelGeneric, verbBlock, andCountedWords, andCountedGeneric},
	{"orCountedWords", levelGeneric, verbBlock, orCountedWords, orCountedGeneric},
	{"xorCountedWords", levelGeneric, verbBlock, xorCountedWords, xorCountedGeneric},
	{"andNotCountedWords", levelGeneric, verbBlock, andNotCountedWords, andNotCountedGeneric},
	{"decodeWords", levelGeneric, verbBlock, decodeWords, decodeGeneric[uint]},
	{"decodeWords32", levelGeneric, verbBlock, decodeWords32, decodeGeneric[uint32]},
}

// directKernels are the assembly functions of this architecture, called without
// the thresholds that keep short inputs in Go. asm_amd64_test.go and
// asm_arm64_test.go fill it.
var directKernels []kernelRow

func TestVerbs(t *testing.T) {
	forEachLevel(t, func(t *testing.T) {
		for _, row := range verbs {
			t.Run(row.kernel, func(t *testing.T) { testKernel(t, row) })
		}
	})
}

func TestDirectKernels(t *testing.T) {
	if hasAsm && len(directKernels) == 0 {
		t.Error("this build has assembly, but directKernels is empty")
	}
	for _, row := range directKernels {
		t.Run(row.kernel, func(t *testing.T) {
			needLevel(t, row.level)
			testKernel(t, row)
		})
	}
}

// testKernel runs one row over sizes, contents and places.
func testKernel(t *testing.T, row kernelRow) {
	k := newKernelTest(t, row)
	for _, n := range kernelSizes(row.block) {
		for ca := range contents {
			for cb := range contents {
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
			c := kernelCase{n: n, contents: [2]int{contentRandom, contentRandom}}
			for j, o := range []int{i % 8, i / 8 % 8, i / 64} {
				c.places[j] = place{off: o, atEnd: i%3 == 0}
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
			contents: [2]int{contentWalking, contentWalking}, places: k.randomPlaces()})
	}
	switch row.fn.(type) {
	case decodeFunc, decode32Func:
		k.checkPopulations()
	}
}

// kernelSizes returns the lengths in words to test a kernel with.
func kernelSizes(block int) (sizes []int) {
	for n := range 4*block + 4 {
		sizes = append(sizes, n)
	}
	for n := 512; n <= 4096; n *= 2 {
		sizes = append(sizes, n-1, n, n+1)
	}
	if testing.Short() {
		return sizes
	}
	return append(sizes, largestSize)
}

// largestSize is past every cache line, page and second-level cache.
const largestSize = 100_003

// contents are what an operand is filled with.
var contents = []struct {
	name string
	word func(r *rand.Rand) uint64
}{
	{"zeros", func(*rand.Rand) uint64 { return 0 }},
	{"ones", func(*rand.Rand) uint64 { return ^uint64(0) }},
	{"walking bit", func(*rand.Rand) uint64 { return 0 }}, // fill sets the bit
	{"sparse", func(r *rand.Rand) uint64 { return r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() }},
	{"dense", func(r *rand.Rand) uint64 { return r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64() }},
	{"random", func(r *rand.Rand) uint64 { return r.Uint64() }},
}

const (
	contentWalking = 2
	contentRandom  = 5
)

// contentPools holds enough words of each content for the largest operand at
// any of 1000 offsets, so that a case costs a copy.
var contentPools = sync.OnceValue(func() (pools [][]uint64) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range contents {
		pool := make([]uint64, largestSize+1000)
		for i := range pool {
			pool[i] = c.word(r)
		}
		pools = append(pools, pool)
	}
	return pools
})

// place says where in its memory an operand lies: off words from the start, or
// so that off words are left at the end. At 0 it touches a guard page.
type place struct {
	off   int
	atEnd bool
}

func (p place) slice(mem []uint64, n int) (s []uint64, start int) {
	start = p.off
	if p.atEnd {
		start = len(mem) - n - p.off
	}
	return mem[start : start+n : start+n], start
}

type kernelCase struct {
	n        int
	contents [2]int   // of a and b
	places   [3]place // of a, b and dst
	bit      int      // 1 + the bit that contentWalking sets; 0 for any
}

func (c kernelCase) String() string {
	return fmt.Sprintf("n=%d a=%s b=%s places of a, b, dst=%v", c.n,
		contents[c.contents[0]].name, contents[c.contents[1]].name, c.places)
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
		a: guardedWords(t, kernelMem), b: guardedWords(t, kernelMem), d: guardedWords(t, kernelMem),
		want: make([]uint64, kernelMem), saved: make([]uint64, kernelMem),
	}
}

func (k *kernelTest) randomPlaces() (p [3]place) {
	for i := range p {
		p[i] = place{k.rand.IntN(8), k.rand.IntN(2) == 0}
	}
	return p
}

// binary tells whether the kernel has two operands.
func (k *kernelTest) binary() bool {
	switch k.row.fn.(type) {
	case fusedFunc, binaryFunc, countedFunc:
		return true
	}
	return false
}

func (k *kernelTest) fill(p []uint64, content, bit int) {
	copy(p, contentPools()[content][k.rand.IntN(1000):])
	if content == contentWalking && len(p) > 0 {
		if bit == 0 {
			bit = 1 + k.rand.IntN(64*len(p))
		}
		p[(bit-1)/64] |= 1 << ((bit - 1) % 64)
	}
}

// check runs one case in every way that the kernel's shape has.
func (k *kernelTest) check(c kernelCase) {
	k.t.Helper()
	a, _ := c.places[0].slice(k.a, c.n)
	b, _ := c.places[1].slice(k.b, c.n)
	k.fill(a, c.contents[0], c.bit)
	switch fn := k.row.fn.(type) {
	case countFunc:
		k.unchanged(c, a, func() { k.same(c, fn(a), k.row.ref.(countFunc)(a)) })
	case fusedFunc:
		k.fill(b, c.contents[1], c.bit)
		k.unchanged(c, a, func() { k.same(c, fn(a, b), k.row.ref.(fusedFunc)(a, b)) })
		k.unchanged(c, b, func() { k.same(c, fn(a, b), k.row.ref.(fusedFunc)(a, b)) })
		k.same(c, fn(a, a), k.row.ref.(fusedFunc)(a, a))
	case binaryFunc:
		k.fill(b, c.contents[1], c.bit)
		k.checkBinary(c, a, b, fn, k.row.ref.(binaryFunc))
	case countedFunc:
		k.fill(b, c.contents[1], c.bit)
		ref := k.row.ref.(countedFunc)
		k.checkBinary(c, a, b, func(dst, a, b []uint64) {
			n := fn(dst, a, b)
			k.same(c, n, countGeneric(dst))
		}, func(dst, a, b []uint64) { ref(dst, a, b) })
	default:
		k.checkDecode(c, a)
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
	apart, start := c.places[2].slice(k.d, c.n)
	k.unchanged(c, a, func() { k.run(c, k.d, start, want, func() { fn(apart, a, b) }) })
	k.unchanged(c, b, func() { k.run(c, k.d, start, want, func() { fn(apart, a, b) }) })

	// In place: over the first operand, over the second, over both.
	first := slices.Clone(a)
	_, start = c.places[0].slice(k.a, c.n)
	k.run(c, k.a, start, want, func() { fn(a, a, b) })
	copy(a, first)
	_, start = c.places[1].slice(k.b, c.n)
	k.run(c, k.b, start, want, func() { fn(b, a, b) })
	copy(b, first)
	ref(want, b, first)
	k.run(c, k.b, start, want, func() { fn(b, b, b) })
}

const (
	canary    = 0xc0ffee11
	canaryLen = 64 // elements on each side: four vectors of the widest kind
)

func setCanary[T uint64 | uint | uint32](sides ...[]T) {
	for _, p := range sides {
		for i := range p {
			p[i] = canary
		}
	}
}

func canaryIntact[T uint64 | uint | uint32](sides ...[]T) bool {
	for _, p := range sides {
		for _, x := range p {
			if x != canary {
				return false
			}
		}
	}
	return true
}

// run calls f, which must leave want in mem[start:start+len(want)] and nothing
// else near it.
func (k *kernelTest) run(c kernelCase, mem []uint64, start int, want []uint64, f func()) {
	k.t.Helper()
	end := start + len(want)
	before := mem[max(0, start-canaryLen):start]
	after := mem[end:min(len(mem), end+canaryLen)]
	setCanary(before, after)
	f()
	if !slices.Equal(mem[start:end], want) {
		i := 0
		for mem[start+i] == want[i] {
			i++
		}
		k.t.Fatalf("%s(%v): word %d is %#016x, want %#016x", k.row.kernel, c, i, mem[start+i], want[i])
	}
	if !canaryIntact(before, after) {
		k.t.Fatalf("%s(%v) wrote outside dst", k.row.kernel, c)
	}
}
