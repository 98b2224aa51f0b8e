package block

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A model of goroutines that add to one block. Its steps are the looks and sets of
// the code itself, on real memory; its state can be compared, so that every state
// that some order of steps leads to is visited once, and with it all orders.

// modelAdder is one goroutine that adds a key.
type modelAdder struct {
	adding
	lane    int8 // the next one to look at; Words when all have been
	late    bool // the key was complete when it began
	claimed bool
	active  bool
}

// step does the next atomic operation and reports whether there was one.
func (a *modelAdder) step(b *Block) bool {
	if a.lane == 0 {
		a.late = complete(b, &a.masks)
	}
	for ; a.lane < Words; a.lane++ {
		if a.masks[a.lane] != 0 { // to look at another lane has no effect
			a.look(b, int(a.lane))
			a.lane++
			return true
		}
	}
	if a.missing == 0 {
		return false
	}
	a.claimed = a.set(b)
	return true
}

func complete(b, masks *Block) bool {
	for i, m := range masks {
		if m&^b[i] != 0 {
			return false
		}
	}
	return true
}

const maxAdders = 4

type modelState struct {
	block  Block
	adders [maxAdders]modelAdder
}

// explore visits the states that follow from s, and calls end for the last ones.
func explore(seen map[modelState]bool, s modelState, end func(*modelState)) {
	if seen[s] {
		return
	}
	seen[s] = true
	last := true
	for i := range s.adders {
		next := s
		if next.adders[i].active && next.adders[i].step(&next.block) {
			last = false
			explore(seen, next, end)
		}
	}
	if last {
		end(&s)
	}
}

// modelCase has a number of adders of one key, and possibly one of another.
type modelCase struct {
	racers  int
	mask    Block // the key
	other   Block // another key's bits, zero for none
	initial Block
}

// run asserts, for every order of steps, what TestAndAddHash promises. It returns
// how many states there are, and whether in one of the last nobody was told that the
// key was new.
func (c *modelCase) run(t *testing.T) (states int, none bool) {
	s := modelState{block: c.initial}
	want := c.initial
	for i := range c.racers {
		s.adders[i] = modelAdder{adding: adding{masks: c.mask}, active: true}
		orReference(&want, &c.mask)
	}
	// Interference: the other key has a bit of the key that was missing.
	interference := false
	if c.other != (Block{}) {
		s.adders[c.racers] = modelAdder{adding: adding{masks: c.other}, active: true}
		orReference(&want, &c.other)
		for i, m := range c.other {
			interference = interference || m&c.mask[i]&^c.initial[i] != 0
		}
	}
	new := !complete(&c.initial, &c.mask)
	seen := map[modelState]bool{}
	explore(seen, s, func(s *modelState) {
		if s.block != want {
			t.Errorf("%+v: bits are %x, want %x", c, s.block, want)
		}
		told := 0
		for i := range c.racers {
			if a := &s.adders[i]; a.claimed {
				told++
				if a.late {
					t.Errorf("%+v: told that it was new after another had added it", c)
				}
			}
		}
		switch {
		case told > 1, told == 1 && !new:
			t.Errorf("%+v: %d are told that the key was new", c, told)
		case told == 0 && new && !interference:
			t.Errorf("%+v: nobody is told that the key was new", c)
		case told == 0 && new:
			none = true
		}
	})
	return len(seen), none
}

func orReference(dst, src *Block) {
	for i, m := range src {
		dst[i] |= m
	}
}

// keyOf returns the bits of the first hash that has the given number of lanes.
func keyOf(r *rand.Rand, k, lanes int) (mask Block) {
	for {
		mask = Block{}
		Add(&mask, r.Uint64(), k)
		n := 0
		for _, m := range mask {
			if m != 0 {
				n++
			}
		}
		if n == lanes {
			return mask
		}
	}
}

// subset returns the bits of mask that n's bits choose, in order.
func subset(mask *Block, n int) (part Block) {
	for lane, m := range mask {
		for ; m != 0; m &= m - 1 {
			if n&1 != 0 {
				part[lane] |= m & -m
			}
			n >>= 1
		}
	}
	return part
}

func TestAtomicModel(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine")
	}
	r := rand.New(rand.NewPCG(11, 12))
	states, exceptions, cases := 0, 0, 0
	run := func(c modelCase) {
		n, none := c.run(t)
		states += n
		cases++
		if none {
			exceptions++
		}
	}
	// Two and three adders of one key of up to four lanes, with each part of it there
	// already, alone and beside every other key that shares a part of it.
	for k := 1; k <= 4; k++ {
		mask := keyOf(r, k, k)
		for part := range 1 << k {
			initial := subset(&mask, part)
			for racers := 1; racers <= 3; racers++ {
				if testing.Short() && racers*k > 6 {
					continue
				}
				run(modelCase{racers, mask, Block{}, initial})
				for shared := range 1 << k {
					if racers*k > 9 && shared != 1<<(k-1) {
						continue
					}
					other := keyOf(r, k, k)
					common := subset(&mask, shared)
					orReference(&other, &common)
					run(modelCase{racers, mask, other, initial})
				}
			}
		}
	}
	// All eight lanes, one or two bits in each.
	rounds := 8
	if testing.Short() {
		rounds = 1
	}
	for _, k := range []int{8, 9, 11, 16} {
		mask := keyOf(r, k, 8)
		for range rounds {
			part := r.IntN(1 << 16)
			initial := subset(&mask, part)
			run(modelCase{2, mask, Block{}, initial})
			if !testing.Short() {
				common := subset(&mask, r.IntN(1<<16))
				run(modelCase{2, mask, common, initial})
			}
		}
		run(modelCase{2, mask, Block{}, Block{}})
	}
	// Two bits in a lane, of which another key sets one, and of which one is there.
	mask := Block{0: 3, 3: 5, 7: 1 << 63}
	for part := range 1 << 5 {
		for shared := range 1 << 5 {
			if testing.Short() && shared%4 != 3 {
				continue
			}
			run(modelCase{2, mask, subset(&mask, shared), subset(&mask, part)})
		}
	}
	if exceptions == 0 {
		t.Error("the exception that the documentation names never came up")
	}
	t.Logf("%d cases, %d states, %d cases in which nobody may be told", cases, states, exceptions)
}

func atomicOver(blocks []Block, k int) *Atomic { return (*Atomic)(filterOver(blocks, k)) }

// One goroutine's verbs are those of Filter, at every level.
func TestAtomicVerbs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, nblocks := range []uint64{1, 3, 64, 1 << 15} {
			for k := MinK; k <= MaxK; k++ {
				if testing.Short() && (k+int(nblocks))%7 != 0 {
					continue
				}
				plain, shared := New(nblocks, false), New(nblocks, false)
				f, a := filterOver(plain, k), atomicOver(shared, k)
				for _, n := range []int{0, 1, 7, 15, 16, 63, 64, 65, 255, 256, 257, 1000} {
					keys := make([]uint64, n)
					for i := range keys {
						keys[i] = r.Uint64()
						if i > 0 && r.IntN(3) == 0 {
							keys[i] = keys[r.IntN(i)] // twice in one batch
						}
					}
					got, want := make([]uint64, (n+63)/64), make([]uint64, (n+63)/64)
					for _, x := range []uint64{0, ^uint64(0)} {
						for i := range got {
							got[i], want[i] = x, x
						}
					}
					same := func(verb string) {
						t.Helper()
						if !slices.Equal(got, want) {
							t.Fatalf("%s: %d blocks, k=%d, %d keys: %x, want %x", verb, nblocks, k, n, got, want)
						}
						if !slices.Equal(plain, shared) {
							t.Fatalf("%s: %d blocks, k=%d, %d keys: bits differ", verb, nblocks, k, n)
						}
					}
					f.TestAndAddHashes(keys, want)
					a.TestAndAddHashes(keys, got)
					same("TestAndAddHashes")
					f.TestUint64s(keys, want)
					a.TestUint64s(keys, got)
					same("TestUint64s")
					f.AddUint64s(keys[:n/2])
					a.AddUint64s(keys[:n/2])
					same("AddUint64s")
					f.TestAndAddUint64s(keys, want)
					a.TestAndAddUint64s(keys, got)
					same("TestAndAddUint64s")
					f.AddHashes(keys)
					a.AddHashes(keys)
					f.TestHashes(keys, want)
					a.TestHashes(keys, got)
					same("TestHashes")
					for _, x := range keys {
						y := x * 3
						f.AddHash(y)
						a.AddHash(y)
						if f.TestUint64(y) != a.TestUint64(y) || f.TestHash(x+1) != a.TestHash(x+1) ||
							f.TestAndAddHash(x+2) != a.TestAndAddHash(x+2) {
							t.Fatal("single keys differ")
						}
						f.AddUint64(y)
						a.AddUint64(y)
					}
					same("single")
				}
			}
		}
	})
}

// Words read, joined, cut and cleared are those of plain loops.
func TestAtomicWords(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	blocks := New(100, false)
	f, words := atomicOver(blocks, 8), Flatten(blocks)
	x, before := make([]uint64, len(words)), make([]uint64, len(words))
	for i := range x {
		words[i], x[i] = r.Uint64()&r.Uint64(), r.Uint64()
	}
	for _, op := range []struct {
		do   func([]uint64)
		want func(a, b uint64) uint64
	}{
		{f.Or, func(a, b uint64) uint64 { return a | b }},
		{f.Or, func(a, b uint64) uint64 { return a | b }},
		{func([]uint64) { words[3] = ^uint64(0) }, func(a, b uint64) uint64 { return a }},
		{f.And, func(a, b uint64) uint64 { return a & b }},
		{func([]uint64) { f.Clear() }, func(a, b uint64) uint64 { return 0 }},
	} {
		f.Read(before, 0)
		if !slices.Equal(before, words) {
			t.Fatal("Read")
		}
		op.do(x)
		for i := range words {
			if want := op.want(before[i], x[i]); words[i] != want && i != 3 {
				t.Fatalf("word %d is %x, want %x", i, words[i], want)
			}
		}
	}
	f.Or(x)
	part := make([]uint64, 7)
	if f.Read(part, 5); !slices.Equal(part, x[5:12]) {
		t.Error("Read from within")
	}
}

// Goroutines that race to add the same keys, one by one and in batches, beside
// others that add keys of their own: no bit is lost, a key that a goroutine added
// it finds, and no key is new to two.
func TestAtomicRace(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		for _, k := range []int{1, 5, 8, 11, 16} {
			if testing.Short() && k != 5 && k != 11 {
				continue
			}
			const keys, racers = 4000, 4
			f := atomicOver(New(2000, false), k) // 16 bits a key and goroutine
			shared := make([]uint64, keys)
			r := rand.New(rand.NewPCG(uint64(round), uint64(k)))
			for i := range shared {
				shared[i] = r.Uint64()
			}
			var news [racers][]uint64 // hits of the shared keys
			var wg sync.WaitGroup
			for g := range racers {
				r := rand.New(rand.NewPCG(uint64(round+100), uint64(g)))
				hits := make([]uint64, (keys+63)/64)
				news[g] = hits
				kerneltest.Go(&wg, func() {
					own := make([]uint64, 64)
					for at := 0; at < keys; at += 64 {
						for i := range own {
							own[i] = r.Uint64()
						}
						part := shared[at:min(at+64, keys)]
						if at/64%2 == g%2 {
							f.TestAndAddHashes(part, hits[at/64:])
						} else {
							for i, h := range part {
								hits[at/64] |= bit(f.TestAndAddHash(h)) << i
							}
						}
						if g == 0 {
							f.AddHashes(own)
						} else {
							f.AddHash(own[0])
							own = own[:1]
						}
						for _, h := range own {
							if !f.TestHash(h) {
								t.Error("a key is missing after it was added")
							}
						}
						for _, h := range part {
							if !f.TestHash(h) {
								t.Error("a shared key is missing after it was added")
							}
						}
						own = own[:cap(own)]
					}
				})
			}
			wg.Wait()
			for i := range shared {
				told := 0
				for g := range news {
					told += int(^news[g][i/64] >> (i % 64) & 1)
				}
				if told > 1 {
					t.Errorf("k=%d: key %d is new to %d goroutines", k, i, told)
				}
			}
			want := filterOver(New(2000, false), k)
			want.AddHashes(shared)
			for g := range racers {
				r := rand.New(rand.NewPCG(uint64(round+100), uint64(g)))
				for at := 0; at < keys; at += 64 {
					for i := range 64 {
						if h := r.Uint64(); g == 0 || i == 0 {
							want.AddHash(h)
						}
					}
				}
			}
			if !slices.Equal(want.Blocks, f.Blocks) {
				t.Errorf("k=%d: bits were lost", k)
			}
		}
	}
}

func TestAtomicAllocs(t *testing.T) {
	f := atomicOver(New(1000, false), 8)
	keys, hits := memory.Words(1000, false), make([]uint64, 16)
	x := uint64(0)
	if race.Enabled {
		t.Skip("the detector moves arrays to the heap")
	}
	if n := testing.AllocsPerRun(20, func() {
		for i := range keys {
			x++
			keys[i] = hash.Mix(x)
		}
		f.AddHash(keys[0])
		f.TestAndAddHash(keys[1])
		f.AddUint64(x)
		f.AddHashes(keys[:500])
		f.TestAndAddUint64s(keys, hits)
		f.TestHashes(keys, hits)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
