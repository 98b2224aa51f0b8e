// Package compat holds what the root package's BitSet shares with the drop-in
// package dropin/bitset and nobody else should see: a panic value's type, and
// two process-wide settings of the serialised forms.
package compat

import (
	"encoding/base64"
	"encoding/binary"
	"sync/atomic"
)

// Error is the type of the panic values for a nil *BitSet.
type Error string

// ErrNil is the panic value for a nil *BitSet.
const ErrNil = Error("BitSet must not be null")

// The settings default to big-endian and the URL alphabet. They are atomic so
// that changing one while another goroutine serialises is no data race.
var littleEndian, stdBase64 atomic.Bool

// SetLittleEndian chooses the byte order of the binary form of a BitSet.
func SetLittleEndian(on bool) { littleEndian.Store(on) }

// SetStdBase64 chooses the alphabet of the JSON form of a BitSet: the standard
// one, or the URL one.
func SetStdBase64(on bool) { stdBase64.Store(on) }

// IsLittleEndian tells the byte order of the binary form of a BitSet.
func IsLittleEndian() bool { return littleEndian.Load() }

// ByteOrder returns the byte order of the binary form of a BitSet.
func ByteOrder() binary.ByteOrder {
	if littleEndian.Load() {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// Base64 returns the encoding of the JSON form of a BitSet.
func Base64() *base64.Encoding {
	if stdBase64.Load() {
		return base64.StdEncoding
	}
	return base64.URLEncoding
}
