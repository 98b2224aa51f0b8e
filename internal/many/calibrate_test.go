//go:build !purego && amd64

package many_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/many"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, streamSetsThreshold, maxRowThresholds) }

// sink keeps the compiler from dropping what a measurement computes.
var sink int

// calibrationWords are operands of 128 MiB each, which are made when needed.
var calibrationWords = sync.OnceValue(func() (p [2][]uint64) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range p {
		p[i] = make([]uint64, 1<<24)
		for j := range p[i] {
			p[i][j] = r.Uint64()
		}
	}
	return p
})

// streamSetsThreshold compares the kernels on sets without and with prefetching.
// Its sizes are those of all sets together.
func streamSetsThreshold() []calibrate.Threshold {
	th := calibrate.Threshold{Name: "streamSets", Unit: "words", Value: many.StreamSets, Sizes: calibrate.Powers(17, 24)}
	for _, k := range []int{2, 8} {
		add := func(name string, l cpu.Level, run func(sets *[]uint64, n, far int)) {
			th.Cases = append(th.Cases, calibrate.Case{
				Name: fmt.Sprintf("%s of %d sets", name, k), Level: l,
				Ways: func(n int) (below, from func()) {
					p := calibrationWords()[0]
					n /= k
					var sets [][]uint64
					for i := range k {
						sets = append(sets, p[i*n:][:n])
					}
					return func() { run(&sets[0], n, 0) }, func() { run(&sets[0], n, 1) }
				}})
		}
		into := func(fn func(dst *uint64, sets *[]uint64, k, from, to, far int)) func(sets *[]uint64, n, far int) {
			return func(sets *[]uint64, n, far int) { fn(&calibrationWords()[1][0], sets, k, 0, n, far) }
		}
		count := func(fn func(sets *[]uint64, k, from, to, far int) int) func(sets *[]uint64, n, far int) {
			return func(sets *[]uint64, n, far int) { sink += fn(sets, k, 0, n, far) }
		}
		add("andAllAVX2", cpu.LevelAVX2, into(many.AndAllAVX2))
		add("orAllAVX2", cpu.LevelAVX2, into(many.OrAllAVX2))
		add("andAllCountAVX2", cpu.LevelAVX2, count(many.AndAllCountAVX2))
		add("orAllCountAVX2", cpu.LevelAVX2, count(many.OrAllCountAVX2))
		add("andAllCountAVX512", cpu.LevelAVX512, count(many.AndAllCountAVX512))
		add("orAllCountAVX512", cpu.LevelAVX512, count(many.OrAllCountAVX512))
	}
	return []calibrate.Threshold{th.Long()}
}

func maxRowThresholds() []calibrate.Threshold {
	return []calibrate.Threshold{
		maxRowThreshold("maxRowAVX2", many.MaxRowAVX2, cpu.LevelAVX2, calibrate.Powers(2, 11), []rowsCase{
			{"and", many.AndCountRowsAVX2, andCountRowByRow},
			{"or", many.OrCountRowsAVX2, orCountRowByRow},
			{"xor", many.XorCountRowsAVX2, xorCountRowByRow},
		}),
		maxRowThreshold("maxRowAVX512", many.MaxRowAVX512, cpu.LevelAVX512, calibrate.Powers(2, 14), []rowsCase{
			{"and", many.AndCountRowsAVX512, andCountRowByRow},
			{"or", many.OrCountRowsAVX512, orCountRowByRow},
			{"xor", many.XorCountRowsAVX512, xorCountRowByRow},
		}),
	}
}

type rowsCase struct {
	name   string
	kernel func(counts *int, query, rows *uint64, words, n int)
	calls  func(counts []int, query, rows []uint64) // one for each row
}

// These call directly: a call through a variable costs more.

func andCountRowByRow(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = bitsieve.AndCount(query, rows[i*len(query):][:len(query)])
	}
}

func orCountRowByRow(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = bitsieve.OrCount(query, rows[i*len(query):][:len(query)])
	}
}

func xorCountRowByRow(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = bitsieve.XorCount(query, rows[i*len(query):][:len(query)])
	}
}

// maxRowThreshold compares a kernel on rows with a call for each row, on matrices
// of 256 KiB and 4 MiB.
func maxRowThreshold(name string, value int, l cpu.Level, sizes []int, ops []rowsCase) calibrate.Threshold {
	th := calibrate.Threshold{
		Name: name, Unit: "words", Value: value, UpTo: true, Sizes: sizes,
		Rounds: 9, Span: 200 * time.Microsecond,
	}
	for _, matrix := range []int{1 << 15, 1 << 19} {
		for _, op := range ops {
			th.Cases = append(th.Cases, calibrate.Case{
				Name: fmt.Sprintf("%sCountRows of %d KiB", op.name, matrix>>7), Level: l,
				Ways: func(n int) (below, from func()) {
					p := calibrationWords()
					counts, query, rows := make([]int, matrix/n), p[1][:n], p[0][:matrix]
					return func() { op.kernel(&counts[0], &query[0], &rows[0], n, len(counts)) },
						func() { op.calls(counts, query, rows) }
				}})
		}
	}
	return th
}
