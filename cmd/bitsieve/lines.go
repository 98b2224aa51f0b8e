package main

import (
	"bytes"
	"io"
)

const (
	// readSize is how much is read at a time. It stays in the second-level
	// cache between the read, the cutting into lines and the writing.
	readSize = 256 << 10
	// batchLines is the number of lines that go through a filter together.
	batchLines = 1024
	// maxEmptyReads is how often in a row a reader may give nothing.
	maxEmptyReads = 100
)

// A lineReader reads a stream in runs of whole lines. The zero value needs a
// reset.
type lineReader struct {
	r          io.Reader
	buf        []byte
	start, end int // buf[start:end] is the beginning of a line
	err        error
}

func (lr *lineReader) reset(r io.Reader) {
	if lr.buf == nil {
		lr.buf = make([]byte, readSize)
	}
	lr.r, lr.start, lr.end, lr.err = r, 0, 0, nil
}

// next returns the whole lines that are at hand, which is at least one: it waits
// for no more than the stream has. Only the last line of a stream may lack its
// LF. The bytes are valid until the next call. The error comes without lines; it
// is io.EOF at the end.
func (lr *lineReader) next() (text []byte, err error) {
	for empty := 0; lr.err == nil; {
		if lr.end == len(lr.buf) {
			lr.makeRoom()
		}
		n, err := lr.r.Read(lr.buf[lr.end:])
		if n > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads && err == nil {
			err = io.ErrNoProgress
		}
		fresh := lr.buf[lr.end : lr.end+n]
		lr.end += n
		lr.err = err
		if i := bytes.LastIndexByte(fresh, '\n'); i >= 0 {
			text = lr.buf[lr.start : lr.end-n+i+1]
			lr.start += len(text)
			if lr.start == lr.end {
				lr.start, lr.end = 0, 0
			}
			return text, nil
		}
	}
	if lr.err == io.EOF && lr.start < lr.end {
		text = lr.buf[lr.start:lr.end]
		lr.start = lr.end
		return text, nil
	}
	return nil, lr.err
}

// makeRoom moves the beginning of a line to the front of the buffer, or doubles
// a buffer that is full of it.
func (lr *lineReader) makeRoom() {
	buf := lr.buf
	if lr.end-lr.start > len(buf)/2 {
		buf = make([]byte, 2*len(buf))
	}
	lr.end = copy(buf, lr.buf[lr.start:lr.end])
	lr.buf, lr.start = buf, 0
}

// A batch is a run of lines that go through a filter together.
type batch struct {
	text []byte   // the lines as they came
	keys [][]byte // the lines without their ends
	ends []int    // where in text each line ends
}

// cut makes a batch of the first lines of text and returns the rest.
func (b *batch) cut(text []byte) (rest []byte) {
	b.keys, b.ends = b.keys[:0], b.ends[:0]
	at := 0
	for at < len(text) && len(b.keys) < batchLines {
		line := text[at:]
		next := len(text)
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
			next = at + i + 1
		}
		b.keys = append(b.keys, trimCR(line))
		b.ends = append(b.ends, next)
		at = next
	}
	b.text = text[:at]
	return text[at:]
}

// line returns line i with its end.
func (b *batch) line(i int) []byte { return b.lines(i, i+1) }

// lines returns lines i to j−1.
func (b *batch) lines(i, j int) []byte {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.text[start:b.ends[j-1]]
}

// dropEmpty removes the empty keys. Line numbers are wrong afterwards.
func (b *batch) dropEmpty() {
	kept := b.keys[:0]
	for _, k := range b.keys {
		if len(k) > 0 {
			kept = append(kept, k)
		}
	}
	b.keys = kept
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
