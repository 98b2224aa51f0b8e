package report

import (
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
)

func TestTargetTables(t *testing.T) {
	filter := func(impl, kind string, k int, ns, rate float64) Row {
		return Row{Op: "Test", Size: 64 << 20, Impl: impl, Kind: kind, Unit: Keys, PerCall: 1, Samples: Samples{ns}, K: k, FPRate: rate, FPTrials: 1}
	}
	kernel := func(size int64, impl, kind string, ns float64) Row {
		return Row{Op: "Or", Size: size, Impl: impl, Kind: kind, Unit: Bytes, PerCall: 1, Samples: Samples{ns}}
	}
	r := &Report{
		Machine: machine.Machine{Name: "box", L3: 32 << 20, Levels: []string{"generic", "avx2"}},
		Library: "abc",
		Rows: []Row{
			kernel(64, "avx2", Ours, 100), kernel(64, "peer", Peer, 50), // small ones are no target's
			kernel(1<<10, "avx2", Ours, 100), kernel(1<<10, "peer", Peer, 99.6), kernel(1<<10, "in C", C, 50),
			kernel(8<<10, "avx2", Ours, 100), kernel(8<<10, "peer", Peer, 99), kernel(8<<10, "in C", C, 95),
			kernel(8<<10, "generic", Ours, 900), // another level
			filter("avx2", Ours, 6, 10, 0.0097), filter("avx2", Ours, 8, 10, 0.0105),
			filter("Boost fast_multiblock32<8>", C, 8, 5, 0.0127), // at a rate that is too high
			filter("Boost multiblock<uint64,8>", C, 8, 11, 0.0105),
			filter("random line", Bound, 0, 8, 0),
		},
	}
	for _, g := range Groups(r.Rows) {
		Compare(g)
	}
	none := &Report{Machine: machine.Machine{Name: "other"}}
	got := TargetTables([]*Report{r, none})
	for _, want := range []string{
		"| aim | at | box, 0001-01-01, commit abc | other,",
		"| every row of at least 1 KiB against any Go library or loop, times as fast | at least 1.00× | **1 of 2** | not measured |\n",
		"| word kernels from 8 KiB on against the best C or C++, times as fast | at least 0.95× | 1 of 1 | not measured |\n",
		"against Boost.Bloom at an equal rate, times as fast | at least 1.15× | **0 of 1** |",
		"random line, times as long | at most 1.20× | **0 of 2** |",
		"| Or/size=8KiB | **0.99×** |  |\n",
		"| Test/size=64MiB k=8 | **1.10×** |  |\n",
		"| Test/size=64MiB k=6 | **1.25×** |  |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "size=64B") || strings.Contains(got, "size=1KiB") {
		t.Errorf("a row that no target is about:\n%s", got)
	}
}
