module github.com/bitsieve/bitsieve/conformance/replace

go 1.26.0

require (
	github.com/bitsieve/bitsieve v0.0.0
	github.com/bitsieve/bitsieve/replace/bbloom v0.0.0
	github.com/bitsieve/bitsieve/replace/holiman v0.0.0
	github.com/holiman/bloomfilter/v2 v2.0.3
	github.com/ipfs/bbloom v0.1.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace (
	github.com/bitsieve/bitsieve => ../..
	github.com/bitsieve/bitsieve/replace/bbloom => ../../replace/bbloom
	github.com/bitsieve/bitsieve/replace/holiman => ../../replace/holiman
)
