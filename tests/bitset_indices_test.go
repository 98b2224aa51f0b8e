package tests

import (
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestAppendIndicesRoom appends to slices with room for none, some and all of the
// indices, which decides how many words are decoded before the rest is counted,
// and looks at what is behind them.
func TestAppendIndicesRoom(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 7, 8, 9, 40} {
			for _, denominator := range []int{64, 8, 2} {
				words, _ := kerneltest.RandomBits(n, denominator)
				for first := range 4 {
					words[0] = 1<<first - 1
					if n > 8 { // the last words with a bit have one each
						clear(words[n-8:])
						for i := range first + 1 {
							words[n-4-i] = 1 << i
						}
					}
					ones := len(indicesOf[uint](words))
					for room := range ones + 3 {
						if room == ones+2 {
							room += 100
						}
						checkAppend(t, AppendIndices, words, room)
						checkAppend(t, AppendIndices32, words, room)
					}
				}
			}
		}
	})
}

func checkAppend[T uint | uint32](t *testing.T, f func([]T, []uint64) []T, words []uint64, room int) {
	t.Helper()
	want := indicesOf[T](words)
	ones := len(want)
	memory := make([]T, 1+room+8)
	kerneltest.SetCanary(memory)
	got := f(memory[:1:1+room], words)
	if len(got) != 1+ones || got[0] != kerneltest.Canary {
		t.Fatalf("%d indices for %d words, room for %d; want %d", len(got)-1, len(words), room, ones)
	}
	if !slices.Equal(got[1:], want) {
		t.Fatalf("%d words, room for %d: %v, want %v", len(words), room, got[1:], want)
	}
	if behind := memory[1+room:]; !kerneltest.CanaryIntact(behind) || ones <= room && !kerneltest.CanaryIntact(memory[1+ones:]) {
		t.Fatalf("%d words, room for %d: wrote behind the %d indices", len(words), room, ones)
	}
}

// indicesOf returns the indices of the set bits of words.
func indicesOf[T uint | uint32](words []uint64) (indices []T) {
	for i, w := range words {
		for bit := range wordBits {
			if w>>bit&1 != 0 {
				indices = append(indices, T(i)*wordBits+T(bit))
			}
		}
	}
	return indices
}
