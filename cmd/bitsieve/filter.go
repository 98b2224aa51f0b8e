package main

import (
	"crypto/rand"
	"errors"
	"hash/maphash"
	"os"
	"runtime/debug"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

// A lineHash turns lines into the hashes that a filter is given.
type lineHash struct {
	filter *bitsieve.Blocked // hashes as this one does, if not nil
	seed   maphash.Seed
}

// prepare finds the lines of a chunk and their hashes.
func (h lineHash) prepare(c *chunk) {
	c.split()
	c.hashes = h.appendTo(c.hashes[:0], c.keys)
}

// prepareFull is prepare for the lines that are not empty.
func (h lineHash) prepareFull(c *chunk) {
	c.splitFull()
	c.hashes = h.appendTo(c.hashes[:0], c.keys)
}

// appendTo appends the hashes of keys to dst.
func (h lineHash) appendTo(dst []uint64, keys [][]byte) []uint64 {
	if h.filter == nil {
		for _, key := range keys {
			dst = append(dst, maphash.Bytes(h.seed, key))
		}
		return dst
	}
	for _, key := range keys {
		dst = append(dst, h.filter.Hash(key))
	}
	return dst
}

// savedHash returns the hash of filters that are kept.
func savedHash(opts []bitsieve.Option) (lineHash, error) {
	f, err := bitsieve.NewBlockedWithSize(1, 1, opts...)
	return lineHash{filter: f}, err
}

// runHash returns a hash for one run of the program, with a seed of its own, so
// that nobody can make lines whose hashes are equal. Package maphash is what
// Go's maps rely on; where that is not enough, HighwayHash has a secret key.
func runHash(untrusted bool) (lineHash, error) {
	if !untrusted {
		return lineHash{seed: maphash.MakeSeed()}, nil
	}
	key := make([]byte, bitsieve.KeySize)
	if _, err := rand.Read(key); err != nil {
		return lineHash{}, err
	}
	return savedHash([]bitsieve.Option{bitsieve.WithKey(key)})
}

func untrustedFlag(untrusted *bool) cli.Flag {
	return &cli.BoolFlag{Name: "untrusted", Usage: "hash by HighwayHash under a random key", Destination: untrusted}
}

// openFilter opens a filter's file, of whatever kind.
func (t *tool) openFilter(path string, opts []bitsieve.Option) (bitsieve.Filter, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		t.mapped = path
	}
	var open []bitsieve.OpenOption
	for _, opt := range opts {
		open = append(open, opt)
	}
	return bitsieve.Open(path, open...)
}

// catchFaults makes reads of a mapped file that is no longer there panic instead
// of ending the program, until the function returned is deferred: it turns the
// panic into an error.
func (t *tool) catchFaults(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		r := recover()
		if r == nil {
			return
		}
		if _, ok := r.(interface {
			error
			Addr() uintptr
		}); !ok || t.mapped == "" {
			panic(r)
		}
		*err = errors.New(t.mapped + ": the file was cut short, or could not be read, while it was in use")
	}
}
