// Package stages is the scalable Bloom filter without its files and its strings:
// a filter that need not know how many keys will come (Almeida, Baquero, Preguiça,
// Hutchison: Scalable Bloom filters, 2007).
//
// It is a row of blocked filters, the stages. Keys are added to the newest one
// until that has as many as it was sized for; then a larger one with a lower
// false-positive rate follows. A key is present if some stage has it. plan.go says
// how large the stages are, and why the sum of their rates stays under p.
//
// All stages know a key by the same hash, and so by the same bits inside a block. The sum
// of the rates bounds the rate of the whole however the stages' answers depend on
// each other.
package stages

import (
	"errors"
	"fmt"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
)

// ErrFull is wrapped when a filter has more keys than its rate allows, because no
// stage could follow.
var ErrFull = errors.New("bitsieve: filter is full")

const (
	// MaxStages and MaxKeys, of one stage, bound what Adopt takes and what a filter comes
	// to, so that each can be read that was written. A plan from the start has at most
	// 203 stages, and no machine the memory for that many keys.
	MaxStages = 256
	MaxKeys   = 1 << 54
)

// overfill is by how many keys, at least, the newest stage goes on beyond its
// capacity before another stage is tried again.
const overfill = 4096

// A Stage is one of the filters in the row.
type Stage struct {
	Filter   block.Filter
	Capacity uint64  // keys that it was sized for
	Rate     float64 // its part of the rate: that of Capacity keys is at most this
	Keys     uint64  // keys added to it

	limit uint64 // Capacity, or more if no stage could follow
}

// Words returns the words of the stage's filter, in order, without copying them.
func (s *Stage) Words() []uint64 { return block.Flatten(s.Filter.Blocks) }

// room returns how many keys can be added before the stage is full.
func (s *Stage) room() uint64 { return s.limit - s.Keys }

// A Filter is a row of stages with what is needed to add another. It has no stage,
// contains nothing and panics when it is added to until Init or Adopt is called.
type Filter struct {
	Stages []Stage // the oldest first
	P      float64 // what the rates of all stages, however many, sum up to at most
	Hash   hash.Hasher
	Huge   bool  // ask for huge pages
	Full   error // why there are more keys than P allows; nil while there are not

	spare []Stage // one that was made in advance, or none
}

// Init makes f an empty filter of one stage with room for n keys. Errors wrap
// model.ErrParameter and memory.ErrMemory.
func (f *Filter) Init(n uint64, p float64, h hash.Hasher, huge bool) error {
	*f = Filter{P: p, Hash: h, Huge: huge}
	if err := checkRate(p); err != nil {
		return err
	}
	s, err := f.make(n, p*firstShare)
	if err != nil {
		return err
	}
	f.Stages = []Stage{s}
	return nil
}

// Adopt makes f the filter of the stages, which hash as h does. It sets their
// limits, and Full if one of them has more keys than it was sized for.
func (f *Filter) Adopt(stages []Stage, p float64, h hash.Hasher, huge bool) {
	*f = Filter{Stages: stages, P: p, Hash: h, Huge: huge}
	for i := range stages {
		s := &stages[i]
		s.limit = max(s.Capacity, s.Keys)
		if s.Keys > s.Capacity {
			f.Full = fmt.Errorf("%w: stage %d has %d keys, and was sized for %d", ErrFull, i+1, s.Keys, s.Capacity)
		}
	}
}

// make returns an empty stage of room for n keys at a rate.
func (f *Filter) make(n uint64, rate float64) (Stage, error) {
	blocks, k, err := model.SizeBlocked(n, rate)
	if err != nil {
		return Stage{}, err
	}
	if blocks > memory.MaxBytes/block.Bytes {
		blocks = memory.MaxBytes/block.Bytes + 1 // for Check to refuse, without overflow
	}
	if err := memory.Check(blocks * block.Bytes); err != nil {
		return Stage{}, err
	}
	s := Stage{Capacity: n, Rate: rate, limit: n}
	s.Filter.Init(block.New(blocks, f.Huge), k, f.Hash)
	return s, nil
}

// Keys returns the number of keys that were new when they were added.
func (f *Filter) Keys() (n uint64) {
	for i := range f.Stages {
		n += f.Stages[i].Keys
	}
	return n
}

// Bytes returns the size of the stages' bits, of one made in advance too.
func (f *Filter) Bytes() (n uint64) {
	for i := range f.Stages {
		n += uint64(len(f.Stages[i].Filter.Blocks)) * block.Bytes
	}
	for i := range f.spare {
		n += uint64(len(f.spare[i].Filter.Blocks)) * block.Bytes
	}
	return n
}

// newest returns the stage that keys are added to.
func (f *Filter) newest() *Stage {
	if len(f.Stages) == 0 {
		panic("bitsieve: adding to a filter that no constructor made")
	}
	return &f.Stages[len(f.Stages)-1]
}

// Room returns how many keys can be added before memory is allocated.
func (f *Filter) Room() (n uint64) {
	if len(f.Stages) == 0 {
		return 0
	}
	if s := f.newest(); s.Keys < s.Capacity {
		n = s.Capacity - s.Keys
	}
	for i := range f.spare {
		n += f.spare[i].Capacity
	}
	return n
}

// Grow makes a stage in advance unless there is room for n keys. Errors are those
// of Init, and leave f as it was.
func (f *Filter) Grow(n uint64) error {
	newest := f.newest()
	newest.Filter.Empty() // panics if f is closed
	if f.Room() >= n {
		return nil
	}
	if newest.Keys < newest.Capacity {
		n -= newest.Capacity - newest.Keys
	}
	pl := f.plan()
	capacity, rate, err := pl.next()
	if err != nil {
		return err
	}
	s, err := f.make(max(capacity, n), rate)
	if err != nil {
		return err
	}
	f.spare = []Stage{s}
	newest.limit = max(newest.Capacity, newest.Keys)
	return nil
}

// writable returns the stage that a new key goes to, which has room: one more if
// the newest is full. If there cannot be one more, the newest goes on, for no key
// is lost: f.Full says why.
func (f *Filter) writable() *Stage {
	s := f.newest()
	if s.room() > 0 {
		return s
	}
	if err := f.Grow(1); err != nil {
		f.Full = fmt.Errorf("%w: no stage follows the one of %d keys: %w", ErrFull, s.Capacity, err)
		s.limit = s.Keys + max(s.Capacity/8, overfill)
		return s
	}
	f.Stages = append(f.Stages, f.spare...)
	f.spare = nil
	return f.newest()
}

// Clear removes every key, and every stage but the first.
func (f *Filter) Clear() {
	f.spare, f.Full = nil, nil
	if len(f.Stages) == 0 || f.Stages[0].Filter.Empty() {
		return
	}
	clear(f.Stages[1:])
	f.Stages = f.Stages[:1]
	s := &f.Stages[0]
	s.Keys, s.limit = 0, s.Capacity
	s.Filter.RaceWrite()
	memory.Clear(s.Words())
}

// Close takes the stages' blocks away: every verb panics from now on.
func (f *Filter) Close() {
	f.spare = nil
	for i := range f.Stages {
		f.Stages[i].Filter.Close()
	}
}

// Clone returns a copy with memory of its own, but for a stage made in advance.
func (f *Filter) Clone() Filter {
	c := *f
	c.spare, c.Stages = nil, append([]Stage(nil), f.Stages...)
	for i := range c.Stages {
		from, to := &f.Stages[i].Filter, &c.Stages[i].Filter
		if n := uint64(len(from.Blocks)); n > 0 {
			from.RaceRead()
			to.Init(block.New(n, f.Huge), from.K, from.Hash)
			memory.Copy(block.Flatten(to.Blocks), block.Flatten(from.Blocks))
		}
	}
	return c
}

// TestHash reports whether h may have been added.
func (f *Filter) TestHash(h uint64) bool {
	for i := len(f.Stages) - 1; i >= 0; i-- {
		if f.Stages[i].Filter.TestHash(h) {
			return true
		}
	}
	return false
}

// TestAndAddHash adds h unless some stage has it, which it reports.
func (f *Filter) TestAndAddHash(h uint64) bool {
	if f.TestHash(h) {
		return true
	}
	s := f.writable()
	s.Filter.AddHash(h)
	s.Keys++
	return false
}
