package bitsieve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// WithoutChecksum makes OpenBlocked and ReadBlocked skip the payload's checksum.
// Opening a mapped file then costs the same for any size, as the payload is read
// from disk page by page when keys are tested; but damage to it goes unnoticed,
// and a filter with a bit lost denies keys that it holds. The header is always
// checked.
func WithoutChecksum() Option {
	return func(o *options) { o.skipChecksum = true }
}

// Save writes the filter to a file, which is replaced in one step: other
// processes, and this one after a crash, see the file that was there before or
// the whole new one. The data are on disk when Save returns. After an error the
// file is as it was, and nothing else is left behind.
//
// A new file gets the permissions that os.Create gives; an existing one keeps
// its own. Where path is a symbolic link, the file that it points to is
// replaced. Anything but a regular file, such as a pipe, is written to directly.
//
// No goroutine may add to the filter at the same time.
func (f *Blocked) Save(path string) error {
	return saveFile(path, f.WriteTo)
}

// OpenBlocked opens a file that Save or WriteTo made. On Unix systems with
// little-endian byte order the file is mapped, not read: keys are tested in
// place, processes share the memory, and changes to the filter stay private to
// it and never reach the file. Elsewhere, and for what is not a regular file,
// the filter is read into memory.
//
// The whole file is checked first, unless WithoutChecksum is given. A file that
// is damaged, cut short, foreign or of a newer version gives a *FormatError. If
// the filter was made with WithKey, the same option is needed here: a missing, a
// wrong and an unneeded key are errors that wrap ErrKey.
//
// Close releases the mapping. Until then the file may be deleted, or replaced as
// Save does, but must not be overwritten or cut in place: a process that reads a
// mapping past the end of its file is killed by the system. Testing a large
// mapped filter is somewhat slower than one in memory, as files do not lie on
// huge pages; ReadBlocked is the way to load it.
func OpenBlocked(path string, opts ...Option) (*Blocked, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f, err := openBlocked(file, h, o.skipChecksum)
	if err != nil {
		return nil, withPath(err, path)
	}
	return f, nil
}

// ReadBlocked reads a filter, as written by WriteTo or Save, into memory. It
// takes no byte from r past the filter's end. Options and errors are those of
// OpenBlocked. Memory is allocated as data arrive, whatever the header claims.
func ReadBlocked(r io.Reader, opts ...Option) (*Blocked, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	f := new(Blocked)
	f.filter.Hash = h
	if _, err := f.readFrom(r, o.skipChecksum); err != nil {
		return nil, err
	}
	return f, nil
}

// Close releases the filter's memory, and the mapping if OpenBlocked made one.
// No other goroutine may use the filter at the same time, and nobody afterwards:
// testing and adding then panic. Closing twice is allowed.
func (f *Blocked) Close() error {
	m := f.mapping
	f.filter.Close()
	f.mapping = nil
	if m == nil {
		return nil
	}
	return unmapFile(m)
}

// WriteTo writes the filter in the format of Save. It implements io.WriterTo.
// No goroutine may add to the filter at the same time.
func (f *Blocked) WriteTo(w io.Writer) (n int64, err error) {
	h, err := f.header()
	if err != nil {
		return 0, err
	}
	m, err := w.Write(h[:])
	if err != nil {
		return int64(m), err
	}
	n, err = writePayload(w, f.filter.Blocks)
	return n + int64(m), err
}

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save
// wrote, with its own size and k. It takes no byte from r past that filter's
// end. f may be the zero value; if the filter read was made with WithKey, f must
// have the same key. Errors are those of OpenBlocked, and leave f as it was.
// Memory is allocated as data arrive, whatever the header claims.
func (f *Blocked) ReadFrom(r io.Reader) (n int64, err error) {
	return f.readFrom(r, false)
}

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (f *Blocked) MarshalBinary() ([]byte, error) {
	return f.AppendBinary(nil)
}

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Blocked) AppendBinary(b []byte) ([]byte, error) {
	buf := bytes.NewBuffer(b)
	buf.Grow(headerSize + len(f.filter.Blocks)*block.Bytes)
	if _, err := f.WriteTo(buf); err != nil {
		return b, err
	}
	return buf.Bytes(), nil
}

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Blocked) UnmarshalBinary(data []byte) error {
	h, err := parseHeader(data[:min(len(data), headerSize)])
	if err != nil {
		return err
	}
	// Before the payload is copied: the claim must be true first.
	if err := h.checkSize(uint64(len(data))); err != nil {
		return err
	}
	_, err = f.readFrom(bytes.NewReader(data), false)
	return err
}

// header returns the bytes of the filter's header.
func (f *Blocked) header() (b [headerSize]byte, err error) {
	if len(f.filter.Blocks) == 0 {
		return b, errors.New("bitsieve: the filter is closed or was never made")
	}
	f.filter.RaceRead()
	h := header{
		kind:       kindBlocked,
		k:          uint32(f.filter.K),
		hash:       hashXXH3,
		keyCheck:   f.filter.Hash.Check(),
		blocks:     f.Blocks(),
		items:      f.EstimatedCount(),
		capacity:   f.n,
		rate:       f.p,
		payloadSum: payloadSum(f.filter.Blocks),
	}
	if f.filter.Hash.Keyed() {
		h.hash = hashHighway
	}
	return h.encode(), nil
}

// set replaces the filter's contents.
func (f *Blocked) set(h *header, blocks []block.Block, mapping []byte) error {
	err := f.Close()
	f.filter.Init(blocks, int(h.k), f.filter.Hash)
	f.mapping = mapping
	f.n, f.p = h.capacity, h.rate
	return err
}

func openBlocked(file *os.File, hasher hash.Hasher, skipChecksum bool) (*Blocked, error) {
	f := new(Blocked)
	f.filter.Hash = hasher
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		if _, err := f.readFrom(file, skipChecksum); err != nil {
			return nil, err
		}
		return f, nil
	}
	h, _, err := readHeader(file)
	if err != nil {
		return nil, err
	}
	if err := h.checkSize(uint64(info.Size())); err != nil {
		return nil, err
	}
	if err := h.checkKey(hasher); err != nil {
		return nil, err
	}
	blocks, mapping, err := loadPayload(file, &h, skipChecksum)
	if err != nil {
		return nil, err
	}
	return f, f.set(&h, blocks, mapping)
}

// loadPayload maps a regular file whose size was checked, or reads it where
// there is no mapping. The file's position is at the payload.
func loadPayload(file *os.File, h *header, skipChecksum bool) (blocks []block.Block, mapping []byte, err error) {
	if canMap && !bigEndian() {
		mapping, err = mapFile(file, int(headerSize+h.payloadSize()), skipChecksum)
		if err != nil {
			return nil, nil, err
		}
	}
	if mapping != nil {
		blocks = viewBlocks(mapping[headerSize:])
	} else {
		blocks = block.New(h.blocks, true)
		if n, err := readPayload(file, blocks); err != nil {
			return nil, nil, payloadError(err, uint64(n), h)
		}
	}
	if skipChecksum {
		return blocks, mapping, nil
	}
	if err := h.checkPayload(blocks); err != nil {
		if mapping != nil {
			err = errors.Join(err, unmapFile(mapping))
		}
		return nil, nil, err
	}
	return blocks, mapping, nil
}

func (f *Blocked) readFrom(r io.Reader, skipChecksum bool) (n int64, err error) {
	h, n, err := readHeader(r)
	if err != nil {
		return n, err
	}
	if err := h.checkKey(f.filter.Hash); err != nil {
		return n, err
	}
	blocks, m, err := readPayloadGrowing(r, &h)
	n += m
	if err != nil {
		return n, err
	}
	if !skipChecksum {
		if err := h.checkPayload(blocks); err != nil {
			return n, err
		}
	}
	return n, f.set(&h, blocks, nil)
}

// readHeader reads and checks a header. It returns the number of bytes read.
func readHeader(r io.Reader) (h header, n int64, err error) {
	var b [headerSize]byte
	m, err := io.ReadFull(r, b[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return h, int64(m), err
	}
	h, err = parseHeader(b[:m])
	return h, int64(m), err
}

// withPath adds the name of the file to an error that lacks it.
func withPath(err error, path string) error {
	var fe *FormatError
	if errors.As(err, &fe) {
		fe.Path = path
		return err
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, path)
}
