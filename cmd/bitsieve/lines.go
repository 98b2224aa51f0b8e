package main

import (
	"bytes"
	"fmt"
	"io"
)

const (
	// readSize is how much is read at a time. It stays in the second-level
	// cache between the read, the cutting into lines and the writing.
	readSize = 256 << 10
	// maxLine is the length of the longest line, without its end: an endless one
	// would fill the memory.
	maxLine = 64 << 20
	// maxEmptyReads is how often in a row a reader may give nothing.
	maxEmptyReads = 100
)

// A lineReader reads a stream in runs of whole lines. The zero value needs a
// reset.
type lineReader struct {
	r    io.Reader
	tail []byte // the beginning of a line, in the buffer used last
	at   int64  // where in the stream tail starts
	err  error
}

func (lr *lineReader) reset(r io.Reader) { *lr = lineReader{r: r} }

// next reads into buf and returns the whole lines that are at hand, which is at
// least one: it waits for no more than the stream has. Only the last line of a
// stream may lack its LF. The error comes without lines; it is io.EOF at the end.
//
// The buffer that next returns is the one to reuse: it is another one when a line
// was too long for buf. The one used in the call before must not change until the
// next call returns.
func (lr *lineReader) next(buf []byte) (text, used []byte, err error) {
	if len(lr.tail) > len(buf)/2 {
		buf = make([]byte, 2*len(lr.tail)+readSize)
	}
	n := copy(buf, lr.tail)
	for empty := 0; lr.err == nil; {
		if n == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		m, err := lr.r.Read(buf[n:])
		if m > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads && err == nil {
			err = io.ErrNoProgress
		}
		lr.err = err
		fresh := buf[n : n+m]
		if n+m > maxLine && n+firstLine(fresh) > maxLine {
			lr.err = fmt.Errorf("the line at byte %d is longer than %s", lr.at, size(maxLine))
			return nil, buf, lr.err
		}
		n += m
		if i := bytes.LastIndexByte(fresh, '\n'); i >= 0 {
			return lr.cut(buf[:n], n-m+i+1), buf, nil
		}
	}
	if lr.err == io.EOF && n > 0 {
		return lr.cut(buf[:n], n), buf, nil
	}
	return nil, buf, lr.err
}

// cut returns the first n bytes of data and keeps the rest for the next call.
func (lr *lineReader) cut(data []byte, n int) []byte {
	lr.tail = data[n:]
	lr.at += int64(n)
	return data[:n]
}

// firstLine returns the length of b's first line without its LF.
func firstLine(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i
	}
	return len(b)
}

// A chunk is a run of whole lines of one input.
type chunk struct {
	in   *input
	text []byte   // the lines as they came
	keys [][]byte // the lines without their ends
	ends []int    // where in text each line ends

	hashes []uint64 // of the keys
	count  uint64   // lines, where there are no keys
	values []uint32 // the lines as integers, for sort, or the addresses in them
	known  []uint64 // bit i: line i has an address
	spans  []span   // the lines that are ranges of addresses
	visits visits   // the lines as those of an access log
	bad    []byte   // the line that is none

	raw int   // bytes read from the input for it, compressed ones perhaps
	end bool  // the input is at its end, and there are no lines
	err error // why it ended before that

	buf []byte
}

// split finds the lines of c.
func (c *chunk) split() {
	c.keys, c.ends = c.keys[:0], c.ends[:0]
	for at := 0; at < len(c.text); {
		line := c.text[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
			at++
		}
		at += len(line)
		c.keys = append(c.keys, trimCR(line))
		c.ends = append(c.ends, at)
	}
}

// splitFull finds the lines of c that are not empty. Their numbers and ends are
// not known.
func (c *chunk) splitFull() {
	c.keys = c.keys[:0]
	eachFull(c.text, func(key []byte) { c.keys = append(c.keys, key) })
}

// eachFull calls f with the keys of the lines that are not empty.
func eachFull(text []byte, f func(key []byte)) {
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		if line = trimCR(line); len(line) > 0 {
			f(line)
		}
	}
}

// lines returns lines i to j−1 with their ends.
func (c *chunk) lines(i, j int) []byte {
	if i == j {
		return nil
	}
	start := 0
	if i > 0 {
		start = c.ends[i-1]
	}
	return c.text[start:c.ends[j-1]]
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
