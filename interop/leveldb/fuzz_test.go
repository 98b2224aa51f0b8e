package leveldb

import (
	"bytes"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
)

// FuzzFilter takes any bytes for a filter, and for the keys of one: no panic, goleveldb's answers,
// goleveldb's bytes, no key lost.
func FuzzFilter(f *testing.F) {
	for _, n := range []int{0, 1, 25, 300} {
		data := write(NewBloomFilter(10), keysOf(n, 16, 1))
		f.Add(data, keysOf(300, 16, 1)[0])
		for _, k := range []byte{0, 1, 30, 31, 255} {
			data[len(data)-1] = k
			f.Add(bytes.Clone(data), []byte("key"))
		}
	}
	for n := range 4 {
		f.Add(make([]byte, n), make([]byte, n))
		f.Add(bytes.Repeat([]byte{255}, n), bytes.Repeat([]byte{255}, n))
	}
	f.Fuzz(func(t *testing.T, data, key []byte) {
		checkAsPeer(t, data, key)
		if v, err := NewView(data); err == nil {
			want := contains(data, key)
			if v.Test(key) != want || v.TestString(string(key)) != want || (v.TestBytes([][]byte{key}, nil) == 1) != want {
				t.Fatalf("the view of %x does not say %v of %x", data, want, key)
			}
			var f Filter
			if err := f.UnmarshalBinary(data); err != nil || !bytes.Equal(f.Data(), data) {
				t.Fatalf("%x decodes to %x, %v", data, f.Data(), err)
			}
			f.EstimatedCount()
		} else if len(data) > 1 && !contains(data, key) {
			t.Fatalf("%x is refused, but denies keys", data)
		}
		keys := [][]byte{key, data, key} // data as keys, of lengths that its bytes give
		for d := data; len(d) > 0; {
			n := min(int(d[0])%40, len(d)-1)
			keys = append(keys, d[1:1+n])
			d = d[1+n:]
		}
		bitsPerKey := len(data) % 50
		got, want := write(NewBloomFilter(bitsPerKey), keys), write(filter.NewBloomFilter(bitsPerKey), keys)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d keys, %d bits per key: %x, goleveldb writes %x", len(keys), bitsPerKey, got, want)
		}
		if appended := AppendFilter(nil, bitsPerKey, keys); !bytes.Equal(appended, want) {
			t.Fatalf("%d keys, %d bits per key: AppendFilter %x, goleveldb writes %x", len(keys), bitsPerKey, appended, want)
		}
		for _, k := range keys {
			if !contains(got, k) {
				t.Fatalf("%x is lost", k)
			}
		}
	})
}
