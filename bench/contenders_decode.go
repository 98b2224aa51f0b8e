package main

import (
	"fmt"

	bnb "github.com/bits-and-blooms/bitset"
	"github.com/bitsieve/bitsieve"
	"github.com/kelindar/bitmap"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// manyBuffer is the number of indices that NextSetMany takes at a time.
const manyBuffer = 512

// sparse is what the decoders work on.
type sparse struct {
	words []uint64
	out   []uint
	out32 []uint32
	many  [manyBuffer]uint
}

// make fills size bytes with bits that are set with probability 1/oneIn, and
// makes room for their indices.
func (s *sparse) make(size int64, oneIn int) {
	s.words = measure.SparseWords(size, oneIn)
	n := bitsieve.Count(s.words)
	s.out, s.out32 = make([]uint, 0, n), make([]uint32, 0, n)
}

// decodeStage measures the ways from set bits to indices, at one size and one
// density, a power of two.
func decodeStage(size int64, oneIn int) *Stage {
	s := new(sparse)
	ones := bitsieve.Count(measure.SparseWords(size, oneIn))
	param := fmt.Sprintf("density=1of%d", oneIn)
	group := func(op string, cs []Contender) *Group {
		return &Group{Op: op, Param: param, Size: size, Unit: report.Indices, PerCall: float64(ones), Contenders: cs}
	}
	return &Stage{
		Title: fmt.Sprintf("decoding, 1 bit in %d, %s", oneIn, report.Size(size)),
		Need:  size + int64(ones)*12,
		Groups: []*Group{
			group("Decode", s.toUint()),
			group("Decode32", s.toUint32()),
			group("NextSetMany", s.byNextSetMany()),
		},
		Setup:   func() error { s.make(size, oneIn); return nil },
		Cleanup: func() { *s = sparse{} },
	}
}

func (s *sparse) toUint() []Contender {
	return append(
		measure.PerLevel(func(calls int) {
			for range calls {
				sink += len(bitsieve.AppendIndices(s.out[:0], s.words))
			}
		}, 1),
		measure.ClearLimit(1, func() []uint { return s.out[:cap(s.out)] }),
		peer(bitsAndBlooms, 1, func(calls int) {
			b := bnb.From(s.words)
			for range calls {
				sink += len(b.AsSlice(s.out))
			}
		}))
}

func (s *sparse) toUint32() []Contender {
	return append(
		measure.PerLevel(func(calls int) {
			for range calls {
				sink += len(bitsieve.AppendIndices32(s.out32[:0], s.words))
			}
		}, 1),
		measure.ClearLimit(1, func() []uint32 { return s.out32[:cap(s.out32)] }),
		peer(kelindar, 1, func(calls int) {
			b := bitmap.Bitmap(s.words)
			for range calls {
				out := s.out32[:0]
				b.Range(func(x uint32) { out = append(out, x) })
				sink += len(out)
			}
		}))
}

func (s *sparse) byNextSetMany() []Contender {
	return append(
		measure.PerLevel(func(calls int) {
			b := bitsieve.FromWords(s.words)
			for range calls {
				i, got := b.NextSetMany(0, s.many[:])
				for len(got) > 0 {
					sink += int(got[len(got)-1])
					i, got = b.NextSetMany(i+1, s.many[:])
				}
			}
		}, 1),
		peer(bitsAndBlooms, 1, func(calls int) {
			b := bnb.From(s.words)
			for range calls {
				i, got := b.NextSetMany(0, s.many[:])
				for len(got) > 0 {
					sink += int(got[len(got)-1])
					i, got = b.NextSetMany(i+1, s.many[:])
				}
			}
		}))
}
