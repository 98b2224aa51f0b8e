package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bitsieve/bitsieve/interop/parquet"
)

// isParquet goes by the magic number; that at the end is the reader's business.
func isParquet(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PAR1")) || bytes.HasPrefix(data, []byte("PARE"))
}

func openParquet(data []byte) (filter, error) {
	f, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	return parquetFile{f}, err
}

// parquetFile has the filters of columns in row groups.
type parquetFile struct{ *parquet.File }

func (f parquetFile) facts() []Fact {
	facts := []Fact{fact("rows", "%d in %d row groups", f.Rows(), f.RowGroups())}
	if by := f.CreatedBy(); by != "" {
		facts = append(facts, fact("created by", "%q", by))
	}
	filters := 0
	for i := range f.Columns() {
		groups := f.filtered(i)
		if len(groups) == 0 {
			continue
		}
		filters += len(groups)
		facts = append(facts, f.column(i, groups))
	}
	if filters == 0 {
		facts = append(facts, fact("filters", "none"))
	}
	return facts
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
func (f parquetFile) column(i int, groups []int) Fact {
	var size int
	var worst float64
	for _, g := range groups {
		filter, err := f.ReadFilter(g, i)
		if err != nil {
			return fact("column "+f.name(i), "%v, filter cannot be read: %v", f.Columns()[i].Type, err)
		}
		size += filter.SizeBytes()
		worst = max(worst, filter.FPRate())
	}
	return fact("column "+f.name(i), "%v, filters in %d row groups, %d bytes, rate at most %.3g",
		f.Columns()[i].Type, len(groups), size, worst)
}

// choose returns the column of a name, or the only one with filters.
func (f parquetFile) choose(name string) (column int, err error) {
	if name != "" {
		column, ok := f.Find(name)
		if !ok {
			return 0, fmt.Errorf("there is no column %q", name)
		}
		return column, nil
	}
	var names []string
	for i := range f.Columns() {
		if len(f.filtered(i)) > 0 {
			names, column = append(names, f.name(i)), i
		}
	}
	switch len(names) {
	case 0:
		return 0, errors.New("no column has a filter")
	case 1:
		return column, nil
	}
	return 0, fmt.Errorf("several columns have filters: choose by -column one of %s", strings.Join(names, ", "))
}

// read returns the filters of a column. A row group without one may have any value.
func (f parquetFile) read(column int) ([]*parquet.Filter, error) {
	filters := make([]*parquet.Filter, f.RowGroups())
	for g := range filters {
		var err error
		if filters[g], err = f.ReadFilter(g, column); err != nil {
			return nil, fmt.Errorf("column %s: %w", f.name(column), err)
		}
	}
	if len(filters) == 0 {
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
	typ := f.Columns()[column].Type
	if typ == parquet.Boolean {
		return nil, fmt.Errorf("column %s is BOOLEAN, whose filters are not to be relied on: parquet-go's deny values that are there", f.name(column))
	}
	parse := func(line []byte) (uint64, bool) {
		h, err := typ.HashText(string(line))
		return h, err == nil
	}
	any := new(some)
	for _, filter := range filters {
		any.filters = append(any.filters, &converted[uint64]{parse: parse, test: filter.TestHashes})
	}
	return any, nil
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

func (f parquetFilter) facts() []Fact {
	size := uint64(f.SizeBytes())
	return bitFacts(size, 8*size, f.K(), f.EstimatedCount(), f.Fill(), f.FPRate())
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
