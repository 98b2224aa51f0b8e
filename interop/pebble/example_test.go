package pebble_test

import (
	"fmt"

	bitsieve "github.com/bitsieve/bitsieve/interop/pebble"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A database that has tables with Pebble's filters, and gets the blocked ones with every table that it
// writes from now on.
func Example() {
	options := &pebble.Options{
		FS: vfs.NewMem(), // for this example
		Filters: map[string]pebble.FilterPolicy{
			bitsieve.FilterPolicy(10).Name(): bitsieve.FilterPolicy(10), // to read the old tables
		},
	}
	for i := range options.Levels {
		options.Levels[i].FilterPolicy = bitsieve.BlockedPolicy(10)
	}
	db, err := pebble.Open("db", options)
	if err != nil {
		panic(err)
	}
	defer db.Close()

	for _, key := range []string{"apple", "cherry"} {
		if err := db.Set([]byte(key), []byte("red"), pebble.Sync); err != nil {
			panic(err)
		}
	}
	if err := db.Flush(); err != nil {
		panic(err)
	}
	_, _, err = db.Get([]byte("banana"))
	fmt.Println(err)
	fmt.Println("tables not read:", db.Metrics().Filter.Hits)
	// Output:
	// pebble: not found
	// tables not read: 1
}

// A filter outside of a database.
func ExampleFilterPolicy() {
	policy := bitsieve.FilterPolicy(10)
	w := policy.NewWriter(pebble.TableFilter)
	for _, key := range []string{"hello", "world"} {
		w.AddKey([]byte(key))
	}
	filter := w.Finish(nil)
	fmt.Println(len(filter), policy.MayContain(pebble.TableFilter, filter, []byte("hello")),
		policy.MayContain(pebble.TableFilter, filter, []byte("foo")))
	// Output: 69 true false
}
