//go:build goexperiment.simd

package simd

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
)

func need(tb testing.TB) {
	if !Supported() {
		tb.Skip("a CPU without AVX-512's VPOPCNTDQ")
	}
}

func randomWords(n int) []uint64 {
	p := make([]uint64, n)
	for i := range p {
		p[i] = rand.Uint64()
	}
	return p
}

func TestWords(t *testing.T) {
	need(t)
	for n := range 70 {
		for _, more := range []int{0, 1, 8} {
			a, b := randomWords(n), randomWords(n+more)
			count, andCount, want := 0, 0, slices.Clone(a)
			for i, w := range a {
				count += bits.OnesCount64(w)
				andCount += bits.OnesCount64(w & b[i])
				want[i] &= b[i]
			}
			if got := Count(a); got != count {
				t.Fatalf("Count of %d words is %d, want %d", n, got, count)
			}
			if x, y := AndCount(a, b), AndCount(b, a); x != andCount || y != andCount {
				t.Fatalf("AndCount of %d and %d words is %d and %d, want %d", n, n+more, x, y, andCount)
			}
			And(a, b)
			if !slices.Equal(a, want) {
				t.Fatalf("And of %d and %d words differs", n, n+more)
			}
		}
	}
}

func TestProbe(t *testing.T) {
	need(t)
	for _, size := range []uint64{1, 3, 1000} {
		f, blocks := filter(size)
		for range 20_000 {
			x := rand.Uint64()
			if got, want := TestHash(blocks, hash.Mix(x)), f.TestUint64(x); got != want {
				t.Fatalf("%d blocks, %x: %v, want %v", size, x, got, want)
			}
		}
	}
}

// filter returns a filter of so many blocks, 10 bits per key, and blocks of the same
// bits.
func filter(size uint64) (*bitsieve.Blocked, []block.Block) {
	f, err := bitsieve.NewBlockedWithSize(size, 8)
	if err != nil {
		panic(err) // the tests' own sizes
	}
	blocks := block.New(size, true)
	for range size * block.Bytes * 8 / 10 {
		x := rand.Uint64()
		f.AddUint64(x)
		h := hash.Mix(x)
		block.Add(&blocks[block.Index(h, size)], h, 8)
	}
	return f, blocks
}

var sink int

// BenchmarkWords has a kernel inlined as far as the compiler does, the library's
// function, and a Go loop, on 16 operands in turn.
func BenchmarkWords(b *testing.B) {
	need(b)
	const sets = 16
	for _, n := range []int{8, 16, 32, 64, 128} {
		var x, y [sets][]uint64
		for i := range sets {
			x[i], y[i] = randomWords(n), randomWords(n)
		}
		run := func(op, impl string, do func(calls int) int) {
			b.Run(fmt.Sprintf("op=%s/words=%d/impl=%s", op, n, impl), func(b *testing.B) { sink += do(b.N) })
		}
		run("Count", "simd", func(calls int) (sum int) {
			for i := range calls {
				sum += Count(x[i%sets])
			}
			return sum
		})
		run("Count", "bitsieve", func(calls int) (sum int) {
			for i := range calls {
				sum += bitsieve.Count(x[i%sets])
			}
			return sum
		})
		run("Count", "loop", func(calls int) (sum int) {
			for i := range calls {
				for _, w := range x[i%sets] {
					sum += bits.OnesCount64(w)
				}
			}
			return sum
		})
		run("And", "simd", func(calls int) int {
			for i := range calls {
				And(x[i%sets], y[i%sets])
			}
			return 0
		})
		run("And", "bitsieve", func(calls int) int {
			for i := range calls {
				bitsieve.And(x[i%sets], x[i%sets], y[i%sets])
			}
			return 0
		})
		run("And", "loop", func(calls int) int {
			for i := range calls {
				dst, q := x[i%sets], y[i%sets]
				q = q[:len(dst)]
				for i := range dst {
					dst[i] &= q[i]
				}
			}
			return 0
		})
		run("AndCount", "simd", func(calls int) (sum int) {
			for i := range calls {
				sum += AndCount(x[i%sets], y[i%sets])
			}
			return sum
		})
		run("AndCount", "bitsieve", func(calls int) (sum int) {
			for i := range calls {
				sum += bitsieve.AndCount(x[i%sets], y[i%sets])
			}
			return sum
		})
		run("AndCount", "loop", func(calls int) (sum int) {
			for i := range calls {
				p, q := x[i%sets], y[i%sets]
				q = q[:len(p)]
				for i, w := range p {
					sum += bits.OnesCount64(w & q[i])
				}
			}
			return sum
		})
	}
}

// BenchmarkProbe looks random keys up one by one; results are added up without a branch.
func BenchmarkProbe(b *testing.B) {
	need(b)
	keys := randomWords(1 << 20)
	one := func(b bool) int {
		n := 0
		if b {
			n = 1
		}
		return n
	}
	for _, kib := range []uint64{16, 256, 4 << 10, 64 << 10} {
		f, blocks := filter(kib << 10 / block.Bytes)
		at := 0 // goes on from one run to the next, so that none finds what another has read
		run := func(impl string, do func(keys []uint64) int) {
			b.Run(fmt.Sprintf("op=Test/size=%dKiB/impl=%s", kib, impl), func(b *testing.B) {
				for n := b.N; n > 0; {
					m := min(n, 4096)
					sink += do(keys[at : at+m])
					n -= m
					at = (at + 4096) % len(keys)
				}
			})
		}
		run("simd", func(keys []uint64) (n int) {
			for _, x := range keys {
				n += one(TestHash(blocks, hash.Mix(x)))
			}
			return n
		})
		run("bitsieve", func(keys []uint64) (n int) {
			for _, x := range keys {
				n += one(f.TestUint64(x))
			}
			return n
		})
		run("go", func(keys []uint64) (n int) {
			for _, x := range keys {
				h := hash.Mix(x)
				n += int(block.Test(&blocks[block.Index(h, uint64(len(blocks)))], h, 8))
			}
			return n
		})
	}
}
