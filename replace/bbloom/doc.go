// Package bbloom takes the place of github.com/ipfs/bbloom, v0.1.0, by one line of a
// go.mod:
//
//	replace github.com/ipfs/bbloom => github.com/bitsieve/bitsieve/replace/bbloom vX
//
// The names, signatures, locks, bits, JSON and answers are the peer's: filters written
// by either are read by the other, those that v0.0.4 wrote too. The peer's own tests
// pass on this package (conformance/replace).
//
// A key's SipHash-2-4 is cut in two, h of the high bits and l of as many low ones as
// the filter's size, a power of two, takes; the key sets the bits h + i·l modulo the
// size, for i from 0 to k−1. l is made odd, but for filters that v0.0.4 wrote. The
// keys of SipHash are two well-known numbers, unless NewWithKeys is given others:
// without that, whoever chooses the filter's keys can make them collide.
//
// Beyond the peer's methods there are batches, AddBytes and HasBytes.
//
// # Differences
//
// These are deliberate. Each is where the peer panics, hangs or trusts a stranger.
//
//   - JSONUnmarshal refuses, with a [github.com/bitsieve/bitsieve.FormatError], a
//     filter whose FilterSet is not 2^n bytes long, 64 at least, or whose SetLocs is 0
//     or over 65536. The peer panics, or makes a filter whose first Has does not come
//     back.
//   - New and NewWithKeys return an error that wraps ErrInvalidParms for parameters
//     that are not numbers, for a rate of 0, for over 65536 hash locations and for a
//     filter that no memory can hold. The peer panics or never returns.
package bbloom
