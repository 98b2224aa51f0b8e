package rounds_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, minKeysThreshold) }

// sink keeps the compiler from dropping what a measurement computes.
var sink int

// calibrationK is the k of the filters that are measured.
const calibrationK = 7

// minKeysThreshold compares going through a batch in rounds with going through it
// key by key, with keys of 16 bytes of which half are present. The rounds are
// driven from here: the filter's own methods take them from MinKeys keys on only.
func minKeysThreshold() []calibrate.Threshold {
	th := calibrate.Threshold{
		Name: "rounds.MinKeys", Unit: "keys", Value: rounds.MinKeys, Sizes: []int{4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 128},
		Rounds: 40, Span: 100 * time.Microsecond,
	}
	for _, words := range []int{1 << 15, 1 << 23} {
		th.Cases = append(th.Cases, minKeysCases(words)...)
	}
	return []calibrate.Threshold{th}
}

// minKeysCases compares batches of n keys, rounds.Size at most, in a filter of so many words.
func minKeysCases(words int) []calibrate.Case {
	both := func(one, inRounds func(f *bitsieve.Bloom, keys []string)) func(n int) (below, from func()) {
		return func(n int) (below, from func()) {
			f, keys := calibrationBloom(words)
			// Each way has keys of its own: what one has looked at is in the caches.
			half := len(keys) / 2
			return calibrate.EachBatchOf(n, keys[:half], func(b []string) { one(f, b) }),
				calibrate.EachBatchOf(n, keys[half:], func(b []string) { inRounds(f, b) })
		}
	}
	d := rounds.NewDivisor(uint64(words) * 64)
	where := fmt.Sprintf(" in %d KiB", words>>7)
	hits := make([]uint64, rounds.Size/64)
	cleared := func(keys []string) []uint64 {
		out := hits[:(len(keys)+63)/64]
		clear(out)
		return out
	}
	return []calibrate.Case{
		{Name: "test" + where, Level: cpu.Current(), Ways: both(func(f *bitsieve.Bloom, keys []string) {
			out := cleared(keys)
			for i, key := range keys {
				if f.TestString(key) {
					out[i/64] |= 1 << (i % 64)
				}
			}
		}, func(f *bitsieve.Bloom, keys []string) {
			var b rounds.Batch
			out := cleared(keys)
			n := rounds.Fill(&b, hash.Hasher{}, keys)
			sink += b.Test(f.BitSet().Words(), d, calibrationK, n, out)
		})},
		{Name: "add" + where, Level: cpu.Current(), Ways: both(func(f *bitsieve.Bloom, keys []string) {
			for _, key := range keys {
				f.AddString(key)
			}
		}, func(f *bitsieve.Bloom, keys []string) {
			var b rounds.Batch
			n := rounds.Fill(&b, hash.Hasher{}, keys)
			b.Add(f.BitSet().Words(), d, calibrationK, n)
		})},
	}
}

// calibrationBloom returns a half-full filter and keys, one after the other in
// memory, of which half are in it.
func calibrationBloom(words int) (*bitsieve.Bloom, []string) {
	r := rand.New(rand.NewPCG(5, 6))
	half := make([]uint64, words)
	for i := range half {
		half[i] = r.Uint64()
	}
	f, err := bitsieve.NewBloomFromWords(half, uint64(words)*64, calibrationK)
	if err != nil {
		panic(err)
	}
	text := make([]byte, 16<<20)
	for i := 0; i < len(text); i += 8 {
		binary.LittleEndian.PutUint64(text[i:], r.Uint64())
	}
	var keys []string
	for all := string(text); len(all) > 0; all = all[16:] {
		keys = append(keys, all[:16])
		if r.Uint32()>>31 == 0 {
			f.AddString(all[:16])
		}
	}
	return f, keys
}
