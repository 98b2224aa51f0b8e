package bitsieve

// The waves of bloom_batch.go in plain Go: the specification of the assembly
// kernels, which prefetch the line of every bit they compute, and what runs
// where there is none. d.m is at most 64 × len(words), and n at most
// bloomTileKeys.

// bloomFirstGeneric computes the first bit of keys 0 … n−1.
func bloomFirstGeneric(t *bloomTile, n int, d divisor) {
	for j, x := range t.hash[0][:n] {
		t.bit[j] = d.mod(x)
	}
}

// bloomTestWaveGeneric looks at the n bits in use, keeps the keys whose bit is
// set, in order, computes bit i of each, and returns how many they are.
func bloomTestWaveGeneric(words []uint64, t *bloomTile, n int, i uint64, d divisor) int {
	x, y := t.terms(i)
	live := 0
	for s, b := range t.bit[:n] {
		j := t.key[s] % bloomTileKeys
		t.bit[live] = d.mod(x[j] + i*y[j]) // overwritten if the key is ruled out
		t.key[live] = j
		live += int(bitAt(words, b))
	}
	return live
}

// bloomAddWaveGeneric sets the bits of keys 0 … n−1 and computes bit i of each.
func bloomAddWaveGeneric(words []uint64, t *bloomTile, n int, i uint64, d divisor) {
	x, y := t.terms(i)
	for j, b := range t.bit[:n] {
		words[b/64] |= 1 << (b % 64)
		t.bit[j] = d.mod(x[j] + i*y[j])
	}
}
