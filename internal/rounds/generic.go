package rounds

// The rounds in Go: the specification of the kernels, which also prefetch the line
// of every bit that they compute. d.M is at most 64 × len(words), n at most Size, and
// i at least 1.

// firstGeneric computes the first bit of keys 0 … n−1.
func firstGeneric(b *Batch, n int, d Divisor) {
	for j, x := range b.hash[0][:n] {
		b.bit[j] = d.Mod(x)
	}
}

// testGeneric looks at the first n bits, keeps the keys whose bit is set, in order,
// computes bit i of each, and returns how many they are.
func testGeneric(words []uint64, b *Batch, n int, i uint64, d Divisor) int {
	x, y := b.terms(i)
	live := 0
	for s, bit := range b.bit[:n] {
		j := b.key[s] % Size
		b.bit[live] = d.Mod(x[j] + i*y[j]) // overwritten if the key is ruled out
		b.key[live] = j
		live += int(BitAt(words, bit))
	}
	return live
}

// testBitsGeneric is testGeneric for bits in bytes.
func testBitsGeneric(bits Bits, b *Batch, n int, i uint64, d Divisor) int {
	x, y := b.terms(i)
	live := 0
	for s, bit := range b.bit[:n] {
		j := b.key[s] % Size
		b.bit[live] = d.Mod(x[j] + i*y[j]) // overwritten if the key is ruled out
		b.key[live] = j
		live += int(bits.At(bit))
	}
	return live
}

// addGeneric sets the bits of keys 0 … n−1 and computes bit i of each.
func addGeneric(words []uint64, b *Batch, n int, i uint64, d Divisor) {
	x, y := b.terms(i)
	for j, bit := range b.bit[:n] {
		words[bit/64] |= 1 << (bit % 64)
		b.bit[j] = d.Mod(x[j] + i*y[j])
	}
}
