package cpu

// Batches is the part of a row that the batches of keys go by.
type Batches struct {
	// The blocked filter's kernels, for AVX-512 and AVX2: in filters of at most
	// BlockedCached bytes, and in larger ones.
	BlockedCached          int
	Blocked512, Blocked256 [2]Lookahead
	// Chunk is the number of strings that are hashed between two calls of a kernel, in
	// batches of at least as many: 512 to MaxChunk, a multiple of 64.
	Chunk int
	// BloomNear tells the standard filter's batches to prefetch into L1, not L2.
	BloomNear bool
}

// MaxChunk is the largest Chunk: the length of an array on the stack.
const MaxChunk = 2048

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
		Chunk:         512,
		BloomNear:     false,
	}
	batchesZen5 = Batches{
		BlockedCached: 8 << 20,
		Blocked512:    [2]Lookahead{{true, 4, 4}, {true, 16, 4}},
		Blocked256:    [2]Lookahead{{true, 8, 2}, {true, 16, 2}},
		Chunk:         2048,
		BloomNear:     true,
	}
	batchesSapphireRapids = Batches{
		BlockedCached: 8 << 20,
		Blocked512:    [2]Lookahead{{true, 4, 4}, {true, 4, 4}},
		Blocked256:    [2]Lookahead{{true, 4, 4}, {true, 4, 4}},
		Chunk:         512,
		BloomNear:     true,
	}
	// Of the two hints that into L1 loses less where the other is better, and a long
	// distance less than a short one.
	batchesUnknown = Batches{
		BlockedCached: 8 << 20,
		Blocked512:    [2]Lookahead{{true, 4, 4}, {true, 16, 4}},
		Blocked256:    [2]Lookahead{{true, 4, 4}, {true, 16, 2}},
		Chunk:         512,
		BloomNear:     false,
	}
)
