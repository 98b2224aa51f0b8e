package bitsieve_test

import (
	"fmt"

	"github.com/bitsieve/bitsieve"
)

func ExampleBitSet() {
	var seen, wanted bitsieve.BitSet
	seen.Set(3).Set(64).Set(1000)
	wanted.SetRange(60, 2000)

	fmt.Println(seen.Test(64), seen.Test(1_000_000), seen.Count())
	fmt.Println(seen.IntersectionCardinality(&wanted), "of", wanted.Count())
	for i := range seen.Intersection(&wanted).EachSet() {
		fmt.Println(i)
	}
	// Output:
	// true false 3
	// 2 of 1940
	// 64
	// 1000
}

func ExampleBitSet_NextSetMany() {
	b := bitsieve.NewBitSet(100).SetRange(10, 15).Set(99)
	buffer := make([]uint, 4)
	for i, members := b.NextSetMany(0, buffer); len(members) > 0; i, members = b.NextSetMany(i+1, buffer) {
		fmt.Println(members)
	}
	// Output:
	// [10 11 12 13]
	// [14 99]
}

func ExampleBitSet_Select() {
	b := new(bitsieve.BitSet).Set(5).Set(50).Set(500)
	fmt.Println(b.Select(0), b.Select(2), b.Rank(50))
	// Output: 5 500 2
}

func ExampleBitSet_Extract() {
	values := new(bitsieve.BitSet).Set(1).Set(5)
	mask := new(bitsieve.BitSet).Set(1).Set(4).Set(5)
	packed := values.Extract(mask)
	fmt.Println(packed, packed.Len(), packed.Deposit(mask))
	// Output: {0,2} 3 {1,5}
}

func ExampleAndCount() {
	a, b := []uint64{0b1110, 1}, []uint64{0b0111, 1}
	fmt.Println(bitsieve.AndCount(a, b), bitsieve.XorCount(a, b))
	// Output: 3 2
}

func ExampleAppendIndices32() {
	fmt.Println(bitsieve.AppendIndices32(nil, []uint64{1<<2 | 1<<63, 1}))
	// Output: [2 63 64]
}
