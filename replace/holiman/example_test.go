package v2

// The example is no package of its own: that would import this module by its own path,
// which go mod tidy refuses wherever a replace line gives it another.

import (
	"bytes"
	"fmt"
	"hash/fnv"
)

func Example() {
	f, err := NewOptimal(1000, 0.001)
	if err != nil {
		panic(err)
	}
	h := fnv.New64a()
	h.Write([]byte("a key"))
	f.Add(h)

	var file bytes.Buffer // gzip, with a SHA-384: the peer reads it
	if _, err := f.WriteTo(&file); err != nil {
		panic(err)
	}
	g, _, err := ReadFrom(&file)
	if err != nil {
		panic(err)
	}
	fmt.Println(g.Contains(h), g.ContainsHash(12345))
	fmt.Println(g.ContainsHashes([]uint64{h.Sum64(), 12345}, nil), "of 2") // not in the peer
	// Output:
	// true false
	// 1 of 2
}
