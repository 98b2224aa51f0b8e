package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// A file of the wrong sort is named as what it is: taken for a list of lines, it would
// make a filter that nothing passes.
func TestWrongSort(t *testing.T) {
	list := file(t, "1.1.1.1\n")
	dir := t.TempDir()
	filter, out := filepath.Join(dir, "filter"), filepath.Join(dir, "out")
	runTool(t, "", "build", "-o", filter, list).want(t, statusOK, "", "")
	set := setOf(t, "1.1.1.1")
	const noList = "was written by bitsieve, and is not a list of lines"
	for _, saved := range []string{filter, set} {
		runTool(t, "1.1.1.1\n", "screen", saved).want(t, statusTrouble, "", saved+" "+noList)
		runTool(t, "1.1.1.1\n", "screen", "-except", saved, list).want(t, statusTrouble, "", saved+" "+noList)
		runTool(t, "", "build", "-o", out, list, saved).want(t, statusTrouble, "", saved+" "+noList)
		runTool(t, "", "build", "-o", out, "-except", saved, list).want(t, statusTrouble, "", saved+" "+noList)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a filter of a filter's bytes was written")
	}

	runTool(t, "", "query", set, list).want(t, statusTrouble, "", set+" holds a set of addresses: ipset query")
	for _, command := range []string{"count", "query", "prefixes"} {
		runTool(t, "", "ipset", command, filter).want(t, statusTrouble, "", filter+" holds a filter of lines, not a set of addresses")
	}
	text, err := os.ReadFile(set)
	if err != nil {
		t.Fatal(err)
	}
	runTool(t, string(text), "ipset", "count").want(t, statusTrouble, "", "standard input: a set that build wrote is read from a file")
	runTool(t, "1.1.1.1\n"+string(text), "ipset", "count").want(t, statusTrouble, "", "standard input:2: ")

	f, err := bitsieve.NewSharded(100, 0.01, 2)
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings([]string{"a", "b"})
	if err := f.SaveShard(1, out); err != nil {
		t.Fatal(err)
	}
	runTool(t, "", "query", out, list).want(t, statusTrouble, "", out+" holds a part of a filter")
	if info := runTool(t, "", "info", out); info.status != statusOK || strings.Contains(info.stdout, "fill") || strings.Contains(info.stdout, " now") {
		t.Errorf("info of a shard: %+v", info)
	}
}

func TestInfoStreams(t *testing.T) {
	set := setOf(t, "1.1.1.1")
	text, err := os.ReadFile(set)
	if err != nil {
		t.Fatal(err)
	}
	want := runTool(t, "", "info", set)
	runTool(t, string(text), "info", "-").want(t, statusOK, strings.ReplaceAll(want.stdout, set, "standard input"), "")
	dir := t.TempDir()
	runTool(t, "", "info", dir).want(t, statusTrouble, "", "bitsieve info: "+dir+": is a directory\n")

	f, err := bitsieve.NewCounting(100, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Save(set); err != nil {
		t.Fatal(err)
	}
	if info := runTool(t, "", "info", set); !strings.Contains(info.stdout, "0.0 % of the counters\n") {
		t.Errorf("info of a counting filter: %+v", info)
	}
}

func TestSizeUnits(t *testing.T) {
	for s, want := range map[string]int64{"7": 7, "7B": 7, "8KiB": 8 << 10, "3GiB": 3 << 30, "2TiB": 2 << 40} {
		if got, err := parseSize(s); got != want || err != nil {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "-1", "1G", "1 GiB", "GiB", "1PiB", "9999999999TiB"} {
		if got, err := parseSize(s); err == nil {
			t.Errorf("%q: %d", s, got)
		}
	}
}
