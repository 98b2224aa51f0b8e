// Command importer is a program that knows only github.com/bits-and-blooms. It is
// built twice by the test beside it: with the peers, and with the replace lines. It
// prints what must be the same.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
)

func main() {
	filter := bloom.NewWithEstimates(1000, 0.01)
	for i := range 1000 {
		filter.AddString(fmt.Sprint("key", i))
	}
	hits := 0
	for i := range 100_000 {
		if filter.TestString(fmt.Sprint("key", i)) {
			hits++
		}
	}
	var bits *bitset.BitSet = filter.BitSet() // needs both replace lines
	fmt.Println(filter.Cap(), filter.K(), hits, bits.Count())

	var form bytes.Buffer
	var decoded bloom.BloomFilter
	_, err := filter.WriteTo(&form)
	check(err)
	_, err = decoded.ReadFrom(&form)
	check(err)
	text, err := json.Marshal(bitset.New(10).Set(3))
	check(err)
	check(gob.NewEncoder(&form).Encode(&decoded))
	fmt.Println(decoded.Equal(filter), string(text))

	set, sum := bitset.New(100_000), uint(0)
	for i := uint(0); i < 100_000; i += 3 {
		set.Set(i)
	}
	for i := range set.EachSet() {
		sum += i
	}
	fmt.Println(sum, set.IntersectionCardinality(bitset.FromWithLength(70, []uint64{^uint64(0), 7})))
	if len(os.Args) > 1 {
		fmt.Println(testing.AllocsPerRun(10, func() {
			for i := range set.EachSet() {
				sum += i
			}
			filter.TestString("key")
		}))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
