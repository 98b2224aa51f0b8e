//go:build !purego && (amd64 || arm64)

package block

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, minBatchThreshold) }

// sink keeps the compiler from dropping what a measurement computes.
var sink uint64

// minBatchThreshold compares the batch kernels with the kernels for one key, on
// batches of a few keys, in filters of 256 KiB with 10 bits per key, of which half
// of the keys tested are present.
func minBatchThreshold() []calibrate.Threshold {
	th := calibrate.Threshold{Name: "minBatch", Unit: "keys", Value: minBatch,
		Sizes: []int{8, 9, 10, 12, 15, 16, 20, 24, 32, 48, 64}}
	for l := cpu.LevelGeneric + 1; l < cpu.NumLevels; l++ {
		for _, k := range []int{6, 8, 12} {
			th.Cases = append(th.Cases,
				calibrate.Case{Name: fmt.Sprintf("test, k = %d", k), Level: l, Ways: func(n int) (below, from func()) {
					f, keys := calibrationFilter(k)
					hits := make([]uint64, 1)
					single := func(keys []uint64) {
						for _, x := range keys {
							sink += bit(f.TestUint64(x))
						}
					}
					return calibrate.EachBatchOf(n, keys, single), calibrate.EachBatchOf(n, keys, func(b []uint64) {
						whole := len(b) &^ (kernelKeys - 1)
						testKernel(f.Blocks, k, b[:whole], hits, true)
						single(b[whole:])
					})
				}},
				calibrate.Case{Name: fmt.Sprintf("add, k = %d", k), Level: l, Ways: func(n int) (below, from func()) {
					f, keys := calibrationFilter(k)
					single := func(keys []uint64) {
						for _, x := range keys {
							f.AddUint64(x)
						}
					}
					return calibrate.EachBatchOf(n, keys, single), calibrate.EachBatchOf(n, keys, func(b []uint64) {
						whole := len(b) &^ (kernelKeys - 1)
						addKernel(f.Blocks, k, b[:whole], true)
						single(b[whole:])
					})
				}})
		}
	}
	return []calibrate.Threshold{th.Short()}
}

// calibrationFilter returns a filter at 10 bits per key and keys of which half
// are in it.
func calibrationFilter(k int) (*Filter, []uint64) {
	const size = 256 << 10
	f := new(Filter)
	f.Init(New(size/Bytes, true), k, hash.Hasher{})
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
