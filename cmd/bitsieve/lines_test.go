package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// lines returns n different lines.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// cutAll reads a stream to its end and returns its lines and their keys. The
// buffers rotate as in a pipeline.
func cutAll(t *testing.T, r io.Reader) (raw, keys []string) {
	t.Helper()
	var lr lineReader
	lr.reset(r)
	var chunks [2]chunk
	for i := 0; ; i++ {
		c := &chunks[i%2]
		if c.buf == nil {
			c.buf = make([]byte, readSize)
		}
		var err error
		c.text, c.buf, err = lr.next(c.buf)
		if err == io.EOF {
			return raw, keys
		}
		if err != nil || len(c.text) == 0 {
			t.Fatalf("next: %q, %v", c.text, err)
		}
		c.split()
		if len(c.keys) == 0 || len(c.ends) != len(c.keys) {
			t.Fatalf("%d keys, %d ends", len(c.keys), len(c.ends))
		}
		for i, k := range c.keys {
			keys = append(keys, string(k))
			raw = append(raw, string(c.lines(i, i+1)))
		}
	}
}

// splitLines is the specification.
func splitLines(s string) (raw, keys []string) {
	for _, line := range strings.SplitAfter(s, "\n") {
		if line == "" {
			continue
		}
		raw = append(raw, line)
		line = strings.TrimSuffix(line, "\n")
		keys = append(keys, strings.TrimSuffix(line, "\r"))
	}
	return raw, keys
}

func checkLines(t *testing.T, s string, r io.Reader) {
	t.Helper()
	raw, keys := cutAll(t, r)
	wantRaw, wantKeys := splitLines(s)
	if !slices.Equal(raw, wantRaw) {
		t.Errorf("lines of %s differ", clip(fmt.Sprintf("%q", s)))
	}
	if !slices.Equal(keys, wantKeys) {
		t.Errorf("keys of %s differ", clip(fmt.Sprintf("%q", s)))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", readSize/16*5)
	for _, s := range []string{
		"", "\n", "\n\n\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\r\nb\r", "\r\n\r\n", "\r\r\n", "a\rb\n", "\x00\n\xff\n",
		lines(3 * batchLines),
		lines(batchLines),
		strings.Repeat("\n", 3*batchLines+1),
		lines(60_000),
		long, long + "\n", "a\n" + long + "\nb\n" + long + "x\nc",
		strings.Repeat("x", readSize-1) + "\n" + "y\n",
		strings.Repeat("x", readSize) + "\n" + "y",
		strings.Repeat("x", readSize+1) + "\r\n" + "y\n",
	} {
		checkLines(t, s, strings.NewReader(s))
		checkLines(t, s, iotest.DataErrReader(strings.NewReader(s)))
		checkLines(t, s, &choppyReader{s: s, n: func() int { return 1 + rand.IntN(3000) }})
		if len(s) < 50_000 {
			checkLines(t, s, iotest.OneByteReader(strings.NewReader(s)))
		}
	}
}

// choppyReader gives at most n bytes at a time, and nothing now and then.
type choppyReader struct {
	s     string
	n     func() int
	empty bool
}

func (c *choppyReader) Read(b []byte) (int, error) {
	if c.empty = !c.empty; c.empty {
		return 0, nil
	}
	if c.s == "" {
		return 0, io.EOF
	}
	n := copy(b, c.s[:min(c.n(), len(c.s))])
	c.s = c.s[n:]
	return n, nil
}

// A reader that never gives anything is not asked for ever.
func TestLinesNoProgress(t *testing.T) {
	var lr lineReader
	lr.reset(iotest.ErrReader(nil))
	if _, _, err := lr.next(make([]byte, 10)); err != io.ErrNoProgress {
		t.Errorf("error %v, want %v", err, io.ErrNoProgress)
	}
}

// Lines that precede an error are seen, a part of one is not.
func TestLinesError(t *testing.T) {
	var lr lineReader
	lr.reset(io.MultiReader(strings.NewReader("a\nb"), brokenReader{}))
	text, buf, err := lr.next(make([]byte, 10))
	if string(text) != "a\n" || err != nil {
		t.Errorf("next: %q, %v", text, err)
	}
	if text, _, err := lr.next(buf); text != nil || err == nil || err == io.EOF {
		t.Errorf("next: %q, %v", text, err)
	}
}

// The longest line passes, with and without its end; one byte more does not, and
// memory does not grow with an endless line.
func TestLinesLimit(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, s := range []string{long, long + "\n", "a\n" + long + "\nb", "a\n" + long} {
		var lr lineReader
		lr.reset(strings.NewReader(s))
		buf, got := make([]byte, readSize), 0
		for {
			text, next, err := lr.next(buf)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got += len(text)
			buf = next
		}
		if got != len(s) {
			t.Errorf("%d bytes of %d", got, len(s))
		}
	}
	for _, s := range []string{long + "x", long + "x\n", "a\n" + long + "x\nb"} {
		runTool(t, s, "dedup").want(t, statusTrouble, strings.Repeat("a\n", strings.Count(s, "a")), "is longer than 64.0 MiB")
	}
	runTool(t, "", "query", filterOf(t, "a\n"), "/dev/zero").want(t, statusTrouble, "", "/dev/zero: the line at byte 0 is longer")
}

// The buffer is used again for the next stream.
func TestLinesReset(t *testing.T) {
	var lr lineReader
	buf := make([]byte, readSize)
	for range 3 {
		lr.reset(strings.NewReader("a\nb"))
		text, _, _ := lr.next(buf)
		a := string(text)
		text, _, _ = lr.next(buf)
		if a != "a\n" || string(text) != "b" {
			t.Errorf("%q, %q", a, text)
		}
	}
	text := []byte(lines(50_000))
	r := bytes.NewReader(text)
	if n := testing.AllocsPerRun(3, func() {
		r.Reset(text)
		lr.reset(r)
		for {
			_, used, err := lr.next(buf)
			if err != nil {
				return
			}
			if len(used) != readSize {
				t.Fatalf("a buffer of %d bytes for short lines", len(used))
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\r\nb\n\nc", uint8(1))
	f.Add("\r\r\n\x00", uint8(3))
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		checkLines(t, s, strings.NewReader(s))
		checkLines(t, s, &choppyReader{s: s, n: func() int { return 1 + int(n) }})
	})
}
