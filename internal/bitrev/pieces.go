//go:build !purego && (amd64 || arm64)

package bitrev

// pieceBytes is the most that a kernel gets in one call: a goroutine in assembly cannot
// be stopped, and 256 KiB to read and as many to write take less than 100 µs where
// memory yields 5 GB/s.
const pieceBytes = 256 << 10

// inPieces does what Reverse does, in calls of Reverse that are not too long. The
// scheduler can stop it between them.
func inPieces(dst, src []byte) {
	for len(dst) > 0 {
		n := min(len(dst), pieceBytes)
		Reverse(dst[:n], src[:n])
		dst, src = dst[n:], src[n:]
	}
}
