package bitsieve

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

func init() { thresholds = append(thresholds, bloomThresholds) }

// bloomThresholds compares going through a batch in rounds with going through it
// key by key, with keys of 16 bytes and k = 7, of which half are present.
func bloomThresholds() []calibrate.Threshold {
	th := calibrate.Threshold{
		Name: "rounds.MinKeys", Unit: "keys", Value: rounds.MinKeys, Sizes: []int{4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 128},
		Rounds: 40, Span: 100 * time.Microsecond,
	}
	for _, words := range []int{1 << 15, 1 << 23} {
		th.Cases = append(th.Cases, bloomCases(words)...)
	}
	return []calibrate.Threshold{th}
}

// bloomCases compares batches of n keys in a filter of so many words.
func bloomCases(words int) []calibrate.Case {
	both := func(one, inRounds func(f *Bloom, keys []string)) func(n int) (below, from func()) {
		return func(n int) (below, from func()) {
			f, keys := calibrationBloom(words)
			// Each way has keys of its own: what one has looked at is in the caches.
			half := len(keys) / 2
			return calibrate.EachBatchOf(n, keys[:half], func(b []string) { one(f, b) }),
				calibrate.EachBatchOf(n, keys[half:], func(b []string) { inRounds(f, b) })
		}
	}
	where := fmt.Sprintf(" in %d KiB", words>>7)
	hits := make([]uint64, 2)
	return []calibrate.Case{
		{Name: "test" + where, Level: cpu.Current(), Ways: both(func(f *Bloom, keys []string) {
			clear(hits[:wordsFor(uint(len(keys)))])
			for i, key := range keys {
				if f.testHash(hash.Murmur(hash.KeyBytes(key))) {
					hits[i/64] |= 1 << (i % 64)
				}
			}
		}, func(f *Bloom, keys []string) {
			out := hits[:wordsFor(uint(len(keys)))]
			clear(out)
			sinkInt += testBloomRounds(f, keys, out)
		})},
		{Name: "add" + where, Level: cpu.Current(), Ways: both(func(f *Bloom, keys []string) {
			for _, key := range keys {
				f.addHash(hash.Murmur(hash.KeyBytes(key)))
			}
		}, func(f *Bloom, keys []string) { addBloomRounds(f, keys) })},
	}
}

// calibrationBloom returns a half-full filter and keys, one after the other in
// memory, of which half are in it.
func calibrationBloom(words int) (*Bloom, []string) {
	f, _ := NewBloomFromWords(benchWords(words), uint64(words)*64, 7)
	r := rand.New(rand.NewPCG(10, 11))
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
