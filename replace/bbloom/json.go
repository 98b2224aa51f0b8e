package bbloom

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/bitsieve/bitsieve"
)

// The JSON form is an object: FilterSet, the bits as base64 of big-endian words;
// SetLocs, how many of them a key sets; Version, of the hash, absent for 0; and K0 and
// K1, the keys of SipHash, absent for the well-known ones.

// JSONMarshal returns the JSON form of the filter.
func (bl *Bloom) JSONMarshal() []byte { return bl.appendJSON(bl.boolset()) }

// JSONMarshalTS is JSONMarshal under the lock, for reading.
func (bl *Bloom) JSONMarshalTS() []byte {
	bl.Mtx.RLock()
	defer bl.Mtx.RUnlock()
	return bl.JSONMarshal()
}

func (bl *Bloom) boolset() []byte {
	bs := make([]byte, 8*len(bl.bitset))
	for i, w := range bl.bitset {
		binary.BigEndian.PutUint64(bs[8*i:], w)
	}
	return bs
}

func (bl *Bloom) appendJSON(bs []byte) []byte {
	dst := make([]byte, 0, base64.StdEncoding.EncodedLen(len(bs))+128)
	dst = append(dst, `{"FilterSet":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, bs)
	dst = append(dst, `","SetLocs":`...)
	dst = strconv.AppendUint(dst, bl.setLocs, 10)
	if bl.hashVersion != 0 {
		dst = append(dst, `,"Version":`...)
		dst = strconv.AppendUint(dst, uint64(bl.hashVersion), 10)
	}
	if bl.k0 != defaultK0 || bl.k1 != defaultK1 {
		dst = append(dst, `,"K0":`...)
		dst = strconv.AppendUint(dst, bl.k0, 10)
		dst = append(dst, `,"K1":`...)
		dst = strconv.AppendUint(dst, bl.k1, 10)
	}
	return append(dst, '}')
}

// JSONUnmarshal returns the filter whose JSON form dbData is. A form that no filter has
// is refused with a bitsieve.FormatError that wraps ErrHeader; its offset is 0, as
// members may stand in any order. Memory is bounded by what dbData holds.
func JSONUnmarshal(dbData []byte) (*Bloom, error) {
	var form struct {
		FilterSet []byte
		SetLocs   uint64
		Version   uint8
		K0, K1    *uint64
	}
	if err := json.Unmarshal(dbData, &form); err != nil {
		return nil, err
	}
	if (form.K0 == nil) != (form.K1 == nil) {
		return nil, headerError("K0, K1", "one is present without the other")
	}
	k0, k1 := defaultK0, defaultK1
	if form.K0 != nil {
		k0, k1 = *form.K0, *form.K1
	}
	bl, err := fromBoolset(form.FilterSet, form.SetLocs, k0, k1)
	if err != nil {
		return nil, err
	}
	bl.hashVersion = form.Version // one over 1 hashes as 1 does: the peer reads it so
	return bl, nil
}

func headerError(field, detail string, args ...any) error {
	return &bitsieve.FormatError{Field: field, Detail: fmt.Sprintf(detail, args...), Err: bitsieve.ErrHeader}
}
