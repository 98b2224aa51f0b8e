package bitsieve

import (
	"io"

	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// A Bloom's file. What the methods of Blocked of the same names say of files holds
// here too.

// Save writes the filter to a file, as Blocked.Save does.
func (f *Bloom) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenBloom opens a file that Save or WriteTo made. Options, errors and the mapping
// are those of OpenBlocked.
func OpenBloom(path string, opts ...OpenOption) (*Bloom, error) {
	want, err := expect(format.Bloom, opts)
	if err != nil {
		return nil, err
	}
	h, words, mapping, err := format.Open(path, want)
	if err != nil {
		return nil, err
	}
	f := &Bloom{noHugePages: want.NoHugePages}
	return f, f.set(&h, words, mapping, want.Hash)
}

// ReadBloom reads a filter, as written by WriteTo or Save, into memory, as
// ReadBlocked does.
func ReadBloom(r io.Reader, opts ...OpenOption) (*Bloom, error) {
	want, err := expect(format.Bloom, opts)
	if err != nil {
		return nil, err
	}
	h, words, _, err := format.Read(r, want)
	if err != nil {
		return nil, err
	}
	f := &Bloom{noHugePages: want.NoHugePages}
	return f, f.set(&h, words, nil, want.Hash)
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
func (f *Bloom) WriteTo(w io.Writer) (n int64, err error) {
	if len(f.bits.words) == 0 {
		return 0, format.ErrEmpty
	}
	return format.Write(w, f.header(), f.bits.words)
}

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save
// wrote, with its own size and K. It takes no byte from r past that filter's
// end. If the filter read was made with WithKey, f must have the same key. Errors
// are those of OpenBloom, and leave f as it was.
func (f *Bloom) ReadFrom(r io.Reader) (n int64, err error) {
	h, words, n, err := format.Read(r, f.expect())
	if err != nil {
		return n, err
	}
	return n, f.set(&h, words, nil, f.hash)
}

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (f *Bloom) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Bloom) AppendBinary(b []byte) ([]byte, error) {
	if len(f.bits.words) == 0 {
		return b, format.ErrEmpty
	}
	return format.Append(b, f.header(), f.bits.words)
}

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Bloom) UnmarshalBinary(data []byte) error {
	h, words, err := format.Unmarshal(data, f.expect())
	if err != nil {
		return err
	}
	return f.set(&h, words, nil, f.hash)
}

// expect returns what ReadFrom and UnmarshalBinary take.
func (f *Bloom) expect() format.Expect {
	return format.Expect{Kind: format.Bloom, Hash: f.hash, NoHugePages: f.noHugePages}
}

// header returns the header of the filter's file.
func (f *Bloom) header() format.Header {
	h := format.NewHeader(format.Bloom, f.k, f.hash)
	h.Bits, h.Items = f.div.M, f.EstimatedCount()
	h.Capacity, h.Rate = f.n, f.p
	return h
}

// set replaces the filter's contents by those of a file.
func (f *Bloom) set(h *format.Header, words []uint64, m *format.Mapping, hasher hash.Hasher) error {
	err := f.Close()
	words = words[:(h.Bits+wordBits-1)/wordBits]
	f.bits = BitSet{uint(h.Bits), words}
	f.div, f.k, f.hash = rounds.NewDivisor(h.Bits), int(h.K), hasher
	f.n, f.p, f.mapping, f.closed = h.Capacity, h.Rate, m, false
	return err
}
