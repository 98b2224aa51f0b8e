package memory

// copyWords is how much Copy copies at a time, 512 KiB. The runtime's memmove
// cannot be preempted, so that a garbage collection waits for its end.
const copyWords = 64 << 10

// Copy copies min(len(dst), len(src)) words from src to dst, with a point every
// 512 KiB at which the goroutine can be preempted. The two must not overlap.
func Copy(dst, src []uint64) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	for len(src) > copyWords {
		copyPiece(dst[:copyWords], src[:copyWords])
		dst, src = dst[copyWords:], src[copyWords:]
	}
	copy(dst, src)
}

// copyPiece is not inlined for the sake of its stack check, at which the
// scheduler can stop the goroutine.
//
//go:noinline
func copyPiece(dst, src []uint64) { copy(dst, src) }

// Clear zeroes words, with the same points at which the goroutine can be
// preempted.
func Clear(words []uint64) {
	for len(words) > copyWords {
		clearPiece(words[:copyWords])
		words = words[copyWords:]
	}
	clear(words)
}

//go:noinline
func clearPiece(words []uint64) { clear(words) }
