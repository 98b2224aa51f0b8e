package pages

import (
	"math/bits"
	"testing"
	"unsafe"
)

// A range's prefixes are apart, in order, exactly the range, and as few as a tree over
// all halves of the space needs.
func TestPrefixesOfRange(t *testing.T) {
	step := uint64(1)
	if testing.Short() {
		step = 7
	}
	for _, base := range []uint64{0, 1<<31 - 32, end - 64} {
		for i := range uint64(64) {
			for j := i; j < 64; j += step {
				first, last := base+i, base+j
				var fewest func(at, size uint64) int
				fewest = func(at, size uint64) int {
					switch {
					case at > last || at+size <= first:
						return 0
					case first <= at && at+size-1 <= last:
						return 1
					}
					return fewest(at, size/2) + fewest(at+size/2, size/2)
				}
				at, n := first, 0
				prefixes(uint32(first), uint32(last), func(x uint32, length int) bool {
					size := uint64(1) << (32 - length)
					if uint64(x) != at || at%size != 0 {
						t.Fatalf("%x to %x: %x/%d after %x", first, last, x, length, at)
					}
					at += size
					n++
					return true
				})
				if want := fewest(0, end); at != last+1 || n != want {
					t.Fatalf("%x to %x: %d prefixes to %x, want %d", first, last, n, at, want)
				}
			}
		}
	}
}

// The masks of a range's words have each of its integers once.
func TestEachMask(t *testing.T) {
	for _, base := range []uint64{0, 3 * pageSize, end - 256} {
		for i := range uint64(256) {
			for j := i + 1; j <= 256; j++ {
				var got, want Page
				eachMask(base+i, base+j, func(w int, mask uint64) {
					if got[w] != 0 || mask == 0 {
						t.Fatalf("%x to %x: word %d, mask %x", base+i, base+j, w, mask)
					}
					got[w] = mask
				})
				for x := base + i; x < base+j; x++ {
					want[x/64%PageWords] |= 1 << (x % 64)
				}
				if got != want {
					t.Fatalf("%x to %x: %x", base+i, base+j, got)
				}
			}
		}
	}
}

// next against the plainest loop, in a set of all sorts of pages.
func TestNext(t *testing.T) {
	var s Set
	s.AddRange(0, 5)
	s.AddRange(3*pageSize, 4*pageSize-1)
	s.AddRange(dirSize-1, 2*dirSize)
	s.AddRange(end-dirSize-1, end-1)
	s.Remove(end - 3*pageSize)
	for _, from := range []uint64{0, 2*pageSize + 4090, 4*pageSize - 10, dirSize - 40, 2*dirSize - 20, end - dirSize - 20, end - 3*pageSize - 20, end - 40} {
		for at := from; at < from+40; at++ {
			for _, want := range []bool{true, false} {
				got := s.next(at, want)
				if got < at || got > end || got < end && s.Contains(uint32(got)) != want {
					t.Fatalf("next(%x, %v) = %x", at, want, got)
				}
				for x := at; x < min(got, at+5000); x++ {
					if s.Contains(uint32(x)) == want {
						t.Fatalf("next(%x, %v) = %x, not %x", at, want, got, x)
					}
				}
			}
		}
	}
}

// What is full is shared and takes nothing, and pages are what SizeBytes says.
func TestSize(t *testing.T) {
	var s Set
	s.AddRange(0, end-1)
	if d, p := s.Size(); d != 0 || p != 0 {
		t.Errorf("%d directories, %d pages for all", d, p)
	}
	s.Remove(1)
	s.Remove(2)
	if d, p := s.Size(); d != 1 || p != 1 || FullPage[0] != ^uint64(0) {
		t.Errorf("%d directories, %d pages for all but two", d, p)
	}
	if unsafe.Sizeof(Page{}) != PageBytes || unsafe.Sizeof(Dir{}) != DirPages*bits.UintSize/8 {
		t.Error("sizes")
	}
}
