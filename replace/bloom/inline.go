package bloom

var _ = inlined

// inlined is never called. The compiler puts a method's body into a package's export
// data, from which importers inline it, if the package defines the method or has
// inlined a call of it. BloomFilter is an alias here, so each method that inlines is
// called once; the linker drops the function.
func inlined(f *BloomFilter, key []byte, s string, locations []uint64) bool {
	f.Add(key).AddString(s).Copy().ClearAll()
	f.AddBytes([][]byte{key})
	f.AddStrings([]string{s})
	n := f.TestBytes(nil, f.BitSet()) + f.TestStrings(nil, nil)
	form, _ := f.GobEncode()
	return f.GobDecode(form) == nil && f.Cap()+f.K() > uint(n) && f.Merge(f) == nil &&
		f.Test(key) && f.TestString(s) && f.TestLocations(locations) && f.TestAndAdd(key) &&
		f.TestAndAddString(s) && f.TestOrAdd(key) && f.Equal(f) && f.Bloom() != nil
}
