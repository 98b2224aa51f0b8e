package tests

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func mustSharded(t testing.TB, blocks uint64, k, shards int, opts ...Option) *Sharded {
	t.Helper()
	f, err := NewShardedWithSize(blocks, k, shards, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// However many shards there are, and goroutines that add at the same time, the bits
// are those of a Blocked: the golden digests are its own.
func TestShardedGolden(t *testing.T) {
	ints, texts, raw := goldenKeys(1500)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{1, 2, 5, 6, 7, 8, 9, 12, 15, 16} {
			if testing.Short() && k%3 != 2 {
				continue
			}
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				for _, shards := range []int{1, 997} {
					f := mustSharded(t, 997, k, shards, opts...)
					var hits BitSet
					var wg sync.WaitGroup
					kerneltest.Go(&wg, func() {
						f.AddUint64s(ints[:800])
						f.AddStrings(texts[:800])
						f.AddBytes(raw[:800])
					})
					kerneltest.Go(&wg, func() {
						f.TestAndAddUint64s(ints[700:], &hits)
						f.TestAndAddStrings(texts[700:], nil)
						f.TestAndAddBytes(raw[700:], nil)
					})
					kerneltest.Go(&wg, func() {
						for i := range 200 {
							f.AddUint64(ints[i])
							f.AddString(texts[i])
							f.Add(raw[i])
							f.TestAndAddUint64(ints[len(ints)-1-i])
							f.TestAndAddString(texts[len(ints)-1-i])
							f.TestAndAdd(raw[len(ints)-1-i])
							f.AddHash(ints[i])
							f.TestAndAddHash(ints[i+200])
						}
						f.AddHashes(ints[300:500])
						f.TestAndAddHashes(ints[400:700], nil)
					})
					kerneltest.Go(&wg, func() {
						f.TestUint64s(ints, nil)
						f.FPRate()
						f.Clone().Equal(f)
						f.MarshalBinary()
					})
					wg.Wait()
					name := fmt.Sprintf("k=%d keyed=%v", k, opts != nil)
					if got := digest(t, f.Blocked()); got != goldenBlocked[name] {
						t.Errorf("%d shards, %s: digest %s, want %s", shards, name, got, goldenBlocked[name])
					}
					if f.TestUint64s(ints, nil) != len(ints) || f.TestStrings(texts, nil) != len(ints) ||
						f.TestBytes(raw, &hits) != len(ints) || f.TestHashes(ints[:700], nil) != 700 ||
						!f.Test(raw[5]) || !f.TestString(texts[5]) || !f.TestUint64(ints[5]) || !f.TestHash(ints[5]) {
						t.Errorf("%s: keys are missing", name)
					}
				}
			}
		}
	})
}

// Batches of every length, with keys that come twice, are answered as by a Blocked,
// and what is told of the filter is what that tells.
func TestShardedBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shards := range []int{1, 2, 7, 256, 257, 4096, 65536} {
		if testing.Short() && shards > 4096 {
			continue
		}
		blocks := uint64(shards) * 3
		f, want := mustSharded(t, blocks, 7, shards), mustBlocked(t, blocks, 7)
		for _, n := range []int{0, 1, 2, 63, 64, 65, 100, 511, 512, 513, 1500, 5000} {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64()
				if i > 0 && r.IntN(3) == 0 {
					keys[i] = keys[r.IntN(i)]
				}
			}
			var got, wanted BitSet
			same := func(verb string, a, b int) {
				t.Helper()
				if a != b || !got.Equal(&wanted) {
					t.Fatalf("%d shards, %d keys: %s gives %d, Blocked %d", shards, n, verb, a, b)
				}
			}
			same("TestAndAddUint64s", f.TestAndAddUint64s(keys, &got), want.TestAndAddUint64s(keys, &wanted))
			same("TestAndAddHashes", f.TestAndAddHashes(keys, &got), want.TestAndAddHashes(keys, &wanted))
			same("TestAndAddHashes", f.TestAndAddHashes(keys, nil), want.TestAndAddHashes(keys, nil))
			for i := range keys {
				keys[i] += uint64(i & 1)
			}
			same("TestUint64s", f.TestUint64s(keys, &got), want.TestUint64s(keys, &wanted))
			same("TestHashes", f.TestHashes(keys, &got), want.TestHashes(keys, &wanted))
			f.AddHashes(keys[n/2:])
			want.AddHashes(keys[n/2:])
		}
		if !f.Blocked().Equal(want) {
			t.Fatalf("%d shards: bits differ", shards)
		}
		if f.Fill() != want.Fill() || f.FPRate() != want.FPRate() || f.EstimatedCount() != want.EstimatedCount() ||
			f.ExpectedFPRate(9) != want.ExpectedFPRate(9) || f.K() != 7 || f.Blocks() != blocks || f.Shards() != shards ||
			f.SizeBytes() != want.SizeBytes() || f.Keyed() || f.Hash(nil) != want.Hash(nil) ||
			f.HashString("x") != want.HashString("x") || f.HashUint64(3) != want.HashUint64(3) {
			t.Errorf("%d shards: it is told otherwise than by Blocked", shards)
		}
	}
}

// A key's bits all lie in the shard that ShardOf names: without that shard the key is
// gone, and with no other.
func TestShardOf(t *testing.T) {
	f := mustSharded(t, 3*11, 8, 11, WithKey(secretKey))
	check := func(shard int, add func(), test func() bool) {
		t.Helper()
		f.Clear()
		add()
		for i := range f.Shards() {
			if i != shard {
				f.ClearShard(i)
			}
		}
		if !test() {
			t.Error("a bit lies elsewhere")
		}
		if f.ClearShard(shard); test() || f.Fill() != 0 {
			t.Error("a bit lies elsewhere")
		}
	}
	seen := map[int]bool{}
	for i := range 200 {
		x, s := uint64(i), fmt.Sprint(i)
		seen[f.ShardOfUint64(x)] = true
		check(f.ShardOfUint64(x), func() { f.AddUint64(x) }, func() bool { return f.TestUint64(x) })
		check(f.ShardOfString(s), func() { f.AddString(s) }, func() bool { return f.TestString(s) })
		check(f.ShardOf([]byte(s)), func() { f.Add([]byte(s)) }, func() bool { return f.Test([]byte(s)) })
		h := f.HashString(s)
		check(f.ShardOfHash(h), func() { f.AddHash(h) }, func() bool { return f.TestHash(h) })
	}
	if len(seen) != 11 {
		t.Errorf("%d shards have keys", len(seen))
	}
}

func TestShardedFile(t *testing.T) {
	ints, _, _ := goldenKeys(1500)
	dir := t.TempDir()
	f, err := NewSharded(3000, 0.01, 7, WithKey(secretKey))
	if err != nil {
		t.Fatal(err)
	}
	n, p := f.Capacity()
	if f.Blocks()%7 != 0 || n != 3000 || p != 0.01 || f.ExpectedFPRate(3000) > 0.01 {
		t.Error("size")
	}
	f.AddUint64s(ints)
	path := filepath.Join(dir, "f")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	g, err := OpenSharded(path, WithKey(secretKey))
	if err != nil || !g.Equal(f) || g.Shards() != 7 {
		t.Fatal(err)
	}
	any, err := Open(path, WithKey(secretKey))
	if err != nil || !any.(*Sharded).Equal(f) {
		t.Fatal(err)
	}
	g.AddString("in private pages")
	if !g.TestString("in private pages") || g.Close() != nil || any.Close() != nil {
		t.Error("a mapped filter")
	}
	data, err := f.MarshalBinary()
	onDisk, err2 := os.ReadFile(path)
	if err != nil || err2 != nil || !bytes.Equal(data, onDisk) {
		t.Error(err, err2)
	}
	if g, err = ReadSharded(bytes.NewReader(data), WithKey(secretKey)); err != nil || !g.Equal(f) {
		t.Error(err)
	}
	h := mustSharded(t, 1, 1, 1, WithKey(secretKey))
	if err := h.UnmarshalBinary(data); err != nil || !h.Equal(f) {
		t.Error(err)
	}
	if _, err := OpenBlocked(path, WithKey(secretKey)); !errors.Is(err, ErrKind) {
		t.Error(err)
	}
	if _, err := OpenSharded(path); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	info, err := InspectFile(path)
	if err != nil || info.Kind != "sharded" || !info.PayloadOK || info.Fill != f.Fill() || info.FPRate != f.FPRate() {
		t.Error(info, err)
	}
	// Numbers of shards that cannot be.
	for _, shards := range []uint64{0, f.Blocks() + 1, MaxShards + 1, 1 << 63, ^uint64(0)} {
		bad := withExtra(data, 0, shards)
		var fe *FormatError
		if err := h.UnmarshalBinary(bad); !errors.As(err, &fe) || !errors.Is(err, ErrHeader) || !h.Equal(f) {
			t.Errorf("%d shards: %v", shards, err)
		}
		os.WriteFile(path, bad, 0o600)
		if _, err := OpenSharded(path, WithKey(secretKey)); !errors.As(err, &fe) || fe.Path != path {
			t.Errorf("%d shards: %v", shards, err)
		}
	}
	if h.Close() != nil || h.Close() != nil {
		t.Error("Close")
	}
}

// withExtra returns a file with one of the integers whose meaning depends on the kind
// changed, and the header's checksum made right.
func withExtra(data []byte, i int, x uint64) []byte {
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint64(data[88+8*i:], x)
	binary.LittleEndian.PutUint64(data[120:], xxh3.Hash(data[:120]))
	return data
}

func TestShardFiles(t *testing.T) {
	ints, texts, _ := goldenKeys(1500)
	dir := t.TempDir()
	f := mustSharded(t, 5*40, 9, 5, WithKey(secretKey))
	f.AddUint64s(ints)
	g := mustSharded(t, 5*40, 9, 5, WithKey(secretKey))
	var stream bytes.Buffer
	for i := range f.Shards() {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := f.SaveShard(i, path); err != nil {
			t.Fatal(err)
		}
		n, err := f.WriteShard(i, &stream)
		data, err2 := os.ReadFile(path)
		if err != nil || err2 != nil || n != int64(len(data)) || len(data) != format.HeaderBytes+40*64 {
			t.Fatal(n, err, err2)
		}
		g.AddStrings(texts) // to be replaced
		if at, err := g.LoadShard(path); at != i || err != nil {
			t.Fatal(at, err)
		}
		info, err := InspectFile(path)
		if err != nil || info.Kind != "shard" || !info.PayloadOK || info.Items == 0 {
			t.Error(info, err)
		}
		if _, err := Open(path, WithKey(secretKey)); !errors.Is(err, ErrKind) {
			t.Error("a shard is no filter:", err)
		}
		if _, err := OpenSharded(path, WithKey(secretKey)); !errors.Is(err, ErrKind) {
			t.Error("a shard is no filter:", err)
		}
	}
	for i := range f.Shards() { // the last shards have other keys since
		if at, err := g.ReadShard(&stream); at != i || err != nil {
			t.Fatal(at, err)
		}
	}
	if stream.Len() != 0 || !g.Equal(f) {
		t.Error("the filter is not that of its shards")
	}
	// Joined with what is there.
	g.AddStrings(texts)
	want := f.Clone()
	want.AddStrings(texts)
	f.WriteShard(3, &stream)
	g.ClearShard(3)
	mine := mustSharded(t, 5*40, 9, 5, WithKey(secretKey))
	mine.AddStrings(texts)
	saved := new(bytes.Buffer)
	mine.WriteShard(3, saved)
	if at, err := g.UnionShard(saved); at != 3 || err != nil {
		t.Fatal(at, err)
	}
	if at, err := g.UnionShard(&stream); at != 3 || err != nil || !g.Equal(want) {
		t.Fatal(at, err)
	}

	// What does not belong leaves everything as it was.
	f.WriteShard(2, &stream)
	data := bytes.Clone(stream.Bytes())
	before := g.Clone()
	refused := func(what string, want error, f *Sharded, data []byte) {
		t.Helper()
		if _, err := f.ReadShard(bytes.NewReader(data)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		path := filepath.Join(dir, "bad")
		os.WriteFile(path, data, 0o600)
		_, err := f.LoadShard(path)
		var fe *FormatError
		if !errors.Is(err, want) || errors.As(err, &fe) && fe.Path != path {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if f.Blocks() == g.Blocks() && f.K() == g.K() && f.Keyed() && f.Shards() == g.Shards() && !f.Equal(before) {
			t.Errorf("%s: the filter has changed", what)
		}
	}
	refused("more shards", ErrMismatch, mustSharded(t, 5*40, 9, 10, WithKey(secretKey)), data)
	refused("more blocks", ErrMismatch, mustSharded(t, 5*41, 9, 5, WithKey(secretKey)), data)
	refused("another k", ErrMismatch, mustSharded(t, 5*40, 8, 5, WithKey(secretKey)), data)
	refused("no key", ErrKey, mustSharded(t, 5*40, 9, 5), data)
	refused("the zero value without a key", ErrKey, new(Sharded), data)
	refused("no shards", ErrHeader, g, withExtra(data, 0, 0))
	refused("too many shards", ErrHeader, g, withExtra(data, 0, 1<<40))
	refused("an index past the last", ErrHeader, g, withExtra(data, 1, 5))
	refused("other blocks", ErrHeader, g, withExtra(data, 2, 5*40+5))
	refused("blocks that overflow", ErrHeader, g, withExtra(data, 2, 1<<63))
	refused("a fourth integer", ErrHeader, g, withExtra(data, 3, 1))
	refused("damage", ErrChecksum, g, append(bytes.Clone(data[:len(data)-1]), data[len(data)-1]^1))
	refused("a cut", ErrTruncated, g, data[:len(data)-64])
	whole, _ := f.MarshalBinary()
	refused("a whole filter", ErrKind, g, whole)
	unkeyed := mustSharded(t, 2, 9, 1)
	if _, err := unkeyed.WriteShard(0, &stream); err != nil {
		t.Error(err)
	}
	for _, i := range []int{-1, 5, 1 << 30} {
		for _, err := range []error{g.ClearShard(i), g.SaveShard(i, filepath.Join(dir, "none")), second(g.WriteShard(i, &stream))} {
			if !errors.Is(err, ErrParameter) {
				t.Errorf("shard %d: %v", i, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a file for a shard that does not exist")
	}
}

// Goroutines that add, test, save, replace and clear shards: keys of the shards that
// nobody replaces are all there.
func TestShardedBeside(t *testing.T) {
	kerneltest.EachLevel(t, testShardedBeside) // the race detector sees into the generic one
}

func testShardedBeside(t *testing.T) {
	ints, _, _ := goldenKeys(1500)
	f, g := mustSharded(t, 16*8, 8, 16), mustSharded(t, 16*8, 8, 16)
	g.AddUint64s(ints)
	var shard bytes.Buffer
	g.WriteShard(3, &shard)
	var wg sync.WaitGroup
	for n := range 4 {
		kerneltest.Go(&wg, func() {
			for i := range 20 {
				f.AddUint64s(ints)
				f.TestUint64s(ints, nil)
				f.TestAndAddUint64s(ints, nil)
				switch n {
				case 0:
					f.ClearShard(3)
					f.ReadShard(bytes.NewReader(shard.Bytes()))
					f.UnionShard(bytes.NewReader(shard.Bytes()))
				case 1:
					f.Union(g)
					g.Union(f)
					f.Union(f)
				case 2:
					f.MarshalBinary()
					f.Intersect(f)
					f.Clone()
					f.Equal(g)
				case 3:
					f.EstimatedCount()
					f.FPRate()
					f.WriteShard(i%16, new(bytes.Buffer))
				}
			}
		})
	}
	wg.Wait()
	f.AddUint64s(ints)
	if f.TestUint64s(ints, nil) != len(ints) || !f.Equal(g) {
		t.Error("keys are missing")
	}
}

func TestShardedUnionIntersect(t *testing.T) {
	ints, texts, _ := goldenKeys(1500)
	a, b := mustSharded(t, 7*200, 9, 7), mustSharded(t, 7*200, 9, 7) // several pieces a shard
	a.AddUint64s(ints)
	b.AddUint64s(ints[:100])
	b.AddStrings(texts)
	for _, op := range []struct {
		name    string
		sharded func(f, g *Sharded) error
		blocked func(f, g *Blocked) error
	}{
		{"Union", (*Sharded).Union, (*Blocked).Union},
		{"Intersect", (*Sharded).Intersect, (*Blocked).Intersect},
	} {
		got, want := a.Clone(), a.Blocked().Clone()
		if op.sharded(got, b) != nil || op.blocked(want, b.Blocked()) != nil || !got.Blocked().Equal(want) || op.sharded(got, got) != nil {
			t.Error(op.name)
		}
		if got.Equal(a) || !got.Clone().Equal(got) {
			t.Error("Equal")
		}
		for _, g := range []*Sharded{new(Sharded), mustSharded(t, 7*200, 9, 14), mustSharded(t, 7*201, 9, 7),
			mustSharded(t, 7*200, 8, 7), mustSharded(t, 7*200, 9, 7, WithKey(secretKey))} {
			before := a.Clone()
			if !errors.Is(op.sharded(a, g), ErrMismatch) || a.Equal(g) || !a.Equal(before) {
				t.Errorf("%s with a filter that does not match", op.name)
			}
		}
	}
	plain := a.Blocked()
	again, err := plain.Sharded(14)
	if err != nil || again.Blocked() != plain || again.TestUint64s(ints, nil) != len(ints) {
		t.Error("not one filter", err)
	}
}

func TestShardedParameters(t *testing.T) {
	for name, err := range map[string]error{
		"no shards":             second(NewSharded(10, 0.1, 0)),
		"fewer":                 second(NewSharded(10, 0.1, -1)),
		"too many":              second(NewSharded(10, 0.1, MaxShards+1)),
		"a rate":                second(NewSharded(10, 2, 3)),
		"folds":                 second(NewSharded(10, 0.1, 3, WithFolds(57))),
		"unequal shards":        second(NewShardedWithSize(10, 8, 3)),
		"no shards of a size":   second(NewShardedWithSize(10, 8, 0)),
		"no blocks":             second(NewShardedWithSize(0, 8, 3)),
		"k":                     second(NewShardedWithSize(3, 17, 3)),
		"of a Blocked":          second(mustBlocked(t, 10, 8).Sharded(3)),
		"of a Blocked, none":    second(mustBlocked(t, 10, 8).Sharded(0)),
		"of a Blocked, no bits": second(new(Blocked).Sharded(1)),
	} {
		if !errors.Is(err, ErrParameter) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f, err := NewSharded(1, 0.5, 65536, WithFolds(2)); err != nil || f.Blocks() != 65536*4 || f.Shards() != 65536 {
		t.Error(err)
	}
	var f Sharded
	if f.Test(nil) || f.TestUint64s(make([]uint64, 100), nil) != 0 || f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 ||
		f.Clone().K() != 0 || f.Shards() != 0 || f.ShardOf(nil) != 0 || !f.Equal(new(Sharded)) || f.Union(new(Sharded)) != nil || f.Close() != nil {
		t.Error("the zero value has something")
	}
	f.Clear()
	f.AddUint64s(nil)
	if data, err := f.MarshalBinary(); len(data) != 0 || err == nil {
		t.Error("a file of nothing")
	}
	closed := mustSharded(t, 10, 8, 5)
	closed.Close()
	for name, use := range map[string]func(){
		"adding to the zero value":             func() { f.AddUint64(1) },
		"adding a batch to the zero value":     func() { f.AddUint64s(make([]uint64, 100)) },
		"testing and adding to the zero value": func() { f.TestAndAddString("") },
		"testing a closed one":                 func() { closed.TestUint64(1) },
		"testing a batch in a closed one":      func() { closed.TestUint64s(make([]uint64, 100), nil) },
		"adding to a closed one":               func() { closed.AddUint64(1) },
		"adding a batch to a closed one":       func() { closed.AddStrings([]string{"x"}) },
		"the rate of a closed one":             func() { closed.FPRate() },
		"clearing a shard of a closed one":     func() { closed.ClearShard(0) },
		"cloning a closed one":                 func() { closed.Clone() },
		"writing a shard of a closed one":      func() { closed.WriteShard(1, new(bytes.Buffer)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			use()
		}()
	}
}

func TestShardedAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the detector moves arrays to the heap")
	}
	ints, texts, raw := goldenKeys(1000)
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		f := mustSharded(t, 400, 8, 100, opts...)
		hits := new(BitSet)
		f.TestUint64s(ints, hits)
		if n := testing.AllocsPerRun(5, func() {
			f.Clear()
			f.AddUint64s(ints)
			f.AddStrings(texts)
			f.AddBytes(raw)
			f.AddHashes(ints)
			f.TestUint64s(ints, hits)
			f.TestStrings(texts, nil)
			f.TestBytes(raw, hits)
			f.TestAndAddUint64s(ints, hits)
			f.TestAndAddStrings(texts[:20], hits)
			f.TestAndAddBytes(raw, nil)
			f.TestAndAddHashes(ints, nil)
			f.Add(raw[0])
			f.AddString(texts[0])
			f.AddUint64(1)
			f.TestAndAdd(raw[1])
			f.TestAndAddString(texts[1])
			f.TestAndAddUint64(2)
			f.FPRate()
			f.EstimatedCount()
		}); n != 0 {
			t.Errorf("keyed %v: %v allocations", opts != nil, n)
		}
	}
}

// FuzzReadShard gives a filter's readers what is no shard, or not its own: they
// refuse it or take it, and the filter goes on.
func FuzzReadShard(f *testing.F) {
	filter, err := NewShardedWithSize(6, 8, 3)
	if err != nil {
		f.Fatal(err)
	}
	for i := range 3 {
		var b bytes.Buffer
		filter.WriteShard(i, &b)
		f.Add(b.Bytes())
		f.Add(withExtra(b.Bytes(), 1, 7))
		f.Add(withExtra(b.Bytes(), 0, 0))
	}
	data, _ := filter.MarshalBinary()
	f.Add(data)
	f.Add(withExtra(data, 0, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := filter.Clone()
		i, err := filter.ReadShard(bytes.NewReader(data))
		if err != nil && !filter.Equal(before) {
			t.Error("changed by what was refused")
		}
		if err == nil && (i < 0 || i >= 3) {
			t.Error(i)
		}
		var whole Sharded
		if whole.UnmarshalBinary(data) == nil {
			whole.AddUint64(1)
			if !whole.TestUint64(1) || whole.Blocks()%uint64(whole.Shards()) != 0 {
				t.Error("a filter that is not sound")
			}
		}
		filter.Clear()
	})
}

// BenchmarkSharded takes batches of 4096 integers with 10 bits a key and k = 8, in
// filters of several numbers of shards beside a Blocked, by one goroutine and more.
func BenchmarkSharded(b *testing.B) {
	const batch = 4096
	for _, size := range []int{256 << 10, 64 << 20} {
		plain := mustBlocked(b, uint64(size/block.Bytes), 8)
		r := rand.New(rand.NewPCG(3, 4))
		keys := make([]uint64, size*8/10&^(2*batch-1))
		for i := range keys {
			keys[i] = r.Uint64()
		}
		plain.AddUint64s(keys)
		run := func(op, impl string, goroutines int, do func(keys []uint64)) {
			b.Run(fmt.Sprintf("op=%s/%s/goroutines=%d/size=%dKiB", op, impl, goroutines, size>>10), func(b *testing.B) {
				for b.Loop() {
					var wg sync.WaitGroup
					for g := range goroutines {
						kerneltest.Go(&wg, func() {
							part := keys[g*len(keys)/goroutines:][:len(keys)/goroutines]
							for ; len(part) >= batch; part = part[batch:] {
								do(part[:batch])
							}
						})
					}
					wg.Wait()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
			})
		}
		run("Add", "impl=Blocked", 1, plain.AddUint64s)
		run("Test", "impl=Blocked", 1, func(keys []uint64) { plain.TestUint64s(keys, nil) })
		for _, shards := range []int{1, 16, 256, 4096} {
			f, err := plain.Sharded(shards)
			if err != nil {
				b.Fatal(err)
			}
			impl := fmt.Sprintf("impl=Sharded/shards=%d", shards)
			for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
				run("Add", impl, n, f.AddUint64s)
				run("Test", impl, n, func(keys []uint64) { f.TestUint64s(keys, nil) })
				run("TestOne", impl, n, func(keys []uint64) {
					for _, x := range keys {
						f.TestUint64(x)
					}
				})
			}
		}
	}
}
