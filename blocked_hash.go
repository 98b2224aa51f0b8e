package bitsieve

// Hash returns the hash by which the filter knows key: AddHash(Hash(key)) and
// Add(key) are the same. A key that is looked up in several filters, or more
// than once, need only be hashed once. The hash is the same in all filters
// without a secret key, and in all filters with the same one.
func (f *Blocked) Hash(key []byte) uint64 { return f.hash.bytes(key) }

// HashString is Hash for the bytes of s.
func (f *Blocked) HashString(s string) uint64 { return f.hash.string(s) }

// HashUint64 is Hash for an integer: AddHash(HashUint64(x)) and AddUint64(x) are
// the same.
func (f *Blocked) HashUint64(x uint64) uint64 { return f.hash.uint64(x) }

// ExpectedFPRate returns the false-positive rate that the model of the blocked
// filter predicts after n distinct keys were added to the empty filter. Unlike
// FPRate it does not look at the bits, and takes the same time for every size.
// Under a quarter of a bit per key it is 1.
func (f *Blocked) ExpectedFPRate(n uint64) float64 {
	load := float64(n) / float64(len(f.blocks))
	if load > maxLoad {
		return 1
	}
	mean, _ := blockedRate(load, f.k)
	return min(mean, 1)
}
