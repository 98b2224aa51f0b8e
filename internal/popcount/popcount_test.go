package popcount

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernel table: every exported function at every level, and every assembly
// function without the threshold that keeps short operands in Go.

// verbBlock is the most words that any kernel takes in one round.
const verbBlock = 80

var verbs = []kerneltest.Row{
	{Kernel: "Count", Level: cpu.LevelGeneric, Block: verbBlock, Fn: Count, Ref: countGeneric},
	{Kernel: "And", Level: cpu.LevelGeneric, Block: verbBlock, Fn: And, Ref: andCountGeneric},
	{Kernel: "Or", Level: cpu.LevelGeneric, Block: verbBlock, Fn: Or, Ref: orCountGeneric},
	{Kernel: "Xor", Level: cpu.LevelGeneric, Block: verbBlock, Fn: Xor, Ref: xorCountGeneric},
	{Kernel: "AndNot", Level: cpu.LevelGeneric, Block: verbBlock, Fn: AndNot, Ref: andNotCountGeneric},
	{Kernel: "AndWithCount", Level: cpu.LevelGeneric, Block: verbBlock, Fn: AndWithCount, Ref: andWithCountGeneric},
	{Kernel: "OrWithCount", Level: cpu.LevelGeneric, Block: verbBlock, Fn: OrWithCount, Ref: orWithCountGeneric},
	{Kernel: "XorWithCount", Level: cpu.LevelGeneric, Block: verbBlock, Fn: XorWithCount, Ref: xorWithCountGeneric},
	{Kernel: "AndNotWithCount", Level: cpu.LevelGeneric, Block: verbBlock, Fn: AndNotWithCount, Ref: andNotWithCountGeneric},
}

// directKernels are the assembly functions of this architecture. The tests named
// after one fill it.
var directKernels []kerneltest.Row

func TestVerbs(t *testing.T) { kerneltest.TestVerbs(t, verbs) }

func TestDirectKernels(t *testing.T) { kerneltest.TestKernels(t, directKernels) }

// The shortest operand decides how many words are written and counted.
func TestWithCountLengths(t *testing.T) {
	p := kerneltest.RandomWords(100)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, row := range verbs {
			fn, ok := row.Fn.(kerneltest.WithCountFunc)
			if !ok {
				continue
			}
			for _, n := range [][3]int{{3, 20, 50}, {20, 3, 50}, {20, 50, 3}, {50, 20, 70}, {70, 50, 20}} {
				dst, want := make([]uint64, n[0]), make([]uint64, n[0])
				m := min(n[0], n[1], n[2])
				wantCount := row.Ref.(kerneltest.WithCountFunc)(want[:m], p[:m], p[30:30+m])
				got := fn(dst, p[:n[1]], p[30:30+n[2]:30+n[2]])
				if got != wantCount || !slices.Equal(dst, want) {
					t.Errorf("%s of %d, %d and %d words = %d, want %d; dst is right: %v", row.Kernel,
						n[0], n[1], n[2], got, wantCount, slices.Equal(dst, want))
				}
			}
		}
	})
}

// TestPieces runs the exported functions on lengths around those at which they begin
// to cut.
func TestPieces(t *testing.T) {
	const most = 1<<17 + 33
	a, b := kerneltest.RandomWords(most + 1)[1:], kerneltest.RandomWords(most)
	dst, want := make([]uint64, most), make([]uint64, most)
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			for _, row := range verbs {
				for _, n := range []int{255, 256, 257, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1 << 16, 1<<16 + 1, most} {
					row.Compare(t, dst[:n], a[:n], b[:n], want[:n])
				}
			}
		})
	})
}

// TestStreams counts past the length from which Count reads in several places, at
// addresses of which one is no multiple of 8: package unsafe can make such slices.
func TestStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 64 MiB")
	}
	const n = 1<<23 + 77
	even, odd := make([]uint64, n), unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(&make([]uint64, n+1)[0]), 5)), n)
	copy(even, kerneltest.RandomWords(n))
	copy(odd, even)
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			verbs[0].Compare(t, nil, even[1:], nil, nil)
			verbs[0].Compare(t, nil, odd, nil, nil)
		})
	})
}

func TestStops(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 64 MiB")
	}
	if race.Enabled {
		t.Skip("to declare a piece to the race detector takes longer than the piece")
	}
	kerneltest.TestStops(t, verbs, 1<<23)
}
