package rocksdb

import "unsafe"

// bytesOf returns where the memory of words begins.
func bytesOf(words []uint64) unsafe.Pointer { return unsafe.Pointer(&words[0]) }
