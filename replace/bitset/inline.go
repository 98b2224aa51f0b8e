package bitset

var _ = inlined

// inlined is never called. The compiler puts a method's body into a package's export
// data, from which importers inline it, if the package defines the method or has
// inlined a call of it. BitSet is an alias here, so each method that inlines is
// called once; the linker drops the function.
func inlined(b *BitSet, words []uint64, indices []uint) (n uint) {
	b.SetBitsetFrom(words)
	b.Set(b.Len()).Clear(0).Flip(0).ClearAll().SetAll()
	for _, w := range b.Words()[len(b.Bytes()):] {
		n += uint(w)
	}
	for i, ok := b.NextSet(0); ok; i, ok = b.NextSet(i + 1) {
		n += i
	}
	for i := range b.EachSet() {
		n += i
	}
	for i := range b.EachSetBackward() {
		n += i
	}
	for i := range b.EachClear() {
		n += i
	}
	if b.Test(n) || b.Any() || b.None() || b.Equal(b) {
		n += b.Clone().Count() + uint(b.GetWord64AtBit(n)) + uint(b.BinaryStorageSize())
	}
	last, buf := b.NextSetMany(n, indices)
	return last + uint(len(b.AppendTo(buf)))
}
