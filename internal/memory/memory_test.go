package memory

import (
	"testing"
	"unsafe"
)

func TestWordsAlignment(t *testing.T) {
	const line = LineBytes / 8
	sizes := []uint64{1, 2, 3, 7, 9, 8 * 9, 8 * 129, 8000, 8*4097 + 1, 1 << 18}
	if !testing.Short() {
		sizes = append(sizes, alignHugeFrom/8, alignHugeFrom/8+line)
	}
	for _, n := range sizes {
		for range 5 {
			w := Words(n, n%2 == 0)
			align := uintptr(LineBytes)
			if n*8 >= alignHugeFrom {
				align = hugePageSize
			}
			if at := uintptr(unsafe.Pointer(&w[0])); at%align != 0 || uint64(len(w)) != n || uint64(cap(w)) != n {
				t.Fatalf("%d words: %d of %d at %#x", n, len(w), cap(w), at)
			}
			w[n-1] = 1 // inside the memory, or the race detector and checkptr say so
			if b := Bytes(w); uint64(len(b)) != 8*n || unsafe.Pointer(&b[0]) != unsafe.Pointer(&w[0]) {
				t.Fatalf("%d words: %d bytes", n, len(b))
			}
		}
	}
}
