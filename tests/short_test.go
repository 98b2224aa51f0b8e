package tests

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// binaryOps are the functions of three slices, and what each does to a word.
var binaryOps = []struct {
	name string
	do   func(dst, a, b []uint64)
	word func(a, b uint64) uint64
}{
	{"And", func(dst, a, b []uint64) { And(dst, a, b) }, func(a, b uint64) uint64 { return a & b }},
	{"Or", func(dst, a, b []uint64) { Or(dst, a, b) }, func(a, b uint64) uint64 { return a | b }},
	{"Xor", func(dst, a, b []uint64) { Xor(dst, a, b) }, func(a, b uint64) uint64 { return a ^ b }},
	{"AndNot", func(dst, a, b []uint64) { AndNot(dst, a, b) }, func(a, b uint64) uint64 { return a &^ b }},
	{"Not", func(dst, a, _ []uint64) { Not(dst, a) }, func(a, _ uint64) uint64 { return ^a }},
}

// countOps are those that count, of the words of both.
var countOps = []struct {
	name string
	do   func(a, b []uint64) int
	word func(a, b uint64) uint64
}{
	{"Count", func(a, _ []uint64) int { return Count(a) }, func(a, _ uint64) uint64 { return a }},
	{"AndCount", func(a, b []uint64) int { return AndCount(a, b) }, func(a, b uint64) uint64 { return a & b }},
	{"OrCount", func(a, b []uint64) int { return OrCount(a, b) }, func(a, b uint64) uint64 { return a | b }},
	{"XorCount", func(a, b []uint64) int { return XorCount(a, b) }, func(a, b uint64) uint64 { return a ^ b }},
	{"AndNotCount", func(a, b []uint64) int { return AndNotCount(a, b) }, func(a, b uint64) uint64 { return a &^ b }},
}

// TestShortOperands goes over every length around those at which the exported
// functions take another way, the three operands of different lengths, dst apart from
// them and the same as one.
func TestShortOperands(t *testing.T) {
	const most = 80
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		fill := func(n int) []uint64 {
			p := make([]uint64, n)
			for i := range p {
				p[i] = r.Uint64()
			}
			return p
		}
		for n := range most {
			for _, more := range [][3]int{{0, 0, 0}, {0, 3, 0}, {0, 0, 9}, {5, 0, 1}, {9, 1, 0}} {
				a, b, old := fill(n+more[1]), fill(n+more[2]), fill(n+more[0])
				for _, op := range binaryOps {
					for _, alias := range []string{"no", "a", "b"} {
						p, q := append([]uint64(nil), a...), append([]uint64(nil), b...)
						dst := append([]uint64(nil), old...)
						switch alias {
						case "a":
							dst = p
						case "b":
							dst = q
						}
						before := append([]uint64(nil), dst...)
						n := min(len(dst), len(a), len(b))
						if op.name == "Not" {
							n = min(len(dst), len(a))
						}
						op.do(dst, p, q)
						for i, w := range before {
							if i < n {
								w = op.word(a[i], wordOf(b, i))
							}
							if dst[i] != w {
								t.Fatalf("%s of %d, %d and %d words, dst aliases %s: word %d is %x, want %x",
									op.name, len(dst), len(a), len(b), alias, i, dst[i], w)
							}
						}
					}
				}
				for _, op := range countOps {
					n, want := min(len(a), len(b)), 0
					if op.name == "Count" {
						n = len(a)
					}
					for i := range n {
						want += bits.OnesCount64(op.word(a[i], wordOf(b, i)))
					}
					if got := op.do(a, b); got != want {
						t.Fatalf("%s of %d and %d words is %d, want %d", op.name, len(a), len(b), got, want)
					}
				}
			}
		}
	})
}

// wordOf returns word i of p, 0 if there is none, for the operations that do not look
// at it.
func wordOf(p []uint64, i int) uint64 {
	if i < len(p) {
		return p[i]
	}
	return 0
}

// TestAnyOfShort puts one bit into each word in turn.
func TestAnyOfShort(t *testing.T) {
	for n := range 40 {
		p, full := make([]uint64, n), make([]uint64, n+3)
		for i := range full {
			full[i] = ^uint64(0)
		}
		b, c := FromWords(p), FromWords(append([]uint64(nil), p...))
		if Any(p) || !b.None() || b.Any() || Intersects(p, full) || !b.Equal(c) {
			t.Fatalf("%d words of zeros: Any %v, None %v, Intersects %v, Equal %v", n, Any(p), b.None(), Intersects(p, full), b.Equal(c))
		}
		for i := range p {
			p[i] = 1 << (i % 64)
			if !Any(p) || b.None() || !b.Any() || !Intersects(p, full) || !Intersects(full, p) || b.Equal(c) || c.Equal(b) {
				t.Fatalf("a bit in word %d of %d: Any %v, None %v, Intersects %v, Equal %v", i, n, Any(p), b.None(), Intersects(p, full), b.Equal(c))
			}
			p[i] = 0
		}
	}
}

// TestShortStaysOnStack sees that arrays of the caller do not move to the heap, which
// they would if a call of a parameter were left after inlining.
func TestShortStaysOnStack(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	sum := 0
	if n := testing.AllocsPerRun(100, func() {
		var dst, a, b [24]uint64
		for _, n := range []int{3, 10, 24} {
			And(dst[:n], a[:n], b[:n])
			Or(dst[:n], a[:n], b[:n])
			Xor(dst[:n], a[:n], b[:n])
			AndNot(dst[:n], a[:n], b[:n])
			Not(dst[:n], a[:n])
			sum += Count(a[:n]) + AndCount(a[:n], b[:n]) + OrCount(a[:n], b[:n]) + XorCount(a[:n], b[:n]) + AndNotCount(a[:n], b[:n])
			if Any(a[:n]) || Intersects(a[:n], b[:n]) {
				sum++
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
	sinkInt += sum
}

// BenchmarkShort times the exported functions on 16 operands in turn, as a caller's loop
// has them, and the same without a library: impl=loop.
func BenchmarkShort(b *testing.B) {
	const sets = 16
	for _, n := range []int{1, 2, 4, 8, 16, 24, 32, 64, 128} {
		var x, y, z [sets][]uint64
		for i := range sets {
			x[i], y[i], z[i] = make([]uint64, n), make([]uint64, n), make([]uint64, n)
			for j := range n {
				x[i][j], y[i][j] = rand.Uint64(), rand.Uint64()
			}
		}
		run := func(op, impl string, do func(calls int) int) {
			b.Run(fmt.Sprintf("op=%s/words=%d/impl=%s", op, n, impl), func(b *testing.B) { sinkInt += do(b.N) })
		}
		run("Count", "bitsieve", func(calls int) (sum int) {
			for i := range calls {
				sum += Count(x[i%sets])
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
		run("And", "bitsieve", func(calls int) int {
			for i := range calls {
				And(z[i%sets], x[i%sets], y[i%sets])
			}
			return 0
		})
		run("And", "loop", func(calls int) int {
			for i := range calls {
				dst, p, q := z[i%sets], x[i%sets], y[i%sets]
				p, q = p[:len(dst)], q[:len(dst)]
				for i := range dst {
					dst[i] = p[i] & q[i]
				}
			}
			return 0
		})
		run("AndCount", "bitsieve", func(calls int) (sum int) {
			for i := range calls {
				sum += AndCount(x[i%sets], y[i%sets])
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
