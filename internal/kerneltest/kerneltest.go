// Package kerneltest is what the tests of kernels share: levels, memory between
// guard pages, canaries, contents and places of operands.
package kerneltest

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// requireEnv names the levels, separated by commas, whose absence is a failure
// instead of a skip: continuous integration sets it to what its machine has.
const requireEnv = "BITSIEVE_TEST_REQUIRE"

// NeedLevel skips the test when this machine lacks level l, or fails it when
// requireEnv names l.
func NeedLevel(t *testing.T, l cpu.Level) {
	t.Helper()
	if cpu.Has(l) {
		return
	}
	levels := cpu.Available()
	best := levels[len(levels)-1]
	if slices.Contains(strings.Split(os.Getenv(requireEnv), ","), l.String()) {
		t.Fatalf("level %v is required but missing: the best here is %v", l, best)
	}
	t.Skipf("no %v here: the best level is %v", l, best)
}

// EachLevel runs f as a subtest once for each level, with that level in force.
// Neither f nor t may be parallel: the level is global.
func EachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	saved := cpu.Current()
	t.Cleanup(func() { cpu.Set(saved) })
	for l := range cpu.NumLevels {
		if cpu.Has(l) {
			cpu.Set(l)
		}
		t.Run(l.String(), func(t *testing.T) {
			NeedLevel(t, l)
			f(t)
		})
	}
}

// EachLevelBench runs f once for each level of this machine, with that level in
// force.
func EachLevelBench(b *testing.B, f func(l cpu.Level)) {
	saved := cpu.Current()
	b.Cleanup(func() { cpu.Set(saved) })
	for _, l := range cpu.Available() {
		cpu.Set(l)
		f(l)
	}
}

// LargestSize is a length in words past every cache line, page and second-level
// cache.
const LargestSize = 100_003

// Sizes returns the lengths in words to test a kernel with, for a kernel whose
// widest loop takes block words in one round.
func Sizes(block int) (sizes []int) {
	for n := range 4*block + 4 {
		sizes = append(sizes, n)
	}
	for n := 512; n <= 4096; n *= 2 {
		sizes = append(sizes, n-1, n, n+1)
	}
	if testing.Short() {
		return sizes
	}
	return append(sizes, LargestSize)
}

// Contents are what an operand is filled with.
var Contents = []struct {
	Name string
	word func(r *rand.Rand) uint64
}{
	{"zeros", func(*rand.Rand) uint64 { return 0 }},
	{"ones", func(*rand.Rand) uint64 { return ^uint64(0) }},
	{"walking bit", func(*rand.Rand) uint64 { return 0 }}, // Fill sets the bit
	{"sparse", func(r *rand.Rand) uint64 { return r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() }},
	{"dense", func(r *rand.Rand) uint64 { return r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64() }},
	{"random", func(r *rand.Rand) uint64 { return r.Uint64() }},
}

// Indices of Contents.
const (
	Walking = 2
	Random  = 5
)

// pools holds enough words of each content for the largest operand at any of
// 1000 offsets, so that a case costs a copy.
var pools = sync.OnceValue(func() (pools [][]uint64) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range Contents {
		pool := make([]uint64, LargestSize+1000)
		for i := range pool {
			pool[i] = c.word(r)
		}
		pools = append(pools, pool)
	}
	return pools
})

// Fill fills p, at most LargestSize words, with a content. For Walking it sets
// bit number bit-1, or any if bit is 0.
func Fill(r *rand.Rand, p []uint64, content, bit int) {
	copy(p, pools()[content][r.IntN(1000):])
	if content == Walking && len(p) > 0 {
		if bit == 0 {
			bit = 1 + r.IntN(64*len(p))
		}
		p[(bit-1)/64] |= 1 << ((bit - 1) % 64)
	}
}

// RandomBits returns n words of which each bit is set with probability
// 1/denominator, and the number of set bits.
func RandomBits(n, denominator int) (words []uint64, ones int) {
	words = make([]uint64, n)
	r := rand.New(rand.NewPCG(7, uint64(denominator)))
	for i := range 64 * n {
		if r.IntN(denominator) == 0 {
			words[i/64] |= 1 << (i % 64)
			ones++
		}
	}
	return words, ones
}

// A Place says where in its memory an operand lies: Off words from the start, or
// so that Off words are left at the end. At 0 it touches a guard page.
type Place struct {
	Off   int
	AtEnd bool
}

// Slice returns the n words of mem at the place, and where they start.
func (p Place) Slice(mem []uint64, n int) (s []uint64, start int) {
	start = p.Off
	if p.AtEnd {
		start = len(mem) - n - p.Off
	}
	return mem[start : start+n : start+n], start
}

// RandomPlace returns a place near one end of the memory.
func RandomPlace(r *rand.Rand) Place { return Place{r.IntN(8), r.IntN(2) == 0} }

const (
	// Canary is the value that SetCanary writes.
	Canary = 0xc0ffee11
	// CanaryLen is the number of elements to watch on each side of an operand:
	// four vectors of the widest kind.
	CanaryLen = 64
)

// SetCanary fills memory that nobody is to write to.
func SetCanary[T uint64 | uint | uint32](sides ...[]T) {
	for _, p := range sides {
		for i := range p {
			p[i] = Canary
		}
	}
}

// CanaryIntact reports whether what SetCanary wrote is still there.
func CanaryIntact[T uint64 | uint | uint32](sides ...[]T) bool {
	for _, p := range sides {
		for _, x := range p {
			if x != Canary {
				return false
			}
		}
	}
	return true
}

// Sides returns the memory to watch around n words that start at start.
func Sides(mem []uint64, start, n int) (before, after []uint64) {
	return mem[max(0, start-CanaryLen):start], mem[start+n : min(len(mem), start+n+CanaryLen)]
}

// Go calls f in a goroutine that the group waits for, as the group's own method does
// from Go 1.25 on. Tests call this one, for go.mod asks for less.
func Go(group *sync.WaitGroup, f func()) {
	group.Add(1)
	go func() {
		defer group.Done()
		f()
	}()
}
