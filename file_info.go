package bitsieve

import (
	"fmt"
	"os"

	"github.com/bitsieve/bitsieve/internal/hash"
)

// FileInfo describes a filter's file.
type FileInfo struct {
	Size int64 // of the file, in bytes

	// What the header says. It can be trusted if HeaderOK.

	Kind     string  // "blocked"
	Blocks   uint64  // of 64 bytes
	K        int     // bits set by a key
	Hash     string  // "XXH3-64" or "HighwayHash-64"
	Keyed    bool    // a secret key is needed to open the file
	Items    uint64  // keys in the filter, as estimated when it was written
	Capacity uint64  // keys that it was sized for, 0 if unknown
	Rate     float64 // false-positive rate that it was sized for, 0 if unknown

	// What the payload says, if PayloadOK.

	Fill   float64 // fraction of the bits that are set
	FPRate float64 // false-positive rate as it stands, as by Blocked.FPRate

	HeaderOK  bool // the header is complete, unaltered and valid
	PayloadOK bool // the payload is complete and unaltered
}

// InspectFile describes the filter in a regular file, for which it needs no
// key, and checks all of it. On a damaged file it returns what can be said,
// with a *FormatError that tells what is wrong.
func InspectFile(path string) (FileInfo, error) {
	file, err := os.Open(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer file.Close()
	info, err := inspect(file)
	if err != nil {
		err = withPath(err, path)
	}
	return info, err
}

func inspect(file *os.File) (info FileInfo, err error) {
	stat, err := file.Stat()
	if err != nil {
		return info, err
	}
	info.Size = stat.Size()
	h, _, err := readHeader(file)
	info.describe(&h)
	if err != nil {
		return info, err
	}
	info.HeaderOK = true
	if err := h.checkSize(uint64(info.Size)); err != nil {
		return info, err
	}
	blocks, mapping, err := loadPayload(file, &h, false)
	if err != nil {
		return info, err
	}
	info.PayloadOK = true
	f := Blocked{mapping: mapping}
	f.filter.Init(blocks, int(h.k), hash.Hasher{})
	info.Fill, info.FPRate = f.Fill(), f.FPRate()
	return info, f.Close()
}

// describe copies the header's fields. Those of the zero header stay zero.
func (info *FileInfo) describe(h *header) {
	if *h == (header{}) {
		return
	}
	info.Kind = kindName(h.kind)
	info.Blocks = h.blocks
	info.K = int(h.k)
	info.Hash = hashName(h.hash)
	info.Keyed = h.hash == hashHighway
	info.Items = h.items
	info.Capacity = h.capacity
	info.Rate = h.rate
}

func kindName(kind uint32) string {
	if kind == kindBlocked {
		return "blocked"
	}
	return fmt.Sprintf("unknown (%d)", kind)
}

func hashName(hash uint32) string {
	switch hash {
	case hashXXH3:
		return "XXH3-64"
	case hashHighway:
		return "HighwayHash-64"
	}
	return fmt.Sprintf("unknown (%d)", hash)
}
