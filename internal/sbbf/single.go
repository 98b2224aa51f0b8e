package sbbf

import (
	"math"

	"github.com/bitsieve/bitsieve/internal/race"
)

// Bits is a bitset with what the kernels for single keys want to know of it, so that they
// look at one number before they probe. The zero value is a bitset without a block.
//
// The exported methods, being inlined, call the kernels directly.
type Bits struct {
	Bytes []byte
	// size is len(Bytes) for the kernels for AVX-512, its negative for those for AVX2, and
	// 0 for Go: of a bitset without a block, too, and of one whose size they do not take.
	size int
}

// Of returns the Bits of a bitset, with the kernels of the level in force.
func Of(b []byte) Bits {
	if len(b)%Bytes != 0 || uint64(len(b)) > math.MaxUint32 {
		return Bits{Bytes: b}
	}
	return Bits{Bytes: b, size: sizeForKernels(len(b))}
}

// Add sets the bits of a hash. It panics if there is no block, as the other verbs that
// add do.
func (p *Bits) Add(h uint64) {
	if race.Enabled {
		raceWrite(p.Bytes)
	}
	addHash(p, h)
}

// Test reports whether the bits of a hash are all set. They are not if there is no
// block, here and in the other tests.
func (p *Bits) Test(h uint64) bool {
	if race.Enabled {
		raceRead(p.Bytes)
	}
	return testHash(p, h) == 0
}

// TestAndAdd sets the bits of a hash and reports whether they were all set before.
func (p *Bits) TestAndAdd(h uint64) bool {
	hit := p.Test(h)
	p.Add(h)
	return hit
}

// AddUint64 adds an integer of 8 bytes.
func (p *Bits) AddUint64(x uint64) {
	if race.Enabled {
		raceWrite(p.Bytes)
	}
	addUint64(p, x)
}

// TestUint64 is Test for an integer of 8 bytes.
func (p *Bits) TestUint64(x uint64) bool {
	if race.Enabled {
		raceRead(p.Bytes)
	}
	return testUint64(p, x) == 0
}

// AddUint32 adds an integer of 4 bytes.
func (p *Bits) AddUint32(x uint32) {
	if race.Enabled {
		raceWrite(p.Bytes)
	}
	addUint32(p, x)
}

// TestUint32 is Test for an integer of 4 bytes.
func (p *Bits) TestUint32(x uint32) bool {
	if race.Enabled {
		raceRead(p.Bytes)
	}
	return testUint32(p, x) == 0
}

// What the kernels for single keys jump to. The tests return 0 if no bit is missing.

func addHashGeneric(p *Bits, h uint64)   { addGeneric(p.Bytes, h) }
func addUint64Generic(p *Bits, x uint64) { addGeneric(p.Bytes, HashUint64(x)) }
func addUint32Generic(p *Bits, x uint32) { addGeneric(p.Bytes, HashUint32(x)) }

func testHashGeneric(p *Bits, h uint64) (missing uint8) {
	if len(p.Bytes) < Bytes {
		return 1
	}
	return uint8(testGeneric(p.Bytes, h) ^ 1)
}

func testUint64Generic(p *Bits, x uint64) (missing uint8) { return testHashGeneric(p, HashUint64(x)) }
func testUint32Generic(p *Bits, x uint32) (missing uint8) { return testHashGeneric(p, HashUint32(x)) }
