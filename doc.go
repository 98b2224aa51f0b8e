// Package bitsieve has bitsets and Bloom filters whose inner loops are assembly,
// chosen at run time for the CPU at hand, with the same answers, bit for bit, in
// plain Go everywhere else.
//
// # Which type
//
//   - [Blocked] is the filter for hot paths: a key lies in one cache line. At 1 %
//     it takes 9.97 bits per key, at 0.1 % 15.6, below 1e-6 it gets expensive.
//   - [Bloom] is the standard filter: at most k cache lines for a key, 9.6 bits at
//     1 %, 14.4 at 0.1 %, and the smallest at low rates. Its bits are those of
//     github.com/bits-and-blooms/bloom.
//   - [AtomicBlocked] is a Blocked that goroutines add to and test at the same time,
//     without locks. [Builder] adds to one Blocked from several goroutines, faster,
//     while nobody tests.
//   - [Sharded] is one Blocked in parts, each locked, saved, loaded and cleared alone.
//   - [Scalable] is for a number of keys that nobody knows: it grows, and keeps its
//     rate, for about twice the memory.
//   - [Counting] is a filter from which keys can be removed: 41 bits per key at 1 %.
//   - [Spectral] says how often a key was added, never too low.
//   - [Whitelist] wraps any of them with exceptions: keys that never pass.
//   - [BitSet] is a set of small integers, a bit each, and [MSB] one in bytes with the
//     highest bit first, as Redis has it. [IPv4Set] is an exact set of addresses.
//   - [SortUnique], [IntersectLists] and the like sort and compare lists of 32-bit
//     integers by bitmaps; [CountMap] counts them.
//   - [ViewBlocked], [ViewBloom] and [ViewBitSet] test serialised bytes where they lie;
//     [TestBlocks] and [AddBlocks] need no filter at all. interop/ has other systems' bytes.
//   - [Count], [And], [AndCount], [AppendIndices] and the like are the kernels under
//     BitSet, on plain []uint64.
//
// The filters satisfy [Filter], so that changing from one to the other is a change of
// one line. docs/choosing.md has what each costs, measured. Whoever comes from the
// bits-and-blooms packages changes an import path: see dropin/bitset and dropin/bloom.
//
// # Guarantees
//
// A filter never denies a key that was added, unless a Counting was told to remove it,
// or another key that was not there. A filter made for n keys at rate p has a
// false-positive rate of at most p while it holds no more than n distinct keys: for
// Bloom in expectation, for the blocked ones in all but about one in a thousand sets
// of keys. Filters of the same size, k and hashing that hold the same keys are equal, on every
// machine, at every level, in whatever order and by whatever method the keys were
// added; but the counts of a Spectral, and which stage of a Scalable has a key, depend on
// the order.
//
// Methods that add or test allocate no memory. Any number of goroutines may read a
// value that nobody writes. Bad input is an error that wraps one of the Err…
// variables; a [FormatError] says what is wrong with a file, and where. Programmer
// errors panic: using a filter after Close, adding to the zero value.
//
// # Levels
//
// [Acceleration] tells which kernels run: avx512, avx2, neon or generic. The
// environment variable BITSIEVE_CPU=generic|avx2|avx512|neon lowers the choice, the
// build tag purego leaves assembly out. How the kernels are tuned follows from the
// processor's microarchitecture; BITSIEVE_TUNING=zen4, sapphirerapids or the like
// overrules it. No answer depends on either.
//
// # Scheduling
//
// Assembly cannot be preempted: while it runs, a garbage collection that has begun
// waits, and with it every goroutine. So long work is cut, and no call into assembly
// takes longer than about 100 µs: batches in pieces of 4,096 keys, sorted lists
// in pieces of as many elements, words in pieces of at most 512 KiB.
//
// # Untrusted keys
//
// The default hashing has no secret. Whoever chooses keys and knows the code can make
// them collide: suppress a chosen key in a de-duplication, or fill a filter with
// keys that all pass. [WithKey] hashes under a secret of 32 random bytes, by
// HighwayHash, and is to be used where keys come from strangers.
//
// # Weak hashes
//
// AddHash and TestHash take a hash that must be uniform in all of its 64 bits. What
// is not: a counter, a 32-bit hash, a hash of which some bits were used for
// sharding. The block is chosen by the high bits, so that 32-bit values all fall into
// one block. AddUint64 mixes integers, by a bijection; almost every key set does as
// well as a random one, but sets that are made for it do not, such as x<<29 | x for
// multiples x of an unlucky stride, whose rate may be 50 times as high. WithKey helps
// there too.
package bitsieve
