package main

import (
	"fmt"
	"strings"
	"testing"
)

// With -exact no line is taken for listed wrongly, whatever the rate; without it,
// what is printed is wrong as often as the help says.
func TestScreenExact(t *testing.T) {
	const listed, others, p = 2000, 50_000, 0.05
	var list, in, hits, misses strings.Builder
	for i := range listed + others {
		line := fmt.Sprintf("mail%d.example%s\n", i*7919%(listed+others), strings.Repeat("x", i%40))
		if i%26 == 0 {
			list.WriteString(strings.ReplaceAll(line, "\n", "\r\n") + "\n")
			hits.WriteString(line)
		} else {
			misses.WriteString(line)
		}
		in.WriteString(line)
	}
	path := file(t, list.String())
	rate := fmt.Sprint(p)
	count := func(s string) string { return fmt.Sprintln(strings.Count(s, "\n")) }
	for _, via := range []struct {
		stdin string
		args  []string
	}{
		{in.String(), []string{path}},
		{list.String(), []string{"-", file(t, in.String())}},
		{gzipped(in.String()), []string{path}},
	} {
		screen := func(flags ...string) result {
			return runTool(t, via.stdin, append(append([]string{"screen", "-p", rate}, flags...), via.args...)...)
		}
		screen("-exact").want(t, statusOK, hits.String(), "")
		screen("-exact", "-untrusted").want(t, statusOK, hits.String(), "")
		screen("-exact", "-v").want(t, statusOK, misses.String(), "")
		screen("-exact", "-c").want(t, statusOK, count(hits.String()), "")
		screen("-exact", "-vc").want(t, statusOK, count(misses.String()), "")

		printed := strings.Count(screen().stdout, "\n")
		x := float64(strings.Count(hits.String(), "\n")) / (listed + others)
		share := float64(printed-strings.Count(hits.String(), "\n")) / float64(printed)
		// Small filters have a rate below what was asked for.
		if most := p * (1 - x) / (p*(1-x) + x); share > most+0.02 || share < most-0.12 {
			t.Errorf("%.3f of what is printed is wrong, expected %.3f at the most", share, most)
		}
	}
	runTool(t, "\n\n", "screen", "-exact", file(t, "\n\na\n")).want(t, statusNone, "", "")
	runTool(t, "b\n", "screen", "-exact", "-q", path).want(t, statusNone, "", "")
}
