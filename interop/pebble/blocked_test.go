package pebble

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/cockroachdb/pebble/v2"
)

// TestBlockedBits compares the bytes before the trailer with those of a bitsieve.Blocked.
func TestBlockedBits(t *testing.T) {
	for _, n := range []int{1, 51, 52, 1000, 2*chunkHashes + 1} {
		for _, bitsPerKey := range []float64{1, 6.5, 10, 16, 40} {
			keys := mixedKeys(n, 8)
			f := write(BlockedPolicy(bitsPerKey), nil, keys)
			bits, trailer := f[:len(f)-blockedTrailerBytes], f[len(f)-blockedTrailerBytes:]
			b, err := bitsieve.NewBlockedWithSize(uint64(len(bits)/blockBytes), int(trailer[0]))
			if err != nil {
				t.Fatal(err)
			}
			b.AddBytes(keys)
			data, err := b.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bits, data[format.HeaderBytes:format.HeaderBytes+len(bits)]) {
				t.Errorf("%d keys, %v bits per key: not the bits of a Blocked", n, bitsPerKey)
			}
		}
	}
}

// TestBlockedGolden has a filter's bytes as they will be for ever, computed with this package and compared
// with those of a Blocked by TestBlockedBits.
func TestBlockedGolden(t *testing.T) {
	got := write(BlockedPolicy(10), nil, [][]byte{[]byte("hello"), []byte("world"), {}})
	if s := fmt.Sprintf("%x", got); s != golden {
		t.Errorf("%s, want %s", s, golden)
	}
}

const golden = "000104002020006000210000012002100000010020244800440000000408040100400040" +
	"81a00000000402280000042064000a200000000040240080000002101001000001000000"

// TestBlockedDamaged changes every byte of the trailer and every length: a filter that is not whole, and
// one of another version, may contain everything.
func TestBlockedDamaged(t *testing.T) {
	p := BlockedPolicy(10)
	keys := keysOf(200, 16, 1)
	good, absent := write(p, nil, keys), []byte("not there")
	if p.MayContain(pebble.TableFilter, good, absent) {
		t.Fatal("choose another key")
	}
	n := len(good) - blockedTrailerBytes
	for i := range blockedTrailerBytes {
		for x := 1; x < 256; x++ {
			f := bytes.Clone(good)
			f[n+i] ^= byte(x)
			got := p.MayContain(pebble.TableFilter, f, absent)
			if k := f[n]; i > 0 || k == 0 || k > 16 {
				if !got {
					t.Fatalf("byte %d of the trailer changed by %#x: denied", i, x)
				}
			}
		}
	}
	for size := range len(good) {
		if !p.MayContain(pebble.TableFilter, good[:size], absent) {
			t.Fatalf("cut to %d bytes: denied", size)
		}
		if size > 0 && !p.MayContain(pebble.TableFilter, good[size:], absent) {
			t.Fatalf("without the first %d bytes: denied", size)
		}
	}
	if p.MayContain(pebble.TableFilter, write(p, nil, nil), absent) {
		t.Error("a filter of no keys has one")
	}
	var huge [blockedTrailerBytes]byte
	binary.LittleEndian.PutUint64(huge[:], 1<<63|blockedVersion<<8|6)
	if !p.MayContain(pebble.TableFilter, huge[:], absent) {
		t.Error("2^31 blocks in no bytes: denied")
	}
}

// TestRates measures the false-positive rates of the policies at 10 bits per key: BenchmarkRates has more
// keys.
func TestRates(t *testing.T) {
	n, asked := 100_000, 400_000
	if testing.Short() {
		n, asked = 5000, 40_000
	}
	for _, p := range policies {
		rate, bits := measureRate(p, n, asked)
		if rate < 0.007 || rate > 0.0145 || bits < 10 || bits > 10.5 {
			t.Errorf("%s: rate %.5f at %.3f bits per key", p.Name(), rate, bits)
		}
	}
}

// measureRate returns the rate of a filter of n keys, over at least so many that are not there, and its
// bits per key. Of few keys there are many filters.
func measureRate(p pebble.FilterPolicy, n, asked int) (rate, bitsPerKey float64) {
	hits, total := 0, 0
	for seed := uint64(1); total < asked; seed++ {
		f := write(p, nil, keysOf(n, 16, seed))
		bitsPerKey = 8 * float64(len(f)) / float64(n)
		for _, key := range keysOf(min(asked, max(n, 10_000)), 16, seed<<32) {
			total++
			if p.MayContain(pebble.TableFilter, f, key) {
				hits++
			}
		}
	}
	return float64(hits) / float64(total), bitsPerKey
}

// BenchmarkRates reports the false-positive rate in percent and the bits per key, trailer included, of each
// policy at 10 bits per key. Time is of no interest: -benchtime 1x.
func BenchmarkRates(b *testing.B) {
	for _, n := range []int{1000, 100_000, 5_000_000} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("keys=%d/%s", n, c.name), func(b *testing.B) {
				var rate, bits float64
				for b.Loop() {
					rate, bits = measureRate(c.policy, n, 4_000_000)
				}
				b.ReportMetric(100*rate, "%rate")
				b.ReportMetric(bits, "bits/key")
			})
		}
	}
}
