// Package foreign opens filters that other libraries wrote, as far as the command
// has to know them: what they are, and which lines may be in them.
//
// Each file but this one and lines.go is about one format.
package foreign

import (
	"errors"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
)

// A Format is another library's form of a filter.
type Format int

const (
	None Format = iota
	BitsAndBlooms
	Guava
	Parquet       // a file of columns, with filters of their values
	ParquetFilter // one of these filters by itself, header and bits
	RedisBloom
)

// formats are the formats in the order in which they are looked for: first those
// that a magic number tells, then those that only their sizes do.
var formats = []struct {
	Format
	name string
	is   func(data []byte) bool
	open func(data []byte) (filter, error)
}{
	{Parquet, "Parquet", isParquet, openParquet},
	{RedisBloom, "RedisBloom", isRedisBloom, openRedisBloom},
	{ParquetFilter, "Parquet filter", isParquetFilter, openParquetFilter},
	{BitsAndBlooms, "bits-and-blooms", isBitsAndBlooms, openBitsAndBlooms},
	{Guava, "Guava", isGuava, openGuava},
}

func (f Format) String() string {
	for _, row := range formats {
		if row.Format == f {
			return row.name
		}
	}
	return "unknown"
}

// filter is what a format knows of a file.
type filter interface {
	facts() ([]Fact, error)
	lines(Choice) (Lines, error)
}

// A Choice says which filter of a file is meant, and what its keys are.
type Choice struct {
	Column string // of a Parquet file; "" for its only one with filters
	Funnel Funnel // how lines become keys; Usual for what is usual there
}

// Lines tells which lines may be in a filter, as bitsieve.Filter's method does. It is
// not for several goroutines.
type Lines interface {
	TestBytes(lines [][]byte, hits *bitsieve.BitSet) int
}

// A File is a file that another library wrote.
type File struct {
	Format  Format
	Data    []byte // all of the file
	filter  filter
	mapping *format.Mapping
}

// Open opens a regular file if it is of one of the formats; otherwise both results
// are nil. A file that is of one of them, but damaged, is a *bitsieve.FormatError.
func Open(path string) (*File, error) {
	data, mapping, err := format.Load(path)
	if err != nil {
		return nil, err
	}
	for _, row := range formats {
		if !row.is(data) {
			continue
		}
		filter, err := row.open(data)
		if err != nil {
			return nil, errors.Join(format.WithPath(err, path), mapping.Close())
		}
		return &File{row.Format, data, filter, mapping}, nil
	}
	return nil, mapping.Close()
}

// Facts returns what there is to say of the file, with a damaged part also what is wrong:
// a *bitsieve.FormatError.
func (f *File) Facts() ([]Fact, error) { return f.filter.facts() }

// Lines returns what tells lines that may be in the filter. It is in use until Close.
func (f *File) Lines(c Choice) (Lines, error) {
	if err := f.checkColumn(c.Column); err != nil {
		return nil, err
	}
	return f.filter.lines(c)
}

// checkColumn refuses a column of a file that has none.
func (f *File) checkColumn(name string) error {
	if name != "" && f.Format != Parquet {
		return fmt.Errorf("a %s file has no columns", f.Format)
	}
	return nil
}

// Close releases the file.
func (f *File) Close() error { return f.mapping.Close() }
