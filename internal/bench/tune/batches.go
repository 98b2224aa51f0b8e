package tune

import (
	"fmt"
	"math/rand/v2"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// Batch is the number of keys of a long batch.
const Batch = 4096

// Sizes are those of the filters that Batches' knobs are measured on, in bytes.
type Sizes struct {
	Cached []int // what the processor's own caches hold
	Border []int // each may be the border between the two
	Beyond []int // what no cache holds
}

// Standard are the sizes of the command.
var Standard = Sizes{
	Cached: []int{256 << 10, 1 << 20, 4 << 20},
	Border: []int{1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20, 32 << 20},
	Beyond: []int{64 << 20, 256 << 20},
}

// Distances returns every way to look ahead that is worth trying.
func Distances() (list []any) {
	for _, near := range []bool{false, true} {
		for _, ahead := range []uint8{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24} {
			for _, fill := range []uint8{2, 3, 4} {
				list = append(list, cpu.Lookahead{Near: near, Ahead: ahead, Fill: fill})
			}
		}
	}
	return list
}

// Batches returns the knobs of cpu.Batches.
func Batches(s Sizes) (knobs []Knob) {
	for _, l := range []struct {
		level cpu.Level
		field string
	}{{cpu.LevelAVX512, "Batches.Blocked512"}, {cpu.LevelAVX2, "Batches.Blocked256"}} {
		knobs = append(knobs,
			Knob{Field: l.field + "[0]", Level: l.level, Values: Distances(), Works: func() []Work { return Blocked(s.Cached, 8, Batch) }},
			Knob{Field: l.field + "[1]", Level: l.level, Values: Distances(), Works: func() []Work { return Blocked(s.Beyond, 8, Batch) }})
	}
	if !cpu.Has(cpu.LevelAVX2) {
		return knobs
	}
	border := Knob{Field: "Batches.BlockedCached", Works: func() []Work { return Blocked(s.Border, 8, Batch) }}
	for _, size := range s.Border {
		border.Values = append(border.Values, size)
	}
	return append(knobs, border)
}

// Blocked returns tests and additions of integers in batches of n, in blocked
// filters of the given sizes with k bits a key. What the filters hold does not
// matter: the kernels have no branch that depends on it.
func Blocked(sizes []int, k, n int) (works []Work) {
	for _, size := range sizes {
		f := new(block.Filter)
		f.Init(block.New(uint64(size/block.Bytes), true), k, hash.Hasher{})
		for i := range f.Blocks {
			f.Blocks[i][0] = uint64(i) // no page is the zero page
		}
		keys := make([]uint64, min(max(4*size/block.Bytes, 1<<16), 1<<23)/n*n)
		r := rand.New(rand.NewPCG(11, uint64(size)))
		for i := range keys {
			keys[i] = r.Uint64()
		}
		hits := make([]uint64, (n+63)/64)
		works = append(works,
			Work{name("Test", size, n), n, Each(keys, n, func(b []uint64) { f.TestUint64s(b, hits) })},
			Work{name("Add", size, n), n, Each(keys, n, f.AddUint64s)})
	}
	return works
}

func name(op string, size, n int) string {
	s := fmt.Sprintf("%s %d KiB", op, size>>10)
	if size >= 1<<20 {
		s = fmt.Sprintf("%s %d MiB", op, size>>20)
	}
	if n != Batch {
		s += fmt.Sprintf(" × %d", n)
	}
	return s
}

// Each returns a function that does f with the next n of keys, around and around.
// Their number is a multiple of n.
func Each[K any](keys []K, n int, f func(batch []K)) func() {
	at := 0
	return func() {
		f(keys[at : at+n])
		if at += n; at == len(keys) {
			at = 0
		}
	}
}
