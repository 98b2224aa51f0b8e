module github.com/bitsieve/bitsieve

// Not 1.24.0, whose compiler spoils the results of atomic.OrUint64 on amd64: the tests
// of internal/block and internal/pages end in a fault with it.
go 1.24.1

require (
	github.com/klauspost/cpuid/v2 v2.2.10
	github.com/minio/highwayhash v1.0.4
	github.com/twmb/murmur3 v1.1.8
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/sys v0.30.0
)
