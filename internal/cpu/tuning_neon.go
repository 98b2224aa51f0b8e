package cpu

// Arm is the part of a row that only NEON's kernels go by. None of it has been
// measured: TUNING.md says what it follows from.
type Arm struct {
	// The blocked filter's batches: in filters of at most BlockedCached bytes, and in
	// larger ones.
	BlockedCached int
	Blocked       [2]LookaheadNEON
}

// A LookaheadNEON is how far ahead of its probe a key's block is prefetched, and where
// to: additions prefetch it for writing.
type LookaheadNEON struct {
	Near  bool  // into L1 (PLDL1KEEP, PSTL1KEEP), not L2 (PLDL2KEEP, PSTL2KEEP)
	Ahead uint8 // in groups of four keys: 1 to MaxLookaheadNEON
}

// MaxLookaheadNEON is the most groups that the kernels have room for.
const MaxLookaheadNEON = 32

var armUnknown = Arm{
	BlockedCached: 1 << 20,
	Blocked:       [2]LookaheadNEON{{true, 8}, {true, 8}},
}
