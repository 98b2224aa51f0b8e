package leveldb

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"
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

// mixedKeys returns n random keys of random lengths from 0 to 150, some twice in a row, some with
// bytes over 127 only.
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

// write returns the filter that a policy makes of keys.
func write(f filter.Filter, keys [][]byte) []byte {
	g := f.NewGenerator()
	for _, key := range keys {
		g.Add(key)
	}
	var b util.Buffer
	g.Generate(&b)
	return b.Bytes()
}

// TestBytes compares every byte of our filters with goleveldb's, and every answer.
func TestBytes(t *testing.T) {
	for _, bitsPerKey := range []int{0, 1, 2, 5, 9, 10, 11, 14, 20, 43, 44, 100, 370, 371, 372, 400} {
		theirs, ours := filter.NewBloomFilter(bitsPerKey), NewBloomFilter(bitsPerKey)
		if ours.Name() != theirs.Name() {
			t.Fatalf("the name is %q", ours.Name())
		}
		for _, n := range []int{0, 1, 2, 6, 7, 10, 25, 26, 51, 100, 1000, 20_000} {
			if n > 1000 && bitsPerKey != 10 {
				continue
			}
			keys := mixedKeys(n, uint64(n))
			want, got := write(theirs, keys), write(ours, keys)
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bits per key, %d keys: other bytes than goleveldb's:\n%x\n%x", bitsPerKey, n, got, want)
			}
			for i, key := range append(keys[:n:n], mixedKeys(2000, 1<<40)...) {
				got, want := ours.Contains(want, key), theirs.Contains(want, key)
				if got != want || !got && i < n {
					t.Fatalf("%d bits per key, %d keys: Contains(%x) = %v, goleveldb says %v", bitsPerKey, n, key, got, want)
				}
			}
		}
	}
}

// TestNegative has numbers of bits per key that goleveldb takes for thousands of millions.
func TestNegative(t *testing.T) {
	keys := mixedKeys(20, 1)
	if got, want := write(NewBloomFilter(-3), keys), write(NewBloomFilter(0), keys); !bytes.Equal(got, want) {
		t.Errorf("%x for −3 bits per key, %x for 0", got, want)
	}
}

// TestGenerator uses a generator and a buffer again, with what the buffer held before.
func TestGenerator(t *testing.T) {
	f := NewBloomFilter(10)
	g := f.NewGenerator()
	var b util.Buffer
	for n := range 100 {
		keys := mixedKeys(n, uint64(n))
		for _, key := range keys {
			g.Add(key)
		}
		b.Reset()
		b.Write(bytes.Repeat([]byte{255}, 500))
		b.Truncate(3)
		g.Generate(&b)
		if got, want := b.Bytes()[3:], write(filter.NewBloomFilter(10), keys); !bytes.Equal(got, want) {
			t.Fatalf("%d keys: %x, want %x", n, got, want)
		}
	}
}

// checkAsPeer compares an answer with goleveldb's.
func checkAsPeer(t testing.TB, data, key []byte) {
	t.Helper()
	got, want := NewBloomFilter(10).Contains(data, key), filter.NewBloomFilter(10).Contains(data, key)
	if got != want {
		t.Fatalf("Contains(%x, %x) = %v, goleveldb says %v", data, key, got, want)
	}
}

// TestSizes has random filters of every size and k, at every alignment.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	keys := mixedKeys(40, 4)
	for size := range 300 {
		data := make([]byte, size+8)[size%8:][:size]
		for i := range data {
			data[i] = byte(r.Uint32() | r.Uint32() | r.Uint32())
		}
		for k := range 40 {
			if size > 0 {
				data[size-1] = byte(k)
			}
			for _, key := range keys {
				checkAsPeer(t, data, key)
			}
		}
	}
}

// TestRemainders compares remainders with division at the edges: all small filters, and sizes around
// powers of two.
func TestRemainders(t *testing.T) {
	const maxX = 1<<29 - 1
	edges := func(n uint64) (xs []uint32) {
		r := rand.New(rand.NewPCG(n, 5))
		for _, m := range []uint64{0, 1, 2, maxX/n - 1, maxX / n, r.Uint64() % (maxX/n + 1)} {
			xs = append(xs, uint32(min(m*n, maxX)), uint32(min(m*n+n-1, maxX)), uint32(min(m*n+1, maxX)))
		}
		return append(xs, maxX, r.Uint32()>>3)
	}
	for n := uint64(minSmall); n <= maxSmall; n++ {
		for _, x := range edges(n) {
			if got := uint64(x) - uint64(x)*smallInv[n]>>smallShift*n; got != uint64(x)%n {
				t.Fatalf("%d mod %d = %d", x, n, got)
			}
		}
	}
	for shift := range 29 {
		for _, n := range []uint64{1 << shift, 1<<shift + 1, 1<<shift | 1<<shift>>1, 2<<shift - 1} {
			for _, x := range edges(n) {
				if got := newDivisor(int(n)).mod(x); got != uint64(x)%n {
					t.Fatalf("%d mod %d = %d", x, n, got)
				}
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	keys := keysOf(25, 24, 1)
	f := NewBloomFilter(10)
	data := write(f, keys)
	g := f.NewGenerator()
	var b util.Buffer
	round := func() {
		for _, key := range keys {
			f.Contains(data, key)
			g.Add(key)
		}
		b.Reset()
		g.Generate(&b)
	}
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
