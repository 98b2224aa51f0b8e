package main

import (
	"math/rand/v2"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// familyRate is the false-positive rate that members are made for which have no
// fixed size; 10 bits a key give it.
const familyRate = 0.01

// shards is the number of filters of those that are several.
const shards = 64

// families returns every type of the family with its peers.
func families() []family {
	ours, theirs := report.Ours, report.Peer
	bits := func(perKey float64) func(int64) uint64 {
		return func(size int64) uint64 { return uint64(float64(size) * 8 / perKey) }
	}
	set := func(i uint64) uint64 { return measure.Key(familyUint64, i) }
	blocked := memberSpec{name: "Blocked", kind: ours, make: newBlockedMember}
	standard := memberSpec{name: bitsAndBlooms, kind: theirs, make: newStandardMember}
	hashMap := memberSpec{name: "map[uint64]struct{}", kind: theirs, make: newMapMember}

	return []family{
		{
			name: "AtomicBlocked", key: set, keys: bits(10), twice: true,
			title: "Adding and testing at the same time. Filters of 10 bits a key; a peer with a lock takes it once a key, for a batch once.",
			members: []memberSpec{
				blocked,
				{name: "AtomicBlocked", kind: ours, shared: true, make: newAtomicMember},
				{name: "blobloom", kind: theirs, make: newBlobloomMember},
				{name: "blobloom SyncFilter", kind: theirs, shared: true, make: newSyncMember},
				standard,
				{name: bitsAndBlooms + " + Mutex", kind: theirs, shared: true, like: bitsAndBlooms, make: newMutexMember},
				{name: bitsAndBlooms + " + RWMutex", kind: theirs, shared: true, like: bitsAndBlooms, make: newRWMutexMember},
				hashMap,
			},
		}, {
			name: "Counting", key: set, keys: bits(40), removes: true,
			title: "Filters that forget. Ten counters of 4 bits a key; the cuckoo filter takes 8 bits a place, rounded up to a power of two.",
			members: []memberSpec{
				{name: "Counting", kind: ours, make: newCountingMember},
				{name: "BoomFilters Counting", kind: theirs, make: newBoomCountingMember},
				{name: "seiflotfy cuckoofilter", kind: theirs, make: newCuckooMember},
				hashMap,
			},
		}, {
			name: "Spectral", key: set, keys: func(size int64) uint64 { return uint64(size / 16) }, stream: zipf, weight: zipfWeight,
			title: "How often was a key added? 16 bytes a distinct key; the stream follows Zipf's law. None is below the truth.",
			members: []memberSpec{
				{name: "Spectral", kind: ours, make: newSpectralMember},
				{name: "BoomFilters CountMinSketch", kind: theirs, make: newSketchMember},
				{name: "map[uint64]uint32", kind: theirs, make: newCountMapMember},
			},
		}, {
			name: "Scalable", key: set, keys: bits(10),
			title: "Filters that grow, made for 1 %. BoomFilters' adds stages of one size, a sixteenth of all keys here.",
			members: []memberSpec{
				blocked,
				{name: "Scalable", kind: ours, make: newScalableMember},
				{name: "BoomFilters Scalable", kind: theirs, make: newBoomScalableMember},
				{name: "map[uint64]struct{}, growing", kind: theirs, make: newGrowingMapMember},
			},
		}, {
			name: "Sharded", key: set, keys: bits(10), twice: true,
			title: "One filter as 64, each with a lock of its own. 10 bits a key.",
			members: []memberSpec{
				blocked,
				standard,
				{name: "Sharded", kind: ours, shared: true, make: newShardedMember},
				{name: bitsAndBlooms + ", 64 of them", kind: theirs, shared: true, make: newShardsMember},
			},
		}, {
			name: "Whitelist", key: set, keys: bits(10),
			title: "A filter of 10 bits a key, and exact exceptions to it, one for 64 keys.",
			members: []memberSpec{
				blocked,
				{name: "Whitelist", kind: ours, make: newWhitelistMember},
				{name: bitsAndBlooms + " and a map", kind: theirs, make: newExceptMember},
			},
		}, {
			name: "IPv4Set", key: ipv4Key, keys: func(size int64) uint64 { return uint64(size / 4) },
			title: "Exact sets of IPv4 addresses, spread over 4,096 networks of 65,536. The size is that of a list of them.",
			members: []memberSpec{
				{name: "IPv4Set", kind: ours, make: newIPv4Member},
				{name: "map[netip.Addr]struct{}", kind: theirs, make: newAddrMapMember},
				{name: "map[uint32]struct{}", kind: theirs, make: newMap32Member},
				{name: "bits-and-blooms/bitset", kind: theirs, make: newBitsetMember},
			},
		},
	}
}

// zipfWeight is how often key i of n is in a stream: as often as Zipf's law says, and at
// least once, so that a third of the stream to a half is keys that come once.
func zipfWeight(i, n uint64) uint64 {
	const most = 60_000 // below the largest counter of 16 bits
	return min(most, 1+n/8/(i+1))
}

// zipf returns a stream of n different keys in random order.
func zipf(n uint64) (stream []uint64) {
	for i := range n {
		x := measure.Key(familyUint64, i)
		for range zipfWeight(i, n) {
			stream = append(stream, x)
		}
	}
	r := rand.New(rand.NewPCG(11, n))
	r.Shuffle(len(stream), func(i, j int) { stream[i], stream[j] = stream[j], stream[i] })
	return stream
}

// ipv4Key returns address i of at most 2^27 that are different from each other and
// from those of numbers beyond measure.AbsentFrom.
func ipv4Key(i uint64) uint64 {
	if i >= measure.AbsentFrom {
		i = 1<<27 | i%(1<<27)
	}
	i = i * 0x9e3779b1 % (1 << 28) // the factor is odd: one to one
	return i>>16<<20 | 3<<16 | i%(1<<16)
}
