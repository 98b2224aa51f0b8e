package guava

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/race"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// A probes tests keys. It is what a Filter and a View have in common.
//
// Both hold the words as the stream does, big-endian. So bit i is bit i%8 of byte
// i/8 ^ 7, on every machine and at any alignment, and nothing is ever converted.
type probes struct {
	data     []byte         // whole words; empty in a value that was never made
	div      rounds.Divisor // by the number of bits
	k        int
	strategy Strategy

	flip    uint64  // what is flipped in a negative sum: its sign, or all of it
	shift   uint64  // where a sum's bits start
	inverse float64 // 1 / the number of bits, or 0 if the kernels do not take so few
}

// minVectorBytes is the size of a filter from which the kernels divide by it: 2^13 bits, so
// that quotients of 63-bit numbers are below 2^50.
const minVectorBytes = 1 << 10

func newProbes(data []byte, k int, s Strategy) probes {
	p := probes{data: data, div: rounds.NewDivisor(8 * uint64(len(data))), k: k, strategy: s, flip: 1 << 63}
	if s == MITZ32 {
		p.flip, p.shift = math.MaxUint64, 32
	}
	if len(data) >= minVectorBytes {
		p.inverse = 1 / float64(p.div.M)
	}
	return p
}

// K returns the number of bits that a key sets.
func (p *probes) K() int { return p.k }

// Bits returns the number of bits that keys are spread over, a multiple of 64.
func (p *probes) Bits() uint64 { return p.div.M }

// SizeBytes returns the size of the filter's bits in bytes.
func (p *probes) SizeBytes() uint64 { return uint64(len(p.data)) }

// Strategy returns what chooses the bits of a hash.
func (p *probes) Strategy() Strategy { return p.strategy }

// Test reports whether key may have been added: false is certain.
func (p *probes) Test(key []byte) bool { return p.test(sumBytes(key)) }

// TestString reports whether the bytes of s may have been added: false is certain.
func (p *probes) TestString(s string) bool { return p.test(sumString(s)) }

// TestUnencodedChars reports whether the UTF-16 code units of s may have been added:
// false is certain.
func (p *probes) TestUnencodedChars(s string) bool { return p.test(sumChars(s)) }

// TestUTF16 is TestUnencodedChars for the code units themselves.
func (p *probes) TestUTF16(units []uint16) bool { return p.test(sumUnits(units)) }

// TestInt32 reports whether x may have been added: false is certain.
func (p *probes) TestInt32(x int32) bool { return p.test(sumInt(uint64(uint32(x)), 4)) }

// TestInt64 reports whether x may have been added: false is certain.
func (p *probes) TestInt64(x int64) bool { return p.test(sumInt(uint64(x), 8)) }

// terms makes one formula of both strategies: location i, from 0 on, is that of
// h1 + i × h2, in which MITZ32's 32-bit sums, which it counts from 1, stand in the high half.
func (p *probes) terms(h sum) sum {
	if p.strategy == MITZ32 {
		first, step := h.h1<<32, h.h1>>32<<32
		return sum{first + step, step}
	}
	return h
}

// locate returns bit number i of terms. A negative sum loses its sign with MITZ64, and
// has all of its bits flipped with MITZ32.
func (p *probes) locate(h sum, i uint64) uint64 {
	c := h.h1 + i*h.h2
	return p.div.Mod((c ^ uint64(int64(c)>>63)&p.flip) >> (p.shift & 63))
}

// bitAt returns bit i, as a number: a bool would become a branch.
func bitAt(data []byte, i uint64) (bit uint64) {
	if data[i/8^7]&(1<<(i%8)) != 0 {
		bit = 1
	}
	return bit
}

// test reports whether the k bits of a hash are set. It looks at two bits between
// branches, for the reason that bitsieve.Bloom does.
func (p *probes) test(h sum) bool {
	data, k := p.data, uint64(p.k)
	if len(data) == 0 {
		return false
	}
	h = p.terms(h)
	i := uint64(0)
	for ; i+1 < k; i += 2 {
		a, b := p.locate(h, i), p.locate(h, i+1)
		if bitAt(data, a)&bitAt(data, b) == 0 {
			return false
		}
	}
	return i == k || bitAt(data, p.locate(h, i)) != 0
}

// ones returns the number of bits that are set.
func (p *probes) ones() uint64 {
	race.Read(p.data)
	data := p.data
	if len(data) == 0 {
		return 0
	}
	if uintptr(unsafe.Pointer(&data[0]))%8 == 0 { // the order of bytes does not matter
		return uint64(popcount.Count(unsafe.Slice((*uint64)(unsafe.Pointer(&data[0])), len(data)/8)))
	}
	n := 0
	for ; len(data) >= 8; data = data[8:] {
		n += bits.OnesCount64(binary.NativeEndian.Uint64(data))
	}
	return uint64(n)
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (p *probes) Fill() float64 {
	if len(p.data) == 0 {
		return 0
	}
	return float64(p.ones()) / float64(p.Bits())
}

// FPRate returns the false-positive rate of the filter as it stands, Fill^K, which Guava
// calls expectedFpp. It reads the whole filter.
func (p *probes) FPRate() float64 {
	if len(p.data) == 0 {
		return 0
	}
	return math.Pow(p.Fill(), float64(p.k))
}

// EstimatedCount returns an estimate of the number of distinct keys added, which Guava
// calls approximateElementCount. A filter with every bit set gives math.MaxUint64, where
// Guava throws an exception. It reads the whole filter.
func (p *probes) EstimatedCount() uint64 {
	if len(p.data) == 0 {
		return 0
	}
	n := math.Round(-math.Log1p(-p.Fill()) * float64(p.Bits()) / float64(p.k))
	if n >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(n)
}
