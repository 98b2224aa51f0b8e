//go:build purego || (!amd64 && !arm64)

package decode

// Indices writes base + i to dst for every set bit i of words, in ascending order,
// and stops before the first word whose bits do not fit. Of what is left of dst then,
// some may have been written. It returns the number of indices written and of words
// consumed.
func Indices[T Index](dst []T, words []uint64, base T) (written, consumed int) {
	return decodeGeneric(dst, words, base)
}
