package block

// Folding: the block of a hash is the high half of hash × blocks, and the place
// inside it does not depend on their number. So with half as many blocks the keys
// of blocks 2i and 2i + 1 are those of block i.

// Join returns the bits that any of the blocks has, of which there is one at least.
func Join(blocks []Block) (b Block) {
	b = blocks[0]
	for i := range blocks[1:] {
		p := &blocks[1+i]
		b[0] |= p[0]
		b[1] |= p[1]
		b[2] |= p[2]
		b[3] |= p[3]
		b[4] |= p[4]
		b[5] |= p[5]
		b[6] |= p[6]
		b[7] |= p[7]
	}
	return b
}

// Fold writes to dst the blocks of src, joined by 2^halvings neighbours. dst has a
// block for each group, and may begin where src does.
func Fold(dst, src []Block, halvings int) {
	for i := range dst {
		dst[i] = Join(src[i<<halvings : (i+1)<<halvings])
	}
}
