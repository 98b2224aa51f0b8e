//go:build !purego && (amd64 || arm64)

package popcount

import "github.com/bitsieve/bitsieve/internal/race"

// A goroutine in assembly cannot be stopped, and a garbage collection that wants
// to stop it keeps all others waiting. So no kernel is given more words than these:
// 512 KiB to read, some 100 µs where memory yields 5 GB/s. The exported functions hand
// what is longer to the functions below, which call them again for each piece; these
// are calls of Go functions, in which a goroutine can be stopped.
const (
	pieceCount  = 1 << 16 // of one operand
	pieceCount2 = 1 << 15 // of each of two operands, and of dst
)

// A wordOp is an operation on the words of two operands. Pieces are told their
// operation by such a number, not by a function: a call through a variable would
// let the caller's slices escape.
type wordOp uint8

const (
	opAnd wordOp = iota
	opOr
	opXor
	opAndNot
)

// countPieces is Count in pieces.
func countPieces(p []uint64) (n int) {
	for len(p) > pieceCount {
		n += Count(p[:pieceCount])
		p = p[pieceCount:]
	}
	return n + Count(p)
}

// count2Pieces returns the number of set bits in a op b, in pieces.
func count2Pieces(op wordOp, a, b []uint64) (count int) {
	for len(a) > 0 {
		n := min(len(a), pieceCount2)
		switch op {
		case opAnd:
			count += And(a[:n], b[:n])
		case opOr:
			count += Or(a[:n], b[:n])
		case opXor:
			count += Xor(a[:n], b[:n])
		case opAndNot:
			count += AndNot(a[:n], b[:n])
		}
		a, b = a[n:], b[n:]
	}
	return count
}

// raceCount2 declares to the race detector what a kernel of two operands reads. It
// returns b at the length of a, and panics if it is shorter.
func raceCount2(a, b []uint64) []uint64 {
	b = b[:len(a)]
	race.Read(a)
	race.Read(b)
	return b
}
