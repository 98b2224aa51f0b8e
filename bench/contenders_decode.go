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

// sparse is what the decoders work on: many sets, taken in turn.
type sparse struct {
	sets   [][]uint64
	ours   []*bitsieve.BitSet
	theirs []*bnb.BitSet
	out    []uint
	out32  []uint32
	many   [manyBuffer]uint
}

func (s *sparse) make(size int64, oneIn int) {
	var most int
	s.sets, _, most = measure.SparseSets(size, oneIn)
	for _, words := range s.sets {
		s.ours = append(s.ours, bitsieve.FromWords(words))
		s.theirs = append(s.theirs, bnb.From(words))
	}
	s.out, s.out32 = make([]uint, 0, most), make([]uint32, 0, most)
}

// inTurn returns what decodes so many sets, from the first one on.
func (s *sparse) inTurn(decode func(set int)) func(calls int) {
	return func(calls int) {
		set := 0
		for range calls {
			decode(set)
			if set++; set == len(s.sets) {
				set = 0
			}
		}
	}
}

// decodeStage measures the ways from set bits to indices, at one size and one
// density, a power of two.
func decodeStage(size int64, oneIn int) *Stage {
	s := new(sparse)
	_, mean, most := measure.SparseSets(size, oneIn)
	param := fmt.Sprintf("density=1of%d", oneIn)
	group := func(op string, cs []Contender) *Group {
		return &Group{Op: op, Param: param, Size: size, Unit: report.Indices, PerCall: mean, Contenders: cs}
	}
	return &Stage{
		Title: fmt.Sprintf("decoding, 1 bit in %d, %s", oneIn, report.Size(size)),
		Need:  size + int64(most)*12,
		Groups: []*Group{
			group("Decode", s.toUint(int(mean))),
			group("Decode32", s.toUint32(int(mean))),
			group("NextSetMany", s.byNextSetMany()),
		},
		Setup:   func() error { s.make(size, oneIn); return nil },
		Cleanup: func() { *s = sparse{} },
	}
}

func (s *sparse) toUint(mean int) []Contender {
	return append(
		measure.PerLevel(s.inTurn(func(set int) {
			sink += len(bitsieve.AppendIndices(s.out[:0], s.sets[set]))
		}), 1),
		measure.ClearLimit(1, func() []uint { return s.out[:mean] }),
		peer(bitsAndBlooms, 1, s.inTurn(func(set int) {
			sink += len(s.theirs[set].AsSlice(s.out))
		})))
}

func (s *sparse) toUint32(mean int) []Contender {
	return append(
		measure.PerLevel(s.inTurn(func(set int) {
			sink += len(bitsieve.AppendIndices32(s.out32[:0], s.sets[set]))
		}), 1),
		measure.ClearLimit(1, func() []uint32 { return s.out32[:mean] }),
		peer(kelindar, 1, s.inTurn(func(set int) {
			out := s.out32[:0]
			bitmap.Bitmap(s.sets[set]).Range(func(x uint32) { out = append(out, x) })
			sink += len(out)
		})))
}

func (s *sparse) byNextSetMany() []Contender {
	return append(
		measure.PerLevel(s.inTurn(func(set int) {
			b := s.ours[set]
			i, got := b.NextSetMany(0, s.many[:])
			for len(got) > 0 {
				sink += int(got[len(got)-1])
				i, got = b.NextSetMany(i+1, s.many[:])
			}
		}), 1),
		peer(bitsAndBlooms, 1, s.inTurn(func(set int) {
			b := s.theirs[set]
			i, got := b.NextSetMany(0, s.many[:])
			for len(got) > 0 {
				sink += int(got[len(got)-1])
				i, got = b.NextSetMany(i+1, s.many[:])
			}
		})))
}
