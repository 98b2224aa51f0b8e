// Package redisbloom is the Bloom filter of Redis, the one behind BF.ADD and BF.EXISTS, in
// this process: the same bits for the same commands, and the chunks of BF.SCANDUMP and
// BF.LOADCHUNK both ways.
//
//   - [Filter] is a filter in memory. [New] is BF.RESERVE, TestAndAdd is BF.ADD, Test is
//     BF.EXISTS.
//   - [Filter.Chunks] are the replies of BF.SCANDUMP, to be given to BF.LOADCHUNK;
//     [Loader] takes those of a server.
//   - [View] answers from a dump's bytes where they lie, without copying them.
//
// Keys are byte strings, as in Redis: a number that a client sends is its decimal digits.
//
// # The filter
//
// A filter is a chain of links, each a standard Bloom filter. A key is looked for in
// every link, the newest first. One that none has is added to the newest link; if that
// holds as many keys as it was made for, a link follows for Expansion times as many, at
// half the rate of false positives. The first link has half the rate asked for, so that
// the sum over all links stays below it.
//
// Key bits: with a = MurmurHash64A(key, 0xc6a4a7935bd1e995) and b = MurmurHash64A(key, a),
// bit i of k is (a + i*b mod 2^64) mod bits: the bit of value 1<<(bit&7) in byte bit>>3.
// Chains of old versions have hashes of 32 bits, MurmurHash2 from 0x9747b28c, and numbers
// of bits that are powers of two; they are read, probed and added to as well.
//
// # A dump
//
// A dump is a series of pairs, an iterator and bytes. The first has iterator 1 and the
// header: little-endian, without gaps, 20 bytes of the chain and 53 of each link.
//
//	chain: keys u64, links u32, options u32, expansion u32
//	link:  bytes u64, bits u64, keys u64, rate f64, bits per key f64, k u32, capacity u64, log2 of bits or 0 u8
//
// Then come the bits of all links, the oldest first, in chunks of at most 16 MiB of which
// none belongs to two links. A chunk's iterator is 1 plus the number of bytes up to its
// end. BF.SCANDUMP ends with iterator 0 and no bytes.
//
// # Files
//
// RedisBloom has no file of its own, so the file here is ours: the pairs of a dump one
// after the other, the last one (0 and no bytes) included, each as
//
//	iterator i64, length u64, that many bytes    (little-endian)
//
// A program that reads such a file needs nothing else to give its pairs to BF.LOADCHUNK.
// It starts with the bytes 01 00 00 00 00 00 00 00.
//
// The format is that of RedisBloom's src/sb.c, src/rebloom.c and deps/bloom/bloom.c.
package redisbloom
