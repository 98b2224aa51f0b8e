package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// BenchmarkName is the row's name in Go's benchmark format, as benchstat pivots by it:
// Test/impl=avx512/size=4MiB/k=8. Of a limit, impl begins with limit-.
func (r Row) BenchmarkName() string {
	impl := strings.NewReplacer(",", "", " ", "-", "/", "-").Replace(r.Impl)
	if r.Kind == Bound {
		impl = "limit-" + impl
	}
	name := r.Op + "/impl=" + impl
	if r.Param != "" {
		name += "/" + r.Param
	}
	name += "/size=" + Size(r.Size)
	if r.Pages != "" {
		name += "/pages=" + r.Pages
	}
	if r.K > 0 {
		name += "/k=" + strconv.Itoa(r.K)
	}
	return name
}

// WriteBenchfmt writes the measurements in Go's benchmark format
// (golang.org/design/14313-benchmark-format), which benchstat and x/perf/benchfmt read:
// a line a round, so that benchstat has the spread. An operation is one call: a batch
// of keys, or a kernel over one operand. Units beside ns/op are
//
//	MB/s               10^6 bytes of one operand a second
//	ns/key, ns/index … one unit of work
//	fp%                the filter's measured false-positive rate
//	bits/key           as built
//
// False-positive rates by bits per key, which are no timings, follow as
// FPRate/impl=…/bits=10 with fp% alone.
func (r *Report) WriteBenchfmt(w io.Writer) error {
	var b strings.Builder
	config := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, strings.Join(strings.Fields(value), " "))
		}
	}
	m := r.Machine
	config("goos", m.OS)
	config("goarch", m.Arch)
	config("pkg", "github.com/bitsieve/bitsieve/bench")
	config("cpu", m.CPU)
	config("go", m.Go)
	config("machine", m.Name)
	config("commit", r.Library)
	config("created", r.Created.UTC().Format(time.RFC3339))
	config("hugepages", m.HugePages)
	b.WriteString("Unit fp% better=lower assume=exact\nUnit bits/key assume=exact\n")
	for _, row := range r.Rows {
		if row.Kind != Bound && !row.Shown() {
			continue
		}
		for _, ns := range row.Samples {
			fmt.Fprintf(&b, "Benchmark%s 1 %s ns/op", row.BenchmarkName(), figure(ns))
			if row.Unit == Bytes {
				fmt.Fprintf(&b, " %s MB/s", figure(1e3*row.PerCall/ns))
			} else {
				fmt.Fprintf(&b, " %s ns/%s", figure(ns/row.PerCall), row.Unit)
			}
			if row.IsFilter() {
				fmt.Fprintf(&b, " %s fp%% %s bits/key", figure(100*row.FPRate), figure(row.BitsPerKey))
			}
			b.WriteByte('\n')
		}
	}
	for _, rate := range r.Rates {
		row := Row{Op: "FPRate", Impl: rate.Series()}
		name, _, _ := strings.Cut(row.BenchmarkName(), "/size=")
		fmt.Fprintf(&b, "Benchmark%s/bits=%s/k=%d 1 %s fp%%\n", name, figure(rate.BitsPerKey), rate.K, figure(100*rate.FPRate()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// figure writes x with six significant digits, which is more than any measurement has.
func figure(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
