package conformance

import (
	"bytes"
	"fmt"
	"testing"

	peerbloom "github.com/bits-and-blooms/bloom/v3"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/dropin/bloom"
)

// What a look-up in a stored filter costs where each is for one key: a log index or a
// trace store reads a filter of 100 KiB from an object or a cache, asks it about one
// key and drops it. Before, it is decoded; now, it is viewed.

// storedBits is the size of the stored filters, 100 KiB.
const storedBits = 100 << 13

// storedKeys is what is added: 10 bits a key.
const storedKeys = storedBits / 10

func storedKey(i int) string { return fmt.Sprintf("trace-%012x", i*7919) }

// storedFilters returns the bytes of the same keys in bits-and-blooms' format and in
// Blocked's.
func storedFilters(b *testing.B) (peer, blocked []byte) {
	p := peerbloom.New(storedBits, 7)
	f, err := bitsieve.NewBlockedWithSize(storedBits/512, 7)
	if err != nil {
		b.Fatal(err)
	}
	for i := range storedKeys {
		p.AddString(storedKey(i))
		f.AddString(storedKey(i))
	}
	var buf bytes.Buffer
	if _, err := p.WriteTo(&buf); err != nil {
		b.Fatal(err)
	}
	if blocked, err = f.MarshalBinary(); err != nil {
		b.Fatal(err)
	}
	return buf.Bytes(), blocked
}

// BenchmarkStoredLookup asks a stored filter of 100 KiB about one key, from its bytes
// to the answer. Keys are present and absent by turns.
func BenchmarkStoredLookup(b *testing.B) {
	peer, blocked := storedFilters(b)
	keys := make([]string, 1024)
	for i := range keys {
		keys[i] = storedKey(i * storedKeys / len(keys) * (1 + i%2*1000))
	}
	for _, c := range []struct {
		format, impl string
		test         func(key string) (bool, error)
	}{
		{"bits-and-blooms", "bits-and-blooms/UnmarshalBinary", func(key string) (bool, error) {
			var f peerbloom.BloomFilter
			err := f.UnmarshalBinary(peer)
			return err == nil && f.TestString(key), err
		}},
		{"bits-and-blooms", "bits-and-blooms/ReadFrom", func(key string) (bool, error) {
			var f peerbloom.BloomFilter
			_, err := f.ReadFrom(bytes.NewReader(peer))
			return err == nil && f.TestString(key), err
		}},
		{"bits-and-blooms", "dropin/UnmarshalBinary", func(key string) (bool, error) {
			var f bloom.BloomFilter
			err := f.UnmarshalBinary(peer)
			return err == nil && f.TestString(key), err
		}},
		{"bits-and-blooms", "ViewBloom", func(key string) (bool, error) {
			v, err := bitsieve.ViewBloom(peer)
			return err == nil && v.TestString(key), err
		}},
		{"blocked", "Blocked/UnmarshalBinary", func(key string) (bool, error) {
			var f bitsieve.Blocked
			err := f.UnmarshalBinary(blocked)
			return err == nil && f.TestString(key), err
		}},
		{"blocked", "ViewBlocked", func(key string) (bool, error) {
			v, err := bitsieve.ViewBlocked(blocked)
			return err == nil && v.TestString(key), err
		}},
		{"blocked", "TestBlocks", func(key string) (bool, error) {
			return bitsieve.TestBlocks(blocked[128:], 7, bitsieve.HashKeyString(key)), nil
		}},
	} {
		b.Run(fmt.Sprintf("format=%s/impl=%s", c.format, c.impl), func(b *testing.B) {
			b.ReportAllocs()
			i, hits := 0, 0
			for b.Loop() {
				hit, err := c.test(keys[i%len(keys)])
				if err != nil {
					b.Fatal(err)
				}
				if hit {
					hits++
				} else if i%2 == 0 {
					b.Fatalf("%q is denied", keys[i%len(keys)])
				}
				i++
			}
		})
	}
}

// BenchmarkViewBatch tests batches in a filter of bits-and-blooms' bytes, and in the
// filter that is decoded from them.
func BenchmarkViewBatch(b *testing.B) {
	peer, _ := storedFilters(b)
	var core bloom.BloomFilter
	if err := core.UnmarshalBinary(peer); err != nil {
		b.Fatal(err)
	}
	filter, err := bitsieve.NewBloomFromWords(core.BitSet().Words(), storedBits, 7)
	if err != nil {
		b.Fatal(err)
	}
	view, err := bitsieve.ViewBloom(peer)
	if err != nil {
		b.Fatal(err)
	}
	var decoded peerbloom.BloomFilter
	if err := decoded.UnmarshalBinary(peer); err != nil {
		b.Fatal(err)
	}
	keys := make([]string, 1024)
	for i := range keys {
		keys[i] = storedKey(i * storedKeys / len(keys) * (1 + i%2*1000))
	}
	var hits bitsieve.BitSet
	for _, c := range []struct {
		impl string
		test func()
	}{
		{"bits-and-blooms/one-by-one", func() {
			for _, key := range keys {
				decoded.TestString(key)
			}
		}},
		{"Bloom.TestStrings", func() { filter.TestStrings(keys, &hits) }},
		{"BloomView.TestStrings", func() { view.TestStrings(keys, &hits) }},
	} {
		b.Run("impl="+c.impl, func(b *testing.B) {
			for b.Loop() {
				c.test()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
		})
	}
}

// The real peer's bytes, in a view.
func TestViewBloomOfPeer(t *testing.T) {
	for _, c := range []struct{ m, k uint }{{1, 1}, {1000, 4}, {4096, 7}, {100_003, 3}} {
		p := peerbloom.New(c.m, c.k)
		for i := range int(c.m/12 + 1) {
			p.AddString(storedKey(i))
		}
		for name, encode := range map[string]func() ([]byte, error){
			"MarshalBinary": p.MarshalBinary,
			"GobEncode":     p.GobEncode,
			"WriteTo": func() ([]byte, error) {
				var buf bytes.Buffer
				_, err := p.WriteTo(&buf)
				return buf.Bytes(), err
			},
		} {
			data, err := encode()
			if err != nil {
				t.Fatal(err)
			}
			v, err := bitsieve.ViewBloom(data)
			if err != nil {
				t.Fatal(err)
			}
			if v.Bits() != uint64(p.Cap()) || v.K() != int(p.K()) || v.BitSet().Count() != p.BitSet().Count() {
				t.Fatalf("%s: %d bits, k = %d, %d set", name, v.Bits(), v.K(), v.BitSet().Count())
			}
			keys, want := make([]string, 20_000), 0
			for i := range keys {
				keys[i] = storedKey(i)
				if hit := p.TestString(keys[i]); v.TestString(keys[i]) != hit {
					t.Fatalf("%s: m = %d: TestString(%q) is not %v", name, c.m, keys[i], hit)
				} else if hit {
					want++
				}
			}
			if n := v.TestStrings(keys, nil); n != want {
				t.Fatalf("%s: m = %d: %d keys, want %d", name, c.m, n, want)
			}
			bits, err := p.BitSet().MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			set, err := bitsieve.ViewBitSet(bits)
			if err != nil {
				t.Fatal(err)
			}
			if set.Len() != p.BitSet().Len() || set.Count() != p.BitSet().Count() {
				t.Fatalf("%d bits, %d set", set.Len(), set.Count())
			}
			for i := range p.BitSet().Len() {
				if set.Test(i) != p.BitSet().Test(i) {
					t.Fatalf("bit %d", i)
				}
			}
		}
	}
}
