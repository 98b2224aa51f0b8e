package bbloom

// Add adds a key. It allocates nothing.
func (bl *Bloom) Add(entry []byte) {
	l, h := bl.sipHash(entry)
	bl.add(l, h)
	bl.content++
}

// AddTS is Add under the lock.
func (bl *Bloom) AddTS(entry []byte) {
	bl.Mtx.Lock()
	bl.Add(entry)
	bl.Mtx.Unlock()
}

// Has reports whether a key may have been added: false is certain. It allocates
// nothing.
func (bl *Bloom) Has(entry []byte) bool {
	l, h := bl.sipHash(entry)
	return bl.has(l, h)
}

// HasTS is Has under the lock, for reading.
func (bl *Bloom) HasTS(entry []byte) bool {
	bl.Mtx.RLock()
	has := bl.Has(entry)
	bl.Mtx.RUnlock()
	return has
}

// AddIfNotHas adds a key, and reports whether it was certainly not there before.
func (bl *Bloom) AddIfNotHas(entry []byte) (added bool) {
	l, h := bl.sipHash(entry)
	words, mask := bl.bitset, bl.size
	all := uint64(1)
	for range bl.setLocs {
		i := h & mask
		w := words[i>>6]
		all &= w >> (i & 63)
		words[i>>6] = w | 1<<(i&63)
		h += l
	}
	if all != 0 {
		return false
	}
	bl.content++
	return true
}

// AddIfNotHasTS is AddIfNotHas under the lock.
func (bl *Bloom) AddIfNotHasTS(entry []byte) (added bool) {
	bl.Mtx.Lock()
	added = bl.AddIfNotHas(entry)
	bl.Mtx.Unlock()
	return added
}

// add sets the bits h + i·l for the key whose hash these are the parts of.
func (bl *Bloom) add(l, h uint64) {
	words, mask := bl.bitset, bl.size
	for range bl.setLocs {
		i := h & mask
		words[i>>6] |= 1 << (i & 63)
		h += l
	}
}

// has reports whether the bits that add sets are all set. It reads four before it
// branches: their cache lines are fetched side by side, and a branch taken late costs
// less than one that is guessed wrong.
func (bl *Bloom) has(l, h uint64) bool {
	words, mask := bl.bitset, bl.size
	n := bl.setLocs
	for ; n >= 4; n -= 4 {
		a, b, c, d := h&mask, (h+l)&mask, (h+2*l)&mask, (h+3*l)&mask
		all := words[a>>6] >> (a & 63) & (words[b>>6] >> (b & 63)) &
			(words[c>>6] >> (c & 63)) & (words[d>>6] >> (d & 63))
		if all&1 == 0 {
			return false
		}
		h += 4 * l
	}
	all := uint64(1)
	for range n {
		i := h & mask
		all &= words[i>>6] >> (i & 63)
		h += l
	}
	return all != 0
}
