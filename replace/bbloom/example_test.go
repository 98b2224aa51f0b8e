package bbloom_test

import (
	"fmt"

	"github.com/bitsieve/bitsieve/replace/bbloom" // github.com/ipfs/bbloom with the replace line
)

func Example() {
	bl, err := bbloom.New(10_000, 0.001)
	if err != nil {
		panic(err)
	}
	bl.AddTS([]byte("hello"))
	bl.AddBytes([][]byte{[]byte("world"), []byte("again")}) // not in the peer

	back, err := bbloom.JSONUnmarshal(bl.JSONMarshalTS()) // the peer reads it
	if err != nil {
		panic(err)
	}
	fmt.Println(back.Has([]byte("hello")), back.HasTS([]byte("nobody")), bl.ElementsAdded())
	// Output: true false 3
}
