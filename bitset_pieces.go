//go:build !purego && (amd64 || arm64)

package bitsieve

import "github.com/bitsieve/bitsieve/internal/race"

// A goroutine in assembly cannot be stopped, and a garbage collection that wants
// to stop it keeps all others waiting. So no kernel is given more words of each
// operand than this: 512 KiB to read, some 100 µs where memory yields 5 GB/s. The
// verbs hand what is longer to the functions below, which call them again for each
// piece; the verbs are calls of Go functions, in which a goroutine can be stopped.
const piecePair = 1 << 15

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

// binaryPieces sets dst = a op b in pieces.
func binaryPieces(op wordOp, dst, a, b []uint64) {
	for len(dst) > 0 {
		n := min(len(dst), piecePair)
		binaryWords(op, dst[:n], a[:n], b[:n])
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// binaryWords calls the verb of op.
func binaryWords(op wordOp, dst, a, b []uint64) {
	switch op {
	case opAnd:
		andWords(dst, a, b)
	case opOr:
		orWords(dst, a, b)
	case opXor:
		xorWords(dst, a, b)
	case opAndNot:
		andNotWords(dst, a, b)
	}
}

// raceBinary declares to the race detector what a binary kernel reads and writes.
// It returns a and b at the length of dst, and panics if one is shorter.
func raceBinary(dst, a, b []uint64) (_, _ []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	race.Read(a)
	race.Read(b)
	race.Write(dst)
	return a, b
}
