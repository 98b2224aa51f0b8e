package bitsieve

import (
	"io"

	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// A Bloom's file. What the methods of Blocked of the same names say of files holds
// here too.

// Save writes the filter to a file, as Blocked.Save does.
func (f *Bloom) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenBloom opens a file that Save or WriteTo made. Options, errors and the mapping
// are those of OpenBlocked.
func OpenBloom(path string, opts ...OpenOption) (*Bloom, error) {
	return openStored[Bloom](path, opts)
}

// ReadBloom reads a filter, as written by WriteTo or Save, into memory, as
// ReadBlocked does.
func ReadBloom(r io.Reader, opts ...OpenOption) (*Bloom, error) {
	return readStored[Bloom](r, opts)
}

// Close releases the filter's memory, and the mapping if OpenBloom made one. No
// other goroutine may use the filter at the same time, and nobody afterwards:
// testing and adding then panic. Closing twice is allowed.
func (f *Bloom) Close() error {
	m := f.mapping
	*f = Bloom{hash: f.hash, noHugePages: f.noHugePages, closed: true}
	return m.Close()
}

// WriteTo writes the filter in the format of Save. It implements io.WriterTo. A
// filter without bits is an error. No goroutine may add to the filter at the same
// time.
func (f *Bloom) WriteTo(w io.Writer) (n int64, err error) { return writeTo(f, w) }

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save
// wrote, with its own size and K. It takes no byte from r past that filter's
// end. If the filter read was made with WithKey, f must have the same key. Errors
// are those of OpenBloom, and leave f as it was.
func (f *Bloom) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(f, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (f *Bloom) MarshalBinary() ([]byte, error) { return appendBinary(f, nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Bloom) AppendBinary(b []byte) ([]byte, error) { return appendBinary(f, b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Bloom) UnmarshalBinary(data []byte) error { return unmarshal(f, data) }

func (f *Bloom) expect() format.Expect {
	return format.Expect{Kind: format.Bloom, Hash: f.hash, NoHugePages: f.noHugePages}
}

func (f *Bloom) content() (format.Header, [][]uint64) {
	if len(f.bits.words) == 0 {
		return format.Header{}, nil
	}
	h := format.NewHeader(format.Bloom, f.k, f.hash)
	h.Bits, h.Items = f.div.M, f.EstimatedCount()
	h.Capacity, h.Rate = f.n, f.p
	return h, [][]uint64{f.bits.words}
}

func (f *Bloom) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	err := f.Close()
	words = words[:(h.Bits+wordBits-1)/wordBits]
	f.bits = BitSet{uint(h.Bits), words}
	f.div, f.k, f.hash = rounds.NewDivisor(h.Bits), int(h.K), want.Hash
	f.n, f.p, f.mapping, f.noHugePages, f.closed = h.Capacity, h.Rate, m, want.NoHugePages, false
	return err
}
