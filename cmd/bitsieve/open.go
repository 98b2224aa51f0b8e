package main

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow is how far back a zstd stream may refer, and so what it may take of
// memory: what the zstd command allows without --long.
const maxWindow = 128 << 20

// A source is an open input. Reading gives its lines, decompressed.
type source struct {
	io.Reader
	raw   *countingReader
	close []func()
}

// taken returns how many bytes were read from the input since the last call.
func (s *source) taken() int {
	return int(s.raw.n.Swap(0))
}

func (s *source) Close() {
	for i := range s.close {
		s.close[len(s.close)-1-i]()
	}
}

// A countingReader counts what is read. The zstd decoder reads on a goroutine of
// its own.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// open opens an input.
func (t *tool) open(in *input) (*source, error) {
	s := &source{raw: &countingReader{r: t.stdin}}
	if in.path != "" {
		file, err := os.Open(in.path)
		if err != nil {
			return nil, err
		}
		s.raw.r = file
		s.close = append(s.close, func() { file.Close() })
	}
	if err := s.decompress(in); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// decompress looks at the first bytes and sets s.Reader.
func (s *source) decompress(in *input) error {
	head, format, err := sniff(s.raw)
	if err != nil && len(head) == 0 && err != io.EOF {
		return err
	}
	all := io.MultiReader(bytes.NewReader(head), &failedReader{err, s.raw})
	switch format {
	case "":
		s.Reader = all
	case "gzip":
		z, err := gzip.NewReader(bufio.NewReaderSize(all, 64<<10))
		if err != nil {
			return err
		}
		s.Reader = z
	case "zstd":
		z, err := zstd.NewReader(all, zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
		s.Reader = zstdReader{z, in}
		s.close = append(s.close, z.Close)
	case "bzip2":
		s.Reader = bzip2.NewReader(all)
	default:
		return fmt.Errorf("is compressed by %s, which is not read here: use %s -dc %s | bitsieve …", format, format, in.path)
	}
	return nil
}

type zstdReader struct {
	*zstd.Decoder
	in *input
}

func (z zstdReader) Read(b []byte) (int, error) {
	n, err := z.Decoder.Read(b)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = fmt.Errorf("needs more than %s to decompress: use zstd -dc --long=31 %s | bitsieve …", size(maxWindow), z.in.path)
	}
	return n, err
}

// magics are the first bytes of compressed files.
var magics = []struct{ format, head string }{
	{"gzip", "\x1f\x8b\x08"},
	{"zstd", "\x28\xb5\x2f\xfd"},
	{"zstd", "\x50\x2a\x4d\x18"}, // of pzstd
	{"bzip2", "BZh?1AY&SY"},
	{"xz", "\xfd7zXZ\x00"},
	{"lz4", "\x04\x22\x4d\x18"},
}

// sniff reads enough of r to say how it is compressed, "" if it is not, and
// returns what it has read and the error, if any, that followed. It waits for
// more than r has at hand only while that may be the beginning of a compressed
// file, which is no whole line.
func sniff(r io.Reader) (head []byte, format string, err error) {
	head = make([]byte, 4<<10)
	n, undecided := 0, true
	for empty := 0; undecided && err == nil; {
		if empty == maxEmptyReads {
			return nil, "", io.ErrNoProgress
		}
		var m int
		m, err = r.Read(head[n:])
		if empty++; m > 0 {
			empty = 0
		}
		n += m
		format, undecided = formatOf(head[:n])
	}
	return head[:n], format, err
}

// A failedReader gives an error that a reader has given before, if it is not
// nil.
type failedReader struct {
	err error
	r   io.Reader
}

func (f *failedReader) Read(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.r.Read(b)
}

// formatOf says how what begins with head is compressed, and whether more bytes
// are needed to say.
func formatOf(head []byte) (format string, undecided bool) {
	for _, m := range magics {
		switch n := matching(head, m.head); {
		case n == len(m.head):
			return m.format, false
		case n == len(head):
			undecided = true
		}
	}
	return "", undecided
}

// matching returns how many bytes head and magic have in common.
func matching(head []byte, magic string) (n int) {
	for n < len(head) && n < len(magic) && (head[n] == magic[n] || magic[n] == '?') {
		n++
	}
	return n
}
