package bitsieve

import "errors"

// Errors that constructors and set operations wrap with the value at fault.
// Test for them with errors.Is.
var (
	// ErrParameter is wrapped when a size, a number of hash functions or a
	// false-positive rate is out of range.
	ErrParameter = errors.New("bitsieve: parameter out of range")
	// ErrKey is wrapped when a secret key has the wrong length, is missing, or
	// is not the one that a filter was made with.
	ErrKey = errors.New("bitsieve: wrong key")
	// ErrMismatch is wrapped when two filters that differ in size, number of
	// hash functions or hashing meet in one operation.
	ErrMismatch = errors.New("bitsieve: filters do not match")
)
