// Package rocksdb reads, probes and writes the Bloom filters of RocksDB: the filter
// blocks that NewBloomFilterPolicy makes for tables of format_version 5 and later,
// which RocksDB calls FastLocalBloom.
//
//   - [View] answers from a filter's bytes where they lie, such as a block of a
//     mapped table file, at any alignment, without copying them.
//   - [Builder] collects keys and makes the bytes that RocksDB makes of them.
//   - [Filter] is a filter in memory, for a number of keys that is known before.
//
// The keys of a table's filter are user keys, without the eight bytes that RocksDB
// appends to tell their versions and without a user-defined timestamp; if the table has
// a prefix extractor, their prefixes as well or instead. A filter block lies in the
// table under the name fullfilter.rocksdb.BuiltinBloomFilter (that of a partitioned
// filter is an index of such blocks). What belongs to the filter is the block without
// the five bytes that end every block of a table, its compression type and checksum.
//
// # Format
//
// A filter is a number of lines of 64 bytes, at least one and fewer than 2^26, and a
// trailer of five bytes: 0xff, 0, the number of probes k from 1 to 30 (in the lower
// five bits; zeros above stand for lines of 64 bytes), 0 and 0.
//
// A key's hash is that of [Hash]. Its lower half chooses the line: half × lines >> 32.
// Its upper half h is the first probe, and each next one is 0x9e3779b9 times the one
// before, modulo 2^32. A probe's upper nine bits are a bit's place in the line: the bit
// of value 1<<(place&7) in byte place>>3.
//
// No bytes at all are the filter of no keys, and so is a trailer without lines, which
// older versions write. A trailer that starts with 0, after one byte at least, is a filter
// that every key passes: RocksDB writes six zeros where it gave up on the right one.
//
// Other filters of RocksDB are refused: the older one of tables before format_version
// 5, whose hash has 32 bits, and Ribbon.
//
// The format is that of RocksDB's table/block_based/filter_policy.cc, util/bloom_impl.h
// and util/xxph3.h.
package rocksdb
