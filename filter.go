package bitsieve

import "github.com/bitsieve/bitsieve/internal/hash"

// An Option changes how a filter is made. Every Option is an OpenOption too.
//
//	                   make: New…   open: Open…, Read…
//	WithKey                ✓             ✓
//	WithoutHugePages       ✓             ✓
//	WithoutChecksum                      ✓
type Option interface {
	OpenOption
	make(*options)
}

// An OpenOption changes how a filter's file is opened or read. What is one
// without being an Option does not compile where a filter is made.
type OpenOption interface {
	open(*options)
}

type options struct {
	key          []byte
	skipChecksum bool
	noHugePages  bool
}

// makeOption is an option for making and opening, openOption one for opening only.
type (
	makeOption func(*options)
	openOption func(*options)
)

func (f makeOption) make(o *options) { f(o) }
func (f makeOption) open(o *options) { f(o) }
func (f openOption) open(o *options) { f(o) }

// WithKey makes a filter hash its keys by HighwayHash under a secret key of
// KeySize bytes, so that nobody who lacks the key can craft colliding keys.
// Hashing is slower than the default, whose collisions anybody can compute. The
// key is copied. A filter's file can only be opened with the key that the filter
// was made with.
func WithKey(key []byte) Option {
	key = append([]byte{}, key...)
	return makeOption(func(o *options) { o.key = key })
}

// WithoutHugePages leaves the filter's memory as the Go runtime has it, and that
// of its clones and of what is read into it. By default the kernel is asked, on
// Linux and from 2 MiB on, to put it on huge pages, without which a probe of a
// large filter waits for the page table as often as for the data.
//
// The memory belongs to Go's heap, and the advice outlives the filter: what the
// runtime later keeps there lies on huge pages as well, so that a process which
// makes and drops large filters may hold more memory than its small objects need.
// A program that minds gives this option; one whose filters live as long as it
// does has no reason to.
func WithoutHugePages() Option {
	return makeOption(func(o *options) { o.noHugePages = true })
}

// WithoutChecksum skips the payload's checksum. Opening a mapped file then costs
// the same for any size, as the payload is read from disk page by page when keys
// are tested; but damage to it goes unnoticed, and a filter with a bit lost denies
// keys that it holds. The header is always checked.
func WithoutChecksum() OpenOption {
	return openOption(func(o *options) { o.skipChecksum = true })
}

func applyOptions(opts []Option) (o options) {
	for _, f := range opts {
		f.make(&o)
	}
	return o
}

func applyOpenOptions(opts []OpenOption) (o options) {
	for _, f := range opts {
		f.open(&o)
	}
	return o
}

// KeySize is the length in bytes of the secret key that WithKey takes.
const KeySize = hash.KeySize
