package memory

import (
	"testing"
	"unsafe"
)

func TestHeapAndMap(t *testing.T) {
	for _, n := range []int{1, 100, HugeSize/8 - 1, HugeSize / 8, HugeSize/4 + 3} {
		words := Heap(n)
		align := uintptr(64)
		if n*8 >= HugeSize {
			align = HugeSize
		}
		check(t, words, n, align)
		for _, huge := range []bool{false, true} {
			words, free, err := Map(n, huge)
			if err != nil {
				t.Fatal(err)
			}
			align := align
			if CanChoose {
				align = HugeSize
			}
			check(t, words, n, align)
			free()
		}
	}
}

func check(t *testing.T, words []uint64, n int, align uintptr) {
	t.Helper()
	if len(words) != n || cap(words) != n {
		t.Fatalf("%d words of capacity %d, want %d", len(words), cap(words), n)
	}
	if p := uintptr(unsafe.Pointer(&words[0])); p%align != 0 {
		t.Errorf("%d words at %#x, want a multiple of %d", n, p, align)
	}
	words[0], words[n-1] = 1, 1 // they are there
	if b := Bytes(words); len(b) != 8*n {
		t.Errorf("%d bytes of %d words", len(b), n)
	}
}
