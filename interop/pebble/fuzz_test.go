package pebble

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// FuzzFilter takes any bytes for a filter, and for the keys of one: no panic, Pebble's answers, Pebble's
// bytes, no key lost.
func FuzzFilter(f *testing.F) {
	hostile := write(FilterPolicy(10), nil, keysOf(60, 9, 1))
	for _, p := range policies {
		for _, n := range []int{0, 1, 3, 100} {
			f.Add(write(p, nil, keysOf(n, 16, 1)), keysOf(100, 16, 1)[0])
		}
	}
	for _, lines := range []uint32{0, 1, 2, 1 << 26, 1<<32 - 1} {
		binary.LittleEndian.PutUint32(hostile[len(hostile)-4:], lines)
		f.Add(bytes.Clone(hostile), []byte("key"))
	}
	f.Add(make([]byte, trailerBytes), []byte{})
	f.Add(make([]byte, trailerBytes+1), []byte{255, 254, 253})
	f.Fuzz(func(t *testing.T, data, key []byte) {
		checkAsPeer(t, data, key)
		keys := [][]byte{key, data, key} // data as keys, of lengths that its bytes give
		for d := data; len(d) > 0; {
			n := min(int(d[0])%40, len(d)-1)
			keys = append(keys, d[1:1+n])
			d = d[1+n:]
		}
		if got, want := write(FilterPolicy(10), nil, keys), write(bloom.FilterPolicy(10), nil, keys); !bytes.Equal(got, want) {
			t.Fatalf("%d keys: %x, Pebble writes %x", len(keys), got, want)
		}
		for _, p := range policies {
			p.MayContain(pebble.TableFilter, data, key)
			filter := write(p, nil, keys)
			for _, k := range keys {
				if !p.MayContain(pebble.TableFilter, filter, k) {
					t.Fatalf("%s has lost %x", p.Name(), k)
				}
			}
		}
	})
}
