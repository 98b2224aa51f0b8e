package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

func TestRoundTrip(t *testing.T) {
	sizes := []uint64{1, 3, 64, pieceWords/block.Words - 1, pieceWords / block.Words, pieceWords/block.Words + 1}
	if !testing.Short() {
		sizes = append(sizes, 3*firstRead/block.Bytes+5)
	}
	path := filepath.Join(t.TempDir(), "f")
	for _, s := range samples(t, sizes...) {
		file := s.file(t)
		if want := HeaderBytes + 8*len(s.words); len(file) != want {
			t.Errorf("%s: %d bytes, want %d", s.name, len(file), want)
		}
		var buf bytes.Buffer
		if n, err := Write(&buf, s.header, s.words); n != int64(len(file)) || err != nil {
			t.Errorf("%s: Write: %d, %v", s.name, n, err)
		}
		if !bytes.Equal(buf.Bytes(), file) {
			t.Errorf("%s: Write and Append differ", s.name)
		}
		if b, err := Append([]byte("before"), s.header, s.words); string(b) != "before"+string(file) || err != nil {
			t.Errorf("%s: Append: %d bytes, %v", s.name, len(b), err)
		}
		err := Save(path, func(w io.Writer) (int64, error) { return Write(w, s.header, s.words) })
		if err != nil {
			t.Fatal(err)
		}
		saved, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(saved, file) {
			t.Errorf("%s: Save and Append differ (%v)", s.name, err)
		}

		h, words, err := Unmarshal(file, s.want)
		s.check(t, h, words, err, "Unmarshal")
		h, words, n, err := Read(&buf, s.want)
		s.check(t, h, words, err, "Read of a buffer")
		if n != int64(len(file)) {
			t.Errorf("%s: Read returned %d, want %d", s.name, n, len(file))
		}
		stream := io.MultiReader(iotest.HalfReader(bytes.NewReader(file)), strings.NewReader("next"))
		h, words, _, err = Read(stream, s.want)
		s.check(t, h, words, err, "Read of a stream")
		if rest, _ := io.ReadAll(stream); string(rest) != "next" {
			t.Errorf("%s: Read left %q, want %q", s.name, rest, "next")
		}
		opened, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		h, words, _, err = Read(opened, s.want)
		s.check(t, h, words, err, "Read of a file")
		opened.Close()
		for _, skip := range []bool{false, true} {
			want := s.want
			want.SkipChecksum = skip
			h, words, m, err := Open(path, want)
			s.check(t, h, words, err, "Open")
			if (m != nil) != (canMap && !bigEndian()) {
				t.Errorf("%s: mapped %v", s.name, m != nil)
			}
			for range 2 {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// A standard filter's words, too few or too many for its bits.
func TestPayloadBits(t *testing.T) {
	for _, bits := range []uint64{1, 63, 64, 65, 511, 512, 513, 575, 576, 577, 1000, 64*pieceWords + 1, 64*2000 + 5} {
		full := pattern(block.Words*blocksFor(bits) + 3)
		for _, n := range []uint64{1, bits / 64, bits/64 + 1, uint64(len(full))} {
			if n == 0 || n > uint64(len(full)) {
				continue
			}
			s := sampleOf(t, Bloom, 0, bits, hash.Hasher{})
			s.words = make([]uint64, block.Words*blocksFor(bits))
			copy(s.words, full[:n])
			before := slices.Clone(full)
			file, err := Append(nil, s.header, full[:n])
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(full, before) {
				t.Fatalf("%d bits: writing changed the words", bits)
			}
			h, words, err := Unmarshal(file, s.want)
			s.check(t, h, words, err, "bits")
			if want := xxh3.Hash(file[HeaderBytes:]); h.PayloadSum != want {
				t.Errorf("%d bits, %d words: checksum %x, want %x", bits, n, h.PayloadSum, want)
			}
		}
	}
}

func TestPayloadSum(t *testing.T) {
	for _, n := range []uint64{8, 16, 24, 32, 128, 136, 144, 264, pieceWords - 8, pieceWords, pieceWords + 8,
		2*pieceWords + 128, 2*pieceWords + 136, 3*pieceWords - 8} {
		words := pattern(n)
		raw := make([]byte, 0, 8*n)
		for _, w := range words {
			raw = binary.LittleEndian.AppendUint64(raw, w)
		}
		p := newPayload(0, words)
		if got, want := p.sum(), xxh3.Hash(raw); got != want {
			t.Errorf("%d words: checksum %x, want %x", n, got, want)
		}
		var h xxh3.Hasher
		read := make([]uint64, n)
		if m, err := readWords(bytes.NewReader(raw), read, &h); m != int64(8*n) || err != nil {
			t.Errorf("%d words: %d bytes read, %v", n, m, err)
		}
		if !slices.Equal(read, words) || h.Sum64() != xxh3.Hash(raw) {
			t.Errorf("%d words: read wrongly", n)
		}
		var swappedBytes []byte
		if err := swapped(words, func(b []byte) error { swappedBytes = append(swappedBytes, b...); return nil }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(swappedBytes, raw) {
			t.Errorf("%d words: swapped wrongly", n)
		}
	}
}

// pause reports whether a garbage collection can begin and end while work runs:
// it waits for assembly that runs long.
func pause(work func()) bool {
	for range 20 {
		var started, done atomic.Bool
		finished := make(chan struct{})
		go func() {
			started.Store(true)
			work()
			done.Store(true)
			close(finished)
		}()
		for !started.Load() {
			runtime.Gosched()
		}
		runtime.GC()
		runtime.GC()
		ended := done.Load()
		<-finished
		if !ended {
			return true
		}
	}
	return false
}

// A garbage collection need not wait for what is done with the whole payload.
func TestPreemption(t *testing.T) {
	if testing.Short() || ^uint(0)>>32 == 0 {
		t.Skip("needs 2 GiB of address space")
	}
	words := make([]uint64, 128<<20) // all on the system's page of zeros
	p := newPayload(0, words)
	if !pause(func() { p.sum() }) {
		t.Error("the checksum cannot be interrupted")
	}
	var w largestWrite
	if _, err := p.write(&w); err != nil || w > 512<<10 {
		t.Errorf("%d bytes are written at a time, %v", w, err)
	}
	raw := memory.Bytes(words[:len(words)/4])
	read := make([]uint64, len(words)/4)
	if !pause(func() { _, _ = readWords(bytes.NewReader(raw), read, nil) }) {
		t.Error("reading cannot be interrupted")
	}
	if !pause(func() { memory.Copy(read, words) }) {
		t.Error("copying cannot be interrupted")
	}
}

// largestWrite is a writer that remembers the most bytes that it was given.
type largestWrite int

func (w *largestWrite) Write(b []byte) (int, error) {
	*w = max(*w, largestWrite(len(b)))
	return len(b), nil
}

// claim returns a header that announces so many blocks.
func claim(blocks uint64) []byte {
	h := NewHeader(Blocked, 8, hash.Hasher{})
	h.Blocks = blocks
	b := h.encode()
	return b[:]
}

// liar is a reader whose Len says more than it has.
type liar struct{ io.Reader }

func (liar) Len() int { return 1 << 30 }

// A header may claim what it likes: memory is taken for what arrives.
func TestHostileSize(t *testing.T) {
	const arriving = 3 << 20
	data := append(claim(1<<24), make([]byte, arriving)...)
	want := Expect{Kind: Blocked}
	for name, r := range map[string]io.Reader{
		"in memory":      bytes.NewReader(data[:HeaderBytes+1]),
		"stream":         io.MultiReader(bytes.NewReader(data)),
		"Len overstates": liar{bytes.NewReader(data)},
	} {
		allocated := allocated(func() {
			_, _, _, err := Read(r, want)
			wantError(t, err, ErrTruncated, name)
		})
		// 1, 2 and 4 MiB, each with what aligning may take.
		if limit := uint64(8 << 20); allocated > limit {
			t.Errorf("%s: %d bytes allocated for %d, limit %d", name, allocated, arriving, limit)
		}
	}
	if n := allocated(func() {
		_, _, err := Unmarshal(data, want)
		wantError(t, err, ErrTruncated, "Unmarshal")
	}); n > 1<<20 {
		t.Errorf("Unmarshal: %d bytes allocated", n)
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// More than the machine has: an error instead of an end that nobody can catch.
func TestMoreThanMemory(t *testing.T) {
	if memory.Check(memory.MaxBytes) == nil {
		t.Skip("this system does not say what memory it has")
	}
	const blocks = memory.MaxBytes / block.Bytes // 64 TiB
	want := Expect{Kind: Blocked}
	_, _, n, err := Read(io.MultiReader(bytes.NewReader(claim(blocks)), zeros{}), want)
	wantError(t, err, memory.ErrMemory, "stream")
	if n != HeaderBytes {
		t.Errorf("%d bytes were read of a stream that memory cannot hold", n)
	}

	// A sparse file really has it.
	path := filepath.Join(t.TempDir(), "sparse")
	if err := os.WriteFile(path, claim(blocks/64), 0o666); err != nil { // 1 TiB
		t.Fatal(err)
	}
	if err := os.Truncate(path, HeaderBytes+memory.MaxBytes/64); err != nil {
		t.Skip(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if memory.Check(memory.MaxBytes/64) == nil {
		t.Skip("this machine has more than 1 TiB")
	}
	_, _, _, err = Read(file, want)
	wantError(t, err, memory.ErrMemory, "sparse file")
	if !strings.Contains(err.Error(), "not enough memory: 1099511627776 bytes, about ") {
		t.Errorf("%q does not say what is missing", err)
	}
	// As Open reads where there is no mapping.
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	h, _, err := readHeader(file, Blocked)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = h.readPayload(file, want)
	wantError(t, err, memory.ErrMemory, "no mapping")
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestReadError(t *testing.T) {
	s := sampleOf(t, Blocked, 30, 0, hash.Hasher{})
	broken := errors.New("broken")
	for _, n := range []int{0, 50, HeaderBytes, 500} {
		_, words, m, err := Read(io.MultiReader(bytes.NewReader(s.file(t)[:n]), iotest.ErrReader(broken)), s.want)
		if err != broken || m != int64(n) || words != nil {
			t.Errorf("after %d bytes: %d, %v", n, m, err)
		}
	}
}

// failingWriter takes some bytes and then fails.
type failingWriter struct{ room int }

var errFull = errors.New("no room")

func (w *failingWriter) Write(b []byte) (int, error) {
	if len(b) <= w.room {
		w.room -= len(b)
		return len(b), nil
	}
	n := w.room
	w.room = 0
	return n, errFull
}

func TestWriteError(t *testing.T) {
	for _, s := range samples(t, 20) {
		for _, room := range []int{0, 1, HeaderBytes - 1, HeaderBytes, HeaderBytes + 1, HeaderBytes + 100, len(s.file(t)) - 1} {
			if n, err := Write(&failingWriter{room}, s.header, s.words); n != int64(room) || err != errFull {
				t.Errorf("%s: %d bytes of room: Write returned %d, %v", s.name, room, n, err)
			}
		}
	}
}

func TestInspect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, s := range samples(t, 3) {
		file := s.file(t)
		flipped := bytes.Clone(file)
		flipped[len(flipped)-64] ^= 1
		badHeader := bytes.Clone(file)
		badHeader[offItems] ^= 1
		unknown := bytes.Clone(file)
		unknown[offKind] = 10
		resum(unknown)
		for _, c := range []struct {
			name                   string
			data                   []byte
			err                    error
			known, header, payload bool
		}{
			{"good", file, nil, true, true, true},
			{"payload", flipped, ErrChecksum, true, true, false},
			{"cut", file[:HeaderBytes+7], ErrTruncated, true, true, false},
			{"longer", append(bytes.Clone(file), 0), ErrTrailingData, true, true, false},
			{"header", badHeader, ErrChecksum, true, false, false},
			{"unknown kind", unknown, ErrKind, true, false, false},
			{"half a header", file[:50], ErrTruncated, false, false, false},
			{"foreign", []byte("#!/bin/sh\n"), ErrNotFilter, false, false, false},
		} {
			if err := os.WriteFile(path, c.data, 0o666); err != nil {
				t.Fatal(err)
			}
			in, err := Inspect(path)
			if c.err != nil {
				wantError(t, err, c.err, c.name)
			} else if err != nil {
				t.Fatal(err)
			}
			if in.Size != int64(len(c.data)) || in.Known != c.known || in.HeaderOK != c.header || (in.Words != nil) != c.payload {
				t.Errorf("%s: %s: %+v", s.name, c.name, in)
			}
			if c.payload {
				s.check(t, in.Header, in.Words, nil, c.name)
			}
			if err := in.Close(); err != nil || in.Words != nil {
				t.Errorf("%s: Close: %v", c.name, err)
			}
		}
	}
	in, err := Inspect(filepath.Join(path, "none"))
	if err == nil {
		t.Error("no file: no error")
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
}

// The checksum in one call, which cannot be preempted, and in pieces.
func BenchmarkPayloadSum(b *testing.B) {
	for _, size := range []int{128 << 10, 1 << 30} {
		words := pattern(uint64(size / 8))
		for name, sum := range map[string]func() uint64{
			"once": func() uint64 { return xxh3.Hash(memory.Bytes(words)) },
			"pieces": func() uint64 {
				var h xxh3.Hasher
				_ = eachPiece(words, func(w []uint64) error { _, err := h.Write(memory.Bytes(w)); return err })
				return h.Sum64()
			},
		} {
			b.Run(fmt.Sprintf("%dKiB/%s", size>>10, name), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					sum()
				}
			})
		}
	}
}
