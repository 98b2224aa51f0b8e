package bitsieve

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// The blocked filter's batch verbs at every level against their specification,
// on memory that ends where the filter, the keys and the results do.

// blockedVerbs pairs each verb with its reference.
var blockedVerbs = []struct {
	name     string
	add, ref func(blocks []block, k int, keys []uint64)                 // or
	test, is func(blocks []block, k int, keys []uint64, h []uint64) int // these
}{
	{name: "addHashes", add: addHashes, ref: addHashesGeneric},
	{name: "addUint64s", add: addUint64s, ref: addUint64sGeneric},
	{name: "testHashes", test: testHashes, is: testHashesGeneric},
	{name: "testUint64s", test: testUint64s, is: testUint64sGeneric},
}

// blockedShapes are the filters' sizes, each with the batch lengths it is tested
// with. The lengths reach past several tiles of any kernel and past several
// words of results, with every remainder.
var blockedShapes = []struct {
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

func TestBlockedVerbs(t *testing.T) {
	forEachLevel(t, func(t *testing.T) {
		m := newBlockedMem(t)
		for _, verb := range blockedVerbs {
			t.Run(verb.name, func(t *testing.T) {
				for k := minK; k <= maxK; k++ {
					for _, shape := range blockedShapes {
						if testing.Short() && shape.blocks > 1000 && k%4 != 0 {
							continue
						}
						c := &blockedCase{t, m, verb.name, k, shape.blocks}
						for _, n := range batchLengths(shape.every, shape.more) {
							if verb.add != nil {
								c.checkAdd(n, verb.add, verb.ref)
							} else {
								c.checkTest(n, verb.test, verb.is)
							}
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

// blockedMem is memory between guard pages, of which each case takes the end.
type blockedMem struct {
	rand         *rand.Rand
	filter, want []uint64
	keys, hits   []uint64
	wantHits     []uint64
}

func newBlockedMem(t *testing.T) *blockedMem {
	const page = 1 << 13 // words: a multiple of every page size
	return &blockedMem{
		rand:   rand.New(rand.NewPCG(5, 6)),
		filter: guardedWords(t, (1<<16/page+1)*page*blockWords), want: make([]uint64, (1<<16+1)*blockWords),
		keys: guardedWords(t, 2*page), hits: guardedWords(t, page),
		wantHits: make([]uint64, page),
	}
}

type blockedCase struct {
	t    *testing.T
	m    *blockedMem
	verb string
	k    int
	nb   int
}

func (c *blockedCase) fatalf(n int, format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s(%d blocks, k = %d, %d keys): %s", c.verb, c.nb, c.k, n, fmt.Sprintf(format, args...))
}

// blocks returns the filter's storage, flush with the guard page behind it, and
// the words of it.
func (c *blockedCase) blocks() ([]block, []uint64) {
	words := c.m.filter[len(c.m.filter)-c.nb*blockWords:]
	return unsafe.Slice((*block)(unsafe.Pointer(&words[0])), c.nb), words
}

// keys returns n keys, of any alignment that a slice of words can have, among
// them the ends of every range that the arithmetic has and repetitions, which
// meet in one block.
func (c *blockedCase) keys(n int) []uint64 {
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
		}
	}
	return keys
}

// fill sets each bit of words with such a probability that about half of all
// keys are present.
func (c *blockedCase) fill(words []uint64) {
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

func (c *blockedCase) checkAdd(n int, add, ref func([]block, int, []uint64)) {
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
	ref(unsafe.Slice((*block)(unsafe.Pointer(&want[0])), c.nb), c.k, saved)
	for i, w := range words {
		if w != want[i] {
			c.fatalf(n, "block %d lane %d is %#016x, want %#016x", i/blockWords, i%blockWords, w, want[i])
		}
	}
	if !slices.Equal(keys, saved) {
		c.fatalf(n, "the keys have changed")
	}
}

func (c *blockedCase) checkTest(n int, test, is func([]block, int, []uint64, []uint64) int) {
	c.t.Helper()
	blocks, words := c.blocks()
	c.fill(words)
	want := c.m.want[:copy(c.m.want, words)]
	c.checkHits(n, blocks, c.keys(n), test, is)
	if !slices.Equal(words, want) {
		c.fatalf(n, "the filter has changed")
	}
}

// checkHits compares the results for keys, bit by bit and in number, and looks
// for writes around them.
func (c *blockedCase) checkHits(n int, blocks []block, keys []uint64,
	test, is func([]block, int, []uint64, []uint64) int) {
	c.t.Helper()
	wantHits := c.m.wantHits[:(n+63)/64]
	wantCount := is(blocks, c.k, keys, wantHits)
	// One word more than needed in two of three cases: it is not theirs.
	spare := min(c.m.rand.IntN(3), 1)
	hits := c.m.hits[len(c.m.hits)-len(wantHits)-spare:]
	before := c.m.hits[len(c.m.hits)-len(hits)-8 : len(c.m.hits)-len(hits)]
	for i := range hits {
		hits[i] = c.m.rand.Uint64()
	}
	setCanary(before, hits[len(wantHits):])
	count := test(blocks, c.k, keys, hits)
	for i, w := range wantHits {
		if d := hits[i] ^ w; d != 0 {
			j := 64*i + bits.TrailingZeros64(d)
			if j >= n {
				c.fatalf(n, "bit %d, which stands for no key, is set", j)
			}
			c.fatalf(n, "key %d (%#016x): %v, want %v", j, keys[j], hits[i]>>(j&63)&1, w>>(j&63)&1)
		}
	}
	if count != wantCount {
		c.fatalf(n, "%d hits, want %d", count, wantCount)
	}
	if !canaryIntact(before, hits[len(wantHits):]) {
		c.fatalf(n, "wrote outside its results")
	}
}

// Every one of a key's bits counts: with one of them cleared in a filter that is
// full otherwise, the key is absent; with nothing else set, it is present.
func TestBlockedVerbsNearMiss(t *testing.T) {
	forEachLevel(t, func(t *testing.T) {
		m := newBlockedMem(t)
		for k := minK; k <= maxK; k++ {
			c := &blockedCase{t, m, "testHashes", k, 139}
			blocks, words := c.blocks()
			hashes := make([]uint64, c.nb) // hash i lies in block i
			own := make([]block, c.nb)     // and sets these bits
			for i := range hashes {
				width := ^uint64(0) / uint64(c.nb)
				hashes[i] = uint64(i)*width + width/4 + m.rand.Uint64()%(width/2)
				addBlock(&own[i], hashes[i], k)
			}
			copy(blocks, own)
			c.checkHits(c.nb, blocks, hashes, testHashes, testHashesGeneric)
			if n := testHashes(blocks, k, hashes, m.hits); n != c.nb {
				t.Fatalf("k = %d: %d of %d keys whose bits are set are present", k, n, c.nb)
			}
			for lane := range blockWords {
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
					c.checkHits(c.nb, blocks, hashes, testHashes, testHashesGeneric)
					if n := testHashes(blocks, k, hashes, m.hits); n != c.nb-absent {
						t.Fatalf("k = %d: %d keys present, want %d: %d lack their bit %d in lane %d",
							k, n, c.nb-absent, absent, nth, lane)
					}
				}
			}
		}
	})
}
