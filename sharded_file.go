package bitsieve

import (
	"errors"
	"fmt"
	"io"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

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
