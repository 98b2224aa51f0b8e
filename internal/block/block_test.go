package block

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The blocked filter's batch verbs at every level against their specification,
// on memory that ends where the filter, the keys and the results do.

type (
	addFunc  = func(blocks []Block, k int, keys []uint64)
	testFunc = func(blocks []Block, k int, keys, hits []uint64)
)

// A verb is paired with its reference.
type verb struct {
	name       string
	add, addIn addFunc  // or
	test, is   testFunc // or
	both, ref  testFunc // tests and adds
}

var verbs = []verb{
	{name: "AddHashes", add: verbAdd((*Filter).AddHashes), addIn: refAdd(false)},
	{name: "AddUint64s", add: verbAdd((*Filter).AddUint64s), addIn: refAdd(true)},
	{name: "TestHashes", test: verbTest((*Filter).TestHashes), is: refTest(testGeneric, false)},
	{name: "TestUint64s", test: verbTest((*Filter).TestUint64s), is: refTest(testGeneric, true)},
	{name: "TestAndAddHashes", both: verbTest((*Filter).TestAndAddHashes), ref: refTest(testAndAddGeneric, false)},
	{name: "TestAndAddUint64s", both: verbTest((*Filter).TestAndAddUint64s), ref: refTest(testAndAddGeneric, true)},
}

func filterOver(blocks []Block, k int) *Filter {
	f := new(Filter)
	f.Init(blocks, k, hash.Hasher{})
	return f
}

func verbAdd(verb func(*Filter, []uint64)) addFunc {
	return func(blocks []Block, k int, keys []uint64) { verb(filterOver(blocks, k), keys) }
}

func verbTest(verb func(f *Filter, keys, hits []uint64)) testFunc {
	return func(blocks []Block, k int, keys, hits []uint64) { verb(filterOver(blocks, k), keys, hits) }
}

func refAdd(mixed bool) addFunc {
	return func(blocks []Block, k int, keys []uint64) { addGeneric(blocks, k, keys, mixed) }
}

func refTest(ref func(blocks []Block, k int, keys, hits []uint64, mixed bool), mixed bool) testFunc {
	return func(blocks []Block, k int, keys, hits []uint64) { ref(blocks, k, keys, hits, mixed) }
}

// shapes are the filters' sizes, each with the batch lengths it is tested
// with. The lengths reach past several rounds of any kernel and past several
// words of results, with every remainder.
var shapes = []struct {
	blocks int
	every  int   // lengths 0, every, 2·every … up to 200
	more   []int // and these
}{
	{1, 3, nil},
	{2, 5, nil},
	{3, 5, []int{1021}},
	{7, 7, nil},
	{64, 1, []int{512, 4099}},
	{1000, 11, []int{5000}},
	{1<<16 + 1, 67, []int{10_007}},
}

func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		m := newKernelMem(t)
		for _, verb := range verbs {
			t.Run(verb.name, func(t *testing.T) {
				for k := MinK; k <= MaxK; k++ {
					for _, shape := range shapes {
						if testing.Short() && shape.blocks > 1000 && k%4 != 0 {
							continue
						}
						c := &kernelCase{t, m, verb.name, k, shape.blocks}
						for _, n := range batchLengths(shape.every, shape.more) {
							c.check(n, verb)
						}
					}
				}
			})
		}
	})
}

func batchLengths(every int, more []int) (lengths []int) {
	if testing.Short() {
		every *= 7
	}
	for n := 0; n <= 200; n += every {
		lengths = append(lengths, n)
	}
	if testing.Short() {
		return lengths
	}
	return append(lengths, more...)
}

// kernelMem is memory between guard pages, of which each case takes the end.
type kernelMem struct {
	rand         *rand.Rand
	filter, want []uint64
	keys, hits   []uint64
	wantHits     []uint64
}

func newKernelMem(t *testing.T) *kernelMem {
	const page = 1 << 13 // words: a multiple of every page size
	return &kernelMem{
		rand:   rand.New(rand.NewPCG(5, 6)),
		filter: kerneltest.Guarded(t, (1<<16/page+1)*page*Words), want: make([]uint64, (1<<16+1)*Words),
		keys: kerneltest.Guarded(t, 2*page), hits: kerneltest.Guarded(t, page),
		wantHits: make([]uint64, page),
	}
}

type kernelCase struct {
	t    *testing.T
	m    *kernelMem
	verb string
	k    int
	nb   int
}

func (c *kernelCase) fatalf(n int, format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s(%d blocks, k = %d, %d keys): %s", c.verb, c.nb, c.k, n, fmt.Sprintf(format, args...))
}

// blocks returns the filter's storage, flush with the guard page behind it, and
// the words of it.
func (c *kernelCase) blocks() ([]Block, []uint64) {
	words := c.m.filter[len(c.m.filter)-c.nb*Words:]
	return View(words), words
}

// keys returns n keys, of any alignment that a slice of words can have, among
// them the ends of every range that the arithmetic has and repetitions, which
// meet in one block: of any key before, and of one of the last eight.
func (c *kernelCase) keys(n int) []uint64 {
	r := c.m.rand
	end := len(c.m.keys)
	if r.IntN(2) == 0 {
		end -= r.IntN(9)
	}
	keys := c.m.keys[end-n : end : end]
	for i := range keys {
		keys[i] = r.Uint64()
		switch r.IntN(16) {
		case 0:
			keys[i] = []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, ^uint64(0)}[r.IntN(6)]
		case 1:
			keys[i] = keys[r.IntN(i+1)]
		case 2:
			keys[i] = keys[i-r.IntN(min(i+1, 9))]
		}
	}
	return keys
}

// fill sets each bit of words with such a probability that about half of all
// keys are present.
func (c *kernelCase) fill(words []uint64) {
	density := []uint8{128, 181, 203, 215, 223, 228, 232, 235, 237, 239, 240, 242, 243, 244, 244, 245}[c.k-1]
	for i := range words {
		var w uint64
		for d := bits.TrailingZeros8(density); d < 8; d++ {
			if density>>d&1 != 0 {
				w |= c.m.rand.Uint64()
			} else {
				w &= c.m.rand.Uint64()
			}
		}
		words[i] = w
	}
}

func (c *kernelCase) check(n int, v verb) {
	c.t.Helper()
	switch {
	case v.add != nil:
		c.checkAdd(n, v.add, v.addIn)
	case v.test != nil:
		c.checkTest(n, v.test, v.is)
	default:
		c.checkBoth(n, v.both, v.ref)
	}
}

func (c *kernelCase) checkAdd(n int, add, ref addFunc) {
	c.t.Helper()
	blocks, words := c.blocks()
	for i := range words {
		words[i] = 0
		if c.m.rand.IntN(8) == 0 {
			words[i] = c.m.rand.Uint64()
		}
	}
	want := c.m.want[:copy(c.m.want, words)]
	keys := c.keys(n)
	saved := slices.Clone(keys)
	add(blocks, c.k, keys)
	ref(View(want), c.k, saved)
	for i, w := range words {
		if w != want[i] {
			c.fatalf(n, "block %d lane %d is %#016x, want %#016x", i/Words, i%Words, w, want[i])
		}
	}
	if !slices.Equal(keys, saved) {
		c.fatalf(n, "the keys have changed")
	}
}

func (c *kernelCase) checkTest(n int, test, is testFunc) {
	c.t.Helper()
	blocks, words := c.blocks()
	c.fill(words)
	want := c.m.want[:copy(c.m.want, words)]
	c.checkHits(n, blocks, c.keys(n), test, is)
	if !slices.Equal(words, want) {
		c.fatalf(n, "the filter has changed")
	}
}

// checkBoth tests and adds in a filter and in a copy of it. In a dense one most
// absent keys lack a single bit; a sparse one shows every bit that is set.
func (c *kernelCase) checkBoth(n int, both, ref testFunc) {
	c.t.Helper()
	blocks, words := c.blocks()
	if c.m.rand.IntN(2) == 0 {
		c.fill(words)
	} else {
		for i := range words {
			words[i] = c.m.rand.Uint64() & c.m.rand.Uint64() & c.m.rand.Uint64()
		}
	}
	want := c.m.want[:copy(c.m.want, words)]
	c.checkHits(n, blocks, c.keys(n), both, func(_ []Block, k int, keys, hits []uint64) {
		ref(View(want), k, keys, hits)
	})
	if !slices.Equal(words, want) {
		c.fatalf(n, "the filter is not what the reference makes of it")
	}
}

// checkHits compares the results for keys, bit by bit, and looks for writes
// around them.
func (c *kernelCase) checkHits(n int, blocks []Block, keys []uint64,
	test, is testFunc) {
	c.t.Helper()
	wantHits := c.m.wantHits[:(n+63)/64]
	is(blocks, c.k, keys, wantHits)
	// One word more than needed in two of three cases: it is not theirs.
	spare := min(c.m.rand.IntN(3), 1)
	hits := c.m.hits[len(c.m.hits)-len(wantHits)-spare:]
	before := c.m.hits[len(c.m.hits)-len(hits)-8 : len(c.m.hits)-len(hits)]
	for i := range hits {
		hits[i] = c.m.rand.Uint64()
	}
	kerneltest.SetCanary(before, hits[len(wantHits):])
	test(blocks, c.k, keys, hits)
	for i, w := range wantHits {
		if d := hits[i] ^ w; d != 0 {
			j := 64*i + bits.TrailingZeros64(d)
			if j >= n {
				c.fatalf(n, "bit %d, which stands for no key, is set", j)
			}
			c.fatalf(n, "key %d (%#016x): %v, want %v", j, keys[j], hits[i]>>(j&63)&1, w>>(j&63)&1)
		}
	}
	if !kerneltest.CanaryIntact(before, hits[len(wantHits):]) {
		c.fatalf(n, "wrote outside its results")
	}
}

// Every one of a key's bits counts: with one of them cleared in a filter that is
// full otherwise, the key is absent; with nothing else set, it is present.
func TestNearMiss(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		m := newKernelMem(t)
		for k := MinK; k <= MaxK; k++ {
			c := &kernelCase{t, m, "testHashes", k, 139}
			blocks, words := c.blocks()
			hashes := make([]uint64, c.nb) // hash i lies in block i
			own := make([]Block, c.nb)     // and sets these bits
			for i := range hashes {
				width := ^uint64(0) / uint64(c.nb)
				hashes[i] = uint64(i)*width + width/4 + m.rand.Uint64()%(width/2)
				Add(&own[i], hashes[i], k)
			}
			copy(blocks, own)
			test, is := verbTest((*Filter).TestHashes), refTest(testGeneric, false)
			present := func() int {
				test(blocks, k, hashes, m.hits)
				n := 0
				for _, w := range m.hits[:(c.nb+63)/64] {
					n += bits.OnesCount64(w)
				}
				return n
			}
			c.checkHits(c.nb, blocks, hashes, test, is)
			if n := present(); n != c.nb {
				t.Fatalf("k = %d: %d of %d keys whose bits are set are present", k, n, c.nb)
			}
			for lane := range Words {
				for nth := range 2 {
					for i := range words {
						words[i] = ^uint64(0)
					}
					absent := 0
					for i := range blocks {
						w := own[i][lane]
						if nth == 1 {
							w &= w - 1
						}
						if w != 0 {
							blocks[i][lane] &^= w & -w
							absent++
						}
					}
					c.checkHits(c.nb, blocks, hashes, test, is)
					if n := present(); n != c.nb-absent {
						t.Fatalf("k = %d: %d keys present, want %d: %d lack their bit %d in lane %d",
							k, n, c.nb-absent, absent, nth, lane)
					}
				}
			}
		}
	})
}
