// Package pebble has filter policies for github.com/cockroachdb/pebble/v2.
//
// [FilterPolicy] takes the place of Pebble's bloom.FilterPolicy: the same name, the same bytes and the same
// answers, in less time. A change of the import path is all there is to do, and to undo.
//
// [BlockedPolicy] has bitsieve's layout: a lower false-positive rate at equal bits per key, and half the time.
// Tables that it wrote are read without their filters, correctly but slower, by programs that do not know it.
//
// # Changing over
//
// Pebble looks for the policy of a table's filter by its name, among those of its levels and in
// Options.Filters. A database whose levels get a BlockedPolicy names FilterPolicy there, so that the
// tables it has keep their filters until compactions rewrite them; to go back is the same the other way
// round. Programs that read options files need both names in their ParseHooks.NewFilterPolicy.
//
// Pebble asks no filters of level 6 unless IterOptions.UseL6Filters is set.
//
// # Formats
//
// bloom.go and blocked.go describe the bytes. Filters are probed where they lie, in Pebble's block cache,
// at any address. Nothing is allocated. Bytes that are no filter of the format may contain every key, and no
// bytes make a program panic.
//
// The hashes of both policies have no secret: whoever chooses the keys of a database can make them collide.
//
// # Other versions
//
// Pebble's v1 has the same interface and the same format, but types of its own. After v2.1 Pebble splits
// the interface into policies and decoders, takes fewer probes from 10 bits per key on and adds binary fuse
// filters; it reads what FilterPolicy writes, and FilterPolicy reads its Bloom filters. RocksDB from format
// version 5 on has filters of other layouts under Pebble's name, FastLocalBloom and Ribbon: FilterPolicy
// knows them by their trailer and answers that they may contain every key.
package pebble
