package leveldb

import "math/bits"

const (
	maxK    = 30
	minBits = 64 // of a filter, so that few keys do not get a high rate
)

// A divisor gives remainders of 32-bit numbers by two multiplications, which overlap where divisions
// queue (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019).
type divisor struct {
	d   uint64 // 1 to 2^32 − 1
	inv uint64 // 2^64 / d, rounded up, mod 2^64
}

func newDivisor(d uint32) divisor { return divisor{uint64(d), ^uint64(0)/uint64(d) + 1} }

// mod returns h mod d. What is below the point of h / d is exact enough for all h, so that d times it
// is the remainder.
func (d divisor) mod(h uint32) uint32 {
	r, _ := bits.Mul64(d.inv*uint64(h), d.d)
	return uint32(r)
}

// test reports whether all k bits of a hash are set. It has no branch on the data: half of the keys
// that are not there would be mispredicted.
func test(data []byte, d divisor, k uint8, h uint32) bool {
	delta := bits.RotateLeft32(h, 15)
	hit := byte(1)
	for range k {
		bit := d.mod(h)
		hit &= data[bit/8] >> (bit % 8)
		h += delta
	}
	return hit != 0
}

// set sets the k bits of a hash.
func set(data []byte, d divisor, k uint8, h uint32) {
	delta := bits.RotateLeft32(h, 15)
	for range k {
		bit := d.mod(h)
		data[bit/8] |= 1 << (bit % 8)
		h += delta
	}
}
