package guava

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A tile holds the terms of up to tileKeys keys, bits to look at, and the keys that these
// are of. The elements past those in use are those of other keys or zeros, and as valid.
type tile struct {
	h1, h2 [tileKeys]uint64
	bit    [tileKeys]uint64
	key    [tileKeys]uint64
}

// fill puts the terms of keys, at most tileKeys, into the tile, and their first bits.
func fill[K keyTypes](t *tile, p *probes, keys []K, units bool) {
	switch keys := any(keys).(type) {
	case []string:
		hash.Touch(keys)
		for j, key := range keys {
			if units {
				t.put(p, j, sumChars(key))
			} else {
				t.put(p, j, sumString(key))
			}
		}
	case [][]byte:
		hash.Touch(keys)
		for j, key := range keys {
			t.put(p, j, sumBytes(key))
		}
	case []int32:
		for j, key := range keys {
			t.put(p, j, sumInt(uint64(uint32(key)), 4))
		}
	case []int64:
		for j, key := range keys {
			t.put(p, j, sumInt(uint64(key), 8))
		}
	}
	t.locate(p, len(keys), 0)
	prefetch(p.data, t.bit[:len(keys)])
}

// put makes h the hash of key j.
func (t *tile) put(p *probes, j int, h sum) {
	h = p.terms(h)
	t.h1[j], t.h2[j], t.key[j] = h.h1, h.h2, uint64(j)
}

// add sets the k bits of keys 0 … n−1, whose first bits are there.
func (t *tile) add(p *probes, n int) {
	data := p.data
	for i := uint64(1); ; i++ {
		for _, bit := range t.bit[:n] {
			data[bit/8^7] |= 1 << (bit % 8)
		}
		if i == uint64(p.k) {
			return
		}
		t.locate(p, n, i)
		prefetch(data, t.bit[:n])
	}
}

// test returns how many of the keys 0 … n−1, whose first bits are there, have their k bits
// set. Unless hits is nil, it sets the bits of hits that stand for them.
func (t *tile) test(p *probes, n int, hits []uint64) int {
	for i := uint64(1); i <= uint64(p.k) && n > 0; i++ {
		n = t.sift(p, n, i)
		if i < uint64(p.k) { // or there is no bit i
			prefetch(p.data, t.bit[:n])
		}
	}
	if hits != nil {
		for _, j := range t.key[:n] {
			hits[j/64] |= 1 << (j % 64)
		}
	}
	return n
}

// inVectors reports whether the AVX-512 kernels take a filter. Under the race detector the
// rounds are Go, so that it sees what they read.
func (p *probes) inVectors() bool { return cpu.AVX512 && p.inverse != 0 && !race.Enabled }

// locate computes bit i of keys 0 … n−1.
func (t *tile) locate(p *probes, n int, i uint64) {
	if p.inVectors() {
		locateKernel(t, p, n, i)
		return
	}
	for j := range t.bit[:n] {
		t.bit[j] = p.locate(sum{t.h1[j], t.h2[j]}, i)
	}
}

// sift looks at the first n bits, keeps the keys whose bit is set, in order, computes bit
// i of each, and returns how many they are.
func (t *tile) sift(p *probes, n int, i uint64) int {
	if p.inVectors() {
		return siftKernel(&p.data[0], t, p, n, i)
	}
	data, live := p.data, 0
	for s, bit := range t.bit[:n] {
		j := t.key[s] % tileKeys
		t.bit[live] = p.locate(sum{t.h1[j], t.h2[j]}, i) // overwritten if the key is ruled out
		t.key[live] = j
		live += int(bitAt(data, bit))
	}
	return live
}
