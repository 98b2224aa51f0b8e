package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "reading", 1000, progressbar.OptionShowBytes(true))
	p.add(10)
	p.clear()
	if out.Len() > 0 {
		t.Errorf("drawn at once: %q", &out)
	}
	p.start = p.start.Add(-progressDelay)
	p.add(490)
	if !strings.Contains(out.String(), "reading  50%") {
		t.Errorf("bar: %q", &out)
	}
	p.clear()
	p.add(490)
	p.add(490) // an input that has grown
	newProgress(&out, "reading", -1).add(1)
	newProgress(&out, "reading", 0).add(1)
	(*progress)(nil).add(1)
	(*progress)(nil).clear()
}

// columns returns how far to the right the text goes on a terminal.
func columns(text string) (most int) {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		most = max(most, utf8.RuneCountInString(line))
	}
	return most
}

// The bar stays on one line of a terminal of any width, and is removed there.
func TestProgressWidth(t *testing.T) {
	for _, width := range []int{1, 20, 55, 80} {
		for _, total := range []int64{1 << 40, -1} {
			var out bytes.Buffer
			p := newProgress(&cropper{&out, func() int { return width }}, "reading", total, progressbar.OptionShowBytes(true))
			p.start = p.start.Add(-progressDelay)
			for range 2 {
				p.add(1 << 38)
				time.Sleep(110 * time.Millisecond)
			}
			p.clear()
			if got := columns(out.String()); got > width {
				t.Errorf("%d columns on a terminal of %d: %q", got, width, &out)
			}
			if width >= 20 && !strings.Contains(out.String(), "reading") {
				t.Errorf("terminal of %d columns: %q", width, &out)
			}
			_, last, _ := strings.Cut(strings.TrimSuffix(out.String(), "\r"), "\r")
			if i := strings.LastIndexByte(last, '\r'); strings.TrimSpace(last[i+1:]) != "" {
				t.Errorf("terminal of %d columns: not cleared: %q", width, &out)
			}
		}
	}
}

func TestCropper(t *testing.T) {
	for _, c := range []struct {
		width    int
		in, want string
	}{
		{3, "", ""},
		{3, "abc", "abc"},
		{3, "abcd", "abc"},
		{3, "\rabcd\r", "\rabc\r"},
		{3, "\r     \rab█de\nfghij", "\r   \rab█\nfgh"},
		{0, "\ra", "\r"},
	} {
		var out bytes.Buffer
		n, err := (&cropper{&out, func() int { return c.width }}).Write([]byte(c.in))
		if n != len(c.in) || err != nil || out.String() != c.want {
			t.Errorf("%q at %d: %q, %d, %v", c.in, c.width, &out, n, err)
		}
	}
	if _, err := fmt.Fprint(&cropper{brokenPipe{}, func() int { return 9 }}, "x"); err == nil {
		t.Error("no error")
	}
}
