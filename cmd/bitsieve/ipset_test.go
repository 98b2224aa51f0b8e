package main

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// setOf builds a set and returns its file.
func setOf(t *testing.T, list string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "set")
	runTool(t, list, "ipset", "build", "-o", path).want(t, statusOK, "", "")
	return path
}

func TestIpsetPrefixes(t *testing.T) {
	for _, c := range []struct{ in, prefixes, ranges string }{
		{"", "", ""},
		{"\n \n# nothing\n;neither\n", "", ""},
		{"192.0.2.1", "192.0.2.1/32\n", "192.0.2.1\n"},
		{"192.0.2.1\r\n\t192.0.2.0 # and a comment\r\n", "192.0.2.0/31\n", "192.0.2.0-192.0.2.1\n"},
		{"192.0.2.77/24", "192.0.2.0/24\n", "192.0.2.0-192.0.2.255\n"},
		{"10.0.0.0/9 ; SBL1\n10.128.0.0/9;SBL2\n", "10.0.0.0/8\n", "10.0.0.0-10.255.255.255\n"},
		{"0.0.0.1-255.255.255.255\n0.0.0.0", "0.0.0.0/0\n", "0.0.0.0-255.255.255.255\n"},
		{"1.0.0.1 - 1.0.0.4\n1.0.0.1-1.0.0.1", "1.0.0.1/32\n1.0.0.2/31\n1.0.0.4/32\n", "1.0.0.1-1.0.0.4\n"},
		{"9.9.9.9\n::ffff:1.2.3.4\n::FFFF:1.2.3.5/128\n", "1.2.3.4/31\n9.9.9.9/32\n", "1.2.3.4-1.2.3.5\n9.9.9.9\n"},
		{"::ffff:1.2.3.4/120\n::ffff:2.0.0.0-2.0.0.255", "1.2.3.0/24\n2.0.0.0/24\n", "1.2.3.0-1.2.3.255\n2.0.0.0-2.0.0.255\n"},
	} {
		runTool(t, c.in, "ipset", "prefixes").want(t, statusOK, c.prefixes, "")
		runTool(t, "", "ipset", "prefixes", "-ranges", file(t, c.in)).want(t, statusOK, c.ranges, "")
		runTool(t, "", "ipset", "prefixes", setOf(t, c.in)).want(t, statusOK, c.prefixes, "")
		// What is printed is a list of the same set.
		runTool(t, c.prefixes, "ipset", "prefixes", "-ranges").want(t, statusOK, c.ranges, "")
		runTool(t, c.ranges, "ipset", "prefixes").want(t, statusOK, c.prefixes, "")
	}
}

func TestIpsetBadLine(t *testing.T) {
	for _, bad := range []string{
		"x", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 5.6.7.8", "1.2.3.1234", "1..2.3", "1.2.3.", "1,2,3,4",
		"1.2.3.4/33", "1.2.3.4/", "1.2.3.4/x", "1.2.3.4/08", "1.2.3.4/-1", "1.2.3.4 /8", "1.2.3.4/ 8", "/8", "1.2.3/24",
		"1.2.3.4-", "-1.2.3.4", "1.2.3.4-1.2.3.3", "1.2.3.4-1.2.3.5-1.2.3.6", "1.2.3.4-5", "1.2.3.0/24-1.2.4.0/24",
		"::1", "2001:db8::/32", "::/0", "::ffff:1.2.3.4/95", "::1.2.3.4", "1.2.3.4\x00", "１.2.3.4",
	} {
		out := filepath.Join(t.TempDir(), "set")
		r := runTool(t, "1.1.1.1\n\n2.0.0.0/8\n"+bad+"\n3.3.3.3\n", "ipset", "build", "-o", out)
		r.want(t, statusTrouble, "", fmt.Sprintf("bitsieve ipset build: standard input:4: %q is not an IPv4 address, a prefix or a range", bad))
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q left a file", bad)
		}
	}
	first, second := file(t, "1.1.1.1\n2.2.2.2"), file(t, "4.4.4.4\r\n\n  five  ")
	for _, c := range []string{"count", "prefixes"} {
		runTool(t, "", "ipset", c, first, second).want(t, statusTrouble, "", second+`:3: "five" is not`)
	}
	runTool(t, strings.Repeat("1.2.3.4\n", 100_000)+"oops", "ipset", "count").want(t, statusTrouble, "", `standard input:100001: "oops"`)
}

// Lists and files mix, and the largest sets are small.
func TestIpsetBuild(t *testing.T) {
	a, b := setOf(t, "10.0.0.0/24\n"), setOf(t, "10.0.1.0/24\n10.0.0.7")
	list := file(t, "10.0.2.0-10.0.2.255\n")
	for _, order := range [][]string{{a, b, list}, {list, a, b}, {b, list, a, a}} {
		runTool(t, "", append([]string{"ipset", "count"}, order...)...).want(t, statusOK, "768\n", "")
		out := filepath.Join(t.TempDir(), "out")
		runTool(t, "11.0.0.0/8", append([]string{"ipset", "build", "-o", out, "-"}, order...)...).want(t, statusOK, "", "")
		runTool(t, "", "ipset", "count", out).want(t, statusOK, "16777984\n", "")
	}
	runTool(t, "", "ipset", "count", a).want(t, statusOK, "256\n", "") // nobody wrote to it
	runTool(t, "", "ipset", "count", setOf(t, "0.0.0.0/0")).want(t, statusOK, "4294967296\n", "")

	// To standard output, and onto a file that is read.
	r := runTool(t, "192.0.2.0/24", "ipset", "build", "-o", "-")
	r.want(t, statusOK, r.stdout, "")
	runTool(t, "", "ipset", "count", file(t, r.stdout)).want(t, statusOK, "256\n", "")
	runTool(t, "", "ipset", "build", "-o", a, b, a).want(t, statusTrouble, "", a+" is both a list and the file to write")

	// Other files.
	runTool(t, "", "ipset", "count", filterOf(t, "1.2.3.4\n")).want(t, statusTrouble, "", "not a set of addresses")
	runTool(t, "", "query", a, list).want(t, statusTrouble, "", "a set of addresses")
	runTool(t, "", "ipset", "count", filepath.Join(t.TempDir(), "missing")).want(t, statusTrouble, "", "no such file")
	data, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	data[200] ^= 1
	damaged := file(t, string(data))
	runTool(t, "", "ipset", "count", damaged).want(t, statusTrouble, "", "checksum")
	runTool(t, "1.1.1.1\n", "ipset", "query", damaged).want(t, statusTrouble, "", "checksum")
}

func TestIpsetInfo(t *testing.T) {
	r := runTool(t, "", "info", setOf(t, "10.0.0.0/24\n192.0.2.1"))
	r.want(t, statusOK, r.stdout, "")
	for _, want := range []string{"ipv4\n", "257", "header and payload are right"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("info does not say %q: %s", want, r.stdout)
		}
	}
	for _, not := range []string{"per key", "false-positive", "about", "hash"} {
		if strings.Contains(r.stdout, not) {
			t.Errorf("info says %q: %s", not, r.stdout)
		}
	}
}

func TestIpsetQuery(t *testing.T) {
	set := setOf(t, "192.0.2.0/24\n10.1.2.3\n")
	for _, c := range []struct {
		field        int
		in           string
		hits, misses string
	}{
		{1, "", "", ""},
		{1, "192.0.2.1", "192.0.2.1\n", ""},
		{1, "192.0.2.1\n192.0.3.1\n", "192.0.2.1\n", "192.0.3.1\n"},
		{1, "  10.1.2.3\tx\r\n10.1.2.4 10.1.2.3\r\n", "  10.1.2.3\tx\r\n", "10.1.2.4 10.1.2.3\r\n"},
		{1, "::ffff:10.1.2.3 x\n::10.1.2.3\n\n \nhost\n0.0.0.0", "::ffff:10.1.2.3 x\n", "::10.1.2.3\n\n \nhost\n0.0.0.0\n"},
		{1, "10.1.2.3, x\n10.1.2.3:80\n10.1.2.3/32\n010.1.2.3\n", "", "10.1.2.3, x\n10.1.2.3:80\n10.1.2.3/32\n010.1.2.3\n"},
		{2, "a 10.1.2.3\n10.1.2.3\n10.1.2.3 \nb\t 192.0.2.255  c\n", "a 10.1.2.3\nb\t 192.0.2.255  c\n", "10.1.2.3\n10.1.2.3 \n"},
		{3, "a b 10.1.2.3\na 10.1.2.3\n", "a b 10.1.2.3\n", "a 10.1.2.3\n"},
	} {
		status := func(out string) int {
			if out == "" {
				return statusNone
			}
			return statusOK
		}
		count := func(out string) string { return fmt.Sprintln(strings.Count(out, "\n")) }
		query := func(flags ...string) result {
			args := []string{"ipset", "query", "-f", fmt.Sprint(c.field)}
			return runTool(t, c.in, append(append(args, flags...), set)...)
		}
		query().want(t, status(c.hits), c.hits, "")
		query("-v").want(t, status(c.misses), c.misses, "")
		query("-c").want(t, status(c.hits), count(c.hits), "")
		query("-vc").want(t, status(c.misses), count(c.misses), "")
		query("-q").want(t, status(c.hits), "", "")
	}
	a, b := file(t, "10.1.2.3\n1.1.1.1\n"), file(t, "192.0.2.9\n192.0.2.8\n")
	runTool(t, "", "ipset", "query", "-c", set, a, b).want(t, statusOK, a+":1\n"+b+":2\n", "")
	runTool(t, "", "ipset", "query", b, a, b).want(t, statusOK, "192.0.2.9\n192.0.2.8\n", "")
	runTool(t, "", "ipset", "query", set, "missing", a).want(t, statusTrouble, "10.1.2.3\n", "missing")
	runTool(t, "10.1.2.3\n", "ipset", "query", "-", a).want(t, statusOK, "10.1.2.3\n", "")
	runTool(t, "1.1.1.1", "ipset", "query", "-f", "0", set).want(t, statusTrouble, "", "a field is a whole number from 1")
}

// Long inputs, across batches and chunks, against a map.
func TestIpsetLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	members := map[netip.Addr]bool{}
	var list, in, want strings.Builder
	for range 20_000 {
		a := ipv4Addr(rng.Uint32() >> rng.IntN(32))
		members[a] = true
		fmt.Fprintln(&list, a)
	}
	for i := range 50_000 {
		a := ipv4Addr(rng.Uint32() >> rng.IntN(32))
		line := fmt.Sprintf("line %d %v and more\n", i, a)
		if i%7 == 0 {
			line = fmt.Sprintf("line %d\n", i)
		} else if members[a] {
			want.WriteString(line)
		}
		in.WriteString(line)
	}
	set := setOf(t, list.String())
	runTool(t, in.String(), "ipset", "query", "-f", "3", set).want(t, statusOK, want.String(), "")
	runTool(t, "", "ipset", "count", set).want(t, statusOK, fmt.Sprintln(len(members)), "")

	s, err := bitsieve.OpenIPv4Set(set)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var prefixes strings.Builder
	for p := range s.Prefixes() {
		fmt.Fprintln(&prefixes, p)
	}
	runTool(t, "", "ipset", "prefixes", set).want(t, statusOK, prefixes.String(), "")
	for a := range s.All() {
		if !members[a] {
			t.Fatalf("%v was not in the list", a)
		}
	}
}

func TestIpsetUsage(t *testing.T) {
	for _, c := range []struct{ args, stderr string }{
		{"ipset", "which of build, query, count and prefixes"},
		{"ipset frobnicate", `no command "frobnicate"`},
		{"ipset buidl x", `did you mean "build"?`},
		{"ipset build", "-o is missing"},
		{"ipset build -frob", "not defined: -frob"},
		{"ipset query", "FILE is missing"},
		{"visitors -x", "not defined: -x"},
	} {
		r := runTool(t, "", strings.Fields(c.args)...)
		r.want(t, statusTrouble, "", c.stderr)
		words := strings.Fields(c.args)
		if want := "bitsieve " + words[0]; !strings.HasPrefix(r.stderr, want) {
			t.Errorf("%q: %q", c.args, r.stderr)
		}
	}
	for _, c := range []string{"ipset", "ipset build", "ipset query", "ipset count", "ipset prefixes", "visitors"} {
		words := strings.Fields(c)
		r := runTool(t, "", append(slices.Clone(words), "-h")...)
		r.want(t, statusOK, r.stdout, "")
		if !strings.HasPrefix(r.stdout, "bitsieve "+c+" - ") || !strings.Contains(r.stdout, "Usage: bitsieve "+c) {
			t.Errorf("%s -h: %s", c, r.stdout)
		}
		for _, line := range strings.Split(r.stdout, "\n") {
			if len(line) > 80 || line != strings.TrimRight(line, " ") {
				t.Errorf("%s -h: line %q", c, line)
			}
		}
	}
}

// parseIPv4 takes what package netip takes for an IPv4 address, and what it begins with.
func FuzzParseIPv4(f *testing.F) {
	for _, s := range []string{"1.2.3.4", "255.255.255.255", "0.0.0.0", "01.2.3.4", "1.2.3", "1.2.3.4444", "1.2.3.256"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, n := parseIPv4([]byte(s))
		a, err := netip.ParseAddr(s)
		if whole := err == nil && a.Is4(); whole != (n > 0 && n == len(s)) || whole && ipv4Addr(x) != a {
			t.Fatalf("%q: %v, %d; %v, %v", s, ipv4Addr(x), n, a, err)
		}
		if n > 0 && ipv4Addr(x).String() != s[:n] {
			t.Fatalf("%q: %v, %d", s, ipv4Addr(x), n)
		}
	})
}
