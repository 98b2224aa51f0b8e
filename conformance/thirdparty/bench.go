package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A timing has a benchmark's times in ns, of each round, before and after.
type timing struct {
	name  string
	times [2][]float64
}

// ratio returns the median of before by after of the rounds, and the smallest and the
// largest of them. Over 1 is faster after.
func (t timing) ratio() (median, low, high float64) {
	var ratios []float64
	for i := range min(len(t.times[0]), len(t.times[1])) {
		ratios = append(ratios, t.times[0][i]/t.times[1][i])
	}
	slices.Sort(ratios)
	return medianOf(ratios), ratios[0], ratios[len(ratios)-1]
}

func medianOf(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// geomean returns the geometric mean of the timings' median ratios.
func geomean(timings []timing) float64 {
	sum := 0.0
	for _, t := range timings {
		median, _, _ := t.ratio()
		sum += math.Log(median)
	}
	return math.Exp(sum / float64(len(timings)))
}

var benchLine = regexp.MustCompile(`(?m)^(Benchmark\S+)\s+\d+\s+([0-9.]+) ns/op`)

// time runs a benchmark in turns on both sides.
func (b bench) time(dir string, sides [2]side, rounds int) ([]timing, error) {
	var binaries [2]string
	for i, s := range sides {
		binaries[i] = filepath.Join(dir, s.name+".test")
		cmd := s.goCommand("test", "-c", "-vet=off", "-o", binaries[i], b.pkg)
		if err := cmd.Run(); err != nil {
			return nil, failure(cmd, err)
		}
	}
	var timings []timing
	place := map[string]int{}
	for round := range rounds {
		for turn := range sides {
			i := (turn + round) % 2 // who goes first changes
			words := append(strings.Fields(os.Getenv("THIRDPARTY_BENCH")), binaries[i],
				"-test.run=^$", "-test.bench="+b.pattern, "-test.benchtime="+b.length, "-test.timeout=10m")
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir = filepath.Join(sides[i].source, b.pkg)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil {
				return nil, fmt.Errorf("%w: %s", err, out.Bytes()[max(0, out.Len()-500):])
			}
			for _, m := range benchLine.FindAllSubmatch(out.Bytes(), -1) {
				name := string(m[1])
				j, known := place[name]
				if !known {
					j = len(timings)
					place[name] = j
					timings = append(timings, timing{name: name})
				}
				ns, err := strconv.ParseFloat(string(m[2]), 64)
				if err != nil {
					return nil, err
				}
				timings[j].times[i] = append(timings[j].times[i], ns)
			}
		}
	}
	timings = slices.DeleteFunc(timings, func(t timing) bool { return len(t.times[0]) == 0 || len(t.times[1]) == 0 })
	if len(timings) == 0 {
		return nil, fmt.Errorf("no benchmark matches %q", b.pattern)
	}
	return timings, nil
}
