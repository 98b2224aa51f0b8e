//go:build race

package tests

import . "github.com/bitsieve/bitsieve"

func init() {
	reported["Spectral: adding beside counting"] = func() {
		f, _ := NewSpectralWithSize(100, 4, 8)
		keys := make([]uint64, 100)
		both(func() { f.AddUint64s(keys) }, func() { f.CountUint64(2) })
	}
	unreported["Spectral: two readers"] = func() {
		f, _ := NewSpectralWithSize(100, 4, 8)
		keys, a, b := make([]uint64, 100), make([]uint64, 100), make([]uint64, 100)
		both(func() { f.CountUint64s(keys, a) }, func() { f.CountUint64s(keys, b); f.FPRate() })
	}
}
