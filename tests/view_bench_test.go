package tests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
)

// BenchmarkTestBlocks tests single keys in blocks that lie in bytes, and in the
// Blocked with the same bits: in turns of 2,048 keys, so that both have the same
// machine. Of the keys half are present, at 10 bits a key. x is the median of the
// turns' ratios, bytes to Blocked; off is how far from a cache line the bytes begin.
func BenchmarkTestBlocks(b *testing.B) {
	for _, size := range []int{256 << 10, 64 << 20} {
		for k := block.MinK; k <= block.MaxK; k++ {
			for _, off := range []int{0, 24} {
				b.Run(fmt.Sprintf("size=%dKiB/k=%d/off=%d", size>>10, k, off), func(b *testing.B) { benchTestBlocks(b, size, k, off) })
			}
		}
	}
}

// number returns 1 for true, in the form that compiles to no branch: its
// mispredictions would be most of the time, and the same for both.
func number(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}

func benchTestBlocks(b *testing.B, size, k, off int) {
	f, err := NewBlockedWithSize(uint64(size)/block.Bytes, k)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 8))
	hashes := make([]uint64, size*8/10)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	f.AddHashes(hashes)
	hashes = hashes[:min(len(hashes), 1<<20)]
	for i := range hashes {
		if i%2 == 0 {
			hashes[i] = r.Uint64()
		}
	}
	r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
	bits := append(make([]byte, off, off+size), payload(b, f)...)[off:]

	const turn = 2048
	var inBytes, inBlocked, ratios []float64
	next := func() []uint64 { return hashes[r.IntN(len(hashes)-turn):][:turn] }
	for b.Loop() {
		keys := next()
		start := time.Now()
		n := 0
		for _, h := range keys {
			n += number(TestBlocks(bits, k, h))
		}
		x := float64(time.Since(start).Nanoseconds()) / turn
		if size > 1<<20 {
			keys = next() // those of before are in the caches now
		}
		start = time.Now()
		for _, h := range keys {
			n -= number(f.TestHash(h))
		}
		y := float64(time.Since(start).Nanoseconds()) / turn
		sinkInt += n
		inBytes, inBlocked, ratios = append(inBytes, x), append(inBlocked, y), append(ratios, x/y)
	}
	for _, p := range [][]float64{inBytes, inBlocked, ratios} {
		slices.Sort(p)
	}
	b.ReportMetric(inBytes[len(inBytes)/2], "ns/TestBlocks")
	b.ReportMetric(inBlocked[len(inBlocked)/2], "ns/TestHash")
	b.ReportMetric(ratios[len(ratios)/2], "x")
	b.ReportMetric(0, "ns/op")
}
