package partition

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
)

func TestPlan(t *testing.T) {
	for _, blocks := range []uint64{0, 1, 2, 63, 64, 65, 127, 128, 1 << 16, 1<<20 - 1, 1 << 20, 1<<20 + 1, 1 << 24, 3 << 30, 1<<40 - 1} {
		p := PlanFor(blocks)
		last := (max(blocks, 1) - 1) >> p.Shift
		if p.Parts != int(last)+1 || p.Parts > maxParts || p.Drain < 1 {
			t.Errorf("%d blocks: %+v, the last block is in part %d", blocks, p, last)
		}
		if uint64(p.Parts) < min(blocks, minParts)/2 || p.Parts < maxParts/2 && block.Bytes<<p.Shift > 2*partBytes {
			t.Errorf("%d blocks: %+v, too few parts", blocks, p)
		}
		// What waits, at 8 bytes a key, is a quarter of the filter or a chunk for each part.
		if waiting := uint64(p.Parts*p.Drain) * chunkKeys * 8; waiting > max((blocks<<1)*keysPerBlock*8, uint64(p.Parts)*chunkKeys*8) {
			t.Errorf("%d blocks: %+v, %d bytes wait", blocks, p, waiting)
		}
	}
}

func newFilter(blocks uint64, k int) *block.Filter {
	f := new(block.Filter)
	f.Init(block.New(blocks, false), k, hash.Hasher{})
	return f
}

// The kernels put every key where the Go code does, and stop where it does.
func TestScatter(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		page := kerneltest.Guarded(t, 512)
		for _, blocks := range []uint64{1, 2, 64, 1000, 1<<17 + 1} {
			f := newFilter(blocks, 8)
			for _, mixed := range []bool{false, true} {
				got, want := New(f, false).Writer(0), New(f, false).Writer(0)
				for round := range 200 {
					keys := page[len(page)-groupKeys*(1+r.IntN(40)):]
					for i := range keys {
						keys[i] = r.Uint64() >> (round % 3 * r.IntN(64))
					}
					n, m := got.scatter(keys, mixed), want.scatterGeneric(keys, mixed)
					if n != m || got.n != want.n || !slices.Equal(got.stages, want.stages) {
						t.Fatalf("%d blocks, mixed %v: %d keys of %d taken, want %d; equal counts %v", blocks, mixed, n, len(keys), m, got.n == want.n)
					}
					for p := range got.n { // as if they had been emptied
						got.n[p] %= stageKeys
						want.n[p] %= stageKeys
					}
				}
			}
		}
	})
}

// However keys are split among Writers, the filter is that of adding them one by one.
func TestSet(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for writers := 1; writers <= 9; writers++ {
			for _, blocks := range []uint64{1, 3, 64, 65, 5000} {
				k := 1 + r.IntN(16)
				got, want := newFilter(blocks, k), newFilter(blocks, k)
				s := New(got, false)
				var all []*Writer
				var wg sync.WaitGroup
				for g := range writers {
					keys := make([]uint64, r.IntN(20000))
					for i := range keys {
						keys[i] = r.Uint64()
						if g%3 == 2 { // all to the first part: it gets more than it can take
							keys[i] >>= 20
						}
					}
					mixed := r.IntN(2) == 0
					flush := r.IntN(4)
					for _, x := range keys {
						if mixed {
							x = hash.Mix(x)
						}
						block.Add(&want.Blocks[block.Index(x, blocks)], x, k)
					}
					seed := r.Uint64()
					w := s.Writer(g)
					all = append(all, w)
					kerneltest.Go(&wg, func() {
						r := rand.New(rand.NewPCG(seed, 0))
						for len(keys) > 0 {
							n := min(len(keys), r.IntN(5000))
							w.Add(keys[:n], mixed)
							keys = keys[n:]
							if flush == 0 {
								w.Flush()
							}
						}
						if flush == 1 {
							w.Flush()
						}
					})
				}
				wg.Wait()
				s.Flush(all)
				if !slices.Equal(got.Blocks, want.Blocks) {
					t.Fatalf("%d writers, %d blocks, k = %d: the filters differ", writers, blocks, k)
				}
				s.Flush(all) // nothing is left
				if !bytes.Equal(memory.Bytes(block.Flatten(got.Blocks)), memory.Bytes(block.Flatten(want.Blocks))) {
					t.Fatal("a second Flush changes the filter")
				}
			}
		}
	})
}

// What waits stays within twice the plan, even if all hashes are of one part.
func TestWaiting(t *testing.T) {
	f := newFilter(1<<16, 8)
	s := New(f, false)
	w := s.Writer(0)
	s.parts[0].adding.Lock() // somebody adds, and is slow
	limit := 2*s.plan.Drain - 1
	keys := make([]uint64, limit*chunkKeys)
	w.Add(keys, false)
	if n := len(s.parts[0].waiting); n != limit {
		t.Errorf("%d chunks wait, want %d", n, limit)
	}
	done := make(chan bool)
	go func() {
		w.Add(keys[:chunkKeys], false) // waits for its turn
		done <- true
	}()
	select {
	case <-done:
		t.Fatal("one more chunk is left to wait")
	case <-time.After(20 * time.Millisecond):
	}
	s.parts[0].adding.Unlock()
	<-done
	if n := len(s.parts[0].waiting); n != 0 {
		t.Errorf("%d chunks wait after they were added", n)
	}
}

// Chunks come back: memory does not grow with the number of keys.
func TestPool(t *testing.T) {
	f := newFilter(1<<12, 8)
	s := New(f, false)
	w := s.Writer(0)
	keys := make([]uint64, 1<<16)
	x := uint64(0)
	add := func() {
		for i := range keys {
			x++
			keys[i] = x
		}
		w.Add(keys, true)
	}
	for range 4 {
		add()
	}
	if n := testing.AllocsPerRun(50, add); n != 0 {
		t.Errorf("%v allocations for %d keys", n, len(keys))
	}
}

func ExamplePlanFor() {
	p := PlanFor(1 << 20) // 64 MiB
	fmt.Println(p.Parts, "parts, of which each waits for", p.Drain*chunkKeys, "keys")
	// Output: 128 parts, of which each waits for 16384 keys
}
