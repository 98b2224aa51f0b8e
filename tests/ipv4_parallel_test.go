package tests

import (
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// Goroutines that add the same and other addresses, ranges and prefixes, while others
// look: nothing is lost, and of those who add an address one is told that it is new.
func TestIPv4SetParallel(t *testing.T) {
	rounds, n := 20, 20_000
	if testing.Short() {
		rounds, n = 2, 3000
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 1))
		keys, distinct := make([]uint32, n), map[uint32]bool{}
		for i := range keys {
			keys[i] = randomIPv4(r)
			if round%2 == 0 {
				keys[i] = r.Uint32() >> (r.IntN(24)) // in few words
			}
			distinct[keys[i]] = true
		}
		s := new(IPv4Set)
		var added atomic.Int64
		var done atomic.Bool
		var adders, readers sync.WaitGroup
		for g := range 4 {
			order := rand.New(rand.NewPCG(uint64(round), uint64(g))).Perm(n)
			kerneltest.Go(&adders, func() {
				var batch []uint32
				for _, i := range order {
					if g == 3 {
						if batch = append(batch, keys[i]); len(batch) == 100 {
							added.Add(int64(s.AddUint32s(batch)))
							batch = batch[:0]
						}
						continue
					}
					if s.AddUint32(keys[i]) {
						added.Add(1)
					}
					if !s.ContainsUint32(keys[i]) {
						t.Errorf("%x was added and is not there", keys[i])
					}
				}
				added.Add(int64(s.AddUint32s(batch)))
			})
		}
		for range 2 {
			kerneltest.Go(&readers, func() {
				for before := uint64(0); !done.Load(); {
					now := s.Count()
					if now < before {
						t.Errorf("%d addresses, and then %d", before, now)
					}
					before = now
					for p := range s.Prefixes() {
						if !s.ContainsPrefix(p) {
							t.Errorf("%v is gone", p)
						}
					}
					s.SizeBytes()
				}
			})
		}
		adders.Wait()
		done.Store(true)
		readers.Wait()
		if got := added.Load(); got != int64(len(distinct)) || s.Count() != uint64(len(distinct)) {
			t.Errorf("%d were new, Count() = %d, want %d", got, s.Count(), len(distinct))
		}
		for x := range distinct {
			if !s.ContainsUint32(x) {
				t.Fatalf("%x is lost", x)
			}
		}
	}
}

// Prefixes that replace pages and directories in which others add at that time.
func TestIPv4SetParallelPrefixes(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 2))
		base := r.Uint32() &^ (1<<23 - 1)
		s := new(IPv4Set)
		var wg sync.WaitGroup
		prefixes := make([]netip.Prefix, 40)
		for i := range prefixes {
			prefixes[i] = netip.PrefixFrom(addrOf(base+r.Uint32()>>9), 9+r.IntN(24))
		}
		keys := make([]uint32, 2000)
		for i := range keys {
			keys[i] = base + r.Uint32()>>9
		}
		for g := range 2 {
			kerneltest.Go(&wg, func() {
				for _, p := range prefixes[20*g:][:20] {
					if err := s.AddPrefix(p); err != nil || !s.ContainsPrefix(p) {
						t.Errorf("%v was added and is not there: %v", p, err)
					}
				}
			})
			kerneltest.Go(&wg, func() {
				for _, x := range keys[1000*g:][:1000] {
					if s.AddUint32(x); !s.ContainsUint32(x) {
						t.Errorf("%x was added and is not there", x)
					}
				}
			})
		}
		wg.Wait()
		want := new(IPv4Set)
		want.AddUint32s(keys)
		for _, p := range prefixes {
			must(t, want.AddPrefix(p))
		}
		if !s.Equal(want) {
			t.Fatalf("%d addresses, want %d", s.Count(), want.Count())
		}
	}
}
