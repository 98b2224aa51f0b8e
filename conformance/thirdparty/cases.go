package main

// A Case is a module of somebody else, and what of it is run.
type Case struct {
	name     string
	module   string
	version  string
	replaces []string // names of peers
	packages []string // whose tests run: those that use the peer
	run      string   // -run, all tests if empty
	skip     string   // -skip
	short    bool
	benches  []bench
}

type bench struct {
	pkg     string
	pattern string // -bench
	length  string // -benchtime: one round takes less than a minute
}

// peers are the modules that are replaced, and by what in this repository.
var peers = map[string]struct{ module, dir string }{
	"bitset":  {"github.com/bits-and-blooms/bitset", "replace/bitset"},
	"bloom":   {"github.com/bits-and-blooms/bloom/v3", "replace/bloom"},
	"holiman": {"github.com/holiman/bloomfilter/v2", "replace/holiman"},
	"bbloom":  {"github.com/ipfs/bbloom", "replace/bbloom"},
}

var cases = []Case{
	{
		name: "quick", module: "github.com/blevesearch/bleve/v2", version: "v2.6.3",
		replaces: []string{"bitset"},
		packages: []string{"./analysis/lang/in"},
	},
	{
		name: "roaring", module: "github.com/RoaringBitmap/roaring/v2", version: "v2.30.0",
		replaces: []string{"bitset"},
		packages: []string{".", "./roaring64"},
		short:    true,
		benches:  []bench{{".", "^Benchmark(IntersectionBitset|UnionBitset|SetBitset|GetTestBitSet|CountBitset|IterateBitset|SparseIterateBitset|FromDense)$", "100ms"}},
	},
	{
		name: "bleve", module: "github.com/blevesearch/bleve/v2", version: "v2.6.3",
		replaces: []string{"bitset"},
		// ./index/scorch imports zapx/v17 v17.2.5, which is not available at the proxy
		packages: []string{"./analysis/lang/in", "./analysis/lang/hi"},
	},
	{
		name: "weaviate", module: "github.com/weaviate/weaviate", version: "v1.35.2",
		replaces: []string{"bitset", "bloom"},
		packages: []string{"./adapters/repos/db/lsmkv"},
		short:    true,
		// none of its benchmarks reaches a filter
	},
	{
		name: "loki", module: "github.com/grafana/loki/v3", version: "v3.7.8",
		replaces: []string{"bitset", "bloom"},
		packages: []string{"./pkg/dataobj/metastore", "./pkg/dataobj/sections/pointers", "./pkg/dataobj/index", "./pkg/storage/stores/index/stats"},
		short:    true,
		benches:  []bench{{"./pkg/dataobj/metastore", "^BenchmarkSectionsForPredicateMatchers$", "100ms"}},
	},
	{
		name: "geth", module: "github.com/ethereum/go-ethereum", version: "v1.17.10",
		replaces: []string{"holiman"},
		packages: []string{"./core/state/snapshot", "./core/state/pruner"},
		benches:  []bench{{"./core/state/snapshot", "^Benchmark(Search|SearchSlot)$", "100ms"}},
	},
	{
		name: "boxo", module: "github.com/ipfs/boxo", version: "v0.43.0",
		replaces: []string{"bbloom"},
		packages: []string{"./blockstore", "./dag/walker"},
		benches:  []bench{{"./dag/walker", "Bloom", "100ms"}},
	},
}
