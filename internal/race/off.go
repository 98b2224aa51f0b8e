//go:build !race

// Package race declares to the race detector the memory that assembly reads and
// writes, which the detector does not see. In other builds the calls cost nothing.
package race

// Enabled reports whether this build runs under the race detector.
const Enabled = false

// Read declares that the elements of p are read.
func Read[T any](p []T) {}

// Write declares that the elements of p are written.
func Write[T any](p []T) {}
