package main

import (
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What does not fit the memory is refused before it is taken: there is no Go
// stack and no killed process.
func TestMemory(t *testing.T) {
	list := file(t, lines(100))
	filter := filepath.Join(t.TempDir(), "f")
	if runtime.GOOS == "linux" {
		for _, args := range [][]string{
			{"dedup", "-n", "1e12", list},
			{"dedup", "-n", "1e14", "-p", "1e-9", list},
			{"build", "-n", "1e12", "-o", filter, list},
			{"build", "-n", "1T", "-o", filter},
			{"build", "-n", "9000T", "-o", filter, list},
			{"dedup", "-n", "18446744073709551615", list},
		} {
			r := runTool(t, "a\n", args...)
			r.want(t, statusTrouble, "", "of memory, and there are ")
			if !strings.Contains(r.stderr, "a lower -n or a higher -p") || strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("%q: stderr %q", args, r.stderr)
			}
		}
	}
	t.Setenv(memoryEnv, "1MiB")
	runTool(t, "a\n", "dedup", "-n", "1M").want(t, statusTrouble, "", "a filter for 1000000 lines at a rate of 1e-06 takes 4.")
	runTool(t, "a\n", "dedup", "-n", "100k").want(t, statusOK, "a\n", "")
	runTool(t, "a\n", "dedup").want(t, statusOK, "a\n", "")
	runTool(t, "a\n", "build", "-o", filter).want(t, statusTrouble, "", "a list of unknown length takes 8.00 MiB")
	runTool(t, "1\n", "sort").want(t, statusTrouble, "", "and there are 1.00 MiB")
	t.Setenv(memoryEnv, "100MiB")
	// In a list of 60 MB, of which -exact keeps a third.
	long := strings.Repeat(strings.Repeat("x", 500)+"\n", 10)
	r := runTool(t, "x\n", "screen", "-exact", file(t, long+lines(1_000_000)))
	r.want(t, statusTrouble, "", "without -exact")
	t.Setenv(memoryEnv, "much")
	runTool(t, "a\n", "dedup", "-n", "1M").want(t, statusTrouble, "", memoryEnv+`: "much" is not a size`)
	t.Setenv(memoryEnv, "64GiB")
	runTool(t, "a\n", "dedup", "-n", "1T").want(t, statusTrouble, "", "and there are 64.0 GiB")
}

// The size that a filter is expected to have is about what it has.
func TestFilterSize(t *testing.T) {
	for _, n := range []uint64{1, 1000, sampleLines, sampleLines + 1, 3_000_000} {
		for _, p := range []float64{0.1, 0.001, 1e-6} {
			got, err := filterSize(n, p)
			if err != nil {
				t.Fatal(err)
			}
			f, err := newFilter(n, p)
			if err != nil {
				t.Fatal(err)
			}
			if want := float64(f.SizeBytes()); got < want*0.999 || got > want*1.05 {
				t.Errorf("%d lines at %g: %g bytes, expected %g", n, p, want, got)
			}
		}
	}
	if _, err := filterSize(math.MaxUint64, 1e-13); err == nil {
		t.Error("no error for a rate that is too low")
	}
}
