package limit

import (
	"math/rand/v2"
	"testing"
)

// Every reader must see every word: the one bit set somewhere must come out,
// whatever register or half it passed through.
func TestReadersSeeEveryWord(t *testing.T) {
	readers := append(Readers(), Reader{"plain Go", readGo})
	p := make([]uint64, 5*ReadWords+5)
	for _, r := range readers {
		for i := range p {
			p[i] = 1
			got := r.Read(p)
			p[i] = 0
			want := uint64(1)
			if i >= 5*ReadWords {
				want = 0
			}
			if r.folds(i) && got != want {
				t.Fatalf("%s: word %d: got %d, want %d", r.Name, i, got, want)
			}
		}
		if got := r.Read(p[:ReadWords-1]); got != 0 {
			t.Fatalf("%s: short slice: got %d", r.Name, got)
		}
	}
}

// folds reports whether word i ends in the result: the wide readers return only
// the lowest lane of their accumulators.
func (r Reader) folds(i int) bool {
	switch r.Name {
	case "128-bit loads", "256-bit loads", "256-bit loads, four streams":
		return i%2 == 0
	case "512-bit loads":
		return i%8 == 0
	}
	return true
}

func TestRandomLines(t *testing.T) {
	const count = 1000
	p := make([]uint64, count*LineWords)
	for i := range p {
		p[i] = rand.Uint64()
	}
	lines := make([]uint32, 777+MaxAhead)
	for i := range lines {
		lines[i] = rand.Uint32N(count)
	}
	var want uint64
	for _, l := range lines[:len(lines)-MaxAhead] {
		want ^= p[l*LineWords]
	}
	for _, ahead := range []int{0, 1, 16, 32, MaxAhead, 1000} {
		for _, l2 := range []bool{false, true} {
			if got := RandomLines(p, lines, Prefetch{ahead, l2}); got != want {
				t.Errorf("%d ahead, into L2 %v: got %#x, want %#x", ahead, l2, got, want)
			}
		}
	}
	if got := RandomLines(p, lines[:MaxAhead], Prefetch{Ahead: 16}); got != 0 {
		t.Errorf("no lines: got %#x", got)
	}
}
