package main

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/bench/internal/plots"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// tinyPlan runs every contender of every kind of group in a moment.
func tinyPlan() plan {
	return plan{
		rounds:       5,
		kernelTime:   20 * time.Microsecond,
		filterTime:   20 * time.Microsecond,
		kernelSizes:  []int64{64, 8 << 10},
		decodeSizes:  []int64{1 << 10},
		densities:    []int{64, 2},
		sorts:        []string{"Sort", "SortUnique"},
		sorted:       10_000,
		filterSizes:  []int64{32 << 10, 64 << 10, 128 << 10},
		leanFrom:     128 << 10,
		trials:       1e5,
		curve:        []float64{8, 10},
		curveTrials:  1e5,
		streamLimits: []int64{8 << 10},
	}
}

// TestSmoke measures everything at tiny sizes and renders it in every form.
func TestSmoke(t *testing.T) {
	r := &report.Report{Schema: report.Schema, Machine: machine.Detect(cpu.Names(), false)}
	p := tinyPlan()
	if err := measureAll(context.Background(), p, regexp.MustCompile(""), r); err != nil {
		t.Fatal(err)
	}
	impls := map[string][]string{}
	for _, row := range r.Rows {
		impls[row.Op] = append(impls[row.Op], row.Impl)
		if len(row.Samples) != p.rounds || slices.Min(row.Samples) <= 0 {
			t.Errorf("%s, %s: samples %v", row.Name(), row.Impl, row.Samples)
		}
		if row.Kind != report.Bound && row.VsPeer <= 0 {
			t.Errorf("%s, %s: no ratio to the best peer", row.Name(), row.Impl)
		}
		if !row.IsFilter() {
			continue
		}
		if row.BitsPerKey < 9.99 || row.BitsPerKey > 10.01 {
			t.Errorf("%s, %s: %v bits per key", row.Name(), row.Impl, row.BitsPerKey)
		}
		if row.FPTrials < 1e5 || row.FPRate < 0.006 || row.FPRate > 0.016 {
			t.Errorf("%s, %s: rate %v of %d trials", row.Name(), row.Impl, row.FPRate, row.FPTrials)
		}
	}
	want := map[string][]string{
		"Count":         {bitsAndBlooms, kelindar, roaringPeer, goLoop},
		"And":           {roaringPeer, goLoop},
		"AndInPlace":    {bitsAndBlooms, kelindar, roaringPeer, goLoop},
		"AndCount":      {bitsAndBlooms, roaringPeer, goLoop},
		"Decode":        {bitsAndBlooms},
		"Decode32":      {kelindar},
		"NextSetMany":   {bitsAndBlooms},
		"Sort":          {"slices.Sort", "go loop, radix", bitsAndBlooms, kelindar},
		"SortUnique":    {"slices.Sort", "go loop, radix", bitsAndBlooms, kelindar},
		"Test":          {"parquet-go", "blobloom", bitsAndBlooms},
		"TestHashes":    {"parquet-go", "blobloom"},
		"TestOne":       {"parquet-go", "blobloom", bitsAndBlooms},
		"TestStrings":   {"parquet-go", "blobloom", bitsAndBlooms},
		"Add":           {"parquet-go", "blobloom", bitsAndBlooms},
		"SharedTest":    {"blobloom Sync"},
		"SharedTestOne": {"blobloom Sync"},
		"SharedAdd":     {"blobloom Sync"},
		"BloomTest":     {bitsAndBlooms},
		"BloomTestOne":  {bitsAndBlooms},
		"BloomAdd":      {bitsAndBlooms},
		"BloomAddOne":   {bitsAndBlooms},
	}
	for _, v := range containerVerbs {
		want[v.op] = []string{roaringPeer, goLoop}
	}
	for _, row := range r.Rows {
		if row.Size == p.leanFrom && (row.Impl == bitsAndBlooms || strings.HasPrefix(row.Op, "Bloom") || strings.HasPrefix(row.Op, "Shared")) && row.IsFilter() {
			t.Errorf("%s, %s: measured at a size that is lean", row.Name(), row.Impl)
		}
	}
	for op, peers := range want {
		for _, impl := range append(peers, cpu.Names()...) {
			if !slices.Contains(impls[op], impl) {
				t.Errorf("%s: %s was not measured", op, impl)
			}
		}
	}
	if len(r.Rates) != 2*5 {
		t.Errorf("%d false-positive rates, want those of 5 filters at 2 loads", len(r.Rates))
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	back, err := report.ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if back.Text() != r.Text() || back.Markdown(nil) != r.Markdown(nil) {
		t.Error("a report reads differently after a round trip through JSON")
	}
	files, err := plots.Write(r, t.TempDir())
	if err != nil || len(files) != 2*12 {
		t.Errorf("plots: %d files, %v; want twelve figures in two formats", len(files), err)
	}
}

// TestKernelsAgree checks that all contenders of a group compute the same.
func TestKernelsAgree(t *testing.T) {
	defer measure.SetLevel(measure.BestLevel())
	const size = 2 * containerBytes
	var o measure.Operands
	if err := o.Make(size); err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	for _, g := range []*Group{countGroup(&o, size, 1), andCountGroup(&o, size, 1)} {
		agree(t, g)
	}
	start := slices.Clone(o.Dst)
	for _, g := range []*Group{andGroup(&o, size, 1), andInPlaceGroup(&o, size, 1)} {
		left := o.A
		if g.Op == "AndInPlace" {
			left = start
		}
		for _, c := range g.Contenders {
			copy(o.Dst, start)
			measure.SetLevel(c.Level)
			c.Run(1)
			for i, w := range o.Dst {
				if w != left[i]&o.B[i] {
					t.Fatalf("%s, %s: word %d is wrong", g.Name(), c.Impl, i)
				}
			}
		}
	}
	for _, oneIn := range []int{64, 8, 2} {
		s := decodeStage(size, oneIn)
		if err := s.Setup(); err != nil {
			t.Fatal(err)
		}
		for _, g := range s.Groups {
			agree(t, g)
		}
	}
}

// TestContainersAgree checks what each contender of each operation on containers
// stores and counts.
func TestContainersAgree(t *testing.T) {
	defer measure.SetLevel(measure.BestLevel())
	var o measure.Operands
	if err := o.Make(containerBytes); err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	start := slices.Clone(o.Dst)
	for _, v := range containerVerbs {
		want := make([]uint64, containerWords)
		ones := v.loop(want, o.A, o.B)
		if strings.HasSuffix(v.op, "Count") && !strings.HasSuffix(v.op, "WithCount") {
			copy(want, start)
		}
		for _, c := range v.group(&o, 1, nil).Contenders {
			copy(o.Dst, start)
			measure.SetLevel(c.Level)
			before := sink
			c.Run(1)
			if got := sink - before; got != ones {
				t.Errorf("%s, %s: counts %d, want %d", v.op, c.Impl, got, ones)
			}
			if !slices.Equal(o.Dst, want) {
				t.Errorf("%s, %s: other words than the loop's", v.op, c.Impl)
			}
		}
	}
}

// TestSortersAgree checks what all sorters have sorted.
func TestSortersAgree(t *testing.T) {
	defer measure.SetLevel(measure.BestLevel())
	const n = 100_000
	for _, unique := range []bool{false, true} {
		var s sorting
		s.make(n, unique)
		want := slices.Compact(slices.Sorted(slices.Values(s.in)))
		if unique == (len(want) == n) {
			t.Fatalf("%d of %d integers are different", len(want), n)
		}
		for _, c := range s.contenders(n, unique) {
			measure.SetLevel(c.Level)
			clear(s.out)
			clear(s.uint)
			before := sink
			c.Run(1)
			if got := sink - before; got != len(want) {
				t.Errorf("%s: %d integers, want %d", c.Impl, got, len(want))
			}
			for i, v := range want {
				if s.out[i] != v && s.uint[i] != uint(v) {
					t.Fatalf("%s: integer %d is %d or %d, want %d", c.Impl, i, s.out[i], s.uint[i], v)
				}
			}
		}
	}
}

// agree checks that a call of any contender adds the same to sink.
func agree(t *testing.T, g *Group) {
	t.Helper()
	want := -1
	for _, c := range g.Contenders {
		if c.Kind == report.Bound {
			continue
		}
		measure.SetLevel(c.Level)
		before := sink
		c.Run(3)
		if got := sink - before; want < 0 {
			want = got
		} else if got != want {
			t.Errorf("%s: %s gives %d, %s %d", g.Name(), g.Contenders[0].Impl, want, c.Impl, got)
		}
	}
	if want <= 0 {
		t.Errorf("%s: nothing to count", g.Name())
	}
}

// TestFiltersAnswer checks, for every filter at every level, that all present
// keys of a pass over the test's keys pass, and about one in a hundred others.
func TestFiltersAnswer(t *testing.T) {
	defer measure.SetLevel(measure.BestLevel())
	const size = 64 << 10
	b := newFilterBed(size, 1e5, false)
	if err := b.makeKeys(); err != nil {
		t.Fatal(err)
	}
	defer b.release()
	if err := fillAll(b.all(), func() {}); err != nil {
		t.Fatal(err)
	}
	for _, g := range b.groups(size) {
		if strings.Contains(g.Op, "Add") {
			continue
		}
		n := map[string]int{
			"":       len(b.keys),
			"len=16": len(b.strings[familyString16]),
			"len=44": len(b.strings[familyString44]),
		}[g.Param]
		if g.Op == "TestHashes" {
			n = len(b.hashes)
		}
		byFilter := map[measure.Filter]int{}
		for _, c := range g.Contenders {
			if c.Kind == report.Bound {
				continue
			}
			measure.SetLevel(c.Level)
			before := sink
			c.Run(n / batch)
			hits := sink - before
			if share := float64(hits) / float64(n); share < 0.47 || share > 0.53 {
				t.Errorf("%s, %s: %.3f of the keys pass, want about half", g.Name(), c.Impl, share)
			}
			if other, ok := byFilter[c.Filter]; ok && other != hits {
				t.Errorf("%s, k = %d: %d keys pass at %s, %d at another level", g.Name(), c.Filter.(*filterCase).k, hits, c.Impl, other)
			}
			byFilter[c.Filter] = hits
		}
	}
}

// TestMissingKeys checks that a filter that forgets is found out.
func TestMissingKeys(t *testing.T) {
	c := &filterCase{
		filterSpec: filterSpec{name: "forgetful", k: 8, make: func(bytes int64, k int) filter {
			return forgetful{newBlockedFilter(bytes, k).(textFilter)}
		}},
		size: 4 << 10, load: loadFor(4<<10, 10), trials: 1,
	}
	if err := c.fill(); err == nil {
		t.Error("a filter without its keys was accepted")
	}
}

type forgetful struct{ textFilter }

func (f forgetful) AddStrings([]string) {}

func TestBestK(t *testing.T) {
	// The model's best k at these loads, see ../blocked_model_test.go.
	for bits, want := range map[float64]int{6: 4, 10: 6, 20: 11} {
		if got := bestK(bits); got != want {
			t.Errorf("%v bits per key: k = %d, want %d", bits, got, want)
		}
	}
}
