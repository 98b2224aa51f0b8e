package bloom

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// What the peer does the same is tested against it in the conformance module.
// Here are the parameters with which it cannot be run.

func TestParametersOutOfRange(t *testing.T) {
	for _, c := range []struct {
		n    uint
		p    float64
		m, k uint
	}{
		{0, 0.01, 0, 0},
		{10, 1, 0, 0},
		{10, 2, 0, 0},
		{10, math.Inf(1), 0, 0},
		{10, math.NaN(), 0, 0},
		{10, -1, 0, 0},
		{math.MaxUint, 1e-300, math.MaxUint, 1},
	} {
		m, k := EstimateParameters(c.n, c.p)
		if m != c.m || k != c.k {
			t.Errorf("EstimateParameters(%d, %v) = %d, %d, want %d, %d", c.n, c.p, m, k, c.m, c.k)
		}
	}
	if m, k := EstimateParameters(10, 0); m != math.MaxUint || k == 0 {
		t.Errorf("EstimateParameters(10, 0) = %d, %d", m, k)
	}
	f := NewWithEstimates(0, 0.01)
	if f.Cap() != 1 || f.K() != 1 || !f.AddString("Love").TestString("Love") {
		t.Errorf("NewWithEstimates(0, 0.01): m = %d, k = %d", f.Cap(), f.K())
	}
}

// TestNewTooLarge asks for filters that no memory holds, or that would never end.
func TestNewTooLarge(t *testing.T) {
	for name, call := range map[string]func(){
		"New, k":             func() { New(1000, 1<<17) },
		"FromWithM, k":       func() { FromWithM(make([]uint64, 4), 256, math.MaxUint) },
		"New, m":             func() { New(math.MaxUint, 3) },
		"NewWithEstimates 0": func() { NewWithEstimates(10, 0) },
	} {
		if math.MaxUint>>32 == 0 && name[len(name)-1] != 'k' {
			continue // 2^32 bits there may be memory for
		}
		func() {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, bitsieve.ErrParameter) {
					t.Errorf("%s: panic value %v", name, err)
				}
			}()
			call()
		}()
	}
}

func TestNewWithLowNumbers(t *testing.T) {
	for _, c := range [][4]uint{{0, 0, 1, 1}, {0, 5, 1, 5}, {5, 0, 5, 1}} {
		f := New(c[0], c[1])
		if f.Cap() != c[2] || f.K() != c[3] || f.BitSet().Len() != c[0] {
			t.Errorf("New(%d, %d): m = %d, k = %d, %d bits", c[0], c[1], f.Cap(), f.K(), f.BitSet().Len())
		}
	}
}

// Only the import path of a program changes. This one prints each word the first
// time it sees it.
func Example() {
	seen := NewWithEstimates(1000, 0.001)
	for _, word := range []string{"to", "be", "or", "not", "to", "be"} {
		if !seen.TestAndAddString(word) {
			fmt.Println(word)
		}
	}
	// Output:
	// to
	// be
	// or
	// not
}
