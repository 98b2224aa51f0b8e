package format

import "golang.org/x/sys/unix"

// mapFlags keeps a mapping from being counted as memory that every one of its
// pages will be copied to: the system would refuse to map a file larger than
// the memory it has free.
const mapFlags = unix.MAP_NORESERVE

// adviseRandom turns off reading ahead, which for single probes of a filter
// that is not in the page cache reads 128 KiB where 4 would do.
func adviseRandom(b []byte) { _ = unix.Madvise(b, unix.MADV_RANDOM) }
