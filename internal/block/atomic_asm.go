//go:build !purego && (amd64 || arm64)

package block

// prefetchWrite has the block brought into this core's cache, to be written to: other
// cores give it up.
//
//go:noescape
func prefetchWrite(b *Block)
