package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

func zstded(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

// bzip2 of "a\nb\n": Go has no compressor.
const bzip2ed = "BZh91AY&SY\x3c\x85\x41\x12\x00\x00\x01\x41\x00\x00\x10\x30\x00\x20\x00\x30\xcc\x0c\x7a\x82\x71\x77\x24\x53\x85\x09\x03\xc8\x54\x11\x20"

// Compressed inputs are what they hold, for every command and by every way in.
func TestCompressed(t *testing.T) {
	content := lines(20_000)
	dir := t.TempDir()
	want := filepath.Join(dir, "want")
	runTool(t, content, "build", "-p", "1e-9", "-o", want).want(t, statusOK, "", "")
	for i, packed := range []string{
		gzipped(content),
		gzipped(content[:1000]) + gzipped(content[1000:]),
		zstded(content),
		"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + zstded(content[:500]) + zstded(content[500:]),
	} {
		path := file(t, packed)
		got := filepath.Join(dir, fmt.Sprint(i))
		runTool(t, "", "build", "-p", "1e-9", "-o", got, path).want(t, statusOK, "", "")
		if readAll(t, got) != readAll(t, want) {
			t.Errorf("%d: another filter from a file", i)
		}
		runTool(t, packed, "build", "-p", "1e-9", "-o", got).want(t, statusOK, "", "")
		if readAll(t, got) != readAll(t, want) {
			t.Errorf("%d: another filter from a pipe", i)
		}
		runTool(t, packed, "dedup").want(t, statusOK, content, "")
		runTool(t, "", "dedup", path, path).want(t, statusOK, content, "")
		runTool(t, packed, "query", want, path, "-", path).want(t, statusOK, content+content+content, "")
		runTool(t, "", "screen", "-c", path, path).want(t, statusOK, "20000\n", "")
	}
	runTool(t, bzip2ed, "dedup").want(t, statusOK, "a\nb\n", "")
	runTool(t, "", "sort", file(t, gzipped("3\n1")), file(t, zstded("2\n"))).want(t, statusOK, "1\n2\n3\n", "")
	runTool(t, "", "sort", file(t, gzipped("3\nx"))).want(t, statusTrouble, "", `:2: "x" is not`)
}

// Damage is an error, and no format is taken for lines.
func TestCompressedDamage(t *testing.T) {
	gz, zs := gzipped(lines(1000)), zstded(lines(1000))
	for name, packed := range map[string]string{
		"gzip cut":       gz[:len(gz)-9],
		"gzip head only": gz[:5],
		"gzip altered":   gz[:len(gz)-6] + "\x00" + gz[len(gz)-5:],
		"gzip and more":  gz + "x\n",
		"zstd cut":       zs[:len(zs)-9],
		"zstd altered":   zs[:20] + "\xff\x00\xff" + zs[23:],
		"xz":             "\xfd7zXZ\x00\x00\x04",
		"lz4":            "\x04\x22\x4d\x18\x64",
	} {
		path := file(t, packed)
		r := runTool(t, "", "build", "-o", filepath.Join(t.TempDir(), "f"), path)
		r.want(t, statusTrouble, "", path+": ")
		if t.Failed() {
			t.Fatal(name)
		}
		r = runTool(t, packed, "dedup", "-q")
		r.want(t, statusTrouble, r.stdout, "standard input: ")
	}
	runTool(t, "\xfd7zXZ\x00\x00\x04", "dedup").want(t, statusTrouble, "", "use xz -dc")
}

// What only begins as a compressed file does is lines.
func TestAlmostCompressed(t *testing.T) {
	for _, m := range magics {
		for n := 1; n <= len(m.head); n++ {
			head := strings.ReplaceAll(m.head, "?", "9")[:n]
			if n == len(m.head) {
				head = head[:n-1] + "~"
			}
			for _, s := range []string{head, head + "\n", "x" + m.head, "\n" + m.head} {
				for _, r := range []io.Reader{strings.NewReader(s), iotest.OneByteReader(strings.NewReader(s)), &choppyReader{s: s, n: func() int { return 2 }}} {
					var stdout, stderr bytes.Buffer
					status := run([]string{"bitsieve", "dedup", "-n", "100"}, r, &stdout, &stderr)
					if status != statusOK || stdout.String() != strings.TrimSuffix(s, "\n")+"\n" && !strings.Contains(m.head, "\n") && !strings.HasPrefix(s, "\n") {
						t.Errorf("%q: status %d, %q, %s", s, status, &stdout, &stderr)
					}
				}
			}
		}
	}
}

// A compressed standard input that is a file is read from its offset on, twice.
func TestCompressedStdin(t *testing.T) {
	path := file(t, "x\n"+gzipped(lines(1000)))
	for _, args := range [][]string{{"build", "-o", "-"}, {"dedup"}} {
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if _, err := in.Seek(2, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		status := run(append([]string{"bitsieve"}, args...), in, &stdout, &stderr)
		want := runTool(t, lines(1000), args...)
		if status != statusOK || stdout.String() != want.stdout {
			t.Errorf("%q: status %d, %s", args, status, &stderr)
		}
	}
}
