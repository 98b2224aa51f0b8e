package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/dropin/bloom"
	"github.com/bitsieve/bitsieve/interop/guava"
	"github.com/bitsieve/bitsieve/interop/parquet"
	"github.com/bitsieve/bitsieve/interop/redisbloom"
)

// usersParquet has the columns user_id, an INT64 of 1000 to 1099, and name, "user 0" to
// "user 99", with filters in both row groups, and free, an INT32 without. It was written by
// parquet-go v0.32.0.
const usersParquet = "testdata/users.parquet"

// foreignFile writes a filter of another library's into a file.
func foreignFile(t *testing.T, f io.WriterTo) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return file(t, b.String())
}

var foreignKeys = []string{"a", "spam.example", "ünïcödé", "12", "-7", ""}

func guavaFile(t *testing.T, add func(f *guava.Filter)) string {
	t.Helper()
	f, err := guava.New(1000, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	add(f)
	return foreignFile(t, f)
}

func bitsAndBloomsFile(t *testing.T) string {
	t.Helper()
	f := bloom.NewWithEstimates(1000, 1e-9)
	f.AddStrings(foreignKeys)
	return foreignFile(t, f)
}

func parquetFilterFile(t *testing.T, add func(f *parquet.Filter)) string {
	t.Helper()
	f, err := parquet.New(1000, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	add(f)
	return foreignFile(t, f)
}

func redisBloomFile(t *testing.T) string {
	t.Helper()
	f, err := redisbloom.New(4, 1e-9) // of several links
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings(foreignKeys)
	return foreignFile(t, f)
}

func TestForeignQuery(t *testing.T) {
	in := strings.Join(foreignKeys, "\n") + "\nb\n13\n2147483648\n"
	all := strings.Join(foreignKeys, "\n") + "\n"
	numbers := "12\n-7\n"
	ints := func(f *guava.Filter) { f.AddInt32s([]int32{12, -7}) }
	for _, c := range []struct {
		name, path string
		flags      []string
		want       string
	}{
		{"bits-and-blooms", bitsAndBloomsFile(t), nil, all},
		{"redisbloom", redisBloomFile(t), nil, all},
		{"guava", guavaFile(t, func(f *guava.Filter) { f.AddStrings(foreignKeys) }), nil, all},
		{"guava string", guavaFile(t, func(f *guava.Filter) { f.AddStrings(foreignKeys) }), []string{"-funnel", "string"}, all},
		{"guava chars", guavaFile(t, func(f *guava.Filter) { f.AddUnencodedStrings(foreignKeys) }), []string{"-funnel", "chars"}, all},
		{"guava int", guavaFile(t, ints), []string{"-funnel=int"}, numbers},
		{"guava long", guavaFile(t, func(f *guava.Filter) { f.AddInt64s([]int64{12, -7, 1 << 31}) }), []string{"-funnel", "long"}, numbers + "2147483648\n"},
		{"guava other funnel", guavaFile(t, ints), nil, ""},
		{"parquet filter", parquetFilterFile(t, func(f *parquet.Filter) { f.AddStrings(foreignKeys) }), nil, all},
		{"parquet filter int", parquetFilterFile(t, func(f *parquet.Filter) { f.AddInt32s([]int32{12, -7}) }), []string{"-funnel", "int"}, numbers},
		{"parquet filter long", parquetFilterFile(t, func(f *parquet.Filter) { f.AddInt64s([]int64{12, -7}) }), []string{"-funnel", "long"}, numbers},
	} {
		t.Run(c.name, func(t *testing.T) {
			status := statusOK
			if c.want == "" {
				status = statusNone
			}
			args := append(append([]string{"query"}, c.flags...), c.path)
			runTool(t, in, args...).want(t, status, c.want, "")
			rest := slices.DeleteFunc(strings.SplitAfter(in, "\n"), func(s string) bool {
				return strings.Contains("\n"+c.want, "\n"+s)
			})
			runTool(t, in, slices.Insert(args, 1, "-v")...).want(t, statusOK, strings.Join(rest, ""), "")
		})
	}
}

// Batches of which some lines are no numbers, and row groups that differ.
func TestForeignParquet(t *testing.T) {
	var in, ids, names strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&in, "%d\nuser %d\n", i, i)
		if i >= 1000 && i < 1100 {
			fmt.Fprintf(&ids, "%d\n", i)
		}
		if i < 100 {
			fmt.Fprintf(&names, "user %d\n", i)
		}
	}
	for column, members := range map[string]string{"user_id": ids.String(), "name": names.String()} {
		r := runTool(t, in.String(), "query", "-column", column, usersParquet)
		missing := 0
		for _, line := range strings.SplitAfter(members, "\n") {
			if !strings.Contains("\n"+r.stdout, "\n"+line) {
				missing++
			}
		}
		if n := strings.Count(r.stdout, "\n"); r.status != statusOK || missing > 0 || n > 100+6000/20 {
			t.Errorf("%s: status %d, %d of 100 missing, %d printed: %s", column, r.status, missing, n, r.stderr)
		}
		// The filter by itself is that of both row groups.
		out := filepath.Join(t.TempDir(), "filter")
		runTool(t, "", "convert", "-to", "parquet", "-column", column, "-o", out, usersParquet).want(t, statusOK, "", "")
		r = runTool(t, members, "query", "-v", "-funnel", map[string]string{"user_id": "long", "name": "string"}[column], out)
		r.want(t, statusNone, "", "")
	}
	runTool(t, "x", "query", usersParquet).want(t, statusTrouble, "", "choose by -column one of user_id, name")
	runTool(t, "x", "query", "-column", "free", usersParquet).want(t, statusTrouble, "", "has no filter in row group 1 of 2")
	runTool(t, "x", "query", "-column", "nobody", usersParquet).want(t, statusTrouble, "", `no column "nobody"`)
	runTool(t, "x", "query", "-column", "name", "-funnel", "int", usersParquet).want(t, statusTrouble, "", "-funnel is not for")
}

func TestForeignInfo(t *testing.T) {
	for _, c := range []struct {
		path string
		want []string
	}{
		{bitsAndBloomsFile(t), []string{"bits-and-blooms\n", "about 6\n", "30 bits per key"}},
		{redisBloomFile(t), []string{"RedisBloom\n", "links:"}},
		{guavaFile(t, func(f *guava.Filter) { f.AddStrings(foreignKeys) }), []string{"Guava\n", "about 5\n" /* the empty key has but one bit */, "30 bits per key"}},
		{parquetFilterFile(t, func(f *parquet.Filter) { f.AddStrings(foreignKeys) }), []string{"Parquet filter\n", "8 bits per key"}},
		{usersParquet, []string{"Parquet\n", "100 in 2 row groups", "column user_id:", "INT64, filters in 2 row groups"}},
	} {
		content := readAll(t, c.path)
		fromFile := runTool(t, "", "info", c.path)
		fromPipe := runTool(t, content, "info", "-")
		for _, r := range []result{fromFile, fromPipe} {
			if r.status != statusOK || r.stderr != "" {
				t.Errorf("status %d: %s", r.status, r.stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(r.stdout, want) {
					t.Errorf("%q is missing in\n%s", want, r.stdout)
				}
			}
		}
		// A file cut short is no filter of anybody's, and no panic.
		for _, n := range []int{1, 5, 7, 30, len(content) / 2, len(content) - 1} {
			r := runTool(t, content[:n], "info", "-")
			if r.status != statusTrouble {
				t.Errorf("%d of %d bytes: status %d\n%s", n, len(content), r.status, r.stdout)
			}
		}
	}
}

func TestConvert(t *testing.T) {
	dir := t.TempDir()
	theirs := bitsAndBloomsFile(t)
	ours := filepath.Join(dir, "ours")
	runTool(t, "", "convert", "-to", "bitsieve", "-o", ours, theirs).want(t, statusOK, "", "")
	f, err := bitsieve.OpenBloom(ours)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := f.TestStrings(foreignKeys, nil); n != len(foreignKeys) {
		t.Errorf("%d of %d keys after the conversion", n, len(foreignKeys))
	}
	// And back, byte for byte, through a pipe.
	r := runTool(t, "", "convert", "-to", "bits-and-blooms", "-o", "-", ours)
	r.want(t, statusOK, readAll(t, theirs), "")

	g := guavaFile(t, func(f *guava.Filter) { f.AddStrings(foreignKeys) })
	blocked := filterOf(t, "a\n")
	keyed, err := bitsieve.NewBloom(10, 0.01, bitsieve.WithKey(make([]byte, bitsieve.KeySize)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, to, why string }{
		{g, "bitsieve", "built anew"},
		{g, "guava", "already"},
		{theirs, "guava", "built anew"},
		{theirs, "bits-and-blooms", "already"},
		{ours, "bitsieve", "already"},
		{ours, "redisbloom", "built anew"},
		{blocked, "bits-and-blooms", "built anew"},
		{usersParquet, "bitsieve", "built anew"},
		{usersParquet, "parquet", "choose by -column"},
		{foreignFile(t, keyed), "bits-and-blooms", "secret key"},
		{ours, "roaring", "there is no format"},
		{file(t, "some text"), "bitsieve", "not a bitsieve file"},
		{filepath.Join(dir, "nothing"), "bitsieve", "no such file"},
	} {
		out := filepath.Join(dir, "out")
		runTool(t, "", "convert", "-to", c.to, "-o", out, c.path).want(t, statusTrouble, "", c.why)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s to %s: a file was written", c.path, c.to)
		}
	}
	runTool(t, "", "convert", "-to", "bitsieve", "-o", theirs, theirs).want(t, statusTrouble, "", "nothing was done")
}

func TestForeignUsage(t *testing.T) {
	ours := filterOf(t, "a\n")
	key := file(t, strings.Repeat("0123456789abcdef", 4))
	if err := os.Chmod(key, 0o600); err != nil {
		t.Fatal(err)
	}
	g := guavaFile(t, func(*guava.Filter) {})
	runTool(t, "a", "query", "-funnel", "int", ours).want(t, statusTrouble, "", "-funnel is for files of other libraries")
	runTool(t, "a", "query", "-column", "c", ours).want(t, statusTrouble, "", "-column is for files of other libraries")
	runTool(t, "a", "query", "-funnel", "double", g).want(t, statusTrouble, "", `no funnel "double"`)
	runTool(t, "a", "query", "-column", "c", g).want(t, statusTrouble, "", "has no columns")
	runTool(t, "a", "query", "-key-file", key, g).want(t, statusTrouble, "", "no secret key")
	runTool(t, "a", "query", "-funnel", "int", bitsAndBloomsFile(t)).want(t, statusTrouble, "", `no funnel "int"`)
}
