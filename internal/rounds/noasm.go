//go:build purego || (!amd64 && !arm64)

package rounds

func first(_ []uint64, b *Batch, n int, d Divisor) { firstGeneric(b, n, d) }

func test(words []uint64, b *Batch, n int, i uint64, d Divisor) int {
	return testGeneric(words, b, n, i, d)
}

func add(words []uint64, b *Batch, n int, i uint64, d Divisor) {
	addGeneric(words, b, n, i, d)
}

func firstBits(_ Bits, b *Batch, n int, d Divisor) { firstGeneric(b, n, d) }

func testBits(bits Bits, b *Batch, n int, i uint64, d Divisor) int {
	return testBitsGeneric(bits, b, n, i, d)
}
