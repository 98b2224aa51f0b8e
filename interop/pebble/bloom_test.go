package pebble

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// keysOf returns n random keys of the given length, the same ones for the same seed.
func keysOf(n, length int, seed uint64) [][]byte {
	r := rand.New(rand.NewPCG(seed, 1))
	keys, data := make([][]byte, n), make([]byte, n*length+8)
	for i := range len(data) / 8 {
		binary.LittleEndian.PutUint64(data[8*i:], r.Uint64())
	}
	for i := range keys {
		keys[i] = data[i*length : (i+1)*length : (i+1)*length]
	}
	return keys
}

// mixedKeys returns n random keys of random lengths from 0 to 150, some of them twice in a row, some
// with bytes over 127 only.
func mixedKeys(n int, seed uint64) (keys [][]byte) {
	r := rand.New(rand.NewPCG(seed, 2))
	for len(keys) < n {
		key := make([]byte, r.IntN(r.IntN(150)+1))
		for i := range key {
			key[i] = byte(r.Uint32())
			if len(keys)%7 == 0 {
				key[i] |= 0x80
			}
		}
		for range 1 + r.IntN(10)/9*r.IntN(3) {
			keys = append(keys, key)
		}
	}
	return keys[:n]
}

// write returns the filter of keys, after dst.
func write(p pebble.FilterPolicy, dst []byte, keys [][]byte) []byte {
	w := p.NewWriter(pebble.TableFilter)
	for _, key := range keys {
		w.AddKey(key)
	}
	return w.Finish(dst)
}

// TestBloomBytes compares every byte of our filters with Pebble's, and every answer.
func TestBloomBytes(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 10, 25, 50, 51, 52, 100, 1000, chunkHashes - 1, chunkHashes, chunkHashes + 1, 2 * chunkHashes}
	if !testing.Short() {
		sizes = append(sizes, 300_000)
	}
	for _, bitsPerKey := range []int{0, 1, 2, 5, 9, 10, 11, 20, 43, 44, 100} {
		theirs, ours := bloom.FilterPolicy(bitsPerKey), FilterPolicy(bitsPerKey)
		for _, n := range sizes {
			if n > 2000 && bitsPerKey != 10 && bitsPerKey != 43 {
				continue
			}
			keys := mixedKeys(n, uint64(n))
			want, got := write(theirs, nil, keys), write(ours, nil, keys)
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bits per key, %d keys: other bytes than Pebble's", bitsPerKey, n)
			}
			for i, key := range append(keys[:min(n, 5000):n], mixedKeys(5000, 1<<40)...) {
				got, want := ours.MayContain(pebble.TableFilter, want, key), theirs.MayContain(pebble.TableFilter, want, key)
				if got != want || !got && i < min(n, 5000) {
					t.Fatalf("%d bits per key, %d keys: MayContain(%x) = %v, Pebble says %v", bitsPerKey, n, key, got, want)
				}
			}
		}
	}
}

// TestHashes has hashes around the ends of chunks, the first of them 0, each twice in a row.
func TestHashes(t *testing.T) {
	for _, n := range []int{0, 1, chunkHashes - 1, chunkHashes, chunkHashes + 1, 2 * chunkHashes} {
		var c hashes[uint32]
		for h := range uint32(n) {
			c.add(h)
			c.add(h)
		}
		next := uint32(0)
		c.drain(func(part []uint32) {
			for _, h := range part {
				if h != next {
					t.Fatalf("of %d: %d, want %d", n, h, next)
				}
				next++
			}
		})
		if int(next) != n {
			t.Errorf("%d of %d", next, n)
		}
	}
}

// TestLineAt has lines around 512 MiB, where Pebble's bits have no 32-bit numbers any more.
func TestLineAt(t *testing.T) {
	for line, want := range map[uint32]uint32{1: 64, 1<<23 - 1: 1<<29 - 64, 1 << 23: 0, 1<<23 + 1: 64} {
		if got := lineAt(line); got != want {
			t.Errorf("line %d is at %d, want %d", line, got, want)
		}
	}
}

// TestNegative has numbers of bits per key that make no size.
func TestNegative(t *testing.T) {
	keys := mixedKeys(2000, 1)
	if got, want := write(FilterPolicy(-3), nil, keys), write(FilterPolicy(0), nil, keys); !bytes.Equal(got, want) {
		t.Errorf("%d bytes for −3 bits per key, %d for 0", len(got), len(want))
	}
}

// TestFinish appends filters to what there is, with room and without, and uses a writer again.
func TestFinish(t *testing.T) {
	for _, p := range policies {
		t.Run(p.Name(), func(t *testing.T) {
			a, b := mixedKeys(chunkHashes*5/2, 1), mixedKeys(100, 2)
			wantA, wantB := write(p, nil, a), write(p, nil, b)
			w := p.NewWriter(pebble.TableFilter)
			all := []byte("before")
			for round := range 3 {
				for _, key := range a {
					w.AddKey(key)
				}
				all = w.Finish(all)
				for _, key := range b {
					w.AddKey(key)
				}
				all = w.Finish(slices.Grow(all, 4096)[:len(all)])
				want := append([]byte("before"), bytes.Repeat(slices.Concat(wantA, wantB), round+1)...)
				if !bytes.Equal(all, want) {
					t.Fatalf("round %d: not the filters that two writers make", round)
				}
			}
			dirty := bytes.Repeat([]byte{255}, 1<<16)
			for _, key := range b {
				w.AddKey(key)
			}
			if got := w.Finish(dirty[:3]); !bytes.Equal(got[3:], wantB) || &got[0] != &dirty[0] {
				t.Error("the filter was not made in the memory given, or not zeroed")
			}
		})
	}
}

// TestNoLostKeys adds keys of one buffer that is overwritten after each, as Pebble does.
func TestNoLostKeys(t *testing.T) {
	for _, p := range policies {
		for _, n := range []int{1, 10, 1000, 40_000} {
			keys := mixedKeys(n, 3)
			w := p.NewWriter(pebble.TableFilter)
			var buf []byte
			for _, key := range keys {
				buf = append(buf[:0], key...)
				w.AddKey(buf)
				for i := range buf {
					buf[i] = 0x55
				}
			}
			f := w.Finish(nil)
			for _, key := range keys {
				if !p.MayContain(pebble.TableFilter, f, key) {
					t.Fatalf("%s, %d keys: %x is lost", p.Name(), n, key)
				}
			}
		}
	}
}

// TestBloomDamaged has what Pebble panics at, and RocksDB's marks of newer filters.
func TestBloomDamaged(t *testing.T) {
	good := write(FilterPolicy(10), nil, keysOf(100, 16, 1))
	n := len(good) - trailerBytes
	with := func(probes byte, lines uint32) []byte {
		f := bytes.Clone(good)
		f[n] = probes
		binary.LittleEndian.PutUint32(f[n+1:], lines)
		return f
	}
	for _, c := range []struct {
		name   string
		filter []byte
		want   bool
	}{
		{"nothing", nil, false},
		{"only a trailer", make([]byte, trailerBytes), false},
		{"no lines", with(6, 0), true},
		{"lines without bits", with(6, 1<<31), true},
		{"RocksDB's FastLocalBloom", with(255, 0), true},
		{"RocksDB's Ribbon", with(254, 5), true},
		{"31 probes", with(31, 5), true},
		{"no probes", with(0, 5), true},
	} {
		if got := FilterPolicy(10).MayContain(pebble.TableFilter, c.filter, []byte("a key")); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBloomLineSizes compares the answers for lines of other sizes, at any alignment.
func TestBloomLineSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for size := range 300 {
		for _, lines := range []uint32{1, 2, 3, 5, 7} {
			f := make([]byte, size+trailerBytes+1)[1:]
			for i := range f[:size] {
				f[i] = byte(r.Uint32() | r.Uint32())
			}
			f[size] = 6
			binary.LittleEndian.PutUint32(f[size+1:], lines)
			if size < int(lines) {
				continue
			}
			for range 100 {
				checkAsPeer(t, f, []byte(fmt.Sprint(r.Uint64())))
			}
		}
	}
}

// checkAsPeer compares an answer with Pebble's, unless Pebble has none or the filter is not of this
// format.
func checkAsPeer(t testing.TB, filter, key []byte) {
	t.Helper()
	got := FilterPolicy(10).MayContain(pebble.TableFilter, filter, key)
	want, panicked := peerMayContain(filter, key)
	if n := len(filter) - trailerBytes; panicked || n > 0 && filter[n] > maxProbes {
		want = true
	}
	if got != want {
		t.Fatalf("MayContain(%x, %x) = %v, want %v", filter, key, got, want)
	}
}

func peerMayContain(filter, key []byte) (hit, panicked bool) {
	defer func() { panicked = recover() != nil }()
	return bloom.FilterPolicy(10).MayContain(pebble.TableFilter, filter, key), false
}

func TestAllocs(t *testing.T) {
	keys := keysOf(1000, 24, 1)
	for _, p := range policies {
		f := write(p, nil, keys)
		i := 0
		if n := testing.AllocsPerRun(1000, func() {
			p.MayContain(pebble.TableFilter, f, keys[i%1000])
			i++
		}); n != 0 {
			t.Errorf("%s: MayContain allocates %v times", p.Name(), n)
		}
		w := p.NewWriter(pebble.TableFilter)
		for _, key := range keys {
			w.AddKey(key)
		}
		if n := testing.AllocsPerRun(1000, func() {
			w.AddKey(keys[i%1000])
			i++
		}); n != 0 {
			t.Errorf("%s: AddKey allocates %v times", p.Name(), n)
		}
	}
}

// policies are all of this package.
var policies = []pebble.FilterPolicy{FilterPolicy(10), BlockedPolicy(10)}
