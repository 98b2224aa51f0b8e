package parquet_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// Single values of bytes are their XXH64, whatever their length: those that a kernel
// hashes and probes in one call, and those too long for it.
func TestBytesAreHashes(t *testing.T) {
	const piece = 512 << 10
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(15, 16))
		data := make([]byte, piece+100)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		check := func(n int) {
			for _, blocks := range []int{1, 1001} {
				got, want := newFilter(t, blocks*BlockBytes), newFilter(t, blocks*BlockBytes)
				value := data[n%13:][:n]
				h := xxhash.Sum64(value)
				if s := string(value); n%2 == 0 {
					got.Add(value)
				} else {
					got.AddString(s)
				}
				want.AddHash(h)
				if !got.Equal(want) {
					t.Fatalf("%d bytes: the bits of another hash", n)
				}
				v := got.View()
				if s := string(value); !got.Test(value) || !got.TestString(s) || !v.Test(value) || !v.TestString(s) {
					t.Fatalf("%d bytes: missing", n)
				}
				value[n/2] ^= 1
				h = xxhash.Sum64(value)
				if s, hit := string(value), want.TestHash(h); got.Test(value) != hit || got.TestString(s) != hit ||
					v.Test(value) != hit || v.TestString(s) != hit {
					t.Fatalf("%d other bytes: found is not %v", n, hit)
				}
			}
		}
		for n := 1; n <= 200; n++ {
			check(n)
		}
		for _, n := range []int{piece - 1, piece, piece + 1} {
			check(n)
		}
		f := newFilter(t, BlockBytes)
		f.AddString("")
		if h := xxhash.Sum64(nil); !f.Test(nil) || !f.TestHash(h) {
			t.Fatal("no bytes: missing")
		}
	})
}
