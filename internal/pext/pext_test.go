package pext

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The specification moves one bit at a time.

func extractReference(dst, src, mask []uint64) (n int) {
	for i, m := range mask {
		for ; m != 0; m &= m - 1 {
			if n%64 == 0 {
				dst[n/64] = 0
			}
			dst[n/64] |= src[i] >> bits.TrailingZeros64(m) & 1 << (n % 64)
			n++
		}
	}
	return n
}

func depositReference(dst, src, mask []uint64) {
	n := 0
	for i, m := range mask {
		if n/64 >= len(src) {
			return
		}
		for ; m != 0; m &= m - 1 {
			low := m & -m
			dst[i] &^= low
			if n/64 < len(src) && src[n/64]>>(n%64)&1 != 0 {
				dst[i] |= low
			}
			n++
		}
	}
}

func selectReference(w uint64, j uint) uint {
	for range j {
		w &= w - 1
	}
	return uint(bits.TrailingZeros64(w))
}

type (
	extractFunc = func(dst, src, mask []uint64) int
	depositFunc = func(dst, src, mask []uint64)
	selectFunc  = func(w uint64, j uint) uint
)

type row struct {
	kernel  string
	level   cpu.Level
	fn, ref any
}

// verbs run at every level: at the generic one they are the Go code.
var verbs = []row{
	{"Extract", cpu.LevelGeneric, extractFunc(Extract), extractFunc(extractReference)},
	{"Deposit", cpu.LevelGeneric, depositFunc(Deposit), depositFunc(depositReference)},
	{"Select", cpu.LevelGeneric, selectFunc(Select), selectFunc(selectReference)},
}

// kernels are the assembly functions. The files of the architectures fill it in.
var kernels []row

func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) { testRows(t, verbs) })
}

func TestKernels(t *testing.T) { testRows(t, kernels) }

func testRows(t *testing.T, rows []row) {
	m := newMemory(t)
	for _, row := range rows {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			m.t = t
			switch fn := row.fn.(type) {
			case extractFunc:
				m.eachCase(func(n, src, mask int) { m.checkExtract(n, src, mask, fn, row.ref.(extractFunc)) })
			case depositFunc:
				m.eachCase(func(n, src, mask int) { m.checkDeposit(n, src, mask, fn, row.ref.(depositFunc)) })
			case selectFunc:
				checkSelect(t, fn, row.ref.(selectFunc))
			}
		})
	}
}

// memory holds operands between guard pages.
type memory struct {
	t              *testing.T
	rand           *rand.Rand
	dst, src, mask []uint64
}

func newMemory(t *testing.T) *memory {
	const words = 1 << 17
	return &memory{
		rand: rand.New(rand.NewPCG(1, 2)),
		dst:  kerneltest.Guarded(t, words), src: kerneltest.Guarded(t, words), mask: kerneltest.Guarded(t, words),
	}
}

// eachCase calls check for lengths n and contents of src and of mask.
func (m *memory) eachCase(check func(n, src, mask int)) {
	for _, n := range kerneltest.Sizes(16) {
		for mask := range kerneltest.Contents {
			if n <= 67 || !testing.Short() || mask == kerneltest.Random {
				check(n, m.rand.IntN(len(kerneltest.Contents)), mask)
			}
		}
	}
	for _, n := range longSizes {
		if testing.Short() && n != longSizes[1] {
			continue
		}
		check(n, kerneltest.Random, kerneltest.Random)
		check(n, kerneltest.Random, kerneltest.Walking)
	}
}

// longSizes are lengths at which the verbs cut.
var longSizes = []int{1 << 14, 1<<14 + 1, 1<<15 - 1, 1<<15 + 3}

// place returns n words with a content, near one end of their memory.
func (m *memory) place(mem []uint64, n, content int) []uint64 {
	p, _ := kerneltest.RandomPlace(m.rand).Slice(mem, n)
	kerneltest.Fill(m.rand, p, content, 0)
	return p
}

// result returns n words full of noise, and the words to watch around them.
func (m *memory) result(n int) (p, before, after []uint64) {
	p, start := kerneltest.RandomPlace(m.rand).Slice(m.dst, n)
	kerneltest.Fill(m.rand, p, kerneltest.Random, 0)
	before, after = kerneltest.Sides(m.dst, start, n)
	kerneltest.SetCanary(before, after)
	return p, before, after
}

func (m *memory) checkExtract(n, srcContent, maskContent int, fn, ref extractFunc) {
	m.t.Helper()
	src, mask := m.place(m.src, n, srcContent), m.place(m.mask, n, maskContent)
	want := make([]uint64, n)
	wantN := ref(want, src, mask)
	want = want[:(wantN+63)/64]
	check := func(how string, dst, src, mask []uint64) {
		m.t.Helper()
		if gotN := fn(dst, src, mask); gotN != wantN {
			m.t.Fatalf("%d words%s: %d bits, want %d", n, how, gotN, wantN)
		}
		m.same(n, how, dst[:len(want)], want)
	}
	dst, before, after := m.result(len(want))
	savedSrc, savedMask := slices.Clone(src), slices.Clone(mask)
	check("", dst, src, mask)
	if !kerneltest.CanaryIntact(before, after) {
		m.t.Fatalf("%d words: wrote outside dst", n)
	}
	if !slices.Equal(src, savedSrc) || !slices.Equal(mask, savedMask) {
		m.t.Fatalf("%d words: changed an operand", n)
	}
	check(" over src", src, src, mask)
	copy(src, savedSrc)
	check(" over mask", mask, src, mask)
}

func (m *memory) checkDeposit(n, srcContent, maskContent int, fn, ref depositFunc) {
	m.t.Helper()
	mask := slices.Clone(m.place(m.mask, n, maskContent))
	ones := 0
	for _, w := range mask {
		ones += bits.OnesCount64(w)
	}
	// Sources shorter than the mask asks for, as long, and longer.
	need := (ones + 63) / 64
	for i, size := range []int{need - 1, need, need / 2, need + 1, 0, 1} {
		if size < 0 || n > 1<<14 && i > 1 {
			continue
		}
		src := m.place(m.src, size, srcContent)
		dst, before, after := m.result(n)
		want := slices.Clone(dst)
		ref(want, src, mask)
		savedSrc := slices.Clone(src)
		guarded := m.place(m.mask, n, 0)
		copy(guarded, mask)
		fn(dst, src, guarded)
		m.same(n, "", dst, want)
		if !kerneltest.CanaryIntact(before, after) {
			m.t.Fatalf("%d words: wrote outside dst", n)
		}
		if !slices.Equal(src, savedSrc) || !slices.Equal(guarded, mask) {
			m.t.Fatalf("%d words: changed an operand", n)
		}
		copy(want, mask)
		ref(want, src, mask)
		fn(guarded, src, guarded)
		m.same(n, " over mask", guarded, want)
	}
}

func (m *memory) same(n int, how string, got, want []uint64) {
	m.t.Helper()
	for i, w := range want {
		if got[i] != w {
			m.t.Fatalf("%d words%s: word %d is %#016x, want %#016x", n, how, i, got[i], w)
		}
	}
}

func checkSelect(t *testing.T, fn, ref selectFunc) {
	r := rand.New(rand.NewPCG(7, 8))
	check := func(w uint64) {
		t.Helper()
		for j := range uint(bits.OnesCount64(w)) {
			if got, want := fn(w, j), ref(w, j); got != want {
				t.Fatalf("of %#016x, bit %d: %d, want %d", w, j, got, want)
			}
		}
	}
	check(^uint64(0))
	for i := range 64 {
		check(1 << i)
		check(1<<i | 1<<63)
		check(^uint64(0) << i)
		check(^uint64(0) >> i)
	}
	for i := range 2000 {
		w := r.Uint64() >> r.UintN(64)
		switch i % 3 {
		case 0:
			w &= r.Uint64() & r.Uint64()
		case 1:
			w |= r.Uint64() | r.Uint64()
		}
		check(w)
	}
}

// TestWholeWords extracts a whole number of words by a mask that ends in empty
// words: a kernel must not begin another word.
func TestWholeWords(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 4, 1 << 14, 1<<14 + 1} {
			mask, src := make([]uint64, 2*n), make([]uint64, 2*n)
			for i := range src {
				src[i] = uint64(i) | 1<<63
			}
			for i := range n {
				mask[i] = ^uint64(0)
			}
			dst := make([]uint64, n+1)
			dst[n] = kerneltest.Canary
			if got := Extract(dst[:n], src, mask); got != 64*n || !slices.Equal(dst[:n], src[:n]) {
				t.Errorf("%d words: %d bits, %x", n, got, dst[:1])
			}
			if dst[n] != kerneltest.Canary {
				t.Errorf("%d words: wrote outside dst", n)
			}
		}
		if n := Extract(nil, []uint64{1, 2}, []uint64{0, 0}); n != 0 {
			t.Errorf("an empty mask selects %d bits", n)
		}
	})
}

func TestNoAllocations(t *testing.T) {
	a, b, c := make([]uint64, 100), make([]uint64, 100), make([]uint64, 100)
	for i := range a {
		a[i], b[i] = uint64(i)*0x9e3779b97f4a7c15, uint64(i+1)*0xd6e8feb86659fd93
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(10, func() {
			Extract(c, a, b)
			Deposit(c, a, b)
			a[0] = uint64(Select(3, 1))
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzExtractDeposit(f *testing.F) {
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), uint64(1), uint8(3))
	f.Fuzz(func(t *testing.T, maskBytes []byte, seed uint64, short uint8) {
		mask := make([]uint64, (len(maskBytes)+7)/8)
		for i, b := range maskBytes {
			mask[i/8] |= uint64(b) << (8 * (i % 8))
		}
		r := rand.New(rand.NewPCG(seed, 1))
		src := make([]uint64, len(mask))
		for i := range src {
			src[i] = r.Uint64()
		}
		got, want := make([]uint64, len(mask)), make([]uint64, len(mask))
		gotN, wantN := Extract(got, src, mask), extractReference(want, src, mask)
		if gotN != wantN || !slices.Equal(got, want) {
			t.Fatalf("Extract: %d bits %x, want %d bits %x", gotN, got, wantN, want)
		}
		from := want[:max(0, (wantN+63)/64-int(short%3))]
		copy(got, src)
		to := slices.Clone(src)
		Deposit(got, from, mask)
		depositReference(to, from, mask)
		if !slices.Equal(got, to) {
			t.Fatalf("Deposit of %d words: %x, want %x", len(from), got, to)
		}
	})
}
