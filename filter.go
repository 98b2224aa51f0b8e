package bitsieve

import "github.com/bitsieve/bitsieve/internal/hash"

// An Option changes how a filter is made or opened.
type Option func(*options)

type options struct {
	key          []byte
	skipChecksum bool
	noHugePages  bool
}

// WithKey makes a filter hash its keys by HighwayHash under a secret key of
// KeySize bytes, so that nobody who lacks the key can craft colliding keys.
// Hashing is slower than the default, whose collisions anybody can compute. The
// key is copied.
func WithKey(key []byte) Option {
	return func(o *options) { o.key = append([]byte{}, key...) }
}

func applyOptions(opts []Option) (o options) {
	for _, f := range opts {
		f(&o)
	}
	return o
}

// KeySize is the length in bytes of the secret key that WithKey takes.
const KeySize = hash.KeySize
