package v2

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"encoding/json"
	"io"
	"strconv"
)

const (
	version    = "v02\n"
	magic      = "\x00\x00\x00\x00\x00\x00\x00\x00" + version
	headerSize = len(magic) + 3*Uint64Bytes
	// chunkWords is how many words are converted, hashed and written at a time.
	chunkWords = 4096
)

func (f *Filter) appendHeader(dst []byte) []byte {
	dst = append(dst, magic...)
	for _, x := range [...]uint64{uint64(len(f.keys)), f.n, f.m} {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return appendWords(dst, f.keys)
}

func appendWords(dst []byte, words []uint64) []byte {
	for _, x := range words {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return dst
}

// MarshallToWriter writes the binary form of the filter and returns the number of
// bytes written and the SHA-384 at its end. The filter is locked for reading.
func (f *Filter) MarshallToWriter(out io.Writer) (int, [sha512.Size384]byte, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	var sum [sha512.Size384]byte
	written, hasher := 0, sha512.New384()
	buf := f.appendHeader(make([]byte, 0, max(chunkWords*Uint64Bytes, headerSize+len(f.keys)*Uint64Bytes)))
	for words := f.bits; ; {
		hasher.Write(buf)
		n, err := out.Write(buf)
		written += n
		if err != nil {
			return written, sum, err
		}
		if len(words) == 0 {
			break
		}
		part := words[:min(chunkWords, len(words))]
		words = words[len(part):]
		buf = appendWords(buf[:0], part)
	}
	hasher.Sum(sum[:0])
	n, err := out.Write(sum[:])
	return written + n, sum, err
}

// AppendBinary appends the binary form of the filter to dst and returns the extended
// slice. The error is always nil.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	start := len(dst)
	dst = appendWords(f.appendHeader(dst), f.bits)
	sum := sha512.Sum384(dst[start:])
	return append(dst, sum[:]...), nil
}

// MarshalBinary returns the binary form of the filter. The error is always nil.
func (f *Filter) MarshalBinary() ([]byte, error) {
	f.lock.RLock()
	size := headerSize + (len(f.keys)+len(f.bits))*Uint64Bytes + sha512.Size384
	f.lock.RUnlock()
	return f.AppendBinary(make([]byte, 0, size))
}

// GobEncode returns the binary form of the filter.
func (f *Filter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// MarshalJSON returns the JSON form of the filter. The error is always nil.
func (f *Filter) MarshalJSON() ([]byte, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	dst := make([]byte, 0, 128+21*(len(f.bits)+len(f.keys)))
	dst = append(dst, `{"version":"v02\n","bits":`...)
	dst = appendJSON(dst, f.bits)
	dst = append(dst, `,"keys":`...)
	dst = appendJSON(dst, f.keys)
	dst = append(dst, `,"m":`...)
	dst = strconv.AppendUint(dst, f.m, 10)
	dst = append(dst, `,"n":`...)
	dst = strconv.AppendUint(dst, f.n, 10)
	return append(dst, '}'), nil
}

func appendJSON(dst []byte, words []uint64) []byte {
	if words == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, x := range words {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, x, 10)
	}
	return append(dst, ']')
}

// UnmarshalJSON replaces the filter by the one whose JSON form data is. A form whose
// members cannot belong together is refused with a bitsieve.FormatError that wraps
// ErrHeader. After an error the filter is unchanged.
func (f *Filter) UnmarshalJSON(data []byte) error {
	var form struct {
		Version    string
		Bits, Keys []uint64
		M, N       uint64
	}
	if err := json.Unmarshal(data, &form); err != nil {
		return err
	}
	switch k := uint64(len(form.Keys)); {
	case form.Version != version:
		return headerError("version", 0, "is %q, want %q", form.Version, version)
	case form.M == 0 && k == 0 && len(form.Bits) == 0: // the zero value
	case checkSize(form.M, k) != nil:
		return headerError("m", 0, "%v", checkSize(form.M, k))
	case uint64(len(form.Bits)) != wordsOf(form.M):
		return headerError("bits", 0, "are %d words for m = %d", len(form.Bits), form.M)
	}
	f.set(newFilter(form.M, form.N, form.Keys, form.Bits))
	return nil
}

// set replaces the contents of f by those of g, which nobody else has.
func (f *Filter) set(g *Filter) {
	f.lock.Lock()
	f.m, f.n, f.inv, f.keys, f.bits = g.m, g.n, g.inv, g.keys, g.bits
	f.lock.Unlock()
}

// GobDecode is UnmarshalBinary.
func (f *Filter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

// UnmarshalBinary replaces the filter by the one whose binary form data begins with,
// copying it. Errors are those of UnmarshalFromReader.
func (f *Filter) UnmarshalBinary(data []byte) error {
	_, err := f.UnmarshalFromReader(bytes.NewReader(data))
	return err
}
