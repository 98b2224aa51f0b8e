module github.com/bitsieve/bitsieve

go 1.24.0

require (
	github.com/klauspost/cpuid/v2 v2.2.10
	github.com/minio/highwayhash v1.0.4
	github.com/twmb/murmur3 v1.1.8
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/sys v0.30.0
)
