package memory

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// MaxBytes bounds one filter's storage: 2^46 bytes on 64-bit machines, which is
// within what Go's allocator can address, and 2^30 bytes on 32-bit ones.
const MaxBytes = 1 << (30 + 16*(bits.UintSize>>6))

// checkFrom is the size up to which Check does not ask the system: 1 GiB on
// 64-bit machines, 128 MiB on 32-bit ones.
const checkFrom = 1 << (27 + 3*(bits.UintSize>>6))

// ErrMemory is wrapped when a filter needs more memory than there is.
var ErrMemory = errors.New("bitsieve: not enough memory")

// Check returns an error that wraps ErrMemory if the given number of bytes is
// more than the address space takes or, from 1 GiB on (128 MiB on 32-bit
// machines), more than the system has left. It is to be called before an
// allocation whose size somebody else chose, for Go ends the process when one
// fails, and the system kills it when the pages run out later.
//
// What is left is the least of the machine's free memory and swap space and the
// limits of the process and its control groups on Linux, the memory that may be
// committed on Windows, and the installed memory on macOS and FreeBSD. Elsewhere
// only the address space counts. It is an estimate: memory that other processes
// take at the same time is not reserved.
func Check(bytes uint64) error {
	if bytes > MaxBytes {
		return fmt.Errorf("%w: %d bytes, this machine addresses at most %d", ErrMemory, bytes, uint64(MaxBytes))
	}
	if bytes < checkFrom {
		return nil
	}
	return checkAgainst(bytes, available())
}

// Override, if not 0, is what Check and Left take for the memory that is left: the
// user of a program may know better than the system says. A program sets it before
// it does anything else.
var Override uint64

func available() limit {
	if Override != 0 {
		return limit{Override, "as the user says"}
	}
	return left()
}

// Left returns how many bytes Check takes for what is left, 0 if that is unknown.
func Left() uint64 {
	if l := available(); l != unlimited {
		return l.bytes
	}
	return 0
}

// A limit is a number of bytes and where it comes from.
type limit struct {
	bytes  uint64
	source string
}

// unlimited is what a system that cannot be asked has left.
var unlimited = limit{math.MaxUint64, "unknown"}

// lower keeps the lower one of two limits.
func (l *limit) lower(bytes uint64, source string) {
	if bytes < l.bytes {
		*l = limit{bytes, source}
	}
}

// checkAgainst leaves a sixteenth of what there is to everybody else.
func checkAgainst(bytes uint64, l limit) error {
	if usable := l.bytes - l.bytes/16; bytes > usable {
		return fmt.Errorf("%w: %d bytes, about %d can be had (%s)", ErrMemory, bytes, usable, l.source)
	}
	return nil
}
