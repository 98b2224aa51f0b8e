package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A family is one type of this library and what one would take in its place.
type family struct {
	name    string
	title   string
	keys    func(size int64) uint64 // design load of a filter of so many bytes
	key     func(i uint64) uint64   // key i; absent ones are from measure.AbsentFrom on
	members []memberSpec
	// stream, if not nil, is what is added in place of keys 0 … n-1, once each.
	stream func(n uint64) []uint64
	// weight is how often key i is in the stream.
	weight  func(i, n uint64) uint64
	twice   bool // measured with two goroutines as well
	removes bool // removing is measured
}

// A memberSpec is a way to build a member of a family.
type memberSpec struct {
	name   string
	kind   string                         // report.Ours or report.Peer
	shared bool                           // goroutines may add while others add and test
	make   func(size int64, n uint64) any // of size bytes, if it has the choice, for n keys
	like   string                         // the member before it whose keys it copies, a copier
}

// What a member can do. Each method takes many keys and makes one call for each, those
// of a batch the library's own calls for many.
type (
	adder        interface{ add(keys []uint64) }
	batchAdder   interface{ addBatch(keys []uint64) }
	tester       interface{ test(keys []uint64) int } // how many pass
	batchTester  interface{ testBatch(keys []uint64) int }
	remover      interface{ remove(keys []uint64) int } // how many were there
	batchRemover interface{ removeBatch(keys []uint64) int }
	counter      interface{ count(keys, counts []uint64) }
	batchCounter interface{ countBatch(keys, counts []uint64) }
	// An excepter is told keys that must not pass, whatever is added.
	excepter interface{ except(keys []uint64) }
	// A copier takes over the keys of another member.
	copier interface{ copyFrom(other any) }
	// A viewer has something that goroutines must not share, and gives each its own.
	viewer interface{ view() any }
)

// operation returns what m does to keys as op, nil if it does not.
func operation(m any, op string) func(keys []uint64) int {
	switch op {
	case "add":
		if m, ok := m.(adder); ok {
			return func(keys []uint64) int { m.add(keys); return len(keys) }
		}
	case "add batch":
		if m, ok := m.(batchAdder); ok {
			return func(keys []uint64) int { m.addBatch(keys); return len(keys) }
		}
	case "test":
		if m, ok := m.(tester); ok {
			return m.test
		}
	case "test batch":
		if m, ok := m.(batchTester); ok {
			return m.testBatch
		}
	case "remove":
		if m, ok := m.(remover); ok {
			return m.remove
		}
	case "remove batch":
		if m, ok := m.(batchRemover); ok {
			return m.removeBatch
		}
	case "count":
		if m, ok := m.(counter); ok {
			counts := make([]uint64, batch)
			return func(keys []uint64) int { m.count(keys, counts); return int(counts[0]) }
		}
	case "count batch":
		if m, ok := m.(batchCounter); ok {
			counts := make([]uint64, batch)
			return func(keys []uint64) int { m.countBatch(keys, counts); return int(counts[0]) }
		}
	}
	return nil
}

// A task is an operation by a number of goroutines: a column of the table.
type task struct {
	op         string
	goroutines int
}

func (t task) String() string {
	if t.goroutines == 1 {
		return t.op
	}
	return fmt.Sprintf("%s, %d goroutines", t.op, t.goroutines)
}

var (
	addTasks    = []string{"add", "add batch"}
	readTasks   = []string{"test", "test batch", "count", "count batch"}
	removeTasks = []string{"remove", "remove batch"}
)

// A familyPlan says how much is measured.
type familyPlan struct {
	sizes  []int64
	rounds int
	target time.Duration // of one measurement of what reads
	trials uint64        // keys that errors are measured with
	slice  uint64        // keys at most that one measurement adds or removes
	l3     int64
}

func quickFamilyPlan(l3 int64) familyPlan {
	return familyPlan{sizes: filterSizes[:2], rounds: 5, target: 5 * time.Millisecond, trials: 1e6, slice: 64 << 10, l3: l3}
}

func fullFamilyPlan(l3 int64) familyPlan {
	return familyPlan{sizes: filterSizes, rounds: 7, target: 20 * time.Millisecond, trials: 2e6, slice: 128 << 10, l3: l3}
}

// A memberRun is a member at one size, and what was found out about it.
type memberRun struct {
	memberSpec
	m       any
	views   []any // one for each goroutine
	samples map[task]report.Samples
	error   string  // in words
	bytes   float64 // per key
}

// on returns the operations of a task, one for each goroutine, nil if the member
// does not do it.
func (r *memberRun) on(t task) (ops []func([]uint64) int) {
	if t.goroutines > 1 && !r.shared && !slices.Contains(readTasks, t.op) {
		return nil
	}
	for len(r.views) < t.goroutines {
		view := r.m
		if v, ok := r.m.(viewer); ok {
			view = v.view()
		}
		r.views = append(r.views, view)
	}
	for _, view := range r.views[:t.goroutines] {
		if op := operation(view, t.op); op != nil {
			ops = append(ops, op)
		}
	}
	return ops
}

// adds returns the faster way to add.
func (r *memberRun) adds() func(keys []uint64) {
	if b, ok := r.m.(batchAdder); ok {
		return b.addBatch
	}
	return r.m.(adder).add
}

// reads returns the fastest way to look keys up.
func (r *memberRun) reads() func(keys []uint64) int {
	for _, op := range []string{"test batch", "count batch", "test"} {
		if f := operation(r.m, op); f != nil {
			return f
		}
	}
	return operation(r.m, "count")
}

// A familyRun is a family at one size.
type familyRun struct {
	family
	plan   familyPlan
	size   int64
	n      uint64 // keys
	events uint64 // that are added: n, or the length of the stream
	stored []uint64
	runs   []*memberRun
	tasks  []task // that were measured
	random *rand.Rand
}

// runFamily measures a family at one size.
func runFamily(f family, p familyPlan, size int64) (*familyRun, error) {
	r := &familyRun{family: f, plan: p, size: size, n: f.keys(size), random: rand.New(rand.NewPCG(1, uint64(size)))}
	r.events = r.n
	if f.stream != nil {
		r.stored = f.stream(r.n)
		r.events = uint64(len(r.stored))
	}
	for _, spec := range f.members {
		r.runs = append(r.runs, &memberRun{memberSpec: spec, samples: map[task]report.Samples{}})
	}
	// The first part of the keys is added by all cores and not timed, the rest by turns.
	adds, reads := r.tasksOf(addTasks), r.tasksOf(readTasks)
	var removes []task
	if f.removes {
		removes = r.tasksOf(removeTasks)
	}
	r.tasks = slices.Concat(adds, reads, removes)
	slice := min(r.events/2/uint64(len(adds)*p.rounds), p.slice)
	first := r.events - slice*uint64(len(adds)*p.rounds)
	if err := r.fill(first); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	r.change(adds, r.eachKey, first, slice)
	for _, m := range r.runs {
		if err := r.check(m); err != nil {
			return nil, fmt.Errorf("%s, %s, %s: %w", f.name, report.Size(size), m.name, err)
		}
	}
	r.read(reads)
	if len(removes) > 0 {
		slice := min(r.n/2/uint64(len(removes)*p.rounds), p.slice)
		r.change(removes, r.eachIndex, 0, slice)
		for _, m := range r.runs {
			if err := r.checkRemoved(m, slice*uint64(len(removes)*p.rounds)); err != nil {
				return nil, fmt.Errorf("%s, %s, %s: %w", f.name, report.Size(size), m.name, err)
			}
		}
	}
	r.weigh()
	return r, nil
}

// tasksOf returns those of the operations that a member does, by each number of goroutines.
func (r *familyRun) tasksOf(ops []string) (tasks []task) {
	for _, op := range ops {
		for goroutines := 1; goroutines <= 1+one(r.twice); goroutines++ {
			t := task{op, goroutines}
			if slices.ContainsFunc(r.members, func(s memberSpec) bool { return s.can(t) }) {
				tasks = append(tasks, t)
			}
		}
	}
	return tasks
}

// can tells whether a member does a task. Goroutines may always test together.
func (s memberSpec) can(t task) bool {
	return operation(s.make(64<<10, 1000), t.op) != nil &&
		(t.goroutines == 1 || s.shared || slices.Contains(readTasks, t.op))
}

// eachKey calls f with events from … from+n-1, a batch at a time.
func (r *familyRun) eachKey(from, n uint64, f func(keys []uint64)) {
	if r.stored != nil {
		for keys := range slices.Chunk(r.stored[from:from+n], batch) {
			f(keys)
		}
		return
	}
	r.eachIndex(from, n, f)
}

// eachIndex is eachKey for the keys by their numbers.
func (r *familyRun) eachIndex(from, n uint64, f func(keys []uint64)) {
	buf := make([]uint64, batch)
	for i := uint64(0); i < n; i += batch {
		keys := buf[:min(batch, n-i)]
		for j := range keys {
			keys[j] = r.key(from + i + uint64(j))
		}
		f(keys)
	}
}

// exceptions is the number of keys that an excepter is told, as a share of all.
const exceptions = 1.0 / 64

// exceptFrom is the number of the first of them.
const exceptFrom = measure.TrialFrom + 1<<40

// fill builds the members and adds the first events.
func (r *familyRun) fill(first uint64) error {
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, m := range r.runs {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			if m.m = m.make(r.size, r.n); m.m == nil {
				return
			}
			if e, ok := m.m.(excepter); ok {
				r.eachIndex(exceptFrom, uint64(float64(r.n)*exceptions), e.except)
			}
			if m.like == "" {
				r.eachKey(0, first, m.adds())
			}
		})
	}
	wg.Wait()
	for _, m := range r.runs {
		if m.like != "" {
			i := slices.IndexFunc(r.runs, func(other *memberRun) bool { return other.name == m.like })
			m.m.(copier).copyFrom(r.runs[i].m)
		}
	}
	for _, m := range r.runs {
		if m.m == nil {
			return fmt.Errorf("%s: %s cannot be made of %d bytes", r.name, m.name, r.size)
		}
	}
	return nil
}

// change has the members add or remove the events from first on, in turn: slice of
// them for each task in each round. What a member does not do in the way of a task it
// does in another, unmeasured, so that all hold the same.
func (r *familyRun) change(tasks []task, each func(from, n uint64, f func([]uint64)), first, slice uint64) {
	for round := range r.plan.rounds {
		keys := make([][]uint64, len(tasks))
		for i := range tasks {
			from := first + uint64(round*len(tasks)+i)*slice
			each(from, slice, func(b []uint64) { keys[i] = append(keys[i], b...) })
		}
		r.inTurn(tasks, func(m *memberRun, i int, ops []func([]uint64) int) {
			switch {
			case ops != nil:
				m.samples[tasks[i]] = append(m.samples[tasks[i]], timedNs(ops, keys[i]))
			case slices.Contains(addTasks, tasks[i].op):
				m.adds()(keys[i])
			case m.on(task{removeTasks[0], 1}) != nil:
				m.on(task{removeTasks[0], 1})[0](keys[i])
			}
		})
	}
}

// read measures what leaves the members as they are, in turn.
func (r *familyRun) read(tasks []task) {
	n := measure.TestKeys(r.size)
	keys := measure.Mixed(n, r.n)
	for i, x := range keys {
		keys[i] = r.key(x)
	}
	type place struct {
		m *memberRun
		i int
	}
	at, want := map[place]int{}, map[place]int{}
	next := func(p place) []uint64 { // as many keys as take the target time
		if at[p]+want[p] > n {
			at[p] = 0
		}
		at[p] += want[p]
		return keys[at[p]-want[p] : at[p]]
	}
	for range r.plan.rounds {
		r.inTurn(tasks, func(m *memberRun, i int, ops []func([]uint64) int) {
			if ops == nil {
				return
			}
			p := place{m, i}
			if want[p] == 0 {
				want[p] = min(4*batch, n)
				ns := timedNs(ops, next(p))
				want[p] = min(n, max(want[p], int(float64(r.plan.target)/ns)))
			}
			m.samples[tasks[i]] = append(m.samples[tasks[i]], timedNs(ops, next(p)))
		})
	}
}

// inTurn calls f for each member, in an order drawn anew, and each task. A member that
// fits into the last cache is first brought back there.
func (r *familyRun) inTurn(tasks []task, f func(m *memberRun, i int, ops []func([]uint64) int)) {
	var warm []uint64
	if r.size <= r.plan.l3 {
		warm = make([]uint64, max(r.size/64, batch)) // a key a line
		for i := range warm {
			warm[i] = r.key(r.random.Uint64N(r.n))
		}
	}
	for _, at := range r.random.Perm(len(r.runs)) {
		m := r.runs[at]
		for b := range slices.Chunk(warm, batch) {
			sink += m.reads()(b)
		}
		for i, t := range tasks {
			f(m, i, m.on(t))
		}
	}
}

// timedNs returns the nanoseconds per key that goroutines take for keys, one for each
// of ops, all from the first one's start to the last one's end.
func timedNs(ops []func([]uint64) int, keys []uint64) float64 {
	share := (len(keys) + len(ops) - 1) / len(ops)
	parts := slices.Collect(slices.Chunk(keys, share))
	var ready, done atomic.Int32
	var start atomic.Bool
	var sum atomic.Int64
	work := func(op func([]uint64) int, keys []uint64) {
		n := 0
		for b := range slices.Chunk(keys, batch) {
			n += op(b)
		}
		sum.Add(int64(n))
	}
	for i := 1; i < len(parts); i++ {
		go func() {
			ready.Add(1)
			for !start.Load() { // a goroutine that has to be woken comes late
			}
			work(ops[i], parts[i])
			done.Add(1)
		}()
	}
	for int(ready.Load()) < len(parts)-1 {
		runtime.Gosched()
	}
	began := time.Now()
	start.Store(true)
	work(ops[0], parts[0])
	for int(done.Load()) < len(parts)-1 {
	}
	took := time.Since(began)
	sink += int(sum.Load())
	return float64(took.Nanoseconds()) / float64(len(keys))
}

// check looks for keys that a member has lost, and measures its error.
func (r *familyRun) check(m *memberRun) error {
	if _, ok := m.m.(counter); ok {
		return r.checkCounts(m)
	}
	if missing := r.missing(m, 0); missing > 0 {
		return fmt.Errorf("%d keys that were added are missing", missing)
	}
	if e, ok := m.m.(excepter); ok {
		passed := 0
		r.eachIndex(exceptFrom, uint64(float64(r.n)*exceptions), func(keys []uint64) { passed += e.(tester).test(keys) })
		if passed > 0 {
			return fmt.Errorf("%d exceptions pass", passed)
		}
	}
	passed := [2]int{}
	for i, op := range readTasks[:2] {
		if test := operation(m.m, op); test != nil {
			r.eachIndex(measure.TrialFrom, r.plan.trials, func(keys []uint64) { passed[i] += test(keys) })
		} else {
			passed[i] = passed[0]
		}
	}
	if passed[0] != passed[1] {
		return fmt.Errorf("%d absent keys pass one by one, %d in batches", passed[0], passed[1])
	}
	m.error = report.Significant(100*float64(passed[0])/float64(r.plan.trials)) + " %"
	return nil
}

// missing returns how many keys of a sample, of those from first on, a member denies.
func (r *familyRun) missing(m *memberRun, first uint64) (missing int) {
	for _, op := range readTasks[:2] {
		test := operation(m.m, op)
		if test == nil {
			continue
		}
		// The first of the rest and the last of all, which were added one way and another.
		n := min(r.n-first, r.plan.trials/2)
		for _, from := range []uint64{first, r.n - n} {
			r.eachIndex(from, n, func(keys []uint64) { missing += len(keys) - test(keys) })
		}
	}
	return missing
}

// checkCounts compares counts with the truth.
func (r *familyRun) checkCounts(m *memberRun) error {
	counts := make([]uint64, batch)
	var below, above int
	var excess, n float64
	look := func(count func(keys, counts []uint64)) {
		below, above, excess, n = 0, 0, 0, 0
		i := uint64(0)
		r.eachIndex(0, min(r.n, r.plan.trials), func(keys []uint64) {
			count(keys, counts)
			for j := range keys {
				truth := r.weight(i, r.n)
				i++
				n++
				if counts[j] < truth {
					below++
				} else if counts[j] > truth {
					above++
					excess += float64(counts[j] - truth)
				}
			}
		})
	}
	if b, ok := m.m.(batchCounter); ok {
		if look(b.countBatch); below > 0 {
			return fmt.Errorf("%d counts of a batch are too low", below)
		}
	}
	if look(m.m.(counter).count); below > 0 {
		return fmt.Errorf("%d counts are too low", below)
	}
	m.error = fmt.Sprintf("%s %% too high, by %s on average", report.Significant(100*float64(above)/n),
		report.Significant(excess/max(1, float64(above))))
	return nil
}

// checkRemoved checks that the first keys, which were removed, are gone and the
// others are not.
func (r *familyRun) checkRemoved(m *memberRun, removed uint64) error {
	test := operation(m.m, "test")
	if operation(m.m, "remove") == nil || test == nil {
		return nil
	}
	if missing := r.missing(m, removed); missing > 0 {
		return fmt.Errorf("%d keys are missing after others were removed", missing)
	}
	passed := 0
	r.eachIndex(0, removed, func(keys []uint64) { passed += test(keys) })
	if float64(passed) > 0.1*float64(removed) {
		return fmt.Errorf("%d of %d removed keys pass", passed, removed)
	}
	return nil
}

// weigh lets go of the members, and finds out by that what they took.
func (r *familyRun) weigh() {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, m := range r.runs {
		m.m, m.views = nil, nil
		runtime.GC()
		runtime.ReadMemStats(&after)
		m.bytes = (float64(before.HeapAlloc) - float64(after.HeapAlloc)) / float64(r.n)
		before = after
	}
	debug.FreeOSMemory()
}

// familyName is what -run selects a family at one size by.
func familyName(name string, size int64) string { return name + "/size=" + report.Size(size) }

// measureFamilies measures the families whose names match and hands each out as it
// is done.
func measureFamilies(p familyPlan, re *regexp.Regexp, done func(*familyRun)) error {
	for _, f := range families() {
		for _, size := range p.sizes {
			if !re.MatchString(familyName(f.name, size)) {
				continue
			}
			r, err := runFamily(f, p, size)
			if err != nil {
				return err
			}
			done(r)
		}
	}
	return nil
}
