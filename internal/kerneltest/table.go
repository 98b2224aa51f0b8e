package kerneltest

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The kernel table: kernels on words against their references in Go, on memory that
// ends where the operand does.

// The shapes of kernels.
type (
	CountFunc     = func(p []uint64) int
	BinaryFunc    = func(dst, a, b []uint64)
	WithCountFunc = func(dst, a, b []uint64) int
	Count2Func    = func(a, b []uint64) int
)

// A Row is a kernel and the reference that it must agree with.
type Row struct {
	Kernel  string
	Level   cpu.Level // the lowest level that can run it
	Block   int       // words in one round of its widest loop
	Fn, Ref any       // both of one of the shapes above
}

// TestVerbs tests rows that every level has, at every level, and with every tuning
// where tunings differ in lengths up to LargestSize.
func TestVerbs(t *testing.T, rows []Row) {
	test := func(t *testing.T) {
		for _, row := range rows {
			t.Run(row.Kernel, row.Test)
		}
	}
	EachLevel(t, func(t *testing.T) {
		if cpu.AVX512 {
			EachWords(t, test)
		} else {
			test(t)
		}
	})
}

// TestKernels tests the assembly functions of this architecture, each at its level.
func TestKernels(t *testing.T, rows []Row) {
	if cpu.HasAsm && len(rows) == 0 {
		t.Error("this build has assembly, but the table has no kernel")
	}
	for _, row := range rows {
		t.Run(row.Kernel, func(t *testing.T) {
			NeedLevel(t, row.Level)
			row.Test(t)
		})
	}
}

// Test runs the kernel over sizes, contents and places.
func (row Row) Test(t *testing.T) {
	k := newKernelTest(t, row)
	for _, n := range Sizes(row.Block) {
		for ca := range Contents {
			for cb := range Contents {
				if cb > 0 && !k.binary() || testing.Short() && (n+ca+cb)%12 != 0 {
					continue
				}
				k.check(kernelCase{n: n, contents: [2]int{ca, cb}, places: k.randomPlaces()})
			}
		}
	}
	// Every triple of offsets, for sizes with and without a whole round.
	for _, n := range []int{5, row.Block + 7, 2*row.Block + 1} {
		if testing.Short() {
			break
		}
		for i := range 512 {
			c := kernelCase{n: n, contents: [2]int{Random, Random}}
			for j, o := range []int{i % 8, i / 8 % 8, i / 64} {
				c.places[j] = Place{Off: o, AtEnd: i%3 == 0}
			}
			k.check(c)
		}
	}
	// One set bit, in every position of a round and a tail.
	for pos := range 64 * (row.Block + 11) {
		if testing.Short() && pos%61 != 0 {
			continue
		}
		k.check(kernelCase{n: row.Block + 11, bit: pos + 1,
			contents: [2]int{Walking, Walking}, places: k.randomPlaces()})
	}
}

type kernelCase struct {
	n        int
	contents [2]int   // of a and b
	places   [3]Place // of a, b and dst
	bit      int      // 1 + the bit that Walking sets; 0 for any
}

func (c kernelCase) String() string {
	return fmt.Sprintf("n=%d a=%s b=%s places of a, b, dst=%v", c.n,
		Contents[c.contents[0]].Name, Contents[c.contents[1]].Name, c.places)
}

// kernelTest holds the memory that a kernel's cases share.
type kernelTest struct {
	t       *testing.T
	row     Row
	rand    *rand.Rand
	a, b, d []uint64 // guarded on both sides
	want    []uint64
	saved   []uint64
}

// kernelMem is the size in words of each operand's memory.
const kernelMem = 1 << 17

func newKernelTest(t *testing.T, row Row) *kernelTest {
	return &kernelTest{
		t: t, row: row, rand: rand.New(rand.NewPCG(1, 2)),
		a: Guarded(t, kernelMem), b: Guarded(t, kernelMem), d: Guarded(t, kernelMem),
		want: make([]uint64, kernelMem), saved: make([]uint64, kernelMem),
	}
}

func (k *kernelTest) randomPlaces() (p [3]Place) {
	for i := range p {
		p[i] = RandomPlace(k.rand)
	}
	return p
}

// binary reports whether the kernel has two operands.
func (k *kernelTest) binary() bool {
	switch k.row.Fn.(type) {
	case Count2Func, BinaryFunc, WithCountFunc:
		return true
	}
	return false
}

// check runs one case in every way that the kernel's shape has.
func (k *kernelTest) check(c kernelCase) {
	k.t.Helper()
	a, _ := c.places[0].Slice(k.a, c.n)
	b, _ := c.places[1].Slice(k.b, c.n)
	Fill(k.rand, a, c.contents[0], c.bit)
	switch fn := k.row.Fn.(type) {
	case CountFunc:
		k.unchanged(c, a, func() { k.same(c, fn(a), k.row.Ref.(CountFunc)(a)) })
	case Count2Func:
		Fill(k.rand, b, c.contents[1], c.bit)
		k.unchanged(c, a, func() { k.same(c, fn(a, b), k.row.Ref.(Count2Func)(a, b)) })
		k.unchanged(c, b, func() { k.same(c, fn(a, b), k.row.Ref.(Count2Func)(a, b)) })
		k.same(c, fn(a, a), k.row.Ref.(Count2Func)(a, a))
	case BinaryFunc:
		Fill(k.rand, b, c.contents[1], c.bit)
		k.checkBinary(c, a, b, fn, k.row.Ref.(BinaryFunc))
	case WithCountFunc:
		Fill(k.rand, b, c.contents[1], c.bit)
		ref := k.row.Ref.(WithCountFunc)
		k.checkBinary(c, a, b, func(dst, a, b []uint64) {
			n := fn(dst, a, b)
			k.same(c, n, countOnes(dst))
		}, func(dst, a, b []uint64) { ref(dst, a, b) })
	default:
		k.t.Fatalf("%s: no such shape: %T", k.row.Kernel, fn)
	}
}

func countOnes(p []uint64) (n int) {
	for _, w := range p {
		n += bits.OnesCount64(w)
	}
	return n
}

func (k *kernelTest) same(c kernelCase, got, want int) {
	k.t.Helper()
	if got != want {
		k.t.Fatalf("%s(%v) = %d, want %d", k.row.Kernel, c, got, want)
	}
}

// unchanged fails when f changes p, which it must only read.
func (k *kernelTest) unchanged(c kernelCase, p []uint64, f func()) {
	k.t.Helper()
	saved := k.saved[:copy(k.saved, p)]
	f()
	if !slices.Equal(p, saved) {
		k.t.Fatalf("%s(%v) changed an operand that it must only read", k.row.Kernel, c)
	}
}

func (k *kernelTest) checkBinary(c kernelCase, a, b []uint64, fn, ref BinaryFunc) {
	k.t.Helper()
	want := k.want[:c.n]
	ref(want, a, b)
	apart, start := c.places[2].Slice(k.d, c.n)
	k.unchanged(c, a, func() { k.run(c, k.d, start, want, func() { fn(apart, a, b) }) })
	k.unchanged(c, b, func() { k.run(c, k.d, start, want, func() { fn(apart, a, b) }) })

	// In place: over the first operand, over the second, over both.
	first := slices.Clone(a)
	_, start = c.places[0].Slice(k.a, c.n)
	k.run(c, k.a, start, want, func() { fn(a, a, b) })
	copy(a, first)
	_, start = c.places[1].Slice(k.b, c.n)
	k.run(c, k.b, start, want, func() { fn(b, a, b) })
	copy(b, first)
	ref(want, b, first)
	k.run(c, k.b, start, want, func() { fn(b, b, b) })
}

// run calls f, which must leave want in mem[start:start+len(want)] and nothing
// else near it.
func (k *kernelTest) run(c kernelCase, mem []uint64, start int, want []uint64, f func()) {
	k.t.Helper()
	end := start + len(want)
	before, after := Sides(mem, start, len(want))
	SetCanary(before, after)
	f()
	if !slices.Equal(mem[start:end], want) {
		i := 0
		for mem[start+i] == want[i] {
			i++
		}
		k.t.Fatalf("%s(%v): word %d is %#016x, want %#016x", k.row.Kernel, c, i, mem[start+i], want[i])
	}
	if !CanaryIntact(before, after) {
		k.t.Fatalf("%s(%v) wrote outside dst", k.row.Kernel, c)
	}
}

// Compare runs the kernel and its reference once, with dst apart from the operands,
// and a kernel that returns nothing over the first, too. It overwrites dst and want.
func (row Row) Compare(t *testing.T, dst, a, b, want []uint64) {
	t.Helper()
	same := func(got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s of %d words = %d, want %d", row.Kernel, len(a), got, want)
		}
	}
	switch fn := row.Fn.(type) {
	case CountFunc:
		same(fn(a), row.Ref.(CountFunc)(a))
	case Count2Func:
		same(fn(a, b), row.Ref.(Count2Func)(a, b))
	case BinaryFunc:
		row.Ref.(BinaryFunc)(want, a, b)
		clear(dst)
		if fn(dst, a, b); !slices.Equal(dst, want) {
			t.Errorf("%s of %d words is wrong", row.Kernel, len(dst))
		}
		copy(dst, a)
		if fn(dst, dst, b); !slices.Equal(dst, want) {
			t.Errorf("%s of %d words is wrong in place", row.Kernel, len(dst))
		}
	case WithCountFunc:
		n := row.Ref.(WithCountFunc)(want, a, b)
		clear(dst)
		if same(fn(dst, a, b), n); !slices.Equal(dst, want) {
			t.Errorf("%s of %d words is wrong", row.Kernel, len(dst))
		}
	}
}

// TestStops measures how long a goroutine in one row after the other, on operands of n
// words, keeps the garbage collection, and so the whole process, waiting. Were the
// calls into assembly not cut, that would be half a call on average.
func TestStops(t *testing.T, rows []Row, n int) {
	a, b, dst := RandomWords(n), RandomWords(n), make([]uint64, n)
	EachLevel(t, func(t *testing.T) {
		if cpu.Current() == cpu.LevelGeneric {
			t.Skip("no assembly")
		}
		for _, row := range rows {
			call := Call(row.Fn, dst, a, b)
			start := time.Now()
			call()
			whole := time.Since(start)
			if got := medianStop(call); got > whole/8 {
				t.Errorf("%s of %d words takes %v and is stopped after %v", row.Kernel, n, whole, got)
			}
		}
	})
}

// medianStop returns how long the world takes to stop for a garbage collection
// while call goes on and on: the median.
func medianStop(call func()) time.Duration {
	var done atomic.Bool
	var wg sync.WaitGroup
	Go(&wg, func() {
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

// RandomWords returns n words, the same at each call.
func RandomWords(n int) []uint64 {
	p := make([]uint64, n)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range p {
		p[i] = r.Uint64()
	}
	return p
}

// Sink keeps the compiler from dropping what a measurement computes.
var Sink int

// Call returns a call of a function of one of the shapes of kernels. The
// destination lies apart: where it is an operand, each call waits for what the
// one before has stored.
func Call(fn any, dst, a, b []uint64) func() {
	switch fn := fn.(type) {
	case CountFunc:
		return func() { Sink += fn(a) }
	case Count2Func:
		return func() { Sink += fn(a, b) }
	case BinaryFunc:
		return func() { fn(dst, a, b) }
	case WithCountFunc:
		return func() { Sink += fn(dst, a, b) }
	}
	panic(fmt.Sprintf("no call for a %T", fn))
}
