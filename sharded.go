package bitsieve

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// MaxShards is the largest number of shards of a Sharded.
const MaxShards = 1 << 20

// Sharded is one large filter as many small ones, the shards: each can be saved,
// loaded, replaced, cleared and locked alone. Its bits are those of a Blocked of the
// same size, whose blocks are cut into shards of equal length; a key's block is the
// high half of hash × blocks, and its shard the high half of hash × shards, so that
// all of a key's bits lie in one shard. Sizes and rates are those of Blocked too.
//
// Every shard has a lock, for one that adds or several that test. Methods can be
// used from any number of goroutines at a time, but for Close, ReadFrom and
// UnmarshalBinary, which need a filter that nobody else uses. A method that goes
// over the whole filter locks one shard after the other, never two at a time, so
// that it sees the shards at different moments; only Save, WriteTo and their kind
// keep all shards from being added to, until they are done.
//
// Batches sort their keys by shard, 512 at a time, and lock a shard once for all of
// its keys among them. So a few dozen shards are faster than thousands, of which each
// key locks one of its own.
//
// A lock takes 128 bytes. A Sharded must not be copied. The zero value contains
// nothing and is there to be decoded into; adding to it panics. After Close every
// use panics.
type Sharded struct {
	b     *Blocked // nil for the zero value
	locks []shardLock
}

// A shardLock keeps neighbours out of each other's cache lines.
type shardLock struct {
	sync.RWMutex
	_ [104]byte
}

// NewSharded returns an empty filter of so many shards, 1 to MaxShards, whose
// false-positive rate is at most p once n distinct keys have been added. It is sized
// as by NewBlocked, with the number of blocks rounded up to a multiple of shards.
// Options and errors are those of NewBlocked.
func NewSharded(n uint64, p float64, shards int, opts ...Option) (*Sharded, error) {
	if err := checkShards(shards); err != nil {
		return nil, err
	}
	blocks, k, err := sizeBlocked(n, p, uint64(shards), opts)
	if err != nil {
		return nil, err
	}
	f, err := NewShardedWithSize(blocks, k, shards, opts...)
	if err != nil {
		return nil, err
	}
	f.b.n, f.b.p = n, p
	return f, nil
}

// NewShardedWithSize returns an empty filter of so many blocks of 64 bytes, in all,
// in which every key sets k bits. blocks must be a multiple of shards. Errors are
// those of NewBlockedWithSize.
func NewShardedWithSize(blocks uint64, k, shards int, opts ...Option) (*Sharded, error) {
	if err := checkShards(shards); err != nil {
		return nil, err
	}
	if blocks%uint64(shards) != 0 {
		return nil, unequalShards(blocks, shards)
	}
	f, err := NewBlockedWithSize(blocks, k, opts...)
	if err != nil {
		return nil, err
	}
	return f.Sharded(shards)
}

func checkShards(shards int) error {
	if shards < 1 || shards > MaxShards {
		return fmt.Errorf("%w: %d shards, want 1 to %d", ErrParameter, shards, MaxShards)
	}
	return nil
}

func unequalShards(blocks uint64, shards int) error {
	return fmt.Errorf("%w: %d blocks are not a multiple of %d shards", ErrParameter, blocks, shards)
}

// Sharded returns f, whose number of blocks must be a multiple of shards, as a
// Sharded. No bit is copied: both are one filter. While goroutines use the Sharded,
// nobody may use methods of f, but for those that only read while nobody adds.
// After a method of f that changes the number of blocks (Fold, ReadFrom) the Sharded
// must not be used. Errors wrap ErrParameter.
func (f *Blocked) Sharded(shards int) (*Sharded, error) {
	if err := checkShards(shards); err != nil {
		return nil, err
	}
	if f.filter.Empty() || f.Blocks()%uint64(shards) != 0 {
		return nil, unequalShards(f.Blocks(), shards)
	}
	return &Sharded{f, make([]shardLock, shards)}, nil
}

// Blocked returns f as a Blocked. Both are one filter: see Blocked.Sharded.
func (f *Sharded) Blocked() *Blocked {
	if f.b == nil {
		return new(Blocked)
	}
	return f.b
}

// Shards returns the number of shards.
func (f *Sharded) Shards() int { return len(f.locks) }

// ShardOf returns the shard in which key lies, 0 for the zero value.
func (f *Sharded) ShardOf(key []byte) int { return f.ShardOfHash(f.Hash(key)) }

// ShardOfString returns the shard in which s lies.
func (f *Sharded) ShardOfString(s string) int { return f.ShardOfHash(f.HashString(s)) }

// ShardOfUint64 returns the shard in which x lies.
func (f *Sharded) ShardOfUint64(x uint64) int { return f.ShardOfHash(f.HashUint64(x)) }

// ShardOfHash returns the shard in which keys with the hash h lie.
func (f *Sharded) ShardOfHash(h uint64) int { return int(block.Index(h, uint64(len(f.locks)))) }

// K returns the number of bits that a key sets.
func (f *Sharded) K() int { return f.Blocked().K() }

// Blocks returns the number of blocks of 64 bytes, of all shards.
func (f *Sharded) Blocks() uint64 { return f.Blocked().Blocks() }

// SizeBytes returns the size of the filter's bits in bytes.
func (f *Sharded) SizeBytes() uint64 { return f.Blocked().SizeBytes() }

// Capacity returns the number of keys n and the false-positive rate p that the
// filter was sized for by NewSharded; both are 0 if its size was given.
func (f *Sharded) Capacity() (n uint64, p float64) { return f.Blocked().Capacity() }

// Keyed reports whether the filter hashes under a secret key.
func (f *Sharded) Keyed() bool { return f.hasher().Keyed() }

func (f *Sharded) hasher() hash.Hasher {
	if f.b == nil {
		return hash.Hasher{}
	}
	return f.b.filter.Hash
}

// Hash returns the hash by which the filter knows key. See Blocked.Hash.
func (f *Sharded) Hash(key []byte) uint64 { return f.hasher().Bytes(key) }

// HashString is Hash for the bytes of s.
func (f *Sharded) HashString(s string) uint64 { return f.hasher().String(s) }

// HashUint64 is Hash for an integer.
func (f *Sharded) HashUint64(x uint64) uint64 { return f.hasher().Uint64(x) }

// empty reports whether the filter has no blocks, and panics if it was closed.
func (f *Sharded) empty() bool { return f.b == nil || f.b.filter.Empty() }

// check panics if the filter cannot be added to.
func (f *Sharded) check() {
	if f.empty() {
		panic("bitsieve: adding to a filter that no constructor made")
	}
}

func (f *Sharded) lockOf(h uint64) *shardLock {
	return &f.locks[block.Index(h, uint64(len(f.locks)))]
}

// AddHash adds a key by its hash. See Blocked.AddHash.
func (f *Sharded) AddHash(h uint64) {
	f.check()
	l := f.lockOf(h)
	l.Lock()
	f.b.filter.AddHashPart(h)
	l.Unlock()
}

// TestHash reports whether a key with the hash h may have been added by AddHash:
// false is certain.
func (f *Sharded) TestHash(h uint64) bool {
	if f.empty() {
		return false
	}
	l := f.lockOf(h)
	l.RLock()
	hit := f.b.filter.TestHashPart(h)
	l.RUnlock()
	return hit
}

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Sharded) TestAndAddHash(h uint64) bool {
	f.check()
	l := f.lockOf(h)
	l.Lock()
	hit := f.b.filter.TestAndAddHashPart(h)
	l.Unlock()
	return hit
}

// Add adds a key.
func (f *Sharded) Add(key []byte) { f.AddHash(f.Hash(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Sharded) AddString(s string) { f.AddHash(f.HashString(s)) }

// AddUint64 adds an integer. It is a key of its own kind, equal to no byte slice and
// no string; but under a secret key it is its eight little-endian bytes.
func (f *Sharded) AddUint64(x uint64) { f.AddHash(f.HashUint64(x)) }

// Test reports whether key may have been added: false is certain.
func (f *Sharded) Test(key []byte) bool { return f.TestHash(f.Hash(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Sharded) TestString(s string) bool { return f.TestHash(f.HashString(s)) }

// TestUint64 reports whether x may have been added: false is certain.
func (f *Sharded) TestUint64(x uint64) bool { return f.TestHash(f.HashUint64(x)) }

// TestAndAdd adds key and reports whether it may have been there before. Of several
// goroutines that add one new key at a time, exactly one is told that it was not.
func (f *Sharded) TestAndAdd(key []byte) bool { return f.TestAndAddHash(f.Hash(key)) }

// TestAndAddString is TestAndAdd for the bytes of s.
func (f *Sharded) TestAndAddString(s string) bool { return f.TestAndAddHash(f.HashString(s)) }

// TestAndAddUint64 is TestAndAdd for an integer.
func (f *Sharded) TestAndAddUint64(x uint64) bool { return f.TestAndAddHash(f.HashUint64(x)) }

// Clear removes every key, from one shard after the other.
func (f *Sharded) Clear() {
	for i := range f.locks {
		f.ClearShard(i)
	}
}

// readShards calls do with the words of each shard in turn, which nobody adds to
// meanwhile.
func (f *Sharded) readShards(do func(i int, words []uint64)) {
	for i := range f.locks {
		f.locks[i].RLock()
		do(i, block.Flatten(f.shard(i)))
		f.locks[i].RUnlock()
	}
}

// shard returns the blocks of a shard.
func (f *Sharded) shard(i int) []block.Block {
	n := len(f.b.filter.Blocks) / len(f.locks)
	return f.b.filter.Blocks[i*n : (i+1)*n : (i+1)*n]
}

// Union adds every key of g to f. It fails with an error that wraps ErrMismatch,
// and leaves f as it was, unless both have the same number of shards, blocks, bits
// per key and hashing. A key that is added to g meanwhile may be left out.
func (f *Sharded) Union(g *Sharded) error { return f.join(g, orWords) }

// Intersect keeps in f the bits that g has too. Every key that both had when it
// began remains. See Blocked.Intersect for the rate. Errors are those of Union.
func (f *Sharded) Intersect(g *Sharded) error { return f.join(g, andWords) }

// join does an operation on the words of f and g. They are taken from g to the stack
// a piece at a time, of whole blocks, so that no two locks are held at a time, in
// whatever order others join f and g, and if f and g are one.
func (f *Sharded) join(g *Sharded, op func(dst, a, b []uint64)) error {
	if err := f.match(g); err != nil {
		return err
	}
	var piece [readWords]uint64
	for i := range f.locks {
		mine, theirs := block.Flatten(f.shard(i)), block.Flatten(g.shard(i))
		for len(mine) > 0 {
			b := piece[:min(readWords, len(mine))]
			g.locks[i].RLock()
			copy(b, theirs)
			g.locks[i].RUnlock()
			f.locks[i].Lock()
			op(mine[:len(b)], mine[:len(b)], b)
			f.locks[i].Unlock()
			mine, theirs = mine[len(b):], theirs[len(b):]
		}
	}
	return nil
}

func (f *Sharded) match(g *Sharded) error {
	if len(f.locks) != len(g.locks) {
		return fmt.Errorf("%w: %d and %d shards", ErrMismatch, len(f.locks), len(g.locks))
	}
	if len(f.locks) == 0 {
		return nil
	}
	return f.b.match(g.b)
}

// Clone returns a copy with memory of its own.
func (f *Sharded) Clone() *Sharded {
	if f.empty() {
		return new(Sharded)
	}
	c := &Sharded{
		b:     &Blocked{n: f.b.n, p: f.b.p, noHugePages: f.b.noHugePages},
		locks: make([]shardLock, len(f.locks)),
	}
	c.b.filter.Init(block.New(f.Blocks(), !f.b.noHugePages), f.b.filter.K, f.b.filter.Hash)
	f.readShards(func(i int, words []uint64) { memory.Copy(block.Flatten(c.shard(i)), words) })
	return c
}

// Equal reports whether f and g have the same Shards, Blocks, K, hashing and bits
// set.
func (f *Sharded) Equal(g *Sharded) bool {
	if f.match(g) != nil {
		return false
	}
	var a, b [readWords]uint64
	for i := range f.locks {
		mine, theirs := block.Flatten(f.shard(i)), block.Flatten(g.shard(i))
		for len(mine) > 0 {
			n := min(readWords, len(mine))
			f.locks[i].RLock()
			copy(a[:n], mine)
			f.locks[i].RUnlock()
			g.locks[i].RLock()
			copy(b[:n], theirs)
			g.locks[i].RUnlock()
			if !equalWords(a[:n], b[:n]) {
				return false
			}
			mine, theirs = mine[n:], theirs[n:]
		}
	}
	return true
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole
// filter.
func (f *Sharded) Fill() float64 {
	if f.empty() {
		return 0
	}
	ones := 0
	f.readShards(func(_ int, words []uint64) { ones += popcount.Count(words) })
	return float64(ones) / (64 * float64(len(f.b.words())))
}

// EstimatedCount returns an estimate of the number of distinct keys added. See
// Blocked.EstimatedCount. It reads the whole filter.
func (f *Sharded) EstimatedCount() uint64 { return f.Blocked().countFrom(f.Fill()) }

// FPRate returns the false-positive rate of the filter as it stands. See
// Blocked.FPRate. It reads the whole filter.
func (f *Sharded) FPRate() float64 {
	if f.empty() {
		return 0
	}
	var sum float64
	f.readShards(func(_ int, words []uint64) {
		sum = model.AddHitRates(sum, block.View(words), f.b.filter.K)
	})
	return sum / float64(f.Blocks())
}

// ExpectedFPRate returns the false-positive rate that the model of the blocked
// filter predicts after n distinct keys were added to the empty filter.
func (f *Sharded) ExpectedFPRate(n uint64) float64 { return f.Blocked().ExpectedFPRate(n) }

func (f *Sharded) target() target { return target{sharded: f} }

// AddHashes adds keys by their hashes. See Blocked.AddHash.
func (f *Sharded) AddHashes(hashes []uint64) { f.do(addHashes, hashes, nil) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Sharded) AddUint64s(keys []uint64) { addKeys(f.target(), f.hasher(), keys) }

// AddStrings adds strings. It is faster than adding one by one.
func (f *Sharded) AddStrings(keys []string) { addKeys(f.target(), f.hasher(), keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Sharded) AddBytes(keys [][]byte) { addKeys(f.target(), f.hasher(), keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Sharded) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *Sharded) TestUint64s(keys []uint64, hits *BitSet) int {
	return testKeys(f.target(), f.hasher(), keys, hits, testHashes)
}

// TestStrings is TestHashes for strings.
func (f *Sharded) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.hasher(), keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *Sharded) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.hasher(), keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been: hits is resized to len(hashes)
// bits and overwritten. It may be nil if only the number is wanted. Shard by shard
// the answers are those of TestAndAddHash for one key after the other, and so they
// are as a whole if nobody else adds.
func (f *Sharded) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *Sharded) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	return testKeys(f.target(), f.hasher(), keys, hits, testAndAddHashes)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *Sharded) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.hasher(), keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *Sharded) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.hasher(), keys, hits, testAndAddHashes)
}

// A shardSort has room for sorting a chunk of hashes by shard.
type shardSort struct {
	hashes, spare   []uint64
	from, spareFrom []uint16
}

// do does a verb of hashes for keys.
func (f *Sharded) do(verb batchVerb, hashes, hits []uint64) {
	if verb == testHashes && f.empty() {
		clear(hits[:wordsFor(uint(len(hashes)))])
		return
	}
	if len(hashes) == 0 {
		return
	}
	f.check()
	if len(hashes) <= smallChunk {
		var a, b [smallChunk]uint64
		var x, y [smallChunk]uint16
		f.doChunk(verb, hashes, hits, shardSort{a[:], b[:], x[:], y[:]})
		return
	}
	var a, b [chunkKeys]uint64
	var x, y [chunkKeys]uint16
	for len(hashes) > 0 {
		chunk := hashes[:min(chunkKeys, len(hashes))]
		f.doChunk(verb, chunk, hits, shardSort{a[:], b[:], x[:], y[:]})
		hashes = hashes[len(chunk):]
		hits = hits[min(chunkKeys/64, len(hits)):]
	}
}

// doChunk does the verb for at most chunkKeys hashes, shard by shard.
func (f *Sharded) doChunk(verb batchVerb, hashes, hits []uint64, s shardSort) {
	shards := uint64(len(f.locks))
	if shards == 1 {
		f.doShard(verb, &f.locks[0], hashes, hits)
		return
	}
	block.SortByPart(shards, hashes, s.hashes, s.from, s.spare, s.spareFrom)
	sorted, from := s.hashes[:len(hashes)], s.from[:len(hashes)]
	if uint64(len(sorted)) < fewKeys*shards {
		f.b.filter.ReadAhead(sorted)
	}
	if verb != addHashes {
		hits = hits[:wordsFor(uint(len(hashes)))]
		clear(hits)
	}
	for len(sorted) > 0 {
		i := block.Index(sorted[0], shards)
		n := 1
		for n < len(sorted) && block.Index(sorted[n], shards) == i {
			n++
		}
		var part [chunkKeys / 64]uint64
		f.doShard(verb, &f.locks[i], sorted[:n], part[:])
		if verb != addHashes {
			for j, at := range from[:n] {
				hits[at/64] |= part[j/64] >> (j & 63) & 1 << (at & 63)
			}
		}
		sorted, from = sorted[n:], from[n:]
	}
}

// fewKeys is the number of keys of a shard, on average, below which the kernels have
// not enough of them to look ahead over, so that the blocks for all shards are read
// ahead at once.
const fewKeys = 64

// doShard does the verb for hashes of one shard.
func (f *Sharded) doShard(verb batchVerb, l *shardLock, hashes, hits []uint64) {
	switch verb {
	case addHashes:
		l.Lock()
		f.b.filter.AddPart(hashes)
		l.Unlock()
	case testHashes:
		l.RLock()
		f.b.filter.TestPart(hashes, hits)
		l.RUnlock()
	case testAndAddHashes:
		l.Lock()
		f.b.filter.TestAndAddPart(hashes, hits)
		l.Unlock()
	}
}

// What a Sharded does with single shards, and the files of both.

// ClearShard removes every key from shard i. An i that is not in [0, Shards()) is an
// error that wraps ErrParameter.
func (f *Sharded) ClearShard(i int) error {
	if err := f.checkShard(i); err != nil {
		return err
	}
	f.locks[i].Lock()
	defer f.locks[i].Unlock()
	memory.Clear(block.Flatten(f.shard(i)))
	return nil
}

func (f *Sharded) checkShard(i int) error {
	if f.b != nil {
		f.b.filter.Empty() // panics if the filter was closed
	}
	if i < 0 || i >= len(f.locks) {
		return fmt.Errorf("%w: shard %d of %d", ErrParameter, i, len(f.locks))
	}
	return nil
}

// SaveShard writes shard i to a file of its own, in one step, as Save does for the
// whole filter. Nobody can add to the shard until it is done. An i that is not in
// [0, Shards()) is an error that wraps ErrParameter.
func (f *Sharded) SaveShard(i int, path string) error {
	return format.Save(path, func(w io.Writer) (int64, error) { return f.WriteShard(i, w) })
}

// WriteShard writes what SaveShard does. w must not use the filter.
func (f *Sharded) WriteShard(i int, w io.Writer) (n int64, err error) {
	if err := f.checkShard(i); err != nil {
		return 0, err
	}
	f.locks[i].RLock()
	defer f.locks[i].RUnlock()
	var part Blocked
	part.filter.Init(f.shard(i), f.b.filter.K, f.b.filter.Hash)
	h := format.NewHeader(format.Shard, f.b.filter.K, f.b.filter.Hash)
	h.Items = part.EstimatedCount()
	h.Capacity, h.Rate = f.b.n, f.b.p
	h.Extra = [4]uint64{uint64(len(f.locks)), uint64(i), f.Blocks()}
	return format.Write(w, h, part.words())
}

// LoadShard replaces a shard by that in a file which SaveShard wrote, by this or
// another filter of the same shards, blocks, bits per key and hashing, and returns
// which shard that is. The whole file is checked first: another filter's shard is an
// error that wraps ErrMismatch, one under another key wraps ErrKey, and a file that
// is damaged, cut short or of another kind gives a *FormatError. After an error f is
// as it was.
func (f *Sharded) LoadShard(path string) (i int, err error) {
	h, words, m, err := format.Open(path, f.expectShard())
	if err != nil {
		return 0, err
	}
	i, err = f.takeShard(&h, words, copyWords)
	if err = errors.Join(err, m.Close()); err != nil {
		return 0, format.WithPath(err, path)
	}
	return i, nil
}

// ReadShard is LoadShard for a stream, from which it takes no byte past the shard's
// end. Memory is allocated as by ReadBlocked.
func (f *Sharded) ReadShard(r io.Reader) (i int, err error) {
	h, words, _, err := format.Read(r, f.expectShard())
	if err != nil {
		return 0, err
	}
	return f.takeShard(&h, words, copyWords)
}

// UnionShard is ReadShard, but keeps the keys that the shard has: those of the stream
// are added to them.
func (f *Sharded) UnionShard(r io.Reader) (i int, err error) {
	h, words, _, err := format.Read(r, f.expectShard())
	if err != nil {
		return 0, err
	}
	return f.takeShard(&h, words, orWords)
}

func copyWords(dst, _, src []uint64) { memory.Copy(dst, src) }

func (f *Sharded) expectShard() format.Expect {
	return format.Expect{Kind: format.Shard, Hash: f.hasher(), NoHugePages: f.b == nil || f.b.noHugePages}
}

// takeShard checks the header of a shard's file and does an operation on the shard's
// words and those of the file.
func (f *Sharded) takeShard(h *format.Header, words []uint64, op func(dst, a, b []uint64)) (i int, err error) {
	f.empty() // panics if the filter was closed
	shards, at, blocks := h.Extra[0], h.Extra[1], h.Extra[2]
	switch {
	case shards < 1 || shards > MaxShards:
		return 0, format.Errorf(ErrHeader, "shards", offShards, "are %d, want 1 to %d", shards, MaxShards)
	case at >= shards:
		return 0, format.Errorf(ErrHeader, "shard", offShards+8, "is %d of %d", at, shards)
	case blocks%shards != 0 || blocks/shards != h.Blocks:
		return 0, format.Errorf(ErrHeader, "blocks of all shards", offShards+16, "are %d, want %d × %d", blocks, shards, h.Blocks)
	case shards != uint64(len(f.locks)):
		return 0, fmt.Errorf("%w: a shard of %d, the filter has %d", ErrMismatch, shards, len(f.locks))
	case blocks != f.Blocks():
		return 0, fmt.Errorf("%w: a shard of a filter of %d blocks, this one has %d", ErrMismatch, blocks, f.Blocks())
	case int(h.K) != f.K():
		return 0, fmt.Errorf("%w: a shard with %d bits per key, the filter has %d", ErrMismatch, h.K, f.K())
	}
	i = int(at)
	f.locks[i].Lock()
	defer f.locks[i].Unlock()
	dst := block.Flatten(f.shard(i))
	op(dst, dst, words)
	return i, nil
}

// offShards is where a header has its first integer whose meaning depends on the
// kind: the number of shards.
const offShards = 88

// lockAll keeps everybody from adding until unlockAll.
func (f *Sharded) lockAll() {
	for i := range f.locks {
		f.locks[i].RLock()
	}
}

func (f *Sharded) unlockAll() {
	for i := range f.locks {
		f.locks[i].RUnlock()
	}
}

// Save writes the filter to a file, in one step, as Blocked.Save does. Goroutines
// that add wait until it is done.
func (f *Sharded) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenSharded opens a file that Save or WriteTo made. Options and errors are those
// of OpenBlocked, by which it differs in the kind of file only.
func OpenSharded(path string, opts ...OpenOption) (*Sharded, error) {
	return openStored[Sharded](path, opts)
}

// ReadSharded reads a filter, as written by WriteTo or Save, into memory. See
// ReadBlocked.
func ReadSharded(r io.Reader, opts ...OpenOption) (*Sharded, error) {
	return readStored[Sharded](r, opts)
}

// Close releases the filter's memory, and the mapping if OpenSharded made one. No
// other goroutine may use the filter at the same time, and nobody afterwards:
// testing and adding then panic. Closing twice is allowed.
func (f *Sharded) Close() error { return f.Blocked().Close() }

// WriteTo writes the filter in the format of Save. It implements io.WriterTo. A
// filter that is closed or was never made is an error. Goroutines that add wait
// until it is done, so w must not use the filter.
func (f *Sharded) WriteTo(w io.Writer) (n int64, err error) {
	f.lockAll()
	defer f.unlockAll()
	return writeTo(f, w)
}

// ReadFrom replaces the filter's contents, as Blocked.ReadFrom does, and its number
// of shards. No other goroutine may use the filter at the same time.
func (f *Sharded) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(f, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler.
func (f *Sharded) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Sharded) AppendBinary(b []byte) ([]byte, error) {
	f.lockAll()
	defer f.unlockAll()
	return appendBinary(f, b)
}

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Sharded) UnmarshalBinary(data []byte) error { return unmarshal(f, data) }

func (f *Sharded) expect() format.Expect {
	want := f.Blocked().expect()
	want.Kind = format.Sharded
	return want
}

// content is to be called with all shards locked.
func (f *Sharded) content() (format.Header, [][]uint64) {
	h, parts := f.Blocked().content()
	h.Kind = format.Sharded
	h.Extra[0] = uint64(len(f.locks))
	return h, parts
}

func (f *Sharded) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	shards := h.Extra[0]
	if shards < 1 || shards > MaxShards || h.Blocks%shards != 0 {
		return format.Errorf(ErrHeader, "shards", offShards, "are %d, want 1 to %d that divide %d blocks", shards, MaxShards, h.Blocks)
	}
	if f.b == nil {
		f.b = new(Blocked)
	}
	f.locks = make([]shardLock, shards)
	return f.b.adopt(h, words, m, want)
}
