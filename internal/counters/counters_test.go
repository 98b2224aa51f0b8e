package counters

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// reference is a block with a byte for each counter, by lane and number, and the
// specification once more, in its words: sets of counters.
type reference [8][PerLane]int

// of returns the counters of a hash, each once.
func of(h uint64, k int) map[[2]int]bool {
	w, w2 := h*block.WordMul, (h^h>>32)*block.MixMul
	set := map[[2]int]bool{}
	for j := range 8 {
		rank := (j + int(w&7)) % 8
		if rank < k {
			set[[2]int{j, int(w >> (16 + 6*j) % PerLane)}] = true
		}
		if rank < k-8 {
			set[[2]int{j, int(w2 >> (16 + 6*j) % PerLane)}] = true
		}
	}
	return set
}

func (r *reference) count(h uint64, k int) int {
	n := Full
	for c := range of(h, k) {
		n = min(n, r[c[0]][c[1]])
	}
	return n
}

func (r *reference) change(h uint64, k, by int) {
	for c := range of(h, k) {
		if p := &r[c[0]][c[1]]; *p < Full {
			*p += by
		}
	}
}

// pack returns the block that the reference stands for.
func (r *reference) pack() (b Block) {
	for j := range r {
		for c, n := range r[j] {
			b[j+8*(c/16)] |= uint64(n) << (4 * (c % 16))
		}
	}
	return b
}

// someK returns the k to test: in short runs, which emulators do too, those at the
// ends of their kinds.
func someK() []int {
	if testing.Short() {
		return []int{1, 7, 8, 9, 12, 16}
	}
	return []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
}

// The specification against sets of counters.
func TestSpecification(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range someK() {
		var b Block
		var ref reference
		known := make([]uint64, 150)
		for i := range known {
			known[i] = r.Uint64()
		}
		for step := range 6000 {
			h := known[r.IntN(1+step%len(known))]
			if r.IntN(8) == 0 {
				h = r.Uint64()
			}
			want := ref.count(h, k)
			if got := Count(&b, h, k); got != uint64(want) {
				t.Fatalf("k=%d: count %d, want %d", k, got, want)
			}
			if got := Test(&b, h, k); (got == 1) != (want > 0) || got > 1 {
				t.Fatalf("k=%d: test %d of count %d", k, got, want)
			}
			if r.IntN(9) < 4+step/3000 {
				Add(&b, h, k)
				ref.change(h, k, 1)
			} else if got := Remove(&b, h, k); (got == 1) != (want > 0) || got > 1 {
				t.Fatalf("k=%d: remove %d of count %d", k, got, want)
			} else if got == 1 {
				ref.change(h, k, -1)
			}
			if b != ref.pack() {
				t.Fatalf("k=%d, step %d: counters differ", k, step)
			}
		}
	}
}

// kernelHashes returns n hashes that repeat each other and are for few blocks.
func kernelHashes(r *rand.Rand, n int) []uint64 {
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
		if i > 0 && r.IntN(3) == 0 {
			hashes[i] = hashes[r.IntN(i)]
		}
	}
	return hashes
}

// Every verb at every level against the Go code: results, counters, and nothing
// else written.
func TestKernels(t *testing.T) {
	lengths := []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 128, 129, 200, 1000, maxBatch - 1, maxBatch, maxBatch + 65}
	if testing.Short() {
		lengths = []int{1, 2, 8, 64, 65, 150}
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range someK() {
			for _, blocks := range []int{1, 5, 40} {
				testKernels(t, k, blocks, lengths)
			}
		}
	})
}

func testKernels(t *testing.T, k, blocks int, lengths []int) {
	r := rand.New(rand.NewPCG(uint64(k), uint64(blocks)))
	mem := kerneltest.Guarded(t, 1<<13)
	// The blocks end with the memory, and keep to no line.
	words := mem[len(mem)-blocks*Words:]
	before, after := kerneltest.Sides(mem, len(mem)-len(words), len(words))
	keys := kerneltest.Guarded(t, 1<<13)
	for _, n := range lengths {
		// Counters of every height, the full ones among them.
		kerneltest.Fill(r, words, r.IntN(len(kerneltest.Contents)), 0)
		if n%2 == 0 {
			clear(words)
		}
		f := &Filter{Blocks: View(words), K: k}
		want := slices.Clone(f.Blocks)
		kerneltest.SetCanary(before, after)
		hashes := keys[len(keys)-n:]
		copy(hashes, kernelHashes(r, n))
		for _, v := range []verb{test, add, test, add, remove, test, remove, add, remove, remove} {
			hits, wantHits := make([]uint64, (n+63)/64+1), make([]uint64, (n+63)/64+1)
			for i := range hits {
				hits[i], wantHits[i] = kerneltest.Canary, kerneltest.Canary
			}
			f.batch(v, hashes, hits)
			generic(v, want, k, hashes, wantHits)
			name := fmt.Sprintf("k=%d, %d blocks, %d keys, verb %d", k, blocks, n, v)
			if !slices.Equal(hits, wantHits) {
				t.Fatalf("%s: results %x, want %x", name, hits, wantHits)
			}
			if !slices.Equal(f.Blocks, want) {
				t.Fatalf("%s: counters differ", name)
			}
			if !kerneltest.CanaryIntact(before, after) {
				t.Fatalf("%s: wrote outside the blocks", name)
			}
			r.Shuffle(n, func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
		}
	}
}

// Whole filters against one counter after the other.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	words := func() []uint64 {
		p := make([]uint64, Words*(1+r.IntN(5)))
		kerneltest.Fill(r, p, r.IntN(len(kerneltest.Contents)), 0)
		return p
	}
	counter := func(p []uint64, i int) uint64 { return p[i/16] >> (4 * (i % 16)) & 15 }
	for range 2000 {
		a := words()
		b := words()[:Words]
		a = a[:Words]
		sum, low := slices.Clone(a), slices.Clone(a)
		AddAll(sum, b)
		MinAll(low, b)
		notZero, full := 0, 0
		var set block.Block
		Occupied(&set, (*Block)(a))
		for i := range 16 * Words {
			x, y := counter(a, i), counter(b, i)
			if got := counter(sum, i); got != min(x+y, Full) {
				t.Fatalf("%d + %d = %d", x, y, got)
			}
			if got := counter(low, i); got != min(x, y) {
				t.Fatalf("the smaller of %d and %d is %d", x, y, got)
			}
			if x > 0 {
				notZero++
			}
			if x == Full {
				full++
			}
			lane, c := i/16%8, i%16+i/128*16
			if bits := set[lane] >> c & (1 | 1<<32); bits != 0 && x == 0 || bits != 1|1<<32 && x > 0 {
				t.Fatalf("counter %d of lane %d is %d, bits %x", c, lane, x, bits)
			}
		}
		if NotZero(a) != notZero || Saturated(a) != full {
			t.Fatalf("%d not zero, %d full; want %d, %d", NotZero(a), Saturated(a), notZero, full)
		}
	}
}

// A snapshot answers as the filter does, for every hash.
func TestSnapshot(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	for _, k := range someK() {
		blocks := make([]Block, 3)
		known := kernelHashes(r, 120)
		for _, h := range known {
			Add(&blocks[block.Index(h, 3)], h, k)
		}
		bits := make([]block.Block, 3)
		Snapshot(bits, blocks)
		hits := 0
		for i := range 20_000 {
			h := r.Uint64()
			if i < len(known) {
				h = known[i]
			}
			at := block.Index(h, 3)
			want := Test(&blocks[at], h, k)
			if got := block.Test(&bits[at], h, k); got != want {
				t.Fatalf("k=%d: the snapshot says %d, the filter %d", k, got, want)
			}
			hits += int(want)
		}
		if hits < len(known) || hits > 19_000 {
			t.Errorf("k=%d: %d hits prove nothing", k, hits)
		}
	}
}

// Storage lies on pairs of cache lines.
func TestNew(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 7, 100, 1000, 20000, 200000} {
		b := New(n, true)
		if uint64(len(b)) != n || uintptr(unsafe.Pointer(&b[0]))%Bytes != 0 || b[n-1] != (Block{}) {
			t.Errorf("%d blocks of %d at %p", len(b), n, &b[0])
		}
	}
}
