package rounds

import "math/bits"

// A Divisor divides by M without a division: by two multiplications, which
// overlap where divisions queue.
type Divisor struct {
	M   uint64
	inv uint64 // 2^64 / M, rounded down; for M = 1, 2^64 − 1
}

// NewDivisor returns the Divisor of m.
func NewDivisor(m uint64) Divisor {
	if m <= 1 {
		return Divisor{m, ^uint64(0)}
	}
	inv, _ := bits.Div64(1, 0, m)
	return Divisor{m, inv}
}

// Mod returns x mod M, for any x and any M > 0.
//
// inv falls short of 2^64/M by less than one, or by one for M = 1, so that
// x × inv / 2^64 falls short of x/M by less than one: rounded down it is the
// quotient or one less, and the remainder is right or M too large. Both are
// equally likely, so the correction is no branch, and no comparison that the
// compiler might make one of: mispredictions double the time of a lookup.
func (d Divisor) Mod(x uint64) uint64 {
	q, _ := bits.Mul64(x, d.inv)
	r, borrow := bits.Sub64(x-q*d.M, d.M, 0)
	return r + d.M&-borrow
}
