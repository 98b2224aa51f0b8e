package bitsieve

import (
	"errors"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
)

// Errors that constructors and set operations wrap with the value at fault.
// Test for them with errors.Is.
var (
	// ErrParameter is wrapped when a size, a number of hash functions or a
	// false-positive rate is out of range.
	ErrParameter = model.ErrParameter
	// ErrKey is wrapped when a secret key has the wrong length, is missing, or
	// is not the one that a filter was made with.
	ErrKey = hash.ErrKey
	// ErrMemory is wrapped when a filter to be read is larger than the memory
	// that the system has for it.
	ErrMemory = memory.ErrMemory
	// ErrMismatch is wrapped when two filters that differ in size, number of
	// hash functions or hashing meet in one operation.
	ErrMismatch = errors.New("bitsieve: filters do not match")
)
