package popcount

import (
	"math/bits"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/race"
)

// Bytes returns the number of bits set in p, at any address. Bytes up to a word's
// boundary, and those after the last whole word, are counted one by one: bits can be
// counted in any order, so nothing is loaded askew.
func Bytes(p []byte) (n int) {
	race.Read(p)
	head := min(int(-uintptr(unsafe.Pointer(unsafe.SliceData(p)))%8), len(p))
	for _, b := range p[:head] {
		n += bits.OnesCount8(b)
	}
	p = p[head:]
	words := len(p) / 8
	if words > 0 {
		n += Count(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(p))), words))
	}
	for _, b := range p[8*words:] {
		n += bits.OnesCount8(b)
	}
	return n
}
