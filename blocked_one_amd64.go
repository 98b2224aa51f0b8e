//go:build !purego

package bitsieve

// The verbs for one key take a filter of any k and size, at every level.

//go:noescape
func testHash(f *Blocked, h uint64) bool

//go:noescape
func testUint64(f *Blocked, x uint64) bool

//go:noescape
func addHash(f *Blocked, h uint64)

//go:noescape
func addUint64(f *Blocked, x uint64)

// testUint64Generic and addUint64Generic serve the generic level.

func testUint64Generic(f *Blocked, x uint64) bool { return testHashGeneric(f, f.hash.uint64(x)) }
func addUint64Generic(f *Blocked, x uint64)       { addHashGeneric(f, f.hash.uint64(x)) }

// single is what the verbs for one key read of a filter besides its blocks. It
// follows from the filter's k and hashing: one comparison tells testUint64 both
// that there is no secret key and what kind of k it has, and one load which
// lanes are on.
type single struct {
	k     int         // k, or more than maxK for a filter with a secret key
	on    [8]uint8    // by rotation: bit j tells that lane j is on
	off   [8]uint8    // a row of lanesOff
	signs *[16]uint64 // one of laneSigns
}

func newSingle(k int, h hasher) single {
	s := single{k: k, off: lanesOff[rotated(k)], signs: &laneSigns[rotated(k)]}
	if h.key != nil {
		s.k = maxK + 1
	}
	for r := range s.on {
		s.on[r] = uint8(lanePattern(k) >> r)
	}
	return s
}
