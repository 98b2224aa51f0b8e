// Package v2 takes the place of github.com/holiman/bloomfilter/v2, v2.0.3, by one
// line of a go.mod:
//
//	replace github.com/holiman/bloomfilter/v2 => github.com/bitsieve/bitsieve/replace/holiman vX
//
// The names, signatures, locks, bits, files and answers are the peer's, the name of
// the package too: filters written by either are read by the other. The peer's own
// tests pass on this package (conformance/replace).
//
// A filter takes 64-bit hashes, which must be uniform, and spreads them by k random
// keys: with h the hash, each key in turn makes h = rotl(h, 17) ^ key, and sets bit
// h mod m. The remainder is taken without a division. Beyond the peer's methods
// there are batches, AddHashes and ContainsHashes, and AppendBinary.
//
// # Serialised forms
//
// The binary form, of MarshalBinary, MarshallToWriter and gob, is little-endian: 8
// bytes of zero, "v02\n", then k, n, m, the k keys and the ⌈m/64⌉ words of bits as
// 64-bit integers, and the SHA-384 of all that. WriteTo and WriteFile compress it
// by gzip. JSON is an object with the members version, bits, keys, m and n, and has
// no checksum.
//
// # Differences
//
// These are deliberate. Each is where the peer panics, hangs, loses an error or
// trusts a stranger.
//
//   - What is read is checked before it is believed: memory is allocated as data
//     arrives, at most five times as much as did, not as the header demands; a
//     filter with k over 65536, or whose JSON has another number of words than m
//     asks for, is refused. Errors are a [github.com/bitsieve/bitsieve.FormatError]
//     with the field and the offset; those for streams that end early also wrap
//     io.ErrUnexpectedEOF. After an error the filter is as it was; the peer leaves
//     parts of the new one behind.
//   - New, NewOptimal and NewWithKeys return an error that wraps
//     [github.com/bitsieve/bitsieve.ErrParameter] or ErrMemory for a filter that
//     cannot be had, where the peer panics, and for k over 65536. OptimalM and
//     OptimalK are 0 for a negative result and NaN, and the largest uint64 for one
//     that is too large; the peer's is what the CPU makes of it.
//   - IsCompatible of filters that differ in k is false; the peer panics if the
//     receiver has more keys.
//   - UnionInPlace and Union hold the other filter's lock while they read it, and take
//     the two locks in one order for all callers. The peer reads it unlocked, and
//     two calls of IsCompatible the other way round can wait for each other.
//     MarshalJSON and UnmarshalJSON lock the filter too.
//   - WriteTo and WriteFile return the errors of finishing the gzip stream and of
//     closing the file.
//   - Contents are decoded before the lock is taken, so that a slow stream blocks
//     nobody.
package v2
