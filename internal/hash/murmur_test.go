package hash

import (
	"slices"
	"testing"

	"github.com/twmb/murmur3"
)

func TestMurmur(t *testing.T) {
	buf := make([]byte, 300)
	for i := range buf {
		buf[i] = byte(i*167 + 13)
	}
	for n := range 200 {
		for off := range 9 {
			checkMurmur(t, buf[off:off+n])
		}
	}
}

func FuzzMurmur(f *testing.F) {
	f.Add([]byte("0123456789abcde"))
	f.Fuzz(func(t *testing.T, key []byte) { checkMurmur(t, key) })
}

func checkMurmur(t *testing.T, key []byte) {
	t.Helper()
	var want Wide
	want.H0, want.H1 = murmur3.Sum128(key)
	want.H2, want.H3 = murmur3.Sum128(append(slices.Clone(key), 1))
	if got := Murmur(key[:len(key):len(key)]); got != want {
		t.Fatalf("%x: %x, want %x", key, got, want)
	}
	if got := Murmur(KeyBytes(string(key))); got != want {
		t.Fatalf("string %x: %x, want %x", key, got, want)
	}
}
