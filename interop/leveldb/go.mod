module github.com/bitsieve/bitsieve/interop/leveldb

go 1.26.0

require github.com/syndtr/goleveldb v1.0.1-0.20220721030215-126854af5e6d

replace github.com/bitsieve/bitsieve => ../..
