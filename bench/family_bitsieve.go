package main

import "github.com/bitsieve/bitsieve"

// oursMember is what all filters of this library have in common. To make a member of
// one takes the loops that call its methods directly: an interface would cost more
// than some of them do.
type oursMember[F bitsieve.Filter] struct {
	f    F
	hits bitsieve.BitSet
}

func (m *oursMember[F]) addBatch(keys []uint64)      { m.f.AddUint64s(keys) }
func (m *oursMember[F]) testBatch(keys []uint64) int { return m.f.TestUint64s(keys, &m.hits) }

type blockedMember struct {
	oursMember[*bitsieve.Blocked]
}

func newBlockedMember(size int64, _ uint64) any {
	f := newBlockedFilter(size, bestK(benchBitsPerKey)).(*blockedFilter)
	return &blockedMember{oursMember[*bitsieve.Blocked]{f: f.Blocked}}
}

func (m *blockedMember) view() any {
	return &blockedMember{oursMember[*bitsieve.Blocked]{f: m.f}}
}

func (m *blockedMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *blockedMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.TestUint64(x))
	}
	return n
}
