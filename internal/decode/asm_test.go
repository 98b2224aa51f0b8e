//go:build !purego && (amd64 || arm64)

package decode

import (
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// wholeKernels are the kernels of a level, without the cutting in pieces.
var wholeKernels []wholeKernel

type wholeKernel struct {
	level cpu.Level
	fn    indicesFunc[uint]
	fn32  indicesFunc[uint32]
}

func TestByteNumbers(t *testing.T) {
	for b, numbers := range byteNumbers {
		for bit := range 8 {
			if b>>bit&1 != 0 {
				if numbers&0xff != uint64(bit) {
					t.Errorf("byte %#02x: %d, want %d", b, numbers&0xff, bit)
				}
				numbers >>= 8
			}
		}
		if numbers != 0 {
			t.Errorf("byte %#02x has more numbers than bits: %#x", b, numbers)
		}
	}
}

// TestTooLong checks what a kernel may take at once: 128 KiB of indices, whatever bits
// are set, and 128 KiB of words.
func TestTooLong(t *testing.T) {
	const most, mostWords = 128 << 10, 128 << 10
	lengths := []int{0, 1, 255, 256, 257, 1024, 16383, 16384, 16385, 32768, 1 << 30}
	for _, room := range lengths {
		for _, n := range lengths {
			want := 8*min(room, 64*n) > most || 8*n > mostWords
			if got := tooLong(room, n); got != want {
				t.Errorf("%d words into %d places are too long: %v", n, room, got)
			}
		}
	}
}

// TestPieces decodes what takes several calls of a kernel, into rooms that end
// around the ends of the pieces.
func TestPieces(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		if cpu.Current() == cpu.LevelGeneric {
			t.Skip("Go code goes in one piece")
		}
		denominators := []int{3, 100_000, 1, 64}
		if testing.Short() {
			denominators = denominators[:2]
		}
		for _, denominator := range denominators {
			words, _ := kerneltest.RandomBits(2*pieceWords+5, denominator)
			clear(words[pieceWords-3 : pieceWords+2]) // whose end then is not where the room ends
			ones := countOnes(words)
			rooms := []int{0, ones - 1, ones, ones + 64}
			for _, at := range []int{pieceRoom, 2 * pieceRoom, countOnes(words[:pieceWords])} {
				rooms = append(rooms, at-1, at, at+1, at+63, at+64, at+65)
			}
			for _, room := range rooms {
				checkPieces[uint](t, words, max(0, room))
				checkPieces[uint32](t, words, max(0, room))
			}
		}
	})
}

func checkPieces[T Index](t *testing.T, words []uint64, room int) {
	t.Helper()
	base := ^T(0) - 1000
	want, got := make([]T, room), make([]T, room)
	wantWritten, wantConsumed := decodeGeneric(want, words, base)
	written, consumed := Indices(got, words, base)
	if written != wantWritten || consumed != wantConsumed || !slices.Equal(got[:written], want[:written]) {
		t.Fatalf("%d words into %d places: %d indices of %d words, want %d of %d",
			len(words), room, written, consumed, wantWritten, wantConsumed)
	}
}

// TestLongDecodeYields decodes words that take some ten milliseconds on the only
// processor that Go has, beside a goroutine that waits for it: between pieces the
// scheduler must be able to let the other one go on. It logs for how long a decode in
// the background holds up garbage collections.
func TestLongDecodeYields(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes into 256 MiB")
	}
	words := make([]uint64, 1<<19)
	for i := range words {
		words[i] = ^uint64(0)
	}
	dst := make([]uint, 64*len(words))
	kerneltest.EachLevel(t, func(t *testing.T) {
		if cpu.Current() == cpu.LevelGeneric {
			t.Skip("Go code is preempted anywhere")
		}
		longest, took := collectBeside(func() { Indices(dst, words, 0) })
		t.Logf("decoded in %v; the longest garbage collection beside it took %v", took, longest)

		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		var turns atomic.Uint64
		var stop atomic.Bool
		done := make(chan struct{})
		go func() {
			defer close(done)
			for !stop.Load() {
				turns.Add(1)
				runtime.Gosched()
			}
		}()
		yielded := false
		for try := 0; try < 100 && !yielded; try++ { // not each lasts long enough
			runtime.Gosched() // begins a new slice of time
			before := turns.Load()
			Indices(dst, words, 0)
			yielded = turns.Load() != before
		}
		stop.Store(true)
		<-done
		if !yielded {
			t.Error("no other goroutine ran while Indices decoded")
		}
	})
}

// collectBeside runs f beside garbage collections. It returns the longest time that one
// took and how long f took.
func collectBeside(f func()) (longest, took time.Duration) {
	done := make(chan time.Duration)
	go func() {
		start := time.Now()
		f()
		done <- time.Since(start)
	}()
	for {
		start := time.Now()
		runtime.GC()
		longest = max(longest, time.Since(start))
		select {
		case took = <-done:
			return longest, took
		default:
		}
	}
}

// BenchmarkPieces compares decodes in pieces with those in one call, of words that take
// several pieces and whose indices stay in the second-level cache.
func BenchmarkPieces(b *testing.B) {
	for _, denominator := range []int{1 << 30, 1000, 64, 8, 2} {
		words, ones := kerneltest.RandomBits(min(1<<17, pieceRoom*denominator/16), denominator)
		dst, dst32 := make([]uint, ones+64), make([]uint32, ones+64)
		for _, k := range wholeKernels {
			if !cpu.Has(k.level) {
				continue
			}
			saved := cpu.Current()
			cpu.Set(k.level)
			name := "density=1_" + strconv.Itoa(denominator) + "/impl=" + k.level.String()
			b.Run("kernel=Indices/"+name, func(b *testing.B) {
				comparePieces(b, func() { k.fn(dst, words, 0) }, func() { Indices(dst, words, 0) }, len(words))
			})
			b.Run("kernel=Indices32/"+name, func(b *testing.B) {
				comparePieces(b, func() { k.fn32(dst32, words, 0) }, func() { Indices(dst32, words, 0) }, len(words))
			})
			cpu.Set(saved)
		}
	}
}

// comparePieces reports the least times of many interleaved runs.
func comparePieces(b *testing.B, one, pieces func(), words int) {
	var ns []float64
	for b.Loop() {
		least := calibrate.LeastTimes(100, 100*time.Microsecond, one, pieces)
		if ns == nil {
			ns = least
		}
		ns[0], ns[1] = min(ns[0], least[0]), min(ns[1], least[1])
	}
	b.ReportMetric(ns[0]/float64(words), "one-ns/word")
	b.ReportMetric(ns[1]/float64(words), "pieces-ns/word")
	b.ReportMetric(100*(ns[1]/ns[0]-1), "%-lost")
}
