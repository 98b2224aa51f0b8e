//go:build !amd64 && !arm64

package limit

import "unsafe"

// Readers returns the ways to read in order that this build has.
func Readers() []Reader { return []Reader{{"plain Go", readGo}} }

func randomLines(p *uint64, lines *uint32, n int) uint64 {
	var mix uint64
	for _, i := range unsafe.Slice(lines, n) {
		mix ^= *(*uint64)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*LineWords*8))
	}
	return mix
}

// These do not prefetch: Go has no means to.
func randomLinesAhead(p *uint64, lines *uint32, n, _ int) uint64 {
	return randomLines(p, lines, n)
}

func randomLinesAheadL2(p *uint64, lines *uint32, n, _ int) uint64 {
	return randomLines(p, lines, n)
}
