package bitsieve

import (
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// TestPieces runs the verbs on lengths around those at which they begin to cut.
func TestPieces(t *testing.T) {
	const most = 1<<17 + 33
	a, b := benchWords(most + 1)[1:], benchWords(most)
	dst, want := make([]uint64, most), make([]uint64, most)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, row := range verbs {
			for _, n := range []int{255, 256, 257, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1 << 16, 1<<16 + 1, most} {
				checkLong(t, row, dst[:n], a[:n], b[:n], want[:n])
			}
		}
	})
}

// checkLong compares a verb with its reference: dst apart from the operands and
// over the first.
func checkLong(t *testing.T, row kernelRow, dst, a, b, want []uint64) {
	t.Helper()
	same := func(got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s of %d words = %d, want %d", row.kernel, len(a), got, want)
		}
	}
	switch fn := row.fn.(type) {
	case countFunc:
		same(fn(a), row.ref.(countFunc)(a))
	case count2Func:
		same(fn(a, b), row.ref.(count2Func)(a, b))
	case binaryFunc:
		row.ref.(binaryFunc)(want, a, b)
		clear(dst)
		if fn(dst, a, b); !slices.Equal(dst, want) {
			t.Errorf("%s of %d words is wrong", row.kernel, len(dst))
		}
		copy(dst, a)
		if fn(dst, dst, b); !slices.Equal(dst, want) {
			t.Errorf("%s of %d words is wrong in place", row.kernel, len(dst))
		}
	case withCountFunc:
		n := row.ref.(withCountFunc)(want, a, b)
		clear(dst)
		if same(fn(dst, a, b), n); !slices.Equal(dst, want) {
			t.Errorf("%s of %d words is wrong", row.kernel, len(dst))
		}
	}
}

// TestStreams runs the verbs past the lengths from which some of them read in
// several places or write past the caches, at addresses of every kind, of which some
// are no multiple of 8: package unsafe can make such slices.
func TestStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 64 MiB")
	}
	const long, n = 1<<23 + 77, 1<<20 + 31 // counting streams later than the others do
	memory := func(n int, off uintptr) []uint64 {
		p := make([]uint64, n+8)
		return unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(&p[0]), off)), n)
	}
	a, oddA := memory(long, 8), memory(long, 21)
	b, dst, oddDst, want := memory(n, 24), memory(n, 0), memory(n, 3), make([]uint64, n)
	for i, w := range benchWords(long) {
		a[i], oddA[i] = w, w
	}
	copy(b, a[n:])
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, row := range verbs {
			if _, ok := row.fn.(countFunc); ok {
				checkLong(t, row, nil, a[1:], nil, nil)
				checkLong(t, row, nil, oddA, nil, nil)
				continue
			}
			checkLong(t, row, dst[1:], a[1:n], b[1:], want[1:])
			checkLong(t, row, dst[2:], a[2:n], b[2:], want[2:])
			checkLong(t, row, oddDst, oddA[:n], b, want)
		}
	})
}

// TestStops measures how long a goroutine in one verb after the other keeps the
// garbage collector, and so the whole process, waiting. Were the calls into assembly
// not cut, that would be half a call on average.
func TestStops(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 64 MiB")
	}
	if race.Enabled {
		t.Skip("to declare a piece to the race detector takes longer than the piece")
	}
	const n = 1 << 23
	a, b, dst := benchWords(n), benchWords(n), make([]uint64, n)
	kerneltest.EachLevel(t, func(t *testing.T) {
		if cpu.Current() == cpu.LevelGeneric {
			t.Skip("no assembly")
		}
		for _, row := range verbs {
			switch row.fn.(type) {
			case countFunc, count2Func, binaryFunc, withCountFunc:
			default:
				continue
			}
			call := kernelCall(row.fn, dst, a, b)
			start := time.Now()
			call()
			whole := time.Since(start)
			if got := medianStop(call); got > whole/8 {
				t.Errorf("%s of 64 MiB takes %v and is stopped after %v", row.kernel, whole, got)
			}
		}
	})
}

// medianStop returns how long the world takes to stop for a garbage collection
// while call goes on and on: the median.
func medianStop(call func()) time.Duration {
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			call()
		}
	})
	before := stopTimes()
	for range 8 {
		time.Sleep(time.Millisecond)
		runtime.GC()
	}
	after := stopTimes()
	done.Store(true)
	wg.Wait()
	total := uint64(0)
	for i := range after.Counts {
		after.Counts[i] -= before.Counts[i]
		total += after.Counts[i]
	}
	below := uint64(0)
	for i, c := range after.Counts {
		if below += c; 2*below > total {
			// The upper limit of the bucket, or the lower one of the last.
			limit := after.Buckets[i+1]
			if math.IsInf(limit, 1) {
				limit = after.Buckets[i]
			}
			return time.Duration(limit * float64(time.Second))
		}
	}
	return 0
}

func stopTimes() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(s)
	h := s[0].Value.Float64Histogram()
	return &metrics.Float64Histogram{Counts: slices.Clone(h.Counts), Buckets: h.Buckets}
}
