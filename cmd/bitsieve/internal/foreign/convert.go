package foreign

import (
	"errors"
	"fmt"
	"io"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/dropin/bloom"
)

// Bitsieve is the target of a conversion to this project's own files.
const Bitsieve Format = -1

// targets are the names of what can be converted to, and of all that one may want to.
var targets = []struct {
	name string
	Format
	hash string // where a key's bits are
}{
	{"bitsieve", Bitsieve, "places in a block of 64 bytes by XXH3"},
	{"bits-and-blooms", BitsAndBlooms, "places by four words of MurmurHash3"},
	{"parquet", ParquetFilter, "eight places in a block of 32 bytes by XXH64"},
	{"guava", Guava, "places h1 + i·h2 by two words of MurmurHash3"},
	{"redisbloom", RedisBloom, "places a + i·b by MurmurHash64A, in a chain of filters"},
}

// ParseTarget returns the format of a name.
func ParseTarget(name string) (Format, error) {
	for _, t := range targets {
		if t.name == name {
			return t.Format, nil
		}
	}
	return None, fmt.Errorf("there is no format %q; there are bitsieve, bits-and-blooms, parquet, guava and redisbloom", name)
}

// Convert returns what writes the filter of a file in another format, without knowing
// its keys: where both have the same hash, and the bits are merely ordered otherwise.
// For all else the error says why not.
func (f *File) Convert(to Format, column string) (func(io.Writer) (int64, error), error) {
	if err := f.checkColumn(column); err != nil {
		return nil, err
	}
	switch from := f.filter.(type) {
	case bitsAndBlooms:
		if to == Bitsieve {
			var g bloom.BloomFilter
			err := g.UnmarshalBinary(f.Data)
			return g.Bloom().WriteTo, err
		}
	case parquetFile:
		if to == ParquetFilter {
			return from.extract(column)
		}
	}
	if f.Format == to {
		return nil, fmt.Errorf("it is %s already", aFilter(to))
	}
	return nil, refusal(f.Format, to)
}

// ConvertOwn is Convert for a filter of bitsieve's.
func ConvertOwn(f bitsieve.Filter, to Format) (func(io.Writer) (int64, error), error) {
	own, isBloom := f.(*bitsieve.Bloom)
	switch {
	case isBloom && f.Keyed() && to == BitsAndBlooms:
		return nil, fmt.Errorf("it is hashed under a secret key, which %s filters are not", to)
	case isBloom && to == BitsAndBlooms:
		return ownBitsAndBlooms(own), nil
	}
	if to == Bitsieve {
		return nil, errors.New("it is one of bitsieve's files already")
	}
	if isBloom {
		return nil, refusal(BitsAndBlooms, to)
	}
	return nil, refusal(Bitsieve, to)
}

// ownBitsAndBlooms writes a Bloom as its twin's library does.
func ownBitsAndBlooms(f *bitsieve.Bloom) func(io.Writer) (int64, error) {
	g := bloom.FromWithM(nil, uint(f.Bits()), uint(f.K()))
	*g.BitSet() = *f.BitSet()
	return g.WriteTo
}

// refusal says why filters of one format cannot become those of another.
func refusal(from, to Format) error {
	return fmt.Errorf("a filter does not know its keys, and they lie elsewhere in the two formats: %s here, %s in %s. "+
		"It has to be built anew, from the keys", hashOf(from), hashOf(to), aFilter(to))
}

// aFilter names a filter of a format.
func aFilter(f Format) string {
	switch f {
	case Bitsieve:
		return "a filter of bitsieve's"
	case ParquetFilter:
		return "a Parquet filter"
	}
	return fmt.Sprintf("a %s filter", f)
}

func hashOf(f Format) string {
	if f == Parquet {
		f = ParquetFilter
	}
	for _, t := range targets {
		if t.Format == f {
			return t.hash
		}
	}
	return ""
}
