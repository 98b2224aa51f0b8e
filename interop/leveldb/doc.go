// Package leveldb reads, writes and probes the Bloom filters of LevelDB, whose policy is called
// "leveldb.BuiltinBloomFilter", and implements the filter interface of github.com/syndtr/goleveldb.
//
// [NewBloomFilter] takes the place of goleveldb's function of that name: the filters have the same
// bytes and give the same answers, in less time. A database written with either is read with the
// other, and nothing else changes:
//
//	db, err := leveldb.OpenFile(path, &opt.Options{Filter: bitsieveleveldb.NewBloomFilter(10)})
//
// [AppendFilter] makes a filter from keys, [Filter] one that grows key by key, and [View] tests keys
// in the bytes of a filter wherever they lie, in batches too.
//
// # The format
//
// A filter is a run of bytes of bits and one last byte, k, the number of bits that a key sets. Bit i
// is bit i mod 8 of byte i / 8. A key's 32-bit hash h, LevelDB's own, gives the bits
// (h + i × delta) mod bits, with the sum mod 2^32, for i from 0 to k − 1; delta is h rotated right by
// 17 bits. A k above 30 is reserved: such a filter may contain everything.
//
// The last bytes of a key, if its length is no multiple of four, count as unsigned, as in goleveldb
// and in LevelDB since 1.21. RocksDB and older LevelDBs on most machines took them as signed.
//
// The filters are small: goleveldb makes one for every 2 KiB of a table, some 25 keys. That is why
// this package has no layout of whole cache lines: 25 keys at 10 bits are half a line.
//
// # Concurrency
//
// A View and the value that NewBloomFilter returns may be used by any number of goroutines; a
// generator by one. Any number of goroutines may test a Filter while none adds.
package leveldb
