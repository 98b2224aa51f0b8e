package main

import (
	"io"
	"sync"
)

const (
	// aheadChunks is how many chunks there are: one is being filled, one is worked
	// on, and one lies between.
	aheadChunks = 3
	// batchLines is the number of lines that go through a filter together.
	batchLines = 1024
)

// eachChunk calls work with the chunks of all inputs, in order, and with a last
// one for every input that says how it ended. A goroutine of its own reads ahead
// and calls prepare with each chunk: prepare may use the chunk and nothing else
// that changes. A chunk is valid until work returns.
//
// eachChunk returns work's first error. After a signal it returns an
// interruptError without waiting for more input.
func (t *tool) eachChunk(ins []input, prepare func(c *chunk), work func(c *chunk) error) error {
	p := pipeline{
		t:       t,
		prepare: prepare,
		full:    make(chan *chunk, aheadChunks),
		free:    make(chan *chunk, aheadChunks),
		quit:    make(chan struct{}),
	}
	for range aheadChunks {
		p.free <- new(chunk)
	}
	defer close(p.quit)
	go p.read(ins)
	for {
		if err := t.interrupted(); err != nil {
			return err
		}
		select {
		case <-t.ctx.Done():
		case c, more := <-p.full:
			if !more {
				return nil
			}
			if err := work(c); err != nil {
				return err
			}
			t.progress.add(c.raw)
			p.free <- c
		}
	}
}

// eachText calls work with all chunks that have lines. An input that cannot be
// read ends it.
func (t *tool) eachText(ins []input, prepare func(c *chunk), work func(c *chunk) error) error {
	return t.eachChunk(ins, prepare, func(c *chunk) error {
		if c.end || c.err != nil {
			return c.err
		}
		return work(c)
	})
}

// eachTextAnyOrder is eachText for work that can be done for several chunks at a time and
// in any order: that of prepare as well. There are so many workers, each with a number
// from 0, and it is over when all have stopped.
func (t *tool) eachTextAnyOrder(ins []input, workers int, work func(worker int, c *chunk) error) error {
	chunks := workers + aheadChunks - 1
	p := pipeline{
		t:       t,
		prepare: func(*chunk) {},
		full:    make(chan *chunk, chunks),
		free:    make(chan *chunk, chunks),
		quit:    make(chan struct{}),
	}
	for range chunks {
		p.free <- new(chunk)
	}
	go p.read(ins)
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex // guards first and progress
		first error
	)
	done := func(c *chunk, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			t.progress.add(c.raw)
			return
		}
		if first == nil {
			first = err
			close(p.quit)
		}
	}
	for worker := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-t.ctx.Done():
					return
				case <-p.quit:
					return
				case c, more := <-p.full:
					if !more {
						return
					}
					err := c.err
					if err == nil && !c.end {
						err = work(worker, c)
					}
					done(c, err)
					p.free <- c
				}
			}
		}()
	}
	wg.Wait()
	if first == nil {
		close(p.quit)
		return t.interrupted()
	}
	return first
}

// A pipeline reads inputs ahead of the goroutine that works on them.
type pipeline struct {
	t       *tool
	prepare func(c *chunk)
	full    chan *chunk // to work on
	free    chan *chunk // to fill
	quit    chan struct{}
	lines   lineReader
}

// read sends the chunks of all inputs.
func (p *pipeline) read(ins []input) {
	defer close(p.full)
	for i := range ins {
		if !p.readInput(&ins[i]) {
			return
		}
	}
}

// readInput sends the chunks of one input. It reports whether they are wanted.
func (p *pipeline) readInput(in *input) bool {
	r, err := p.t.open(in)
	if err != nil {
		return p.finish(in, 0, err)
	}
	defer r.Close()
	p.lines.reset(r)
	for {
		c := p.take()
		if c == nil {
			return false
		}
		c.in = in
		if len(c.buf) != readSize { // the first time, or a long line's
			c.buf = make([]byte, readSize)
		}
		c.text, c.buf, err = p.lines.next(c.buf)
		c.raw = r.taken()
		if err != nil {
			p.free <- c
			return p.finish(in, c.raw, err)
		}
		p.prepare(c)
		p.full <- c
	}
}

// finish sends the chunk that says how an input ended.
func (p *pipeline) finish(in *input, raw int, err error) bool {
	c := p.take()
	if c == nil {
		return false
	}
	if err == io.EOF {
		err = nil
	} else {
		err = inputError(in, err)
	}
	*c = chunk{in: in, raw: raw, end: true, err: err, keys: c.keys[:0], ends: c.ends[:0], hashes: c.hashes[:0], buf: c.buf}
	p.full <- c
	return true
}

// take returns a chunk to fill, nil if no more are wanted.
func (p *pipeline) take() *chunk {
	select {
	case <-p.quit:
		return nil
	case c := <-p.free:
		c.end, c.err = false, nil
		return c
	}
}
