package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestSort(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"\n\n \n", ""},
		{"0", "0\n"},
		{"3\n1\n2\n1\n", "1\n2\n3\n"},
		{"4294967295\n0\n4294967294\r\n", "0\n4294967294\n4294967295\n"},
		{" 7\n\t8 \n007\n\n8\r\n", "7\n8\n"},
		{"00000000000000000000012\n", "12\n"},
		{"524287\n524288\n524286\n1048576\n63\n64\n65535\n65536\n", "63\n64\n65535\n65536\n524286\n524287\n524288\n1048576\n"},
	} {
		runTool(t, c.in, "sort").want(t, statusOK, c.want, "")
		runTool(t, "", "sort", file(t, c.in)).want(t, statusOK, c.want, "")
	}
	a, b := file(t, "9\n1"), file(t, "1\n5")
	runTool(t, "3\n", "sort", a, "-", b).want(t, statusOK, "1\n3\n5\n9\n", "")
}

func TestSortBadLine(t *testing.T) {
	for _, bad := range []string{
		"x", "-1", "+1", "1.0", "1e3", "0x10", "4294967296", "18446744073709551616", "99999999999999999999999",
		"1 2", "1,2", "１", "\x001", "1\x00", "12a",
	} {
		r := runTool(t, "1\n\n2\n"+bad+"\n3\n", "sort")
		r.want(t, statusTrouble, "", fmt.Sprintf("bitsieve sort: standard input:4: %q is not an integer", bad))
	}
	first, second := file(t, "1\n2\n3"), file(t, "4\r\n\n  five  ")
	runTool(t, "", "sort", first, second).want(t, statusTrouble, "", second+`:3: "five" is not an integer`)
	r := runTool(t, strings.Repeat("9", 1<<20), "sort")
	r.want(t, statusTrouble, "", "…")
	if len(r.stderr) > 200 {
		t.Errorf("a message of %d bytes", len(r.stderr))
	}
	// Far into the input.
	r = runTool(t, strings.Repeat("1234567\n", 100_000)+"oops", "sort")
	r.want(t, statusTrouble, "", `standard input:100001: "oops"`)
}

func TestSortLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var values []uint32
	var in strings.Builder
	for i := range 30_000 {
		v := rng.Uint32() >> (i % 33) // of all lengths
		values = append(values, v)
		fmt.Fprintln(&in, v)
	}
	slices.Sort(values)
	var want strings.Builder
	for _, v := range slices.Compact(values) {
		fmt.Fprintln(&want, v)
	}
	runTool(t, in.String(), "sort").want(t, statusOK, want.String(), "")
}

// Small inputs take little memory, wherever their integers lie.
func TestSortMemory(t *testing.T) {
	pages := 0
	var m bitmap
	if err := m.setAll([]uint32{0, 1, 1 << 20, 1<<20 + 5, 1<<32 - 1}); err != nil {
		t.Fatal(err)
	}
	for _, p := range m.pages {
		if p != nil {
			pages++
		}
	}
	if pages != 3 || m.made != 3 {
		t.Errorf("%d pages for integers in 3", pages)
	}
}
