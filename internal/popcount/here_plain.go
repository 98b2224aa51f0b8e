//go:build !amd64 && !arm64

package popcount

// The functions of here.go where math/bits.OnesCount64 is no instruction, perhaps, but a
// function: too long to be inlined.

// CountHere is Count.
func CountHere(p []uint64) int { return Count(p) }

// AndHere returns the number of set bits in a & b.
func AndHere(a, b []uint64) int {
	n := min(len(a), len(b))
	return And(a[:n], b[:n])
}

// OrHere returns the number of set bits in a | b.
func OrHere(a, b []uint64) int {
	n := min(len(a), len(b))
	return Or(a[:n], b[:n])
}

// XorHere returns the number of set bits in a ^ b.
func XorHere(a, b []uint64) int {
	n := min(len(a), len(b))
	return Xor(a[:n], b[:n])
}

// AndNotHere returns the number of set bits in a &^ b.
func AndNotHere(a, b []uint64) int {
	n := min(len(a), len(b))
	return AndNot(a[:n], b[:n])
}
