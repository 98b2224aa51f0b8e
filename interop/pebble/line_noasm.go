//go:build !amd64 || purego

package pebble

// testLine reports whether all bits of a hash are set in its line.
func testLine(line *[lineBytes]byte, probes uint8, h uint32) bool {
	return testLineGeneric(line, probes, h)
}
