package guava

import "github.com/bitsieve/bitsieve/internal/hash"

// fill puts the terms of keys, at most tileKeys, into the tile.
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
}

// put makes h the hash of key j.
func (t *tile) put(p *probes, j int, h sum) {
	h = p.terms(h)
	t.h1[j], t.h2[j] = h.h1, h.h2
	t.bit[j], t.key[j] = p.locate(h, 0), uint64(j)
}

// add sets the k bits of keys 0 … n−1.
func (t *tile) add(p *probes, n int) {
	data := p.data
	for i := uint64(1); ; i++ {
		prefetch(data, t.bit[:n])
		for _, bit := range t.bit[:n] {
			data[bit/8^7] |= 1 << (bit % 8)
		}
		if i == uint64(p.k) {
			return
		}
		for j := range t.bit[:n] {
			t.bit[j] = p.locate(sum{t.h1[j], t.h2[j]}, i)
		}
	}
}

// test returns how many of the keys 0 … n−1 have their k bits set. Unless hits is nil, it
// sets the bits of hits that stand for them.
func (t *tile) test(p *probes, n int, hits []uint64) int {
	data := p.data
	for i := uint64(1); i < uint64(p.k); i++ {
		prefetch(data, t.bit[:n])
		live := 0
		for s, bit := range t.bit[:n] {
			j := t.key[s] % tileKeys
			t.bit[live] = p.locate(sum{t.h1[j], t.h2[j]}, i) // overwritten if the key is ruled out
			t.key[live] = j
			live += int(bitAt(data, bit))
		}
		n = live
	}
	prefetch(data, t.bit[:n])
	live := 0
	for s, bit := range t.bit[:n] {
		t.key[live] = t.key[s]
		live += int(bitAt(data, bit))
	}
	if hits != nil {
		for _, j := range t.key[:live] {
			hits[j/64] |= 1 << (j % 64)
		}
	}
	return live
}
