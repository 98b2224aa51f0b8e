package guava_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/bitsieve/bitsieve/interop/guava"
)

// A filter for BloomFilter.readFrom(in, Funnels.stringFunnel(UTF_8)) in Java, and one from
// there tested where it lies.
func Example() {
	f, err := guava.New(1000, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	f.AddString("alice@example.org")
	f.AddStrings([]string{"bob@example.org", "carol@example.org"})
	var stream bytes.Buffer
	if _, err := f.WriteTo(&stream); err != nil {
		log.Fatal(err)
	}

	view, err := guava.NewView(stream.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stream.Len(), view.K(), view.TestString("bob@example.org"), view.TestString("mallory@example.org"))
	// Output: 1206 7 true false
}
