package redisbloom_test

import (
	"bytes"
	"fmt"

	"github.com/bitsieve/bitsieve/interop/redisbloom"
)

// A filter is made here, sent to a server in chunks, and asked where its dump lies.
func Example() {
	f, err := redisbloom.New(1000, 0.01) // BF.RESERVE users 0.01 1000
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := f.AddStrings([]string{"alice", "bob"}); err != nil { // BF.MADD users alice bob
		fmt.Println(err)
		return
	}
	for iterator, chunk := range f.Chunks() {
		fmt.Printf("BF.LOADCHUNK users %d <%d bytes>\n", iterator, len(chunk))
	}
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}
	v, err := redisbloom.NewView(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.TestString("alice"), v.TestString("carol"))
	// Output:
	// BF.LOADCHUNK users 1 <73 bytes>
	// BF.LOADCHUNK users 1385 <1384 bytes>
	// true false
}
