module github.com/bitsieve/bitsieve/replace/holiman

go 1.24.1

require github.com/bitsieve/bitsieve v0.0.0

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)

replace github.com/bitsieve/bitsieve => ../..
