//go:build !linux

package memory

import "unsafe"

// CanChoose reports whether Map can give or withhold huge pages.
const CanChoose = false

// Map returns n words and a function that returns them. Every page has been
// written to.
func Map(n int, _ bool) (words []uint64, free func(), err error) {
	words = Heap(n)
	for i := 0; i < n; i += 512 {
		words[i] = 1
	}
	return words, func() {}, nil
}

// AdviseHuge does nothing here.
func AdviseHuge(unsafe.Pointer, int) {}
