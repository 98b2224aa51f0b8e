package rocksdb_test

import (
	"fmt"

	"github.com/bitsieve/bitsieve/interop/rocksdb"
)

// The filter block of a table, made and asked.
func Example() {
	b, err := rocksdb.NewBuilder(10) // bits per key, as NewBloomFilterPolicy takes
	if err != nil {
		fmt.Println(err)
		return
	}
	b.AddStrings([]string{"apple", "pear"})
	f, err := b.Finish()
	if err != nil {
		fmt.Println(err)
		return
	}
	block, err := f.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := rocksdb.NewView(block)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(block), v.K(), v.TestString("apple"), v.TestString("plum"))
	// Output: 69 6 true false
}
