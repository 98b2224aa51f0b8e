module github.com/bitsieve/bitsieve/cmd/bitsieve

go 1.26.0

require (
	github.com/bitsieve/bitsieve v0.0.0
	github.com/bitsieve/bitsieve/interop/parquet v0.0.0
	github.com/klauspost/compress v1.20.3
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/urfave/cli/v3 v3.14.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.44.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
)

replace github.com/bitsieve/bitsieve => ../..

replace github.com/bitsieve/bitsieve/interop/parquet => ../../interop/parquet
