package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// A result is what a case gave.
type result struct {
	Case
	tests   [2]outcomes // before, after; nil if not run
	timings []timing
	err     error
}

func (r *result) measure(dir, root string, rounds int, tests, benches bool) error {
	sides, err := r.unpack(dir, root)
	if err != nil {
		return err
	}
	if tests {
		for i, s := range sides {
			fmt.Fprintf(os.Stderr, "%s: tests %s\n", r.name, s.name)
			if r.tests[i], err = r.test(s); err != nil {
				return fmt.Errorf("tests %s: %w", s.name, err)
			}
		}
	}
	if benches {
		for _, b := range r.benches {
			fmt.Fprintf(os.Stderr, "%s: benchmarks of %s\n", r.name, b.pkg)
			timings, err := b.time(dir, sides, rounds)
			if err != nil {
				return fmt.Errorf("benchmarks of %s: %w", b.pkg, err)
			}
			r.timings = append(r.timings, timings...)
		}
	}
	return nil
}

// differences returns the tests whose outcome is not the same on both sides.
func (r *result) differences() (names []string) {
	for name := range r.tests[0] {
		names = append(names, name)
	}
	for name := range r.tests[1] {
		if _, ok := r.tests[0][name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return r.tests[0][name] == r.tests[1][name] })
}

// lost returns the tests that passed before and do not after.
func (r *result) lost() []string {
	return slices.DeleteFunc(r.differences(), func(name string) bool { return r.tests[0][name] != "pass" })
}

func report(w io.Writer, results []*result) {
	fmt.Fprintln(w, "| module | replaced | packages | tests passed before | after | differ | benchmarks, before / after |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, r := range results {
		fmt.Fprintf(w, "| %s %s | %s | %s | %s |\n", r.module, r.version, strings.Join(r.replaces, ", "),
			strings.Join(r.packages, " "), r.row())
	}
	for _, r := range results {
		for _, name := range r.differences() {
			fmt.Fprintf(w, "\n- %s: %s: %s before, %s after", r.name, name, orAbsent(r.tests[0][name]), orAbsent(r.tests[1][name]))
		}
	}
	fmt.Fprintln(w)
	for _, r := range results {
		if len(r.timings) > 0 {
			r.reportTimings(w)
		}
	}
}

func (r *result) row() string {
	if r.err != nil {
		return "not run: " + strings.ReplaceAll(r.err.Error(), "\n", " ") + " | | |"
	}
	tests := "– | – | –"
	if r.tests[0] != nil {
		tests = fmt.Sprintf("%s | %s | %d", r.tests[0].summary(), r.tests[1].summary(), len(r.differences()))
	}
	if len(r.timings) == 0 {
		return tests + " | –"
	}
	return fmt.Sprintf("%s | %.2f × (%d)", tests, geomean(r.timings), len(r.timings))
}

func (o outcomes) summary() string {
	return fmt.Sprintf("%d (%d failed, %d skipped)", o.count("pass"), o.count("fail"), o.count("skip"))
}

func orAbsent(outcome string) string {
	if outcome == "" {
		return "absent"
	}
	return outcome
}

func (r *result) reportTimings(w io.Writer) {
	fmt.Fprintf(w, "\n%s %s, %d rounds\n\n", r.module, r.version, len(r.timings[0].times[0]))
	fmt.Fprintln(w, "| benchmark | before, ns | after, ns | before / after, median (lowest–highest) |")
	fmt.Fprintln(w, "|---|---|---|---|")
	for _, t := range r.timings {
		median, low, high := t.ratio()
		fmt.Fprintf(w, "| %s | %s | %s | %.2f × (%.2f–%.2f) |\n", strings.TrimPrefix(t.name, "Benchmark"),
			short(t.times[0]), short(t.times[1]), median, low, high)
	}
}

// short returns the median of times to three digits.
func short(times []float64) string {
	s := slices.Sorted(slices.Values(times))
	m := medianOf(s)
	if m < 100 {
		return fmt.Sprintf("%.3g", m)
	}
	return fmt.Sprintf("%.0f", m)
}
