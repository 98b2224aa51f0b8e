package partition

import (
	"math/rand/v2"
	"testing"
)

// What things cost in TestModel, in nanoseconds: keys as measured on a Sapphire Rapids,
// locks as a line that comes from another core twice.
const (
	scatterTime = 9.0   // a key on its way to a chunk
	addTime     = 8.0   // a key into the filter
	lockTime    = 200.0 // a part's or the pool's list
)

// A modelResult is per key, but for the speedup.
type modelResult struct {
	speedup float64 // over one worker that never waits
	waits   float64 // nanoseconds
	shared  float64 // lines that come from another core: of parts, of chunks, of the filter
	bytes   float64 // to and from memory or other cores
	locks   float64 // lines with locks, of those shared
}

// model reckons what so many workers do to each other who build a filter: a simulation of
// events, by PlanFor and the rules of put, with time that is made up. The unit of an
// event is a chunk that a worker has filled.
func model(blocks uint64, workers, keysPerWorker int) (res modelResult) {
	type partState struct {
		listFree, addFree float64 // when the lock can be had
		waiting           int
		lastPut, lastAdd  int // the worker who did, -1 for none
	}
	plan := PlanFor(blocks)
	r := rand.New(rand.NewPCG(uint64(workers), blocks))
	parts := make([]partState, plan.Parts)
	for i := range parts {
		// As after some time: parts are not full at the same time.
		parts[i] = partState{waiting: r.IntN(plan.Drain), lastPut: -1, lastAdd: -1}
	}
	now := make([]float64, workers)
	poolFree, wait, locks, lines, keys := 0.0, 0.0, 0.0, 0.0, 0.0
	lock := func(w int, free *float64, hold float64) {
		if *free > now[w] {
			wait += *free - now[w]
			now[w] = *free
		}
		now[w] += hold
		*free = now[w]
	}
	for range workers * keysPerWorker / chunkKeys {
		w := 0 // whose time is the earliest
		for i := range now {
			if now[i] < now[w] {
				w = i
			}
		}
		now[w] += chunkKeys * scatterTime
		keys += chunkKeys
		if r.IntN(moveChunks) == 0 {
			lock(w, &poolFree, lockTime)
			locks++
		}
		p := &parts[r.IntN(len(parts))]
		lock(w, &p.listFree, lockTime)
		if p.lastPut != w {
			p.lastPut = w
			locks++
		}
		p.waiting++
		if p.waiting < plan.Drain || p.waiting < 2*plan.Drain && p.addFree > now[w] {
			continue
		}
		added := p.waiting
		p.waiting = 0
		lock(w, &p.addFree, float64(added*chunkKeys)*addTime)
		locks++
		lines += float64(added*chunkKeys) / 8 * float64(workers-1) / float64(workers) // other workers' chunks
		if p.lastAdd != w {
			p.lastAdd = w
			lines += float64(uint64(1) << plan.Shift)
		}
	}
	last := 0.0
	for _, t := range now {
		last = max(last, t)
	}
	return modelResult{
		speedup: keys * (scatterTime + addTime) / last,
		waits:   wait / keys,
		shared:  (locks + lines) / keys,
		bytes:   8 + 8 + 2*64/keysPerBlock,
		locks:   locks / keys,
	}
}

// More goroutines do not get into each other's way: neither waits nor the lines that go
// from core to core grow with them. Bandwidth is not in the speedup: bytes has it.
func TestModel(t *testing.T) {
	keysPerWorker := 1 << 22
	if testing.Short() {
		keysPerWorker = 1 << 19
	}
	for _, c := range []struct {
		name   string
		blocks uint64
		least  float64 // speedup of 64 workers
	}{{"4 MiB", 1 << 16, 40}, {"64 MiB", 1 << 20, 45}, {"1 GiB", 1 << 24, 50}} {
		for workers := 1; workers <= 64; workers *= 2 {
			res := model(c.blocks, workers, keysPerWorker)
			t.Logf("%s, %2d workers: %5.1f times as fast as one, %.3f ns a key of waiting, %.3f lines shared a key (%.4f with locks), %.0f bytes moved a key",
				c.name, workers, res.speedup, res.waits, res.shared, res.locks, res.bytes)
			if workers == 64 && res.speedup < c.least {
				t.Errorf("%s: 64 workers are %.1f times as fast as one, want %v", c.name, res.speedup, c.least)
			}
			if res.locks > 3.0/chunkKeys+0.001 {
				t.Errorf("%s, %d workers: %.4f lines with locks a key", c.name, workers, res.locks)
			}
		}
	}
}
