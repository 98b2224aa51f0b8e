package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/bitsieve/bitsieve"
)

// A table is a file that is written once, and never changed:
//
//	blocks   of about blockSize bytes: entries, in ascending order of their keys
//	index    of all blocks: an entry each, whose key is the block's first
//	footer   offset of the index, 8 bytes, little-endian
//
// An entry is two lengths, as varints, a key and a value. In the index, values are
// the blocks' offsets.
//
// The filter has a file of its own beside it. What it holds can be made again from
// the table: a filter that is lost costs time, not data.
type table struct {
	file   *os.File
	first  []string // key of each block
	start  []int64  // offset of each block, and of the index
	filter *bitsieve.Blocked
}

const (
	blockSize  = 4096
	footerSize = 8
)

var errCorrupt = errors.New("the table is corrupt")

// writeTable writes a table in one step: after a crash it is there or not.
func writeTable(path string, values map[string]string) (err error) {
	var data, index []byte
	start := -blockSize
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if len(data)-start >= blockSize {
			start = len(data)
			index = appendEntry(index, key, string(binary.AppendUvarint(nil, uint64(start))))
		}
		data = appendEntry(data, key, values[key])
	}
	footer := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))

	f, err := os.CreateTemp(filepath.Dir(path), "new-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	for _, part := range [][]byte{data, index, footer} {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// openTable opens a table, and its filter if rate is not 0.
func openTable(path string, rate float64) (_ *table, err error) {
	t := new(table)
	if t.file, err = os.Open(path); err != nil {
		return nil, err
	}
	if err = t.readIndex(); err == nil && rate > 0 {
		err = t.openFilter(path+".filter", rate)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, t.file.Close()))
	}
	return t, nil
}

func (t *table) close() error {
	if t.filter == nil {
		return t.file.Close()
	}
	return errors.Join(t.filter.Close(), t.file.Close())
}

func (t *table) readIndex() error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	end := info.Size() - footerSize
	footer := make([]byte, footerSize)
	if _, err := t.file.ReadAt(footer, max(end, 0)); err != nil {
		return err
	}
	at := int64(binary.LittleEndian.Uint64(footer))
	if at < 0 || at > end {
		return errCorrupt
	}
	index := make([]byte, end-at)
	if _, err := t.file.ReadAt(index, at); err != nil {
		return err
	}
	for len(index) > 0 {
		key, value, rest, err := cutEntry(index)
		if err != nil {
			return err
		}
		start, n := binary.Uvarint(value)
		if n <= 0 || start > uint64(at) || len(t.start) > 0 && int64(start) <= t.start[len(t.start)-1] {
			return errCorrupt
		}
		t.first, t.start, index = append(t.first, string(key)), append(t.start, int64(start)), rest
	}
	t.start = append(t.start, at)
	return nil
}

// openFilter opens the table's filter, made for a rate. If there is none, or it is
// damaged or of another rate, it makes one of the table's keys and saves it.
func (t *table) openFilter(path string, rate float64) (err error) {
	if t.filter, err = bitsieve.OpenBlocked(path); err == nil {
		if _, p := t.filter.Capacity(); p == rate {
			return nil
		}
		t.filter.Close()
	}
	var keys []string
	for block := range t.first {
		entries, err := t.read(block)
		for len(entries) > 0 && err == nil {
			var key []byte
			key, _, entries, err = cutEntry(entries)
			keys = append(keys, string(key))
		}
		if err != nil {
			return err
		}
	}
	if t.filter, err = bitsieve.NewBlocked(uint64(len(keys)), rate); err != nil {
		return err
	}
	t.filter.AddStrings(keys)
	return t.filter.Save(path)
}

// get reads one block, the one that has the key if the table has it.
func (t *table) get(key string) (value string, ok bool, err error) {
	block := sort.Search(len(t.first), func(i int) bool { return t.first[i] > key }) - 1
	if block < 0 {
		return "", false, nil
	}
	entries, err := t.read(block)
	for len(entries) > 0 && err == nil {
		var k, v []byte
		if k, v, entries, err = cutEntry(entries); err == nil && string(k) == key {
			return string(v), true, nil
		}
	}
	return "", false, err
}

// read reads a block. ReadAt is the system's pread.
func (t *table) read(block int) ([]byte, error) {
	b := make([]byte, t.start[block+1]-t.start[block])
	_, err := t.file.ReadAt(b, t.start[block])
	if err == io.EOF {
		err = errCorrupt
	}
	return b, err
}

func appendEntry(b []byte, key, value string) []byte {
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	b = append(b, key...)
	return append(b, value...)
}

func cutEntry(b []byte) (key, value, rest []byte, err error) {
	var lengths [2]uint64
	for i := range lengths {
		x, n := binary.Uvarint(b)
		if n <= 0 || x > uint64(len(b)) {
			return nil, nil, nil, errCorrupt
		}
		lengths[i], b = x, b[n:]
	}
	k, v := lengths[0], lengths[1]
	if k+v > uint64(len(b)) {
		return nil, nil, nil, errCorrupt
	}
	return b[:k], b[k : k+v], b[k+v:], nil
}
