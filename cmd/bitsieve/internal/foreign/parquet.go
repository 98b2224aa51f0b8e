package foreign

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/interop/parquet"
)

// isParquet goes by the magic number; that at the end is the reader's business.
func isParquet(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PAR1")) || bytes.HasPrefix(data, []byte("PARE"))
}

func openParquet(data []byte) (filter, error) {
	f, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	return parquetFile{f, len(data)}, err
}

// parquetFile has the filters of columns in row groups.
type parquetFile struct {
	*parquet.File
	size int // of the file, in bytes
}

func (f parquetFile) facts() ([]Fact, error) {
	facts := []Fact{fact("rows", "%d in %d row groups", f.Rows(), f.RowGroups())}
	if by := f.CreatedBy(); by != "" {
		facts = append(facts, fact("created by", "%q", by))
	}
	filters := 0
	var damage error // the first
	room := f.room()
	for i := range f.Columns() {
		groups := f.filtered(i)
		if len(groups) == 0 {
			continue
		}
		filters += len(groups)
		line, err := f.column(i, groups, &room)
		facts = append(facts, line)
		if damage == nil {
			damage = err
		}
	}
	if filters == 0 {
		facts = append(facts, fact("filters", "none"))
	}
	return facts, damage
}

// filtered returns the row groups in which a column has a filter.
func (f parquetFile) filtered(column int) (groups []int) {
	for g := range f.RowGroups() {
		if f.Chunk(g, column).FilterOffset != 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

func (f parquetFile) name(column int) string { return strings.Join(f.Path(column), ".") }

// column describes the filters of a column.
func (f parquetFile) column(i int, groups []int, left *room) (Fact, error) {
	var size uint64
	var worst float64
	typ := f.Columns()[i].Type
	for _, g := range groups {
		filter, err := f.filter(g, i, left)
		if err != nil {
			return fact("column "+f.name(i), "%v, the filter of row group %d cannot be read", typ, g), err
		}
		size += filter.SizeBytes()
		worst = max(worst, filter.FPRate())
	}
	in := fmt.Sprintf("%d", len(groups))
	if all := f.RowGroups(); len(groups) < all {
		in += fmt.Sprintf(" of %d", all)
	}
	return fact("column "+f.name(i), "%v, filters in %s row groups, %d bytes, rate at most %.3g", typ, in, size, worst), nil
}

// A room is how many bytes of filters there still can be in a file. A footer that has many
// row groups share one filter's bytes would else multiply them.
type room int64

func (f parquetFile) room() room { return room(f.size) }

func (r *room) take(bytes uint64) error {
	if *r -= room(bytes); *r < 0 {
		return format.Errorf(bitsieve.ErrHeader, "bloom_filter_offset", 0, "of several filters overlap: they are larger than the file")
	}
	return nil
}

// filter reads a filter and takes its size off what is left.
func (f parquetFile) filter(group, column int, left *room) (*parquet.Filter, error) {
	filter, err := f.ReadFilter(group, column)
	if err != nil {
		return nil, err
	}
	return filter, left.take(filter.SizeBytes())
}

// choose returns the column of a name, or the only one with filters.
func (f parquetFile) choose(name string) (column int, err error) {
	var names []string
	same := 0
	for i := range f.Columns() {
		switch own := f.name(i); {
		case name != "" && own == name:
			column = i
			same++
		case name == "" && len(f.filtered(i)) > 0:
			names, column = append(names, own), i
		}
	}
	switch {
	case same > 1:
		return 0, fmt.Errorf("%d columns have the name %q: a dot in a name is not told from one between names", same, name)
	case name != "" && same == 0:
		return 0, fmt.Errorf("there is no column %q", name)
	case name == "" && len(names) == 0:
		return 0, errors.New("no column has a filter")
	case len(names) > 1:
		return 0, fmt.Errorf("several columns have filters: choose by -column one of %s", strings.Join(names, ", "))
	}
	if f.Columns()[column].Type == parquet.Boolean {
		return 0, fmt.Errorf("column %s is BOOLEAN, whose filters are not to be relied on: parquet-go's deny values that are there", f.name(column))
	}
	return column, nil
}

// read returns the filters of a column. A row group without one may have any value, if it
// has values at all.
func (f parquetFile) read(column int) ([]*parquet.Filter, error) {
	var filters []*parquet.Filter
	left := f.room()
	for g := range f.RowGroups() {
		c := f.Chunk(g, column)
		if c.FilterOffset == 0 {
			if c.Values == 0 && f.RowsIn(g) == 0 {
				continue
			}
			return nil, fmt.Errorf("column %s has no filter in row group %d of %d, which may have any value", f.name(column), g+1, f.RowGroups())
		}
		filter, err := f.filter(g, column, &left)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", f.name(column), err)
		}
		filters = append(filters, filter)
	}
	if len(filters) == 0 && f.Rows() != 0 {
		return nil, errors.New("the file has no row groups")
	}
	return filters, nil
}

func (f parquetFile) lines(c Choice) (Lines, error) {
	column, err := f.choose(c.Column)
	if err != nil {
		return nil, err
	}
	if c.Funnel != Usual {
		return nil, fmt.Errorf("the type of a column says what its keys are: -funnel is not for %s", Parquet)
	}
	filters, err := f.read(column)
	if err != nil {
		return nil, err
	}
	any := new(some)
	for _, filter := range filters {
		any.filters = append(any.filters, &converted[uint64]{parse: hasher(f.Columns()[column]), test: filter.TestHashes})
	}
	return any, nil
}

// hasher returns what hashes lines that stand for values of a column.
func hasher(c parquet.Column) func(line []byte) (uint64, bool) {
	return func(line []byte) (uint64, bool) {
		text, ok := string(line), true
		if c.Type == parquet.FixedLenByteArray {
			text, ok = fixedBytes(text, c.Length)
		}
		h, err := c.Type.HashText(text)
		return h, ok && err == nil
	}
}

// fixedBytes returns the value of so many bytes that text stands for: itself, or that of
// its hexadecimal digits, which for a UUID may have the usual dashes.
func fixedBytes(text string, length int) (value string, ok bool) {
	if len(text) == length {
		return text, true
	}
	if length == 16 && len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		text = strings.ReplaceAll(text, "-", "")
	}
	if len(text) != 2*length {
		return "", false
	}
	b, err := hex.DecodeString(text)
	return string(b), err == nil
}

// extract returns what writes the filters of a column, united, as one by itself.
func (f parquetFile) extract(name string) (func(io.Writer) (int64, error), error) {
	column, err := f.choose(name)
	if err != nil {
		return nil, err
	}
	filters, err := f.read(column)
	if err != nil {
		return nil, err
	}
	if len(filters) == 0 {
		return nil, errors.New("the file has no rows, and so no filter")
	}
	for _, g := range filters[1:] {
		if err := filters[0].Union(g); err != nil {
			return nil, fmt.Errorf("the filters of column %s differ from row group to row group: %w", f.name(column), err)
		}
	}
	return filters[0].WriteTo, nil
}

// isParquetFilter goes by the header of Thrift, whose first field is an i32.
func isParquetFilter(data []byte) bool {
	if len(data) == 0 || data[0] != 0x15 {
		return false
	}
	numBytes, header, err := parquet.DecodeHeader(data)
	return err == nil && numBytes+header == len(data)
}

func openParquetFilter(data []byte) (filter, error) {
	v, err := parquet.NewView(data)
	return parquetFilter{v}, err
}

// parquetFilter is a filter by itself. Nothing says of what type its values are.
type parquetFilter struct{ parquet.View }

func (f parquetFilter) facts() ([]Fact, error) {
	size := f.SizeBytes()
	return bitFacts(size, 8*size, f.K(), f.EstimatedCount(), f.Fill(), f.FPRate()), nil
}

func (f parquetFilter) lines(c Choice) (Lines, error) {
	switch c.Funnel {
	case Int:
		return &converted[int32]{parse: integer[int32](32), test: f.TestInt32s}, nil
	case Long:
		return &converted[int64]{parse: integer[int64](64), test: f.TestInt64s}, nil
	}
	return asString(c, "a Parquet filter", f.View)
}
