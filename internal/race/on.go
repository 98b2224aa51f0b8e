//go:build race

// Package race declares to the race detector the memory that assembly reads and
// writes, which the detector does not see. In other builds the calls cost nothing.
package race

import (
	"runtime"
	"unsafe"
)

// Enabled reports whether this build runs under the race detector.
const Enabled = true

// Read declares that the elements of p are read.
func Read[T any](p []T) {
	if len(p) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&p[0]), len(p)*int(unsafe.Sizeof(p[0])))
	}
}

// Write declares that the elements of p are written.
func Write[T any](p []T) {
	if len(p) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&p[0]), len(p)*int(unsafe.Sizeof(p[0])))
	}
}
