package tests

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/dropin/bloom"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/compat"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// placed calls f with data at every distance from a cache line, flush with the page
// behind it or with the one before: what reads a byte too much, or asks for an
// alignment, crashes.
func placed(t *testing.T, data []byte, f func(t *testing.T, off int, data []byte)) {
	const page = 1 << 13 // words
	words := kerneltest.Guarded(t, (len(data)/8/page+1)*page)
	mem := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	for off := range 64 {
		if testing.Short() && off%9 != 0 {
			continue
		}
		for _, at := range []int{off, len(mem) - len(data) - off} {
			if at < 0 || at+len(data) > len(mem) {
				continue
			}
			p := mem[at : at+len(data) : at+len(data)]
			copy(p, data)
			f(t, off, p)
			if !bytes.Equal(p, data) {
				t.Fatalf("%d bytes off: the data have changed", off)
			}
		}
	}
}

// viewLengths are lengths of batches: of no kernel, of one, and past chunks.
var viewLengths = []int{0, 1, 11, 15, 16, 17, 23, 63, 64, 65, 130, 203}

// A testView is what filters and their views have in common.
type testView interface {
	Test(key []byte) bool
	TestString(s string) bool
	TestUint64(x uint64) bool
	TestBytes(keys [][]byte, hits *BitSet) int
	TestStrings(keys []string, hits *BitSet) int
	TestUint64s(keys []uint64, hits *BitSet) int
	K() int
	SizeBytes() uint64
	Keyed() bool
	Fill() float64
	FPRate() float64
	EstimatedCount() uint64
	ExpectedFPRate(n uint64) float64
}

// viewKeys is how many keys of each sort there are to test a filter with. Of those
// with an odd index many are absent.
const viewKeys = 210

func viewKey(i int) string { return fmt.Sprint("key ", i) }

// wantSameView checks that a view answers as the filter does that its bytes are of.
func wantSameView(t *testing.T, where string, view, filter testView) {
	t.Helper()
	if view.K() != filter.K() || view.SizeBytes() != filter.SizeBytes() || view.Keyed() != filter.Keyed() || view.Fill() != filter.Fill() ||
		view.FPRate() != filter.FPRate() || view.EstimatedCount() != filter.EstimatedCount() || view.ExpectedFPRate(99) != filter.ExpectedFPRate(99) {
		t.Fatalf("%s: k = %d, %d bytes, fill %v, rate %v, %d keys; want %d, %d, %v, %v, %d", where,
			view.K(), view.SizeBytes(), view.Fill(), view.FPRate(), view.EstimatedCount(),
			filter.K(), filter.SizeBytes(), filter.Fill(), filter.FPRate(), filter.EstimatedCount())
	}
	strings, slices, ints := make([]string, viewKeys), make([][]byte, viewKeys), make([]uint64, viewKeys)
	for i := range strings {
		strings[i], slices[i], ints[i] = viewKey(i), []byte(viewKey(i)), uint64(i)
		if got, want := view.TestString(strings[i]), filter.TestString(strings[i]); got != want {
			t.Fatalf("%s: TestString(%q) = %v, want %v", where, strings[i], got, want)
		}
		if got, want := view.Test(slices[i]), filter.Test(slices[i]); got != want {
			t.Fatalf("%s: Test(%q) = %v, want %v", where, slices[i], got, want)
		}
		if got, want := view.TestUint64(ints[i]), filter.TestUint64(ints[i]); got != want {
			t.Fatalf("%s: TestUint64(%d) = %v, want %v", where, ints[i], got, want)
		}
	}
	var got, want BitSet
	for _, n := range viewLengths {
		for name, test := range map[string]func(f testView, hits *BitSet) int{
			"TestStrings": func(f testView, hits *BitSet) int { return f.TestStrings(strings[:n], hits) },
			"TestBytes":   func(f testView, hits *BitSet) int { return f.TestBytes(slices[:n], hits) },
			"TestUint64s": func(f testView, hits *BitSet) int { return f.TestUint64s(ints[:n], hits) },
		} {
			count, wantCount := test(view, &got), test(filter, &want)
			if count != wantCount || !got.Equal(&want) || test(view, nil) != count {
				t.Fatalf("%s: %s of %d keys: %d hits %v, want %d %v", where, name, n, count, &got, wantCount, &want)
			}
		}
	}
}

// fillView adds the keys with even indices to a filter.
func fillView(f interface {
	AddString(s string)
	AddUint64(x uint64)
}) {
	for i := 0; i < viewKeys; i += 2 {
		f.AddString(viewKey(i))
		f.AddUint64(uint64(i))
	}
}

func TestBlockedView(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{5, 8, 16} {
			for _, key := range [][]byte{nil, fileTestKey} {
				var opts []Option
				if key != nil {
					opts = append(opts, WithKey(key))
				}
				f, err := NewBlockedWithSize(41, k, opts...)
				if err != nil {
					t.Fatal(err)
				}
				fillView(f)
				hashes := []uint64{0, 1, 1 << 63, math.MaxUint64, f.HashString(viewKey(0))}
				placed(t, marshalBlocked(t, f), func(t *testing.T, off int, data []byte) {
					v, err := ViewBlocked(data, keyOptions(key)...)
					if err != nil {
						t.Fatal(err)
					}
					where := fmt.Sprintf("k = %d, keyed %v, %d bytes off", k, key != nil, off)
					wantSameView(t, where, v, f)
					for _, h := range hashes {
						if v.TestHash(h) != f.TestHash(h) || key == nil && v.TestHash(h) != TestBlocks(v.Bits(), k, h) {
							t.Fatalf("%s: TestHash(%#x) = %v", where, h, v.TestHash(h))
						}
					}
					if v.TestHashes(hashes, nil) != f.TestHashes(hashes, nil) || v.Blocks() != 41 {
						t.Fatalf("%s: TestHashes, or %d blocks", where, v.Blocks())
					}
					if v.Hash([]byte("x")) != f.Hash([]byte("x")) || v.HashString("x") != f.HashString("x") || v.HashUint64(7) != f.HashUint64(7) {
						t.Fatalf("%s: other hashes", where)
					}
					if err := v.Verify(); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	})
}

// A large view: past every chunk, and past the size from which Go reads ahead.
func TestBlockedViewLarge(t *testing.T) {
	f := sampleBlocked(t, 1_000_000)
	data := append([]byte{0}, marshalBlocked(t, f)...)
	v, err := ViewBlocked(data[1:])
	if err != nil {
		t.Fatal(err)
	}
	if n, p := v.Capacity(); n != 1_000_000 || p != 0.01 {
		t.Errorf("capacity %d, %v", n, p)
	}
	keys := make([]uint64, 20_011)
	for i := range keys {
		keys[i] = uint64(i) * 100
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		var got, want BitSet
		if n := v.TestUint64s(keys, &got); n != f.TestUint64s(keys, &want) || !got.Equal(&want) || n < 10_000 || n > 10_300 {
			t.Errorf("%d hits", n)
		}
	})
	if err := v.Verify(); err != nil {
		t.Error(err)
	}
	if got, want := v.FPRate(), f.FPRate(); got != want {
		t.Errorf("rate %v, want %v", got, want)
	}
	data[len(data)-1] ^= 1
	wantFormatError(t, v.Verify(), ErrChecksum, "a bit flipped at the end of a large filter")
}

// An AtomicBlocked's file is a Blocked's.
func TestBlockedViewOfAtomic(t *testing.T) {
	f, err := NewAtomicBlocked(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	fillView(f)
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := ViewBlocked(data)
	if err != nil {
		t.Fatal(err)
	}
	wantSameView(t, "of an AtomicBlocked", v, f)
}

func TestBlockedViewErrors(t *testing.T) {
	good := marshalBlocked(t, patternedBlocked(t, 3, nil))
	le := binary.LittleEndian
	put32 := func(at int, x uint32) func(b []byte) { return func(b []byte) { le.PutUint32(b[at:], x) } }
	put64 := func(at int, x uint64) func(b []byte) { return func(b []byte) { le.PutUint64(b[at:], x) } }
	for _, c := range []struct {
		field  string
		offset int64
		want   error
		change func(b []byte)
	}{
		{"magic", 0, ErrNotFilter, func(b []byte) { b[3] = 'X' }},
		{"version", 8, ErrVersion, put32(8, 2)},
		{"kind", 12, ErrKind, put32(12, 2)},
		{"kind", 12, ErrKind, put32(12, 77)},
		{"header length", 16, ErrHeader, put32(16, 64)},
		{"k", 20, ErrHeader, put32(20, 0)},
		{"k", 20, ErrHeader, put32(20, 17)},
		{"k", 20, ErrHeader, put32(20, 1<<31)},
		{"hash", 24, ErrHeader, put32(24, 3)},
		{"flags", 28, ErrHeader, put32(28, 1)},
		{"key check", 32, ErrHeader, put64(32, 1)},
		{"block count", 40, ErrHeader, put64(40, 0)},
		{"block count", 40, ErrHeader, put64(40, math.MaxUint64)},
		{"payload", 128, ErrTruncated, put64(40, 4)},
		{"end", 128 + 128, ErrTrailingData, put64(40, 2)},
		{"design rate", 64, ErrHeader, put64(64, math.Float64bits(math.NaN()))},
		{"design rate", 64, ErrHeader, put64(64, math.Float64bits(1))},
		{"bits", 80, ErrHeader, put64(80, 1)},
		{"reserved integer", 88, ErrHeader, put64(88, 1)},
		{"reserved integer", 112, ErrHeader, put64(112, 1)},
	} {
		data := bytes.Clone(good)
		c.change(data)
		if _, err := ViewBlocked(data); err == nil {
			t.Fatalf("%s: accepted with the wrong checksum", c.field)
		}
		le.PutUint64(data[120:], xxh3.Hash(data[:120]))
		checkViewError(t, data, c.want, c.field, c.offset, func(b []byte) error { _, err := ViewBlocked(b); return err })
	}
	// What the decoder refuses, the view does at the same place, and Verify the rest.
	for cut := range good {
		var f Blocked
		_, err := ViewBlocked(good[:cut])
		decodeErr := f.UnmarshalBinary(good[:cut])
		wantFormatError(t, err, ErrTruncated, fmt.Sprint("cut at ", cut))
		if err.Error() != decodeErr.Error() {
			t.Fatalf("cut at %d: %q, decoded %q", cut, err, decodeErr)
		}
	}
	for i := range good {
		data := bytes.Clone(good)
		data[i] ^= 0x10
		v, err := ViewBlocked(data)
		if i >= format.HeaderBytes {
			if err != nil {
				t.Fatalf("byte %d: %v", i, err)
			}
			err = v.Verify()
		}
		var f Blocked
		decodeErr := f.UnmarshalBinary(data)
		if err == nil || err.Error() != decodeErr.Error() {
			t.Fatalf("byte %d: %v, decoded %v", i, err, decodeErr)
		}
	}
	keyed := marshalBlocked(t, patternedBlocked(t, 1, fileTestKey))
	for _, c := range []struct {
		what string
		data []byte
		opts []OpenOption
	}{
		{"missing", keyed, nil},
		{"wrong", keyed, []OpenOption{WithKey(bytes.Repeat([]byte{1}, KeySize))}},
		{"short", keyed, []OpenOption{WithKey([]byte("short"))}},
		{"not needed", good, []OpenOption{WithKey(fileTestKey)}},
	} {
		if _, err := ViewBlocked(c.data, c.opts...); !errors.Is(err, ErrKey) {
			t.Errorf("%s key: %v", c.what, err)
		}
	}
}

// checkViewError checks the error for damaged data.
func checkViewError(t *testing.T, data []byte, want error, field string, offset int64, view func([]byte) error) {
	t.Helper()
	err := view(data)
	wantFormatError(t, err, want, field)
	var fe *FormatError
	if errors.As(err, &fe); fe.Field != field || fe.Offset != offset {
		t.Errorf("field %q at %d, want %q at %d: %v", fe.Field, fe.Offset, field, offset, err)
	}
}

// withLittleEndian calls f under both byte orders of bits-and-blooms' bytes.
func withByteOrders(t *testing.T, f func(t *testing.T)) {
	t.Cleanup(func() { compat.SetLittleEndian(false) })
	for _, little := range []bool{false, true} {
		compat.SetLittleEndian(little)
		t.Run(fmt.Sprintf("little=%v", little), f)
	}
}

func TestBloomView(t *testing.T) {
	withByteOrders(t, func(t *testing.T) {
		kerneltest.EachLevel(t, func(t *testing.T) {
			for _, m := range []uint64{1, 64, 1000, 8191} {
				for _, k := range []int{1, 4, 7} {
					core, err := NewBloomWithSize(m, k)
					if err != nil {
						t.Fatal(err)
					}
					fillView(core)
					words := slices.Clone(core.BitSet().Words())
					peer := bloom.FromWithM(words, uint(m), uint(k))
					data, err := peer.MarshalBinary()
					if err != nil {
						t.Fatal(err)
					}
					data = append(data, "what follows"...)
					checkBloomView(t, fmt.Sprintf("m = %d, k = %d", m, k), data, nil, core)
				}
			}
		})
	})
}

func TestBloomViewOfFile(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, key := range [][]byte{nil, fileTestKey} {
			for _, m := range []uint64{1, 512, 4000} {
				var opts []Option
				if key != nil {
					opts = append(opts, WithKey(key))
				}
				f, err := NewBloomWithSize(m, 4, opts...)
				if err != nil {
					t.Fatal(err)
				}
				fillView(f)
				data, err := f.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				f, err = ReadBloom(bytes.NewReader(data), keyOptions(key)...)
				if err != nil {
					t.Fatal(err)
				}
				checkBloomView(t, fmt.Sprintf("m = %d, file, keyed %v", m, key != nil), data, keyOptions(key), f)
			}
		}
	})
}

func checkBloomView(t *testing.T, what string, data []byte, opts []OpenOption, f *Bloom) {
	t.Helper()
	locations := BloomLocations([]byte(viewKey(0)), f.K())
	placed(t, data, func(t *testing.T, off int, data []byte) {
		v, err := ViewBloom(data, opts...)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		where := fmt.Sprintf("%s, %d bytes off", what, off)
		wantSameView(t, where, sizedAs{v, f}, f)
		if v.Bits() != f.Bits() || v.TestLocations(locations) != f.TestLocations(locations) || v.BitSet().Count() != f.BitSet().Count() {
			t.Fatalf("%s: %d bits, or its locations or count", where, v.Bits())
		}
		if err := v.Verify(); err != nil {
			t.Fatal(err)
		}
	})
}

// sizedAs is a view that tells the size of a filter: a file is whole blocks, memory
// need not be.
type sizedAs struct {
	BloomView
	f *Bloom
}

func (v sizedAs) SizeBytes() uint64 { return v.f.SizeBytes() }

// peerBytes returns the bytes of bits-and-blooms/bloom for m, k and a bitset of so
// many bits with these words.
func peerBytes(m, k, length uint64, words ...uint64) []byte {
	var b []byte
	for _, x := range append([]uint64{m, k, length}, words...) {
		b = binary.BigEndian.AppendUint64(b, x)
	}
	return b
}

func TestBloomViewErrors(t *testing.T) {
	view := func(b []byte) error { _, err := ViewBloom(b); return err }
	for _, c := range []struct {
		data   []byte
		want   error
		field  string
		offset int64
	}{
		{nil, ErrTruncated, "header", 0},
		{peerBytes(64, 3, 64, 5)[:15], ErrTruncated, "header", 15},
		{peerBytes(64, 3, 64, 5)[:16], ErrTruncated, "length", 16},
		{peerBytes(64, 3, 64, 5)[:23], ErrTruncated, "length", 23},
		{peerBytes(64, 3, 64, 5)[:31], ErrTruncated, "words", 24},
		{peerBytes(64, 3, 65, 5), ErrTruncated, "words", 24},
		{peerBytes(64, 3, math.MaxUint32, 5), ErrTruncated, "words", 24},
		{peerBytes(0, 3, 64, 5), ErrHeader, "m", 0},
		{peerBytes(65, 3, 64, 5), ErrHeader, "m", 0},
		{peerBytes(2, 3, 0), ErrHeader, "m", 0},
		{peerBytes(math.MaxUint64, 3, 64, 5), ErrHeader, "m", 0},
		{peerBytes(64, 1<<16+1, 64, 5), ErrHeader, "k", 8},
		{peerBytes(64, math.MaxUint64, 64, 5), ErrHeader, "k", 8},
	} {
		checkViewError(t, c.data, c.want, c.field, c.offset, view)
		var f bloom.BloomFilter
		if err := f.UnmarshalBinary(c.data); err == nil {
			t.Errorf("%x: the drop-in decodes it", c.data)
		}
	}
	if _, err := ViewBloom(peerBytes(64, 3, 64, 5), WithKey(fileTestKey)); !errors.Is(err, ErrKey) {
		t.Errorf("a key for bits-and-blooms' bytes: %v", err)
	}
	if _, err := ViewBloom(marshalBlocked(t, patternedBlocked(t, 1, nil))); !errors.Is(err, ErrKind) {
		t.Errorf("a Blocked's file: %v", err)
	}

	f, err := NewBloomWithSize(600, 3)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	good, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		data := bytes.Clone(good)
		data[i] ^= 0x10
		v, err := ViewBloom(data)
		if err == nil {
			err = v.Verify()
		}
		if err == nil || i >= format.HeaderBytes && !errors.Is(err, ErrChecksum) && !errors.Is(err, ErrHeader) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	// Bits after the last, where Fill would count them.
	data := bytes.Clone(good)
	data[format.HeaderBytes+600/8] |= 1
	checkViewError(t, data, ErrHeader, "bits", 80, view)
}

// Filters that have no bits, and that ask for none.
func TestBloomViewEdges(t *testing.T) {
	for _, c := range []struct {
		m, k, length uint64
		present      bool
	}{{1, 3, 0, false}, {1, 0, 0, true}, {64, 0, 64, true}, {64, 3, 64, false}} {
		v, err := ViewBloom(peerBytes(c.m, c.k, c.length, make([]uint64, c.length/64)...))
		if err != nil {
			t.Fatal(err)
		}
		var f bloom.BloomFilter
		if err := f.UnmarshalBinary(peerBytes(c.m, c.k, c.length, make([]uint64, c.length/64)...)); err != nil {
			t.Fatal(err)
		}
		if v.TestString("a") != c.present || f.TestString("a") != c.present || v.TestStrings(make([]string, 100), nil) == 100 != c.present {
			t.Errorf("m = %d, k = %d, %d bits: %v, decoded %v", c.m, c.k, c.length, v.TestString("a"), f.TestString("a"))
		}
	}
}

func TestBitSetView(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	withByteOrders(t, func(t *testing.T) {
		kerneltest.EachLevel(t, func(t *testing.T) {
			for _, length := range []uint{0, 1, 63, 64, 65, 128, 1000, 40_000} {
				for _, every := range []uint{1, 7, 900} {
					set := NewBitSet(length)
					for i := uint(0); i < length; i += 1 + uint(r.IntN(int(2*every))) {
						set.Set(i)
					}
					data, err := set.MarshalBinary()
					if err != nil {
						t.Fatal(err)
					}
					if length%64 != 0 { // bits past the length mean nothing
						data[len(data)-8] |= 0x80 >> (7 * (length % 64 / 63))
					}
					data = append(data, 0xff)
					placed(t, data, func(t *testing.T, off int, data []byte) {
						v, err := ViewBitSet(data)
						if err != nil {
							t.Fatal(err)
						}
						checkBitSetView(t, v, data)
					})
				}
			}
		})
	})
}

// checkBitSetView compares a view with the set that is decoded from its bytes.
func checkBitSetView(t *testing.T, v BitSetView, data []byte) {
	t.Helper()
	var set BitSet
	if err := set.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if v.Len() != set.Len() || v.Count() != set.Count() || v.Any() != set.Any() || v.None() != set.None() {
		t.Fatalf("%d bits, %d set, want %d, %d", v.Len(), v.Count(), set.Len(), set.Count())
	}
	if !slices.Equal(slices.Collect(v.EachSet()), slices.Collect(set.EachSet())) {
		t.Fatalf("%d bits: other members", v.Len())
	}
	for _, i := range []uint{0, 1, 62, 63, 64, 65, 127, v.Len() / 2, v.Len() - 2, v.Len() - 1, v.Len(), v.Len() + 1, math.MaxUint} {
		got, ok := v.NextSet(i)
		want, wantOK := set.NextSet(i)
		if v.Test(i) != set.Test(i) || got != want || ok != wantOK {
			t.Fatalf("%d bits: Test(%d) = %v, NextSet %d, %v; want %v, %d, %v", v.Len(), i, v.Test(i), got, ok, set.Test(i), want, wantOK)
		}
	}
	for range v.EachSet() {
		break
	}
}

func TestBitSetViewErrors(t *testing.T) {
	view := func(b []byte) error { _, err := ViewBitSet(b); return err }
	be := binary.BigEndian
	checkViewError(t, nil, ErrTruncated, "length", 0, view)
	checkViewError(t, make([]byte, 7), ErrTruncated, "length", 7, view)
	checkViewError(t, be.AppendUint64(nil, 1), ErrTruncated, "words", 8, view)
	checkViewError(t, append(be.AppendUint64(nil, 65), make([]byte, 15)...), ErrTruncated, "words", 8, view)
	checkViewError(t, append(be.AppendUint64(nil, math.MaxUint-1), make([]byte, 16)...), ErrTruncated, "words", 8, view)
	checkViewError(t, append(be.AppendUint64(nil, math.MaxUint), make([]byte, 16)...), ErrTruncated, "words", 8, view)
	if math.MaxUint == math.MaxUint32 {
		checkViewError(t, append(be.AppendUint64(nil, 1<<32), make([]byte, 16)...), ErrHeader, "length", 0, view)
	}
}

func TestZeroViews(t *testing.T) {
	keys := make([]string, 100)
	var blocked BlockedView
	var filter BloomView
	var set BitSetView
	for name, v := range map[string]testView{"BlockedView": blocked, "BloomView": filter} {
		var hits BitSet
		if v.TestString("a") || v.TestUint64(1) || v.TestStrings(keys, &hits) != 0 || hits.Any() || v.K() != 0 ||
			v.SizeBytes() != 0 || v.Fill() != 0 || v.FPRate() != 0 || v.EstimatedCount() != 0 || v.ExpectedFPRate(1) != 0 {
			t.Errorf("a zero %s contains something", name)
		}
	}
	if blocked.TestHash(1) || blocked.TestHashes(make([]uint64, 100), nil) != 0 || blocked.Verify() != nil || blocked.Blocks() != 0 {
		t.Error("a zero BlockedView contains a hash")
	}
	if filter.TestLocations([]uint64{1}) || filter.Verify() != nil || filter.BitSet().Any() {
		t.Error("a zero BloomView contains a location")
	}
	if _, ok := set.NextSet(0); ok || set.Test(0) || set.Count() != 0 || set.Len() != 0 || set.Any() || !set.None() {
		t.Error("a zero BitSetView contains a bit")
	}
}

// Opening and testing take no memory.
func TestViewAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector's calls keep methods from being inlined")
	}
	blocked := marshalBlocked(t, sampleBlocked(t, 100_000))
	core := bloom.NewWithEstimates(100_000, 0.01)
	core.AddString("a")
	peer, err := core.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	set, err := NewBitSet(100_000).Set(70_000).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	keys, slices, ints := make([]string, 1000), make([][]byte, 1000), make([]uint64, 1000)
	hits := NewBitSet(1000)
	bits := make([]byte, 1<<10)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for name, f := range map[string]func(){
			"ViewBlocked": func() {
				v, err := ViewBlocked(blocked)
				if err != nil || v.TestString("a") || !v.TestUint64(5) || v.TestUint64s(ints, hits) != 1000 || v.Verify() != nil {
					t.Fail()
				}
				v.TestStrings(keys, nil)
				v.TestBytes(slices, hits)
				v.TestHashes(ints, hits)
				v.Fill()
			},
			"ViewBloom": func() {
				v, err := ViewBloom(peer)
				if err != nil || !v.TestString("a") {
					t.Fail()
				}
				v.TestStrings(keys, nil)
				v.TestBytes(slices, hits)
				v.TestUint64s(ints, hits)
				v.Fill()
			},
			"ViewBitSet": func() {
				v, err := ViewBitSet(set)
				if err != nil || !v.Test(70_000) || v.Count() != 1 {
					t.Fail()
				}
				v.NextSet(0)
			},
			"TestBlocks": func() {
				AddBlocks(bits, 8, ints)
				if !TestBlocks(bits, 8, 0) {
					t.Fail()
				}
			},
		} {
			if n := testing.AllocsPerRun(10, f); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	})
}

// Many goroutines use one view, and copies of it.
func TestViewsInParallel(t *testing.T) {
	v, err := ViewBlocked(marshalBlocked(t, sampleBlocked(t, 5000)))
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]uint64, 5000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	var wg sync.WaitGroup
	for range 4 {
		kerneltest.Go(&wg, func() {
			if v.TestUint64s(keys, nil) != len(keys) || !v.TestUint64(7) || !TestBlocks(v.Bits(), v.K(), v.HashUint64(9)) {
				t.Error("a key is missing")
			}
		})
	}
	wg.Wait()
}

// FuzzViews opens views of arbitrary bytes, as they are and, where they are long
// enough for a header, with its checksum made right: what the decoders of the same
// bytes accept, and only that, is a view, and it answers as they do. The bytes are
// blocks, too.
func FuzzViews(f *testing.F) {
	f.Add(marshalBlocked(f, patternedBlocked(f, 2, nil)), 8)
	f.Add(marshalBlocked(f, patternedBlocked(f, 1, fileTestKey)), 1)
	f.Add(marshalBlocked(f, patternedBlocked(f, 1, nil))[:format.HeaderBytes], 16)
	f.Add(peerBytes(100, 3, 100, 1<<40-1, 1<<63), 4)
	f.Add(peerBytes(1, 3, 0), 0)
	f.Add(peerBytes(math.MaxUint64, math.MaxUint64, math.MaxUint64, 1), -1)
	f.Add(peerBytes(64, 0, 64, 1, 2), 17)
	file, err := NewBloomWithSize(700, 5)
	if err != nil {
		f.Fatal(err)
	}
	file.AddString("a")
	data, err := file.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, 8)
	f.Add(bytes.Repeat([]byte{0xff}, 3*block.Bytes), 12)
	f.Fuzz(func(t *testing.T, data []byte, k int) {
		fuzzViews(t, data, k)
		if len(data) >= format.HeaderBytes {
			le := binary.LittleEndian
			data = bytes.Clone(data)
			copy(data, "\x89BSV\r\n\x1a\n\x01\x00\x00\x00")
			le.PutUint64(data[120:], xxh3.Hash(data[:120]))
			fuzzViews(t, data, k)
			le.PutUint64(data[72:], xxh3.Hash(data[format.HeaderBytes:]))
			le.PutUint64(data[120:], xxh3.Hash(data[:120]))
			fuzzViews(t, data, k)
		}
	})
}

func fuzzViews(t *testing.T, data []byte, k int) {
	same := func(what string, view, decoded error) bool {
		t.Helper()
		if (view == nil) != (decoded == nil) {
			t.Fatalf("%s: view %v, decoded %v", what, view, decoded)
		}
		var fe *FormatError
		if view != nil && !errors.As(view, &fe) && !errors.Is(view, ErrKey) {
			t.Fatalf("%s: error %v of type %T", what, view, view)
		}
		return view == nil
	}
	bv, err := ViewBlocked(data)
	if err == nil {
		err = bv.Verify()
	}
	var blocked Blocked
	if same("ViewBlocked", err, blocked.UnmarshalBinary(data)) {
		wantSameView(t, "fuzzed Blocked", bv, &blocked)
	}

	sv, err := ViewBitSet(data)
	var set BitSet
	if same("ViewBitSet", err, set.UnmarshalBinary(data)) {
		checkBitSetView(t, sv, data)
	}

	fv, err := ViewBloom(data)
	if err == nil {
		err = fv.Verify()
	}
	if bytes.HasPrefix(data, []byte("\x89BSV\r\n\x1a\n")) {
		var own Bloom
		if same("ViewBloom", err, own.UnmarshalBinary(data)) {
			wantSameView(t, "fuzzed Bloom", sizedAs{fv, &own}, &own)
		}
	} else {
		var peer bloom.BloomFilter
		if same("ViewBloom", err, peer.UnmarshalBinary(data)) {
			fuzzPeerBloom(t, fv, &peer)
		}
	}

	for i := range uint64(20) {
		h := (i + 1) * 0x9e3779b97f4a7c15
		got, want := TestBlocks(data, k, h), true
		if len(data) > 0 && len(data)%block.Bytes == 0 && k >= block.MinK && k <= block.MaxK {
			words := make([]uint64, len(data)/8)
			for j := range words {
				words[j] = binary.LittleEndian.Uint64(data[8*j:])
			}
			blocks := block.View(words)
			want = block.Test(&blocks[block.Index(h, uint64(len(blocks)))], h, k) != 0
		}
		if got != want {
			t.Fatalf("TestBlocks(%d bytes, %d, %#x) = %v", len(data), k, h, got)
		}
	}
}

func fuzzPeerBloom(t *testing.T, v BloomView, f *bloom.BloomFilter) {
	if v.Bits() != uint64(f.Cap()) || v.K() != int(f.K()) || v.BitSet().Count() != f.BitSet().Count() {
		t.Fatalf("%d bits, k = %d, want %d, %d", v.Bits(), v.K(), f.Cap(), f.K())
	}
	keys := make([]string, 40)
	want := 0
	for i := range keys {
		keys[i] = viewKey(i)
		if got := f.TestString(keys[i]); got != v.TestString(keys[i]) {
			t.Fatalf("TestString(%q) is not %v", keys[i], got)
		} else if got {
			want++
		}
	}
	if n := v.TestStrings(keys, nil); n != want {
		t.Fatalf("%d of the keys are present, want %d", n, want)
	}
}
