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

// cutAll reads a stream to its end and returns its lines and their keys.
func cutAll(t *testing.T, r io.Reader) (raw, keys []string) {
	t.Helper()
	var lr lineReader
	var b batch
	lr.reset(r)
	for {
		text, err := lr.next()
		if err == io.EOF {
			return raw, keys
		}
		if err != nil || len(text) == 0 {
			t.Fatalf("next: %q, %v", text, err)
		}
		for len(text) > 0 {
			text = b.cut(text)
			if len(b.keys) == 0 || len(b.keys) > batchLines || len(b.ends) != len(b.keys) {
				t.Fatalf("%d keys, %d ends", len(b.keys), len(b.ends))
			}
			for i, k := range b.keys {
				keys = append(keys, string(k))
				raw = append(raw, string(b.line(i)))
			}
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
	if _, err := lr.next(); err != io.ErrNoProgress {
		t.Errorf("error %v, want %v", err, io.ErrNoProgress)
	}
}

// Lines that precede an error are seen, a part of one is not.
func TestLinesError(t *testing.T) {
	var lr lineReader
	lr.reset(io.MultiReader(strings.NewReader("a\nb"), brokenReader{}))
	if text, err := lr.next(); string(text) != "a\n" || err != nil {
		t.Errorf("next: %q, %v", text, err)
	}
	if text, err := lr.next(); text != nil || err == nil || err == io.EOF {
		t.Errorf("next: %q, %v", text, err)
	}
}

// The buffer is used again for the next stream.
func TestLinesReset(t *testing.T) {
	var lr lineReader
	for range 3 {
		lr.reset(strings.NewReader("a\nb"))
		first, _ := lr.next()
		a := string(first)
		second, _ := lr.next()
		if a != "a\n" || string(second) != "b" {
			t.Errorf("%q, %q", a, second)
		}
	}
	text := []byte(lines(50_000))
	r := bytes.NewReader(text)
	if n := testing.AllocsPerRun(3, func() {
		r.Reset(text)
		lr.reset(r)
		for {
			if _, err := lr.next(); err != nil {
				return
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(lr.buf) != readSize {
		t.Errorf("the buffer grew to %d bytes for short lines", len(lr.buf))
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
