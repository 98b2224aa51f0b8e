package c

// A Peer is a contender that a shared object offers, see peer.h.
type Peer struct {
	Name    string
	Kernels []Kernel
	// NewFilter makes an empty filter of about so many bytes for so many bits per
	// key, nil if the library declines that size. It is nil without filters.
	NewFilter func(bytes int64, bitsPerKey float64) (Filter, error)
	// What the filters take besides integers.
	Strings, Hashes bool
}

// A Filter is a filter of a Peer. Each method on keys is one call of C.
type Filter interface {
	Size() int64 // bytes, as built
	K() int
	AddUint64s(keys []uint64)
	TestUint64s(keys []uint64) int
	TestUint64sOneByOne(keys []uint64) int
	// AddStrings and TestStrings may be called if the Peer says Strings,
	// AddHashes and TestHashes if it says Hashes.
	AddStrings(keys []string)
	TestStrings(keys []string) int
	AddHashes(hashes []uint64)
	TestHashes(hashes []uint64) int
	// Read reads a byte of each line of the filter's memory and returns their sum.
	Read() uint64
	Close()
}
