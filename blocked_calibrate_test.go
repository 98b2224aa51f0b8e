//go:build !purego && (amd64 || arm64)

package bitsieve

import (
	"fmt"
	"math/rand/v2"
)

func init() { thresholds = append(thresholds, minBatchThreshold) }

// minBatchThreshold compares the batch kernels with the kernels for one key, on
// batches of a few keys, in filters of 256 KiB with 10 bits per key, of which half
// of the keys tested are present.
func minBatchThreshold() []threshold {
	th := threshold{name: "minBatch", unit: "keys", value: minBatch, sizes: []int{8, 9, 10, 12, 15, 16, 20, 24, 32, 48, 64}}
	for l := levelGeneric + 1; l < numLevels; l++ {
		for _, k := range []int{6, 8, 12} {
			hits := make([]uint64, 1)
			th.cases = append(th.cases,
				thresholdCase{fmt.Sprintf("test, k = %d", k), l, func(n int) (below, from func()) {
					f, keys := calibrationFilter(k)
					return eachBatchOf(n, keys, func(b []uint64) { sinkInt += int(testFew(f, b, true)) }),
						eachBatchOf(n, keys, func(b []uint64) {
							whole := len(b) &^ (wholeKeys - 1)
							sinkInt += testUint64s(f.blocks, k, b[:whole], hits) + int(testFew(f, b[whole:], true))
						})
				}},
				thresholdCase{fmt.Sprintf("add, k = %d", k), l, func(n int) (below, from func()) {
					f, keys := calibrationFilter(k)
					return eachBatchOf(n, keys, func(b []uint64) {
							for _, x := range b {
								addUint64(f, x)
							}
						}),
						eachBatchOf(n, keys, func(b []uint64) {
							whole := len(b) &^ (wholeKeys - 1)
							addUint64s(f.blocks, k, b[:whole])
							for _, x := range b[whole:] {
								addUint64(f, x)
							}
						})
				}})
		}
	}
	return []threshold{th.short()}
}

// calibrationFilter returns a filter at 10 bits per key and keys of which half
// are in it.
func calibrationFilter(k int) (*Blocked, []uint64) {
	const size = 256 << 10
	f, err := NewBlockedWithSize(size/blockBytes, k)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(8, 9))
	present := make([]uint64, size*8/10)
	for i := range present {
		present[i] = r.Uint64()
	}
	f.AddUint64s(present)
	keys := make([]uint64, 1<<18)
	for i := range keys {
		if keys[i] = r.Uint64(); i < len(keys)/2 {
			keys[i] = present[i%len(present)]
		}
	}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return f, keys
}
