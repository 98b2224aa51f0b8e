// Package parquet reads, writes and probes the Bloom filters of Apache Parquet
// files: split-block filters of 256-bit blocks under XXH64, behind their header of
// Thrift's compact protocol, as apache/parquet-format describes them in
// BloomFilter.md and parquet.thrift.
//
//   - [Filter] owns its bits: made for a number of values or of bytes, read, added
//     to, folded, written.
//   - [View] tests values on the bytes of a filter as they lie: in a mapped file, in a
//     buffer, at any address, without a copy.
//   - [File] finds the filters of a Parquet file by its footer, and reads them one by
//     one. It reads nothing else of the file, and needs no Parquet library.
//
// # Values
//
// A value is known by XXH64, seed 0, of its plain encoding: little-endian numbers,
// strings and byte arrays without their length. The physical types are
//
//	BOOLEAN                 AddBoolean   1 byte, 0 or 1, as the Go libraries hash it
//	INT32, FLOAT            AddInt32, AddFloat   4 bytes
//	INT64, DOUBLE           AddInt64, AddDouble  8 bytes
//	INT96                   AddInt96             12 bytes
//	BYTE_ARRAY              Add, AddString       the bytes
//	FIXED_LEN_BYTE_ARRAY    Add, AddFixed        the bytes
//
// Unsigned columns, dates, times and decimals are stored as one of these, and hashed
// so: an unsigned 64-bit x by AddInt64(int64(x)). A value equals another only if its
// type and its bytes do: the filter of an INT32 column knows nothing of AddInt64(7),
// and of a DOUBLE one, 0 and -0 differ, as do NaNs with different bits. Nulls are in no
// filter.
//
// The filters of BOOLEAN columns are not to be relied on: parquet-go v0.32 hashes packed
// bytes, and its own filters deny values that are there.
//
// XXH64 has no secret here: whoever chooses values can choose some that collide.
//
// # Errors
//
// Bad parameters are errors that wrap bitsieve.ErrParameter. Bad bytes are a
// *bitsieve.FormatError, which says what is wrong and where, and wraps
// bitsieve.ErrTruncated, ErrTrailingData or ErrHeader. The format has no checksum:
// a bit that flipped in the bitset goes unnoticed.
package parquet
