package bitsieve

// Batches of keys. Strings, byte slices and keyed integers are hashed into a
// tile on the stack; hashes and plain integers go to the kernels as they are.

const (
	// tileKeys is the number of keys hashed between two calls of a kernel. It is
	// a multiple of 64, so that tiles of results meet at a word's boundary.
	tileKeys = 512
	// countKeys is the number of keys per call when the results are counted and
	// thrown away.
	countKeys = 4096
)

// AddHashes adds keys by their hashes. See AddHash.
func (f *Blocked) AddHashes(hashes []uint64) {
	raceWriteBlocks(f.blocks)
	addHashes(f.blocks, f.k, hashes)
}

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Blocked) AddUint64s(keys []uint64) {
	if f.Keyed() {
		addTiled(f, keys)
		return
	}
	raceWriteBlocks(f.blocks)
	addUint64s(f.blocks, f.k, keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Blocked) AddStrings(keys []string) { addTiled(f, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Blocked) AddBytes(keys [][]byte) { addTiled(f, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits tells whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Blocked) TestHashes(hashes []uint64, hits *BitSet) int {
	return testPlain(f, hashes, hits, false)
}

// TestUint64s is TestHashes for integers.
func (f *Blocked) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testTiled(f, keys, hits)
	}
	return testPlain(f, keys, hits, true)
}

// TestStrings is TestHashes for strings.
func (f *Blocked) TestStrings(keys []string, hits *BitSet) int { return testTiled(f, keys, hits) }

// TestBytes is TestHashes for byte slices.
func (f *Blocked) TestBytes(keys [][]byte, hits *BitSet) int { return testTiled(f, keys, hits) }

// testPlain tests hashes or, if mixed is set, integers without a secret key.
func testPlain(f *Blocked, keys []uint64, hits *BitSet, mixed bool) (n int) {
	raceReadBlocks(f.blocks)
	var scratch [countKeys / 64]uint64
	words, step := scratch[:], countKeys
	if hits != nil {
		words, step = hits.resize(uint(len(keys))), len(keys)
	}
	for len(keys) > 0 {
		t := keys[:min(step, len(keys))]
		if mixed {
			n += testUint64s(f.blocks, f.k, t, words)
		} else {
			n += testHashes(f.blocks, f.k, t, words)
		}
		keys = keys[len(t):]
	}
	return n
}

// hashTile fills dst with the hashes of the first len(dst) keys.
func hashTile[K string | []byte | uint64](h hasher, dst []uint64, keys []K) {
	switch keys := any(keys[:len(dst)]).(type) {
	case []string:
		for i, s := range keys {
			dst[i] = h.string(s)
		}
	case [][]byte:
		for i, b := range keys {
			dst[i] = h.bytes(b)
		}
	case []uint64:
		for i, x := range keys {
			dst[i] = h.uint64(x)
		}
	}
}

func addTiled[K string | []byte | uint64](f *Blocked, keys []K) {
	raceWriteBlocks(f.blocks)
	var tile [tileKeys]uint64
	for len(keys) > 0 {
		t := tile[:min(tileKeys, len(keys))]
		hashTile(f.hash, t, keys)
		addHashes(f.blocks, f.k, t)
		keys = keys[len(t):]
	}
}

func testTiled[K string | []byte | uint64](f *Blocked, keys []K, hits *BitSet) (n int) {
	raceReadBlocks(f.blocks)
	var tile [tileKeys]uint64
	var scratch [tileKeys / 64]uint64
	var words []uint64
	if hits != nil {
		words = hits.resize(uint(len(keys)))
	}
	for len(keys) > 0 {
		t := tile[:min(tileKeys, len(keys))]
		hashTile(f.hash, t, keys)
		out := scratch[:]
		if hits != nil {
			out = words[:wordsFor(uint(len(t)))]
			words = words[len(out):]
		}
		n += testHashes(f.blocks, f.k, t, out)
		keys = keys[len(t):]
	}
	return n
}
