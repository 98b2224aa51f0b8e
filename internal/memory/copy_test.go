package memory

import (
	"slices"
	"testing"
)

// Copies of several pieces, apart and overlapping both ways, are the builtin's.
func TestCopyClear(t *testing.T) {
	const n = 3*pieceWords + 17
	fresh := func() []uint64 {
		p := make([]uint64, n)
		for i := range p {
			p[i] = uint64(i)*0x9e3779b97f4a7c15 + 1
		}
		return p
	}
	for _, c := range []struct{ to, from, length int }{
		{0, 0, n}, {0, 1, n - 1}, {1, 0, n - 1}, {0, pieceWords, 2 * pieceWords}, {pieceWords, 0, 2*pieceWords + 5},
		{5, 0, pieceWords}, {0, 5, pieceWords + 1}, {100, 3, 2 * pieceWords}, {3, 100, 2 * pieceWords}, {7, 7, 0},
	} {
		got, want := fresh(), fresh()
		Copy(got[c.to:c.to+c.length], got[c.from:c.from+c.length])
		copy(want[c.to:c.to+c.length], want[c.from:c.from+c.length])
		if !slices.Equal(got, want) {
			t.Errorf("%+v differs from copy", c)
		}
	}
	short := make([]uint64, 5)
	Copy(short, fresh())
	if !slices.Equal(short, fresh()[:5]) {
		t.Error("a destination that is shorter")
	}
	for _, n := range []int{0, 1, n, cloneWords, cloneWords + 1} {
		p := make([]uint64, n)
		for i := range p {
			p[i] = uint64(i)
		}
		if c := Clone(p); !slices.Equal(c, p) {
			t.Errorf("Clone of %d words", n)
		}
	}
	if c := Clone(fresh()); !slices.Equal(c, fresh()) {
		t.Error("Clone")
	}
	if Clone(nil) != nil {
		t.Error("a clone of nil")
	}
	p := fresh()
	Clear(p[3 : n-2])
	for i, w := range p {
		if inside := i >= 3 && i < n-2; inside != (w == 0) {
			t.Fatalf("word %d is %#x after Clear", i, w)
		}
	}
}

// The same for elements of other types.
func TestCopyOf(t *testing.T) { testCopyOf[byte](t); testCopyOf[uint32](t) }

func testCopyOf[T byte | uint32](t *testing.T) {
	n := 2*pieceOf[T]() + 17
	from := make([]T, n)
	for i := range from {
		from[i] = T(i*i>>3 + 1)
	}
	for _, length := range []int{0, 1, pieceOf[T](), n} {
		to := make([]T, n)
		CopyOf(to[:length], from)
		if !slices.Equal(to[:length], from[:length]) || slices.Max(append(to[length:], 0)) != 0 {
			t.Errorf("%T: CopyOf of %d elements", from[0], length)
		}
	}
	CopyOf(from, from)
	c := CloneOf(from)
	if !slices.Equal(c, from) || &c[0] == &from[0] {
		t.Errorf("%T: CloneOf", from[0])
	}
	ClearOf(c[1 : n-1])
	if c[0] != from[0] || c[n-1] != from[n-1] || slices.Max(c[1:n-1]) != 0 {
		t.Errorf("%T: ClearOf", from[0])
	}
}
