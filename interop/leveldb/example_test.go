package leveldb_test

import (
	"fmt"

	bitsieve "github.com/bitsieve/bitsieve/interop/leveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

// A database with our policy in the place of goleveldb's.
func ExampleNewBloomFilter() {
	db, err := leveldb.Open(storage.NewMemStorage(), &opt.Options{Filter: bitsieve.NewBloomFilter(10)})
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if err := db.Put([]byte("apple"), []byte("red"), nil); err != nil {
		panic(err)
	}
	_, err = db.Get([]byte("banana"), nil)
	fmt.Println(err)
	// Output: leveldb: not found
}

// Testing keys in a filter's bytes.
func ExampleView() {
	data := bitsieve.AppendFilter(nil, 10, [][]byte{[]byte("hello"), []byte("world")})
	v, err := bitsieve.NewView(data)
	if err != nil {
		panic(err)
	}
	fmt.Println(v.Bits(), v.K(), v.TestString("hello"), v.TestString("foo"))
	// Output: 64 6 true false
}
