package bitsieve

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"
)

// TestCalibrate prints the figures behind the thresholds of the word-slice
// kernels (bitset_amd64.go, bitset_arm64.go):
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v .
//
// Each figure is the least of many short interleaved runs, so that it stands
// on a busy machine where an average does not.
func TestCalibrate(t *testing.T) {
	if os.Getenv("BITSIEVE_CALIBRATE") == "" {
		t.Skip("BITSIEVE_CALIBRATE is not set")
	}
	t.Run("short", func(t *testing.T) {
		for _, row := range directKernels {
			if hardwareLevel.has(row.level) {
				calibrateShort(t, row)
			}
		}
	})
	t.Run("long", calibrateLong)
}

// calibrateShort compares an assembly function with the Go it replaces.
func calibrateShort(t *testing.T, row kernelRow) {
	row.ref = bridge(row.ref)
	line := ""
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32} {
		x, y := benchWords(n), benchWords(n)
		var inGo, inAsm func()
		switch fn := row.fn.(type) {
		case countFunc:
			ref := row.ref.(countFunc)
			inGo, inAsm = func() { sinkInt += ref(x) }, func() { sinkInt += fn(x) }
		case fusedFunc:
			ref := row.ref.(fusedFunc)
			inGo, inAsm = func() { sinkInt += ref(x, y) }, func() { sinkInt += fn(x, y) }
		case binaryFunc:
			ref := row.ref.(binaryFunc)
			inGo, inAsm = func() { ref(x, x, y) }, func() { fn(x, x, y) }
		case countedFunc:
			ref := row.ref.(countedFunc)
			inGo, inAsm = func() { sinkInt += ref(x, x, y) }, func() { sinkInt += fn(x, x, y) }
		case decodeFunc:
			inGo, inAsm = freshWords(n, row.ref.(decodeFunc)), freshWords(n, fn)
		case decode32Func:
			inGo, inAsm = freshWords(n, row.ref.(decode32Func)), freshWords(n, fn)
		}
		ns := leastTimes(100, 20*time.Microsecond, inGo, inAsm)
		line += fmt.Sprintf("  %d: %.1f %.1f", n, ns[0], ns[1])
	}
	t.Logf("%s, words: ns in Go, in assembly%s", row.kernel, line)
}

// bridge returns a function that calls fn: as many calls lie before the work as
// in directKernels, whose functions call the assembly.
func bridge(fn any) any {
	switch fn := fn.(type) {
	case countFunc:
		return countFunc(func(p []uint64) int { return fn(p) })
	case fusedFunc:
		return fusedFunc(func(a, b []uint64) int { return fn(a, b) })
	case binaryFunc:
		return binaryFunc(func(dst, a, b []uint64) { fn(dst, a, b) })
	case countedFunc:
		return countedFunc(func(dst, a, b []uint64) int { return fn(dst, a, b) })
	case decodeFunc:
		return decodeFunc(func(dst []uint, words []uint64, base uint) (int, int) { return fn(dst, words, base) })
	case decode32Func:
		return decode32Func(func(dst []uint32, words []uint64, base uint32) (int, int) { return fn(dst, words, base) })
	}
	return fn
}

// freshWords returns a function that decodes n words, others at each call: what
// comes again and again is predicted bit by bit.
func freshWords[T uint | uint32](n int, decode func([]T, []uint64, T) (int, int)) func() {
	pool, _ := randomBits(1<<14, 16)
	dst := make([]T, 64*n)
	rest := pool
	return func() {
		if len(rest) < n {
			rest = pool
		}
		decode(dst, rest[:n], 0)
		rest = rest[n:]
	}
}

// calibrateLong compares the kernels that do the same for operands past the
// caches. The destination lies apart from the operands.
func calibrateLong(t *testing.T) {
	x, y, z := benchWords(1<<24), benchWords(1<<24), benchWords(1<<24)
	for mib := 1; mib <= 128; mib *= 2 {
		x, y, z := x[:mib<<17], y[:mib<<17], z[:mib<<17]
		var names []string
		var fs []func()
		for _, row := range directKernels {
			if !hardwareLevel.has(row.level) {
				continue
			}
			switch fn := row.fn.(type) {
			case countFunc:
				fs = append(fs, func() { sinkInt += fn(x) })
			case fusedFunc:
				fs = append(fs, func() { sinkInt += fn(x, y) })
			case binaryFunc:
				fs = append(fs, func() { fn(z, x, y) })
			default:
				continue
			}
			names = append(names, row.kernel)
		}
		line := ""
		for i, ns := range leastTimes(10, time.Millisecond, fs...) {
			line += fmt.Sprintf("  %s %.1f", names[i], float64(8*len(x))/ns)
		}
		t.Logf("%d MiB, GB/s of one operand:%s", mib, line)
	}
}

// leastTimes returns the least time in nanoseconds that each function took in
// the given number of rounds. A round lasts about span for each of them.
func leastTimes(rounds int, span time.Duration, fs ...func()) []float64 {
	least, repeats := make([]float64, len(fs)), make([]int, len(fs))
	for i, f := range fs {
		least[i] = math.Inf(1)
		for repeats[i] = 1; ; repeats[i] *= 2 {
			start := time.Now()
			for range repeats[i] {
				f()
			}
			if time.Since(start) >= span {
				break
			}
		}
	}
	for range rounds {
		for i, f := range fs {
			start := time.Now()
			for range repeats[i] {
				f()
			}
			least[i] = min(least[i], float64(time.Since(start).Nanoseconds())/float64(repeats[i]))
		}
	}
	return least
}
