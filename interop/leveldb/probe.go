package leveldb

import "math/bits"

const (
	maxK     = 30
	maxBytes = 1 << 29 // of which bits would no longer have 32-bit numbers
	minBits  = 64      // of a filter, so that few keys do not get a high rate
)

// As a filter of n bytes has 8n bits, bit h mod 8n is bit h mod 8 of byte x = h / 8 mod n. Of the
// 2^29 values of x the remainder takes multiplications, which overlap where divisions queue: for n
// from minSmall to maxSmall
//
//	quotient = x × inv / 2^37, with inv = 2^37 / n rounded up
//
// which is exact, as x times the error of inv is less than 2^29 × n, not more than 2^37; and x × inv
// is less than 2^64. The table of inv spares the division that takes as long as two probes.
const (
	smallShift = 37
	minSmall   = 8   // bytes, the smallest filter there is
	maxSmall   = 256 // 204 keys at 10 bits
)

var smallInv = func() (inv [maxSmall + 1]uint64) {
	for n := uint64(minSmall); n <= maxSmall; n++ {
		inv[n] = (1<<smallShift + n - 1) / n
	}
	return inv
}()

// A divisor gives remainders by two multiplications for any n (Lemire, Kaser, Kurz: Faster remainder
// by direct computation, 2019).
type divisor struct {
	n   uint64 // 1 to 2^29 − 1
	inv uint64 // 2^64 / n, rounded up, mod 2^64
}

func newDivisor(n int) divisor { return divisor{uint64(n), ^uint64(0)/uint64(n) + 1} }

// mod returns x mod n. What is below the point of x / n is exact enough for all x below 2^32, so that
// n times it is the remainder.
func (d divisor) mod(x uint32) uint64 {
	r, _ := bits.Mul64(d.inv*uint64(x), d.n)
	return r
}

// test reports whether all k bits of a hash are set, for at least one byte of data, and less than maxBytes. It has no branch on the
// data: half of the keys that are not there would be mispredicted.
func test(data []byte, k uint8, h uint32) bool {
	delta := bits.RotateLeft32(h, 15)
	n := uint64(len(data))
	hit := byte(1)
	if n < minSmall || n > maxSmall {
		d := newDivisor(len(data))
		for range k {
			hit &= data[d.mod(h/8)] >> (h % 8)
			h += delta
		}
		return hit != 0
	}
	inv := smallInv[n]
	for range k {
		x := uint64(h / 8)
		hit &= data[x-x*inv>>smallShift*n] >> (h % 8)
		h += delta
	}
	return hit != 0
}

// set sets the k bits of hashes.
func set(data []byte, k uint8, hashes []uint32) {
	n := uint64(len(data))
	if n < minSmall || n > maxSmall {
		d := newDivisor(len(data))
		for _, h := range hashes {
			delta := bits.RotateLeft32(h, 15)
			for range k {
				data[d.mod(h/8)] |= 1 << (h % 8)
				h += delta
			}
		}
		return
	}
	inv := smallInv[n]
	for _, h := range hashes {
		delta := bits.RotateLeft32(h, 15)
		for range k {
			x := uint64(h / 8)
			data[x-x*inv>>smallShift*n] |= 1 << (h % 8)
			h += delta
		}
	}
}
