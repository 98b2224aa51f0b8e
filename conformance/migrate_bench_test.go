package conformance

import (
	"fmt"
	"testing"

	peerbitset "github.com/bits-and-blooms/bitset"
	peerbloom "github.com/bits-and-blooms/bloom/v3"

	"github.com/bitsieve/bitsieve/dropin/bitset"
	"github.com/bitsieve/bitsieve/dropin/bloom"
)

// What a user's program gains from the change of an import: the loops below are
// the same source with either.

// dedupLines returns a million lines of 44 bytes, every second one a repetition.
func dedupLines() []string {
	lines := make([]string, 1_000_000)
	for i := range lines {
		lines[i] = fmt.Sprintf("https://example.org/item/%09d?ref=front", i/2*7919%1_000_000)
	}
	return lines
}

// BenchmarkDedup counts the lines that were not seen before.
func BenchmarkDedup(b *testing.B) {
	lines := dedupLines()
	b.Run("impl=bits-and-blooms", func(b *testing.B) {
		for b.Loop() {
			seen, fresh := peerbloom.NewWithEstimates(1_000_000, 0.01), 0
			for _, line := range lines {
				if !seen.TestAndAddString(line) {
					fresh++
				}
			}
			checkFresh(b, fresh)
		}
	})
	b.Run("impl=dropin", func(b *testing.B) {
		for b.Loop() {
			seen, fresh := bloom.NewWithEstimates(1_000_000, 0.01), 0
			for _, line := range lines {
				if !seen.TestAndAddString(line) {
					fresh++
				}
			}
			checkFresh(b, fresh)
		}
	})
}

func checkFresh(b *testing.B, fresh int) {
	b.Helper()
	if fresh < 490_000 || fresh > 500_000 {
		b.Fatalf("%d fresh lines", fresh)
	}
}

// BenchmarkAudience intersects two sets of visitors out of four million and
// lists who is in both.
func BenchmarkAudience(b *testing.B) {
	const n = 4_000_000
	b.Run("impl=bits-and-blooms", func(b *testing.B) {
		x, y := peerbitset.New(n), peerbitset.New(n)
		for i := uint(0); i < n; i += 3 {
			x.Set(i)
			y.Set(i * 2 % n)
		}
		buf := make([]uint, n)
		for b.Loop() {
			if x.IntersectionCardinality(y) != uint(len(x.Intersection(y).AppendTo(buf[:0]))) {
				b.Fatal()
			}
		}
	})
	b.Run("impl=dropin", func(b *testing.B) {
		x, y := bitset.New(n), bitset.New(n)
		for i := uint(0); i < n; i += 3 {
			x.Set(i)
			y.Set(i * 2 % n)
		}
		buf := make([]uint, n)
		for b.Loop() {
			if x.IntersectionCardinality(y) != uint(len(x.Intersection(y).AppendTo(buf[:0]))) {
				b.Fatal()
			}
		}
	})
}
