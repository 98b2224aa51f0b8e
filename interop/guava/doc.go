// Package guava has the Bloom filters of Google's Guava library for Java: it reads and
// writes what BloomFilter.writeTo writes and BloomFilter.readFrom reads, byte for
// byte, and probes such bytes where they lie.
//
// [Filter] has memory of its own and takes keys. [View] tests keys in a stream's bytes,
// such as a mapped file, without copying them. Both have batches, which are faster than one
// key at a time.
//
// # Format
//
// One byte for the [Strategy], one for k, the number of bits that a key sets (1 to 255),
// four for the number W of words, big-endian, and W big-endian words of 64 bits. Bit i of the
// filter is bit i%64 of word i/64, and there are 64 W bits: nothing says how many were asked
// for. There is no checksum, and nothing says which funnel, the function from a key to
// bytes, the writer used.
//
// # Funnels
//
// So a key must be added and tested by the method of the funnel that Java uses:
//
//	Funnels.byteArrayFunnel()        Add, Test, …                 []byte
//	Funnels.stringFunnel(UTF_8)      AddString, …                 string
//	Funnels.unencodedCharsFunnel()   AddUnencodedChars, AddUTF16  string, []uint16
//	Funnels.integerFunnel()          AddInt32, …                  int32
//	Funnels.longFunnel()             AddInt64, …                  int64
//
// A string funnel of another charset hashes the encoded bytes: give them to Add. A
// funnel that puts several fields into the sink hashes their bytes one after the other,
// integers in little-endian order: Add of the concatenation.
//
// AddString(s) is Add([]byte(s)), whatever the bytes are. For a string of valid UTF-8
// that is what Java does. A Java string with an unpaired surrogate, which UTF-8 cannot
// express, is hashed by Java's string funnel with "?" in the surrogate's place.
//
// AddUnencodedChars(s) hashes the UTF-16 code units of s. A byte of s that is no valid
// UTF-8 counts as U+FFFD, as in a range loop over s. AddUTF16 takes the code units
// themselves, unpaired surrogates included, as Java does.
//
// # Versions
//
// The bits of a key are the same in every version of Guava. The size that create chooses
// for n keys at rate p is, too, but not its k: see [WithOlderK]. The strategy is
// MURMUR128_MITZ_64 since version 17; older ones have MURMUR128_MITZ_32, which later ones
// still read.
//
// # Untrusted keys
//
// The hash, MurmurHash3, has no secret: whoever chooses the keys can make them collide.
package guava
