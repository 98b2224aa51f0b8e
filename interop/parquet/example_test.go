package parquet_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bitsieve/bitsieve/interop/parquet"
)

// The filter of a column chunk, from its values to the bytes that a writer puts at
// the chunk's bloom_filter_offset, and the answers that a reader gets from them.
func Example() {
	f, err := parquet.New(1000, 0.01)
	if err != nil {
		panic(err)
	}
	f.AddInt64s([]int64{3, 5, 8})
	data, err := f.MarshalBinary()
	if err != nil {
		panic(err)
	}

	view, err := parquet.NewView(data) // of the bytes as they lie
	if err != nil {
		panic(err)
	}
	fmt.Println(view.TestInt64(5), view.TestInt64(6))
	fmt.Println(view.TestInt64s([]int64{1, 2, 3, 4, 5}, nil), "of five")
	// Output:
	// true false
	// 2 of five
}

// Which row groups of a Parquet file may have a value: nothing is read but the footer
// and the column's filters.
func ExampleOpen() {
	data := exampleFile
	file, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		panic(err)
	}
	column, ok := file.Find("user.name")
	if !ok {
		panic("no such column")
	}
	hash := parquet.HashString("Ada")
	for g := range file.RowGroups() {
		filter, err := file.ReadFilter(g, column)
		if err != nil {
			panic(err)
		}
		fmt.Println(strings.Join(file.Path(column), "."), "row group", g, filter.TestHash(hash))
	}
	// Output:
	// user.name row group 0 false
	// user.name row group 1 true
}
