package main

import (
	"slices"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/memory"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// benchBitsPerKey is the load at which speeds are compared.
const benchBitsPerKey = 10

// filterSpecs returns the filters to compare at a number of bits per key, but for
// those of libraries in C and C++.
func filterSpecs(bitsPerKey float64) []filterSpec {
	return []filterSpec{
		{name: "bitsieve", kind: report.Ours, k: bestK(bitsPerKey), make: newBlockedFilter},
		{name: "bitsieve", kind: report.Ours, k: 8, fixed: true, make: newBlockedFilter},
		{name: "parquet-go", kind: report.Peer, k: 8, make: newParquetFilter},
		{name: "blobloom", kind: report.Peer, k: blobloomK(bitsPerKey), make: newBlobloomFilter},
		{name: bitsAndBlooms, kind: report.Peer, k: standardK(bitsPerKey), make: newBitsAndBloomsFilter},
	}
}

// A filterBed is what the contenders of one filter size share: the filters and
// the keys.
type filterBed struct {
	size  int64
	load  load
	cases []*filterCase
	// standard are this library's Bloom and its twin among the peers, which is
	// one of cases, too.
	standard []*filterCase
	// shared are AtomicBlocked, over the first of cases, and its peer.
	shared []*filterCase

	keys    []uint64            // half of them present
	present []uint64            // all present, to be added again
	hashes  []uint64            // half of them present
	strings map[uint64][]string // by family, half of them present
	added   map[uint64][]string // by family, all present
	lines   []uint32            // random lines, for the limit
	memory  []uint64            // that they lie in
	free    func()
}

// newFilterBed describes the filters of one size. A lean bed lacks the standard and the
// shared ones.
func newFilterBed(size, trials int64, lean bool, inC ...filterSpec) *filterBed {
	b := &filterBed{size: size, load: loadFor(size, benchBitsPerKey)}
	for _, spec := range filterSpecs(benchBitsPerKey) {
		if spec.fixed && spec.k == b.cases[0].k {
			continue // the same filter as the one before
		}
		if lean && spec.name == bitsAndBlooms {
			continue
		}
		b.cases = append(b.cases, &filterCase{filterSpec: spec, size: size, load: b.load, trials: trials})
	}
	if !lean {
		b.addPairs(trials)
	}
	for _, spec := range inC {
		b.cases = append(b.cases, &filterCase{filterSpec: spec, size: size, load: b.load, trials: trials})
	}
	return b
}

// addPairs adds the standard filters and the shared ones. The standard one of the peers
// is the last of cases.
func (b *filterBed) addPairs(trials int64) {
	// The standard filters are compared with each other: two of one rate.
	theirs := b.cases[len(b.cases)-1]
	ours := &filterCase{
		filterSpec: filterSpec{name: "bitsieve Bloom", kind: report.Ours, k: theirs.k, make: newBloomFilter, overlay: newBloomFilterOver},
		size:       b.size, load: b.load, trials: trials, over: theirs,
	}
	b.standard = []*filterCase{ours, theirs}
	// And so are those that goroutines may share.
	b.shared = []*filterCase{{
		filterSpec: filterSpec{name: "bitsieve Atomic", kind: report.Ours, k: b.cases[0].k, make: newAtomicFilter, overlay: newAtomicFilterOver},
		size:       b.size, load: b.load, trials: trials, over: b.cases[0],
	}, {
		filterSpec: filterSpec{name: "blobloom Sync", kind: report.Peer, k: blobloomK(benchBitsPerKey), make: newSyncFilter},
		size:       b.size, load: b.load, trials: trials,
	}}
}

// all returns every filter once.
func (b *filterBed) all() []*filterCase {
	all := slices.Clone(b.cases)
	for _, c := range slices.Concat(b.standard, b.shared) {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// filterStage measures the filters at one size. l3 is the size of the last cache.
func filterStage(size, trials, l3 int64, lean bool, inC ...filterSpec) *Stage {
	b := newFilterBed(size, trials, lean, inC...)
	return &Stage{
		Title:   "filters, " + report.Size(size),
		Need:    int64(len(b.cases)+2)*size + 512<<20,
		Groups:  b.groups(l3),
		Setup:   b.makeKeys,
		Fill:    func(step func()) error { return fillAll(b.all(), step) },
		Fills:   len(b.all()),
		Cleanup: b.release,
	}
}

// release lets go of the keys and the filters, which stay described.
func (b *filterBed) release() {
	if b.free != nil {
		b.free()
	}
	for _, c := range b.all() {
		c.drop()
	}
	*b = filterBed{size: b.size, load: b.load, cases: b.cases, standard: b.standard, shared: b.shared}
}

// makeKeys draws the keys to test.
func (b *filterBed) makeKeys() (err error) {
	n := measure.TestKeys(b.size)
	b.keys = measure.Integers(familyUint64, measure.Mixed(n, b.load.integers))
	b.present = measure.Integers(familyUint64, measure.AnyOf(n, b.load.integers))
	b.hashes = measure.Integers(familyHash, measure.Mixed(batches(n, 2*b.load.hashes), b.load.hashes))
	b.strings, b.added = map[uint64][]string{}, map[uint64][]string{}
	for _, family := range []uint64{familyString16, familyString44} {
		index := measure.Mixed(batches(n, 2*b.load.strings), b.load.strings)
		b.strings[family] = texts(family, index)
		b.added[family] = texts(family, measure.AnyOf(batches(n, b.load.strings), b.load.strings))
	}
	if b.memory, b.free, err = memory.Map(int(b.size/8), true); err != nil {
		return err
	}
	b.lines = measure.RandomLines(n, b.size)
	return nil
}

// batches rounds the lesser of two numbers of keys to whole batches, at least
// one.
func batches(n int, most uint64) int { return int(max(min(uint64(n), most)/batch, 1) * batch) }

// groups returns the groups of one size.
func (b *filterBed) groups(l3 int64) []*Group {
	warm := measure.WarmBatches(b.size, l3)
	group := func(op, param string, cs ...[]Contender) *Group {
		return &Group{Op: op, Param: param, Size: b.size, Unit: report.Keys, PerCall: batch, Contenders: slices.Concat(cs...)}
	}
	keys := func() []uint64 { return b.keys }
	present := func() []uint64 { return b.present }
	hashes := func() []uint64 { return b.hashes }
	limits := measure.RandomLimits(warm, func() ([]uint64, []uint32) { return b.memory, b.lines })

	groups := []*Group{
		group("Test", "", contenders(b.cases, warm, keys, filter.TestUint64s), limits),
		group("TestHashes", "", contenders(b.cases, warm, hashes, hashFilter.TestHashes), limits),
		group("TestOne", "", contenders(b.cases, warm, keys, filter.TestUint64sOneByOne)),
		group("Add", "", contenders(b.cases, warm, present, adding(filter.AddUint64s)), limits),
		group("SharedTest", "", contenders(b.shared, warm, keys, filter.TestUint64s)),
		group("SharedTestOne", "", contenders(b.shared, warm, keys, filter.TestUint64sOneByOne)),
		group("SharedAdd", "", contenders(b.shared, warm, present, adding(filter.AddUint64s))),
	}
	for _, f := range []struct {
		family uint64
		param  string
	}{{familyString16, "len=16"}, {familyString44, "len=44"}} {
		keys := func() []string { return b.strings[f.family] }
		present := func() []string { return b.added[f.family] }
		groups = append(groups,
			group("TestStrings", f.param, contenders(b.cases, warm, keys, textFilter.TestStrings)),
			group("BloomTest", f.param, contenders(b.standard, warm, keys, stringFilter.TestStrings)),
			group("BloomTestOne", f.param, contenders(b.standard, warm, keys, stringFilter.TestStringsOneByOne)),
			group("BloomAdd", f.param, contenders(b.standard, warm, present, adding(stringFilter.AddStrings))),
			group("BloomAddOne", f.param, contenders(b.standard, warm, present, adding(stringFilter.AddStringsOneByOne))))
	}
	return slices.DeleteFunc(groups, func(g *Group) bool { return len(g.Contenders) == 0 })
}

// adding makes a function like those that test of one that adds.
func adding[F filter, K any](f func(F, []K)) func(F, []K) int {
	return func(to F, keys []K) int {
		f(to, keys)
		return 0
	}
}

// contenders returns those cases whose filters are an F, each at every level if
// it is ours, doing op to batch after batch of keys.
func contenders[F filter, K any](cases []*filterCase, warm int, keys func() []K, op func(F, []K) int) (cs []Contender) {
	for _, c := range cases {
		if _, ok := c.sample().(F); !ok {
			continue
		}
		var at measure.Cursor[K]
		run := func(calls int) {
			at.Keys = keys()
			f := c.filter.(F)
			for range calls {
				sink += op(f, at.Next())
			}
		}
		wake := func() {
			readKeys(keys())
			c.filter.readAll()
		}
		if c.kind != report.Ours {
			cs = append(cs, Contender{Impl: c.name, Kind: c.kind, Run: run, Warm: warm, Wake: wake, Filter: c})
			continue
		}
		for _, level := range cpu.Names() {
			cs = append(cs, Contender{Impl: level, Kind: report.Ours, Level: level, Run: run, Warm: warm, Wake: wake, Filter: c})
		}
	}
	return cs
}

// readKeys reads the memory of keys.
func readKeys[K any](keys []K) {
	switch keys := any(keys).(type) {
	case []uint64:
		for _, x := range keys {
			sink += int(x)
		}
	case []string:
		for _, s := range keys {
			sink += int(s[0])
		}
	}
}
