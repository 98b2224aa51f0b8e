package tests

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The counters of a filter are its file format: these digests never change, and are
// the same at every level and on every architecture.
func TestCountingGolden(t *testing.T) {
	golden := map[string]string{}
	ints, texts, raw := goldenKeys(1500)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{1, 2, 5, 7, 8, 9, 12, 15, 16} {
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				batch, single := mustCounting(t, 499, k, opts...), mustCounting(t, 499, k, opts...)
				batch.AddUint64s(ints)
				batch.AddStrings(texts)
				batch.AddBytes(raw)
				batch.AddHashes(ints[:700])
				batch.RemoveStrings(texts[500:900], nil)
				batch.RemoveUint64s(ints[:300], nil)
				for i, x := range ints {
					single.AddUint64(x)
					single.AddString(texts[i])
					single.Add(raw[i])
				}
				for _, h := range ints[:700] {
					single.AddHash(h)
				}
				for i := range 400 {
					single.RemoveString(texts[500+i])
				}
				for _, x := range ints[:300] {
					single.RemoveUint64(x)
				}
				data, err := batch.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				sum := sha256.Sum256(data[format.HeaderBytes:])
				name := fmt.Sprintf("k=%d keyed=%v", k, opts != nil)
				got := hex.EncodeToString(sum[:8])
				if !single.Equal(batch) {
					t.Errorf("%s: batches and single keys differ", name)
				}
				if want := goldenCounting[name]; got != want {
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

// goldenCounting holds the digests of TestCountingGolden.
var goldenCounting = map[string]string{
	"k=1 keyed=false":  "ea71dd8db48a970e",
	"k=1 keyed=true":   "623fe745b5863be0",
	"k=12 keyed=false": "a506a5428945f402",
	"k=12 keyed=true":  "2d869d04569c41d8",
	"k=15 keyed=false": "e3c11d9c66cc2fd8",
	"k=15 keyed=true":  "ffd7c5ccdc5ad0ca",
	"k=16 keyed=false": "2f0e1383ccbdf43f",
	"k=16 keyed=true":  "cdfbbab89c575e1b",
	"k=2 keyed=false":  "16230e6ac1d0f9b2",
	"k=2 keyed=true":   "fc686f77a1230c49",
	"k=5 keyed=false":  "dd9ad37e5d64b7cb",
	"k=5 keyed=true":   "464fc6069e293fea",
	"k=7 keyed=false":  "12baca6197014b71",
	"k=7 keyed=true":   "de6ef87a591d395f",
	"k=8 keyed=false":  "b77b595761172ff8",
	"k=8 keyed=true":   "ddefdaf615ce0de7",
	"k=9 keyed=false":  "7cecf454b3f62e49",
	"k=9 keyed=true":   "52db7b44e8996e36",
}
