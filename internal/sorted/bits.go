package sorted

// Lists and bitmaps: integer x is bit x%64 of word x/64, and those past the words are not
// in the bitmap. The lists may have any order, and doubles.

const wordBits = 64

// Within writes to dst the elements of list that are in the bitmap, and returns their
// number. dst has room for len(list) elements, and may be list.
func Within[T Elem](dst, list []T, words []uint64) (n int) {
	dst = dst[:len(list)]
	for _, x := range list {
		dst[n] = x
		n += bit(words, x)
	}
	return n
}

// Without writes to dst the elements of list that are not in the bitmap, and returns
// their number. dst has room for len(list) elements, and may be list.
func Without[T Elem](dst, list []T, words []uint64) (n int) {
	dst = dst[:len(list)]
	for _, x := range list {
		dst[n] = x
		n += 1 - bit(words, x)
	}
	return n
}

// CountWithin returns the number of elements of list that are in the bitmap.
func CountWithin[T Elem](list []T, words []uint64) (n int) {
	for _, x := range list {
		n += bit(words, x)
	}
	return n
}

// SetBits puts the elements of list into the bitmap, but for those past it.
func SetBits[T Elem](words []uint64, list []T) {
	for _, x := range list {
		if i := uint64(x) / wordBits; i < uint64(len(words)) {
			words[i] |= 1 << (x % wordBits)
		}
	}
}

// ClearBits takes the elements of list out of the bitmap.
func ClearBits[T Elem](words []uint64, list []T) {
	for _, x := range list {
		if i := uint64(x) / wordBits; i < uint64(len(words)) {
			words[i] &^= 1 << (x % wordBits)
		}
	}
}

// bit returns 1 if x is in the bitmap, and 0 otherwise.
func bit[T Elem](words []uint64, x T) int {
	if i := uint64(x) / wordBits; i < uint64(len(words)) {
		return int(words[i] >> (x % wordBits) & 1)
	}
	return 0
}
