package cpu

// Batches is the part of a row that the batches of keys go by.
type Batches struct {
	// The blocked filter's kernels, for AVX-512 and AVX2: in filters of at most
	// BlockedCached bytes, and in larger ones.
	BlockedCached          int
	Blocked512, Blocked256 [2]Lookahead
}

// A Lookahead is how far ahead a pipeline of keys works, in groups of eight.
type Lookahead struct {
	Near  bool  // blocks are prefetched into L1 (PREFETCHT0), not L2 (PREFETCHT1)
	Ahead uint8 // from the group that is probed to the one that is prefetched: at least 1
	Fill  uint8 // from that to the one that is hashed; Ahead + Fill is at most MaxLookahead
}

// MaxLookahead is the most that Ahead and Fill may add up to: rings hold 32 groups,
// of which the results of four are decided on together.
const MaxLookahead = 28

var (
	batchesZen4 = Batches{
		BlockedCached: 8 << 20,
		Blocked512:    [2]Lookahead{{false, 4, 2}, {false, 4, 2}},
		Blocked256:    [2]Lookahead{{false, 5, 2}, {false, 5, 2}},
	}
	batchesZen5 = Batches{
		BlockedCached: 8 << 20,
		Blocked512:    [2]Lookahead{{true, 4, 4}, {true, 16, 4}},
		Blocked256:    [2]Lookahead{{true, 8, 2}, {true, 16, 3}},
	}
	batchesSapphireRapids = Batches{
		BlockedCached: 8 << 20,
		Blocked512:    [2]Lookahead{{false, 4, 2}, {false, 4, 2}},
		Blocked256:    [2]Lookahead{{false, 5, 2}, {false, 5, 2}},
	}
	batchesUnknown = batchesZen4
)
