package keyset

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"

	"github.com/bitsieve/bitsieve/internal/memory"
)

// minGrow is how many keys a small table gets room for when it grows.
const minGrow = 8

// A table is an open-addressing hash table with linear probing. There is always an
// empty slot, at which every search ends.
type table[R uint32 | uint64] struct {
	tags  []uint8  // of each slot: tagOf its key's hash, 0 if it is empty; then the first 7 again
	refs  []R      // of each slot: what finds the key, or is it
	taken []uint32 // a bit for each slot
	n     int      // slots in use
}

// slotsFor returns the number of slots for n keys: 3/4 of them are in use then. A
// search for a key that is not there looks at 8.5 slots on average (Knuth, The Art of
// Computer Programming, volume 3, 6.4, algorithm L).
func slotsFor(n int) int { return max(n+n/3+1, group) }

// group is the number of slots that a search looks at together.
const group = 8

// tagOf returns the byte that stands for a hash in a table. The slot is chosen by the
// high bits.
func tagOf(h uint64) uint8 { return max(uint8(h), 1) }

// full reports whether there is no room for one more key.
func (t *table[R]) full() bool { return slotsFor(t.n+1) > len(t.refs) }

// start returns the slot at which the search for a hash starts.
func (t *table[R]) start(h uint64) int {
	at, _ := bits.Mul64(h, uint64(len(t.refs)))
	return int(at)
}

// next returns the first slot from i on that has the tag, -1 if an empty one is
// before it. i is at most the number of slots, which is not 0.
//
// It looks at eight tags at a time. A byte of x-0x01… &^ x & 0x80… is not 0 where that of
// x is; above the first such byte it may be wrong, by the borrow.
func (t *table[R]) next(i int, tag uint8) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for {
		if i >= len(t.refs) {
			i -= len(t.refs)
		}
		x := binary.LittleEndian.Uint64(t.tags[i:])
		y := x ^ ones*uint64(tag)
		empty, same := (x-ones)&^x&tops, (y-ones)&^y&tops
		if found := empty | same; found != 0 {
			if found&-found&same == 0 {
				return -1
			}
			i += bits.TrailingZeros64(found) / 8
			if i >= len(t.refs) {
				i -= len(t.refs)
			}
			return i
		}
		i += group
	}
}

// insert puts a key that is not there into a table that is not full.
func (t *table[R]) insert(h uint64, ref R, taken bool) {
	i := t.start(h)
	for t.tags[i] != 0 {
		if i++; i == len(t.refs) {
			i = 0
		}
	}
	t.tags[i], t.refs[i] = tagOf(h), ref
	if i < group-1 {
		t.tags[len(t.refs)+i] = tagOf(h)
	}
	if taken {
		t.taken[i/32] |= 1 << (i % 32)
	}
	t.n++
}

// grow makes room for n keys in all. hash gives the hashes of those that are there.
func (t *table[R]) grow(n int, hash func(R) uint64) {
	slots := slotsFor(n)
	if slots <= len(t.refs) {
		return
	}
	g := table[R]{make([]uint8, slots+group-1), make([]R, slots), make([]uint32, (slots+31)/32), 0}
	t.each(func(i int) { g.insert(hash(t.refs[i]), t.refs[i], t.isTaken(i)) })
	*t = g
}

// each calls f with the slots that are in use.
func (t *table[R]) each(f func(i int)) {
	for i := range t.refs {
		if t.tags[i] != 0 {
			f(i)
		}
	}
}

func (t *table[R]) isTaken(i int) bool {
	return atomic.LoadUint32(&t.taken[i/32])>>(i%32)&1 != 0
}

// take reports whether it is the first to take the key of slot i.
func (t *table[R]) take(i int) bool {
	bit := uint32(1) << (i % 32)
	return atomic.OrUint32(&t.taken[i/32], bit)&bit == 0
}

func (t *table[R]) clone() table[R] {
	return table[R]{memory.CloneOf(t.tags), memory.CloneOf(t.refs), memory.CloneOf(t.taken), t.n}
}

// sizeBytes returns the table's size, where a ref takes so many bytes.
func (t *table[R]) sizeBytes(ref uint64) uint64 {
	return uint64(len(t.tags)) + ref*uint64(len(t.refs)) + 4*uint64(len(t.taken))
}
