package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestVisitors(t *testing.T) {
	const (
		v4  = `192.0.2.%d - - [%s:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "x [01/Jan/2020:]"` + "\n"
		v6  = `2001:db8:%d::1 - - [%s:10:00:00 +0000] "GET / HTTP/1.1" 200 5` + "\n"
		one = "2026-11-21\t1\ntotal\t1\n"
	)
	for _, c := range []struct{ in, want, stderr string }{
		{"", "total\t0\n", ""},
		{fmt.Sprintf(v4, 1, "21/Nov/2026"), one, ""},
		{strings.Repeat(fmt.Sprintf(v4, 1, "21/Nov/2026"), 9), one, ""},
		{fmt.Sprintf(v4+v4+v4, 1, "22/Nov/2026", 2, "21/Nov/2026", 1, "21/Nov/2026"), "2026-11-21\t2\n2026-11-22\t1\ntotal\t2\n", ""},
		{fmt.Sprintf(v4+v4, 1, "01/Jan/2027", 1, "31/Dec/2026"), "2026-12-31\t1\n2027-01-01\t1\ntotal\t1\n", ""},
		{"::ffff:" + fmt.Sprintf(v4+v4, 1, "21/Nov/2026", 1, "21/Nov/2026"), one, ""},
		{"192.0.2.1 - [x] [a b] [21/Nov/2026:10:00:00 +0000]", one, ""},
		{fmt.Sprintf(v4+v6, 1, "21/Nov/2026", 7, "21/Nov/2026"), one, "bitsieve visitors: 1 line of IPv6 visitors left out; -ipv6 counts"},
		{fmt.Sprintf(v4+"\noops\n"+v4, 1, "21/Nov/2026", 1, "21/Nov/2026"), one,
			`2 lines left out that are not of an access log by address; the first is standard input:2: ""`},
	} {
		runTool(t, c.in, "visitors").want(t, statusOK, c.want, c.stderr)
		log := file(t, c.in)
		runTool(t, "", "visitors", log).want(t, statusOK, c.want, strings.ReplaceAll(c.stderr, "standard input", log))
	}
	in := fmt.Sprintf(v4+v6+v6+v6+v6, 1, "21/Nov/2026", 7, "21/Nov/2026", 8, "21/Nov/2026", 7, "21/Nov/2026", 7, "20/Nov/2026") +
		strings.Replace(fmt.Sprintf(v6, 7, "21/Nov/2026"), "::1", "::2", 1)
	runTool(t, in, "visitors", "-ipv6").want(t, statusOK, "2026-11-20\t0\t1\n2026-11-21\t1\t2\ntotal\t1\t2\n", "")
}

func TestVisitorsStrange(t *testing.T) {
	for _, bad := range []string{
		"", "192.0.2.1", "192.0.2.1 ", "192.0.2.1 - - ", "192.0.2.1 - - [21/Nov/2026", "192.0.2.1 - - [21/Nov/2026 10:00",
		"192.0.2.1 - - [21/Nox/2026:10:00:00 +0000]", "192.0.2.1 - - [00/Nov/2026:10:00:00 +0000]",
		"192.0.2.1 - - [32/Nov/2026:10:00:00 +0000]", "192.0.2.1 - - [1/Nov/2026:10:00:00 +0000]",
		"192.0.2.1 - - [2x/Nov/2026:10:00:00 +0000]", "192.0.2.1 - - [21/Nov/20a6:10:00:00 +0000]",
		"192.0.2.256 - - [21/Nov/2026:10:00:00 +0000]", "host.example - - [21/Nov/2026:10:00:00 +0000]",
		"x:y - - [21/Nov/2026:10:00:00 +0000]", " 192.0.2.1 - - [21/Nov/2026:10:00:00 +0000]",
		"192.0.2.1\t- - [21/Nov/2026:10:00:00 +0000]", "192.0.2.1x - - [21/Nov/2026:10:00:00 +0000]",
	} {
		r := runTool(t, bad+"\n", "visitors")
		r.want(t, statusTrouble, "total\t0\n", "1 line left out that is not of an access log by address; the first is standard input:1: ")
	}
	good := "192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] x\n"
	a, b := file(t, strings.Repeat(good, 100_000)), file(t, good+"x\n"+good+"y")
	runTool(t, "", "visitors", a, b).want(t, statusOK, "2026-11-21\t1\ntotal\t1\n", "2 lines left out that are not of an access log by address; the first is "+b+`:2: "x"`)
}

// A long log in no order against maps.
func TestVisitorsLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	days, all := map[string]map[uint32]bool{}, map[uint32]bool{}
	var in strings.Builder
	for range 30_000 {
		x := rng.Uint32() >> rng.IntN(30)
		d := rng.IntN(28) + 1
		name := fmt.Sprintf("2026-02-%02d", d)
		if days[name] == nil {
			days[name] = map[uint32]bool{}
		}
		days[name][x], all[x] = true, true
		fmt.Fprintf(&in, "%v - frank [%02d/Feb/2026:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326\n", ipv4Addr(x), d)
	}
	var want []string
	for name, visitors := range days {
		want = append(want, fmt.Sprintf("%s\t%d\n", name, len(visitors)))
	}
	slices.Sort(want)
	want = append(want, fmt.Sprintf("total\t%d\n", len(all)))
	runTool(t, in.String(), "visitors").want(t, statusOK, strings.Join(want, ""), "")
}
