package rocksdb

import "github.com/bitsieve/bitsieve/internal/hash"

// Builder collects the keys of a filter, at eight bytes a key, and makes the filter
// when their number is known. Its bytes are those that RocksDB makes of the same keys in
// the same order, unless optimize_filters_for_memory is set there. A Builder is for one
// goroutine at a time. The zero value is not to be used.
type Builder struct {
	millibits int
	hashes    []uint64
}

// NewBuilder returns a Builder. bitsPerKey is as in New, and so is the error.
func NewBuilder(bitsPerKey float64) (*Builder, error) {
	thousandths, err := millibits(bitsPerKey)
	if err != nil {
		return nil, err
	}
	return &Builder{millibits: thousandths}, nil
}

// Add adds a key.
func (b *Builder) Add(key []byte) { b.AddHash(Hash(key)) }

// AddString adds the bytes of s.
func (b *Builder) AddString(s string) { b.AddHash(HashString(s)) }

// AddHash adds a key by its hash, made by Hash. One that equals the one before is left
// out, as RocksDB does with the prefixes of sorted keys.
func (b *Builder) AddHash(h uint64) {
	if n := len(b.hashes); n == 0 || b.hashes[n-1] != h {
		b.hashes = append(b.hashes, h)
	}
}

// AddBytes adds byte slices.
func (b *Builder) AddBytes(keys [][]byte) { buildKeys(b, keys) }

// AddStrings adds strings.
func (b *Builder) AddStrings(keys []string) { buildKeys(b, keys) }

func buildKeys[K string | []byte](b *Builder, keys []K) {
	for _, key := range keys {
		b.AddHash(xxph3(hash.KeyBytes(key)))
	}
}

// Len returns the number of keys that the filter will be sized for.
func (b *Builder) Len() int { return len(b.hashes) }

// Finish returns the filter of the keys added, without lines if there are none, and
// forgets them. An error wraps bitsieve.ErrParameter or bitsieve.ErrMemory, as New's
// does, and leaves the Builder as it was.
func (b *Builder) Finish() (*Filter, error) {
	f := new(Filter)
	if len(b.hashes) > 0 {
		if err := f.init(uint64(len(b.hashes)), b.millibits); err != nil {
			return nil, err
		}
		f.AddHashes(b.hashes)
	}
	b.hashes = b.hashes[:0]
	return f, nil
}
