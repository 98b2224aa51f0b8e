package tests

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

var secretKey = []byte("0123456789abcdef0123456789ABCDEF")

// digest returns a hash of the filter's words, in little-endian order.
func digest(t testing.TB, f *Blocked) string {
	t.Helper()
	sum := sha256.Sum256(payload(t, f))
	return hex.EncodeToString(sum[:8])
}

// goldenKeys returns n keys of each kind.
func goldenKeys(n int) (ints []uint64, texts []string, raw [][]byte) {
	r := rand.New(rand.NewPCG(20, 26))
	for i := range n {
		ints = append(ints, r.Uint64()>>(i%64))
		b := make([]byte, i%301) // past the 240 bytes from which XXH3 is vectorised
		for j := range b {
			b[j] = byte(r.Uint32())
		}
		raw = append(raw, b)
		texts = append(texts, fmt.Sprintf("https://example.org/%d?q=%x", i, r.Uint64()))
	}
	return
}

// The bits of a filter are its file format: these digests never change, and are
// the same at every level and on every architecture.
func TestBlockedGolden(t *testing.T) {
	golden := map[string]string{}
	ints, texts, raw := goldenKeys(1500)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{1, 2, 5, 6, 7, 8, 9, 12, 15, 16} {
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				batch, single := mustBlocked(t, 997, k, opts...), mustBlocked(t, 997, k, opts...)
				batch.AddUint64s(ints)
				batch.AddStrings(texts)
				batch.AddBytes(raw)
				batch.AddHashes(ints[:700])
				for i, x := range ints {
					single.AddUint64(x)
					single.AddString(texts[i])
					single.Add(raw[i])
				}
				for _, h := range ints[:700] {
					single.AddHash(h)
				}
				name := fmt.Sprintf("k=%d keyed=%v", k, opts != nil)
				got := digest(t, batch)
				if one := digest(t, single); one != got {
					t.Errorf("%s: batch digest %s, single %s", name, got, one)
				}
				if want := goldenBlocked[name]; got != want {
					t.Errorf("%s: digest %s, want %s", name, got, want)
				}
				golden[name] = got
			}
		}
	})
	if t.Failed() {
		t.Logf("%#v", golden)
	}
}

// goldenBlocked holds the digests of TestBlockedGolden.
var goldenBlocked = map[string]string{
	"k=1 keyed=false":  "813eebfb3efd74e6",
	"k=1 keyed=true":   "6c10e483c3053818",
	"k=12 keyed=false": "bd739b7185d0e7c7",
	"k=12 keyed=true":  "5947215ba9561da3",
	"k=15 keyed=false": "eaea3099d1e90de1",
	"k=15 keyed=true":  "17145f5d232a94ee",
	"k=16 keyed=false": "603cb9d81aa51469",
	"k=16 keyed=true":  "20710ab464f94d2f",
	"k=2 keyed=false":  "c56a83a4bddcc49a",
	"k=2 keyed=true":   "0afe31f6b3832328",
	"k=5 keyed=false":  "2a59771f2057630a",
	"k=5 keyed=true":   "edcd12e906e9ebbf",
	"k=6 keyed=false":  "1c5921e6f9287e5e",
	"k=6 keyed=true":   "bff9426512aef20c",
	"k=7 keyed=false":  "3f49593b7127c2cb",
	"k=7 keyed=true":   "d257b4ceaf3b9c59",
	"k=8 keyed=false":  "de8703ee4a0ed455",
	"k=8 keyed=true":   "a01e68b8986b6477",
	"k=9 keyed=false":  "78bb3ec45558dfae",
	"k=9 keyed=true":   "ff7b61110f324d26",
}
