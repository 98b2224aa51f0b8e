package bitsieve

// Filters' files: a facade of internal/format, which describes and implements
// the format. Those of Blocked and Bloom are here, the others' with their types.

import (
	"errors"
	"io"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// A FormatError says what is wrong with a filter's file or stream, and where. It
// wraps one of the errors below, or ErrMemory: test for them with errors.Is. Its
// fields are
//
//	Path   string // the file; "" if the data did not come from a named file
//	Field  string // the part of the format at fault, such as "payload"
//	Offset int64  // where that part starts, or where the data ended
//	Detail string // what was found, and what was expected
//	Err    error  // the sort of fault: ErrTruncated, ErrChecksum, …
type FormatError = format.Error

// What can be wrong with a file.
var (
	// ErrNotFilter means that the data do not start as a bitsieve file does.
	ErrNotFilter = format.ErrNotFilter
	// ErrVersion means that the file is of a version of the format that this
	// version of the package does not read.
	ErrVersion = format.ErrVersion
	// ErrKind means that the file holds another kind of filter than the one
	// asked for.
	ErrKind = format.ErrKind
	// ErrTruncated means that the data end too early.
	ErrTruncated = format.ErrTruncated
	// ErrTrailingData means that the data go on after the filter's end.
	ErrTrailingData = format.ErrTrailingData
	// ErrChecksum means that the header or the payload was altered.
	ErrChecksum = format.ErrChecksum
	// ErrHeader means that a header whose checksum is right has a field that is
	// not.
	ErrHeader = format.ErrHeader
)

// ErrNotDurable is wrapped by the one kind of error that Save returns after the
// new file has taken the old one's place: the system did not confirm that the
// file's new name is on disk, so that after a crash the old file may be there.
var ErrNotDurable = format.ErrNotDurable

// Save writes the filter to a file, which is replaced in one step: other
// processes, and this one after a crash, see the file that was there before or
// the whole new one. The data are on disk when Save returns. After an error the
// file is as it was, and nothing else is left behind. The one exception is an
// error that wraps ErrNotDurable: the new file is in place then.
//
// Until it is complete, the new file is a temporary one named .bitsieve-*.tmp in
// the same folder. A process that is killed leaves it there. The folder must be
// readable, for it is synced too.
//
// A new file gets the permissions that os.Create gives. A file that replaces
// another has its permissions, and its owner and group as far as the process may
// give them; where it may not give the group, the group that the file then has
// gets no permission that everybody lacks. Set-user-ID, set-group-ID and sticky
// bits are dropped, as are access control lists and extended attributes. Where the
// old file has further names (hard links), these keep the old contents.
//
// Where path is a symbolic link, the file that it points to is replaced or, if it
// does not exist, created. Anything but a regular file, such as a pipe, is written
// to directly.
//
// No goroutine may add to the filter at the same time.
func (f *Blocked) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenBlocked opens a file that Save or WriteTo made. On Unix systems with
// little-endian byte order the file is mapped, not read: keys are tested in
// place, processes share the memory, and changes to the filter stay private to
// it and never reach the file. Elsewhere, and for what is not a regular file,
// the filter is read into memory; a pipe must end where the filter does.
//
// The whole file is checked first, unless WithoutChecksum is given. A file that
// is damaged, cut short, foreign or of a newer version gives a *FormatError. If
// the filter was made with WithKey, the same option is needed here: a missing, a
// wrong and an unneeded key are errors that wrap ErrKey. A filter that has to be
// read, and is larger than the memory that there is, is an error that wraps
// ErrMemory. The options are WithKey, WithoutChecksum and, for what is read into
// memory, WithoutHugePages.
//
// Close releases the mapping. Until then the file may be deleted, or replaced as
// Save does, but must not be overwritten or cut in place: a process that reads a
// mapping past the end of its file is killed by the system. Testing a large
// mapped filter is somewhat slower than one in memory, as files do not lie on
// huge pages; ReadBlocked is the way to load it.
func OpenBlocked(path string, opts ...OpenOption) (*Blocked, error) {
	return openStored[Blocked](path, opts)
}

// ReadBlocked reads a filter, as written by WriteTo or Save, into memory. It
// takes no byte from r past the filter's end. Options and errors are those of
// OpenBlocked.
//
// Memory is allocated as data arrive, at most about twice as much, whatever the
// header claims. Only files on disk, and readers of the packages bytes and
// strings, get it at once. A filter that is larger than the memory that there is,
// of which a sparse file can be the source, is an error that wraps ErrMemory.
func ReadBlocked(r io.Reader, opts ...OpenOption) (*Blocked, error) {
	return readStored[Blocked](r, opts)
}

// Close releases the filter's memory, and the mapping if OpenBlocked made one.
// No other goroutine may use the filter at the same time, and nobody afterwards:
// testing and adding then panic. Closing twice is allowed.
func (f *Blocked) Close() error {
	m := f.mapping
	f.filter.Close()
	f.mapping = nil
	return m.Close()
}

// WriteTo writes the filter in the format of Save. It implements io.WriterTo.
// A filter that is closed or was never made is an error. No goroutine may add to
// the filter at the same time.
func (f *Blocked) WriteTo(w io.Writer) (n int64, err error) { return writeTo(f, w) }

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save
// wrote, with its own size and k. It takes no byte from r past that filter's
// end. f may be the zero value; if the filter read was made with WithKey, f must
// have the same key. Errors are those of OpenBlocked, and leave f as it was.
// Memory is allocated as by ReadBlocked.
func (f *Blocked) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(f, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (f *Blocked) MarshalBinary() ([]byte, error) { return appendBinary(f, nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Blocked) AppendBinary(b []byte) ([]byte, error) { return appendBinary(f, b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Blocked) UnmarshalBinary(data []byte) error { return unmarshal(f, data) }

func (f *Blocked) expect() format.Expect {
	return format.Expect{Kind: format.Blocked, Hash: f.filter.Hash, NoHugePages: f.noHugePages}
}

func (f *Blocked) content() (format.Header, [][]uint64) {
	if len(f.filter.Blocks) == 0 {
		return format.Header{}, nil
	}
	f.filter.RaceRead()
	h := format.NewHeader(format.Blocked, f.filter.K, f.filter.Hash)
	h.Items = f.EstimatedCount()
	h.Capacity, h.Rate = f.n, f.p
	return h, [][]uint64{f.words()}
}

func (f *Blocked) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	err := f.Close()
	f.filter.Init(block.View(words), int(h.K), want.Hash)
	f.mapping, f.noHugePages = m, want.NoHugePages
	f.n, f.p = h.Capacity, h.Rate
	return err
}

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

// A stored is a type that files hold. The functions below do for each such type
// what its methods of the same names promise.
type stored interface {
	// expect returns what ReadFrom takes.
	expect() format.Expect
	// content returns the header and the payload of the file, no payload if there
	// is nothing to write.
	content() (format.Header, [][]uint64)
	// adopt replaces the contents by those of a file whose header is valid for the
	// kind and which was read as want says. If what the kind asks beyond that does
	// not hold, it leaves everything as it was and returns an error.
	adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error
}

// storedIn is a pointer to an F that is stored.
type storedIn[F any] interface {
	*F
	stored
}

// openStored is Open for a type.
func openStored[F any, P storedIn[F]](path string, opts []OpenOption) (*F, error) {
	f := P(new(F))
	want, err := expectation(f, opts)
	if err != nil {
		return nil, err
	}
	h, words, mapping, err := format.Open(path, want)
	if err != nil {
		return nil, err
	}
	if err := f.adopt(&h, words, mapping, want); err != nil {
		return nil, errors.Join(format.WithPath(err, path), mapping.Close())
	}
	return f, nil
}

// readStored is Read for a type.
func readStored[F any, P storedIn[F]](r io.Reader, opts []OpenOption) (*F, error) {
	f := P(new(F))
	want, err := expectation(f, opts)
	if err != nil {
		return nil, err
	}
	h, words, _, err := format.Read(r, want)
	if err != nil {
		return nil, err
	}
	if err := f.adopt(&h, words, nil, want); err != nil {
		return nil, err
	}
	return f, nil
}

// expectation returns what the options tell the reader of an f.
func expectation(f stored, opts []OpenOption) (format.Expect, error) {
	o := applyOpenOptions(opts)
	h, err := hash.New(o.key)
	return format.Expect{Kind: f.expect().Kind, Hash: h, SkipChecksum: o.skipChecksum, NoHugePages: o.noHugePages}, err
}

func writeTo(f stored, w io.Writer) (n int64, err error) {
	h, parts := f.content()
	return format.Write(w, h, parts...)
}

func appendBinary(f stored, b []byte) ([]byte, error) {
	h, parts := f.content()
	return format.Append(b, h, parts...)
}

func readFrom(f stored, r io.Reader) (n int64, err error) {
	want := f.expect()
	h, words, n, err := format.Read(r, want)
	if err != nil {
		return n, err
	}
	return n, f.adopt(&h, words, nil, want)
}

func unmarshal(f stored, data []byte) error {
	want := f.expect()
	h, words, err := format.Unmarshal(data, want)
	if err != nil {
		return err
	}
	return f.adopt(&h, words, nil, want)
}

// Open opens a filter's file of whatever kind: the value returned is a *Blocked, a
// *Bloom or another of the filters here, as if by that type's own function. A file
// that holds no filter, such as one of addresses, gives a *FormatError that wraps
// ErrKind.
func Open(path string, opts ...OpenOption) (Filter, error) {
	o := applyOpenOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	want := format.Expect{Hash: h, SkipChecksum: o.skipChecksum, NoHugePages: o.noHugePages}
	header, words, mapping, err := format.Open(path, want)
	if err != nil {
		return nil, err
	}
	f, ok := storedOf(header.Kind).(interface {
		stored
		Filter
	})
	if !ok {
		err = format.Errorf(ErrKind, "kind", format.KindOffset, "is %d (%v), which is no filter", uint32(header.Kind), header.Kind)
	} else {
		err = f.adopt(&header, words, mapping, want)
	}
	if err != nil {
		return nil, errors.Join(format.WithPath(err, path), mapping.Close())
	}
	return f, nil
}

// FileInfo describes a filter's file.
type FileInfo struct {
	Size int64 // of the file, in bytes

	// What the header says. It can be trusted if HeaderOK.

	Kind     string  // "blocked", "bloom", …: the type's name
	Blocks   uint64  // of 64 bytes
	Bits     uint64  // that keys are spread over, if Kind is "bloom"; else 0
	K        int     // bits set by a key
	Hash     string  // "XXH3-64", "HighwayHash-64", "MurmurHash3-128" or "HighwayHash-256"
	Keyed    bool    // a secret key is needed to open the file
	Items    uint64  // keys in the filter, as estimated when it was written
	Capacity uint64  // keys that it was sized for, 0 if unknown
	Rate     float64 // false-positive rate that it was sized for, 0 if unknown

	Exceptions uint64 // if Kind is "whitelist"; else 0

	// What the payload says, if PayloadOK. Fill and FPRate are 0 for what is no whole
	// filter: "shard", "ipv4".

	Inner  string  // kind of the filter inside, if Kind is "whitelist"; else ""
	Fill   float64 // fraction of the bits that are set
	FPRate float64 // false-positive rate as it stands, as by Blocked.FPRate or Bloom.FPRate

	HeaderOK  bool // the header is complete, unaltered and valid
	PayloadOK bool // the payload is complete and unaltered
}

// InspectFile describes the filter in a file, whatever kind it is of, and checks
// all of it. It needs no key. On a damaged file it returns what can be said, with
// a *FormatError that says what is wrong. A pipe is read to its end, and its Size
// is the number of bytes that belong to the filter.
func InspectFile(path string) (FileInfo, error) {
	in, err := format.Inspect(path)
	info := FileInfo{Size: in.Size, HeaderOK: in.HeaderOK, PayloadOK: in.Words != nil}
	if in.Known {
		info.describe(&in.Header)
	}
	if info.PayloadOK {
		err = info.measure(&in.Header, in.Words)
		info.PayloadOK = err == nil
	}
	if closeErr := in.Close(); err == nil {
		err = closeErr
	}
	return info, err
}

// describe copies the header's fields.
func (info *FileInfo) describe(h *format.Header) {
	info.Kind = h.Kind.String()
	info.Blocks = h.Blocks
	info.Bits = h.Bits
	info.K = int(h.K)
	info.Hash = h.Hash.String()
	info.Keyed = h.Hash.Keyed()
	info.Items = h.Items
	info.Capacity = h.Capacity
	info.Rate = h.Rate
	if h.Kind == format.Whitelist {
		info.Exceptions = h.Extra[0]
	}
}

// measure fills in what follows from the payload.
func (info *FileInfo) measure(h *format.Header, words []uint64) error {
	f := storedOf(h.Kind)
	if f == nil {
		return nil // a part of a filter
	}
	if err := f.adopt(h, words, nil, format.Expect{}); err != nil {
		return err
	}
	if w, ok := f.(*Whitelist); ok {
		info.Inner = w.filter.(stored).expect().Kind.String()
	}
	if f, ok := f.(Filter); ok {
		info.Fill, info.FPRate = f.Fill(), f.FPRate()
	}
	return nil
}

// storedOf returns a new value of the type that files of a kind hold, nil if there
// is none.
func storedOf(kind format.Kind) stored {
	switch kind {
	case format.Blocked:
		return new(Blocked)
	case format.Bloom:
		return new(Bloom)
	case format.IPv4:
		return new(IPv4Set)
	case format.Whitelist:
		return new(Whitelist)
	case format.Spectral:
		return new(Spectral)
	case format.Scalable:
		return new(Scalable)
	case format.Counting:
		return new(Counting)
	case format.Sharded:
		return new(Sharded)
	}
	return nil
}
