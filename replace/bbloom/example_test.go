package bbloom

// The example is no package of its own: that would import this module by its own path,
// which go mod tidy refuses wherever a replace line gives it another.

import "fmt"

func Example() {
	bl, err := New(10_000, 0.001)
	if err != nil {
		panic(err)
	}
	bl.AddTS([]byte("hello"))
	bl.AddBytes([][]byte{[]byte("world"), []byte("again")}) // not in the peer

	back, err := JSONUnmarshal(bl.JSONMarshalTS()) // the peer reads it
	if err != nil {
		panic(err)
	}
	fmt.Println(back.Has([]byte("hello")), back.HasTS([]byte("nobody")), bl.ElementsAdded())
	// Output: true false 3
}
