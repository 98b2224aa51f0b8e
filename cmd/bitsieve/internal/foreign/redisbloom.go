package foreign

import (
	"encoding/binary"
	"fmt"

	"github.com/bitsieve/bitsieve/interop/redisbloom"
)

// isRedisBloom goes by the iterator before the header, which is 1, and by the length of the
// header: 20 bytes and 53 for each link.
func isRedisBloom(data []byte) bool {
	return len(data) >= 16 && binary.LittleEndian.Uint64(data) == 1 && binary.LittleEndian.Uint64(data[8:])%53 == 20
}

func openRedisBloom(data []byte) (filter, error) {
	v, err := redisbloom.NewView(data)
	return redisBloom{v}, err
}

type redisBloom struct{ redisbloom.View }

func (f redisBloom) facts() ([]Fact, error) {
	info := f.Info()
	facts := []Fact{
		fact("size", "%d bits", f.Bits()),
		fact("items", "%d, made for %d", f.Count(), info.Capacity),
		fact("links", "%d", f.Links()),
	}
	for i, l := range info.Links {
		facts = append(facts, fact(fmt.Sprintf("link %d", i+1), "%d of %d items, %d bytes, k = %d, %.1f %% full, rate %.3g by design",
			l.Keys, l.Capacity, l.Bytes, l.K, 100*l.Fill, l.Rate))
	}
	return append(facts, fact("false-positive rate", "%.3g now", f.FPRate())), nil
}

func (f redisBloom) lines(c Choice) (Lines, error) { return asString(c, "a RedisBloom filter", f.View) }
