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

type whitelistMember struct {
	oursMember[*bitsieve.Whitelist]
}

func newWhitelistMember(size int64, n uint64) any {
	f := bitsieve.NewWhitelist(newBlockedMember(size, n).(*blockedMember).f)
	return &whitelistMember{oursMember[*bitsieve.Whitelist]{f: f}}
}

func (m *whitelistMember) except(keys []uint64) { m.f.ExceptUint64s(keys) }

func (m *whitelistMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *whitelistMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.TestUint64(x))
	}
	return n
}

// ipv4Member takes addresses as integers.
type ipv4Member struct {
	s    bitsieve.IPv4Set
	hits bitsieve.BitSet
	keys []uint32
}

func newIPv4Member(int64, uint64) any { return new(ipv4Member) }

func (m *ipv4Member) add(keys []uint64) {
	for _, x := range keys {
		m.s.AddUint32(uint32(x))
	}
}

func (m *ipv4Member) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.s.ContainsUint32(uint32(x)))
	}
	return n
}

// narrow is part of what a batch takes.
func (m *ipv4Member) narrow(keys []uint64) []uint32 {
	m.keys = m.keys[:0]
	for _, x := range keys {
		m.keys = append(m.keys, uint32(x))
	}
	return m.keys
}

func (m *ipv4Member) addBatch(keys []uint64) { m.s.AddUint32s(m.narrow(keys)) }
func (m *ipv4Member) testBatch(keys []uint64) int {
	return m.s.ContainsUint32s(m.narrow(keys), &m.hits)
}

// spectralMember counts. It is no batchTester, so that its counts are compared.
type spectralMember struct{ f *bitsieve.Spectral }

// newSpectralMember makes one with counters of 16 bits, of which a key has four.
func newSpectralMember(size int64, _ uint64) any {
	f, err := bitsieve.NewSpectralWithSize(uint64(size)/128, 4, 16)
	if err != nil {
		panic(err) // a benchmark's own size
	}
	return &spectralMember{f}
}

func (m *spectralMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *spectralMember) count(keys, counts []uint64) {
	for i, x := range keys {
		counts[i] = m.f.CountUint64(x)
	}
}

func (m *spectralMember) addBatch(keys []uint64)           { m.f.AddUint64s(keys) }
func (m *spectralMember) countBatch(keys, counts []uint64) { m.f.CountUint64s(keys, counts) }

type scalableMember struct {
	oursMember[*bitsieve.Scalable]
}

// newScalableMember makes one that knows nothing of n.
func newScalableMember(int64, uint64) any {
	f, err := bitsieve.NewScalable(0, familyRate)
	if err != nil {
		panic(err) // a benchmark's own rate
	}
	return &scalableMember{oursMember[*bitsieve.Scalable]{f: f}}
}

func (m *scalableMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *scalableMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.TestUint64(x))
	}
	return n
}

type countingMember struct {
	oursMember[*bitsieve.Counting]
}

func newCountingMember(_ int64, n uint64) any {
	f, err := bitsieve.NewCounting(n, familyRate)
	if err != nil {
		panic(err) // a benchmark's own size
	}
	return &countingMember{oursMember[*bitsieve.Counting]{f: f}}
}

func (m *countingMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *countingMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.TestUint64(x))
	}
	return n
}

func (m *countingMember) remove(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.RemoveUint64(x))
	}
	return n
}

func (m *countingMember) removeBatch(keys []uint64) int { return m.f.RemoveUint64s(keys, &m.hits) }

type atomicMember struct {
	oursMember[*bitsieve.AtomicBlocked]
}

func newAtomicMember(size int64, n uint64) any {
	f := newBlockedMember(size, n).(*blockedMember).f.Atomic()
	return &atomicMember{oursMember[*bitsieve.AtomicBlocked]{f: f}}
}

func (m *atomicMember) view() any {
	return &atomicMember{oursMember[*bitsieve.AtomicBlocked]{f: m.f}}
}

func (m *atomicMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *atomicMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.TestUint64(x))
	}
	return n
}

type shardedMember struct {
	oursMember[*bitsieve.Sharded]
}

func newShardedMember(size int64, _ uint64) any {
	f, err := bitsieve.NewShardedWithSize(uint64(size)/64, bestK(benchBitsPerKey), shards)
	if err != nil {
		panic(err) // a benchmark's own size
	}
	return &shardedMember{oursMember[*bitsieve.Sharded]{f: f}}
}

func (m *shardedMember) view() any {
	return &shardedMember{oursMember[*bitsieve.Sharded]{f: m.f}}
}

func (m *shardedMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.AddUint64(x)
	}
}

func (m *shardedMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.TestUint64(x))
	}
	return n
}
