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

func TestCalibrate(t *testing.T) {
	calibrate.Run(t, setsThresholds, rowsAheadThresholds, maxRowThresholds)
}

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

// aheadThreshold compares the kernels on sets without and with prefetching.
// Its sizes are those of all sets together.
func setsThresholds() []calibrate.Threshold {
	th := calibrate.Threshold{Name: "SetsAhead", Unit: "words", Value: cpu.Tune.Words.SetsAhead, Sizes: calibrate.Powers(17, 24)}
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
	return append(wideThresholds(), th.Long())
}

// wideThresholds compares the kernels on sets by vectors of 512 bits with those by 256,
// of which that counts which prefetches or not, and with those past the caches.
func wideThresholds() []calibrate.Threshold {
	sizes := calibrate.Powers(12, 24)
	into := calibrate.Threshold{Name: "SetsWide", Unit: "words", Value: cpu.Tune.Words.SetsWide, UpTo: true, Sizes: sizes}
	count := calibrate.Threshold{Name: "SetsWideCount", Unit: "words", Value: cpu.Tune.Words.SetsWideCount, UpTo: true, Sizes: sizes}
	past := calibrate.Threshold{Name: "SetsStream", Unit: "words", Value: cpu.Tune.Words.SetsStream, Sizes: calibrate.Powers(20, 24)}
	for _, k := range []int{3, 8} {
		add := func(th *calibrate.Threshold, below, from func(dst []uint64, sets [][]uint64)) {
			th.Cases = append(th.Cases, calibrate.Case{
				Name: fmt.Sprintf("%d sets", k), Level: cpu.LevelAVX512,
				Ways: func(n int) (_, _ func()) {
					p, n := calibrationWords(), n/k&^255
					var sets [][]uint64
					for i := range k {
						sets = append(sets, p[0][i*n:][:n])
					}
					return func() { below(p[1][:n], sets) }, func() { from(p[1][:n], sets) }
				}})
		}
		// The other way prefetches where that is for sets of their length.
		far := func(sets [][]uint64) int {
			if len(sets)*len(sets[0]) >= cpu.Tune.Words.SetsAhead {
				return 1
			}
			return 0
		}
		narrow := func(dst []uint64, sets [][]uint64) {
			many.AndAllAVX2(&dst[0], &sets[0], len(sets), 0, len(dst), far(sets))
		}
		wide := func(dst []uint64, sets [][]uint64) {
			many.AndAllAVX512(&dst[0], &sets[0], len(sets), 0, len(dst))
		}
		add(&into, wide, narrow)
		add(&count, func(dst []uint64, sets [][]uint64) {
			sink += many.AndAllCountWideAVX512(&sets[0], len(sets), 0, len(dst))
		}, func(dst []uint64, sets [][]uint64) {
			sink += many.AndAllCountAVX512(&sets[0], len(sets), 0, len(dst), far(sets))
		})
		less := narrow
		if cpu.Tune.Words.SetsWide == cpu.Never {
			less = wide
		}
		add(&past, less, func(dst []uint64, sets [][]uint64) {
			many.AndAllStreamAVX512(&dst[0], &sets[0], len(sets), 0, len(dst))
		})
	}
	return []calibrate.Threshold{into.Long(), count.Long(), past.Long()}
}

// rowsAheadThresholds compares distances of prefetching with none, by the size of the
// matrix in words.
func rowsAheadThresholds() (all []calibrate.Threshold) {
	for _, ahead := range []int{1024, 4096} {
		th := calibrate.Threshold{Name: fmt.Sprintf("RowsAhead/%d", ahead), Unit: "words", Value: 0, Sizes: calibrate.Powers(14, 23)}
		for _, words := range []int{2, 4, 8} {
			th.Cases = append(th.Cases, calibrate.Case{
				Name: fmt.Sprintf("rows of %d", words), Level: cpu.LevelAVX512,
				Ways: func(n int) (below, from func()) {
					p := calibrationWords()
					counts, query, rows := make([]int, n/words), p[1][:words], p[0][:n]
					run := func(ahead int) {
						many.AndCountShortRowsAVX512(&counts[0], &query[0], &rows[0], words, len(counts), ahead)
					}
					return func() { run(0) }, func() { run(ahead) }
				}})
		}
		all = append(all, th.Long())
	}
	return all
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
