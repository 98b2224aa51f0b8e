package redisbloom

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// The size of a link, as RedisBloom's bloom_init computes it. The constants are its own,
// short of digits as they are.

const (
	ln2        = 0.693147180559945
	ln2Squared = 0.480453013918201

	// maxK bounds k: it is what the lowest rate above 0 that a float64 has comes to.
	maxK = 1075
)

// Options of a chain, as its header has them.
const (
	optNoRound   = 1 // the number of bits is no power of two
	optBits      = 2 // what was asked for was the number of bits
	optForce64   = 4 // hashes of 64 bits
	optNoScaling = 8 // one link only
	optKnown     = optNoRound | optBits | optForce64 | optNoScaling
)

// linkInfo is what a header says of a link.
type linkInfo struct {
	bytes   uint64  // its size
	bits    uint64  // that keys are spread over, unless log2 is set
	size    uint64  // keys
	rate    float64 // of false positives, once it is full
	perKey  float64 // bits per key
	k       uint32
	entries uint64 // its capacity
	log2    uint8  // of the number of bits, 0 if that is no power of two
}

// modulus returns the number of bits that keys are spread over.
func (l *linkInfo) modulus() uint64 {
	if l.log2 > 0 {
		return 1 << l.log2
	}
	return l.bits
}

// sizeLink returns a link for so many keys. Errors wrap bitsieve.ErrParameter, or
// bitsieve.ErrMemory if there is no memory for it.
func sizeLink(entries uint64, rate float64, options uint32) (linkInfo, error) {
	l := linkInfo{entries: entries, rate: rate}
	if entries < 1 || !(rate > 0 && rate < 1) {
		return l, fmt.Errorf("%w: a link for %d keys at a rate of %v", bitsieve.ErrParameter, entries, rate)
	}
	l.perKey = math.Abs(-(ln(rate) / ln2Squared))
	wanted := float64(entries) * l.perKey
	if !(wanted < 8*memory.MaxBytes) {
		return l, fmt.Errorf("%w: a link of %g bits", bitsieve.ErrMemory, wanted)
	}
	var bits uint64
	switch {
	case options&optBits != 0:
		if entries > 63 {
			return l, fmt.Errorf("%w: a link of 2^%d bits", bitsieve.ErrParameter, entries)
		}
		l.log2 = uint8(entries)
		bits = 1 << entries
		l.entries = uint64(float64(bits) / l.perKey)
	case options&optNoRound != 0:
		bits = max(uint64(wanted), 1)
	default:
		l.log2 = uint8(math.Logb(wanted) + 1)
		bits = 1 << l.log2
		l.entries += uint64(float64(uint64(float64(bits)-wanted)) / l.perKey)
	}
	l.bytes = (bits + 63) / 64 * 8
	l.bits = l.bytes * 8
	l.k = uint32(hashes(l.perKey))
	return l, memory.Check(l.bytes)
}

// hashes returns the k for so many bits per key.
func hashes(perKey float64) float64 { return math.Ceil(float64(ln2 * perKey)) }

// ln returns the float64 nearest to the logarithm of a rate, which is what the C library
// has almost always: of 20,000 rates none differs from glibc's bits per key, where 203 do
// by math.Log, which is not the same on all architectures.
func ln(x float64) float64 {
	const precision = 160
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
	// artanh(s) = s + s³/3 + s⁵/5 + …, |s| <= 1/3
	artanh := func(s *big.Float) *big.Float {
		square := number(0).Mul(s, s)
		power := number(0).Set(s)
		sum := number(0)
		for i := 1.; i < 100; i += 2 {
			sum.Add(sum, number(0).Quo(power, number(i)))
			power.Mul(power, square)
		}
		return sum
	}
	// ln(m 2^e) = 2 artanh((m-1)/(m+1)) + 2e artanh(1/3), m in [0.5, 1)
	m, e := math.Frexp(x)
	s := number(m)
	s.Quo(number(0).Sub(s, number(1)), number(0).Add(s, number(1)))
	sum := artanh(s)
	sum.Add(sum, number(0).Mul(number(float64(e)), artanh(number(0).Quo(number(1), number(3)))))
	y, _ := sum.Mul(sum, number(2)).Float64()
	return y
}
