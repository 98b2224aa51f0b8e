package tests

import (
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

func TestBloomLocationVectors(t *testing.T) {
	for _, v := range []struct {
		key  string
		want []uint64
	}{
		{"Love", []uint64{0xde93a26f14351e23, 0xb16e866271057106, 0xb03b5314ec8725ab,
			0x4dcd098df33b01e2, 0x902c1c6cfcb339a3, 0x54bde7ae21a98016}},
		{"", []uint64{0, 0x778867e4430e6785, 0xef10cfc8861ccf0a,
			0x706b15b18a5efa42, 0xeb3972420dd3f858, 0x55aa07754f480599}},
		{"0123456789abcde", []uint64{0xa62dd5f6c0bf2351, 0xb7e5801ef76d9dbd, 0x765eec1bb6f1c4eb,
			0x15465dda773fe461, 0x02cfb70964a3ed3d, 0x5847ac68e3d2e0f1}},
	} {
		if got := BloomLocations([]byte(v.key), 6); !slices.Equal(got, v.want) {
			t.Errorf("%q: %x, want %x", v.key, got, v.want)
		}
	}
}
