package cpu

import (
	"runtime"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		env       string
		hw        Level
		want      Level
		complains string // part of the complaint; "" for none
	}{
		{"", LevelAVX512, LevelAVX512, ""},
		{"", LevelGeneric, LevelGeneric, ""},
		{"generic", LevelAVX512, LevelGeneric, ""},
		{"generic", LevelNEON, LevelGeneric, ""},
		{"generic", LevelGeneric, LevelGeneric, ""},
		{"avx2", LevelAVX512, LevelAVX2, ""},
		{"avx512", LevelAVX512, LevelAVX512, ""},
		{"neon", LevelNEON, LevelNEON, ""},
		// Never past the hardware.
		{"avx512", LevelAVX2, LevelAVX2, "BITSIEVE_CPU=avx512 is not available here; using avx2"},
		{"avx2", LevelGeneric, LevelGeneric, "is not available"},
		{"neon", LevelGeneric, LevelGeneric, "is not available"},
		// Nor to another architecture's level.
		{"neon", LevelAVX512, LevelAVX512, "BITSIEVE_CPU=neon is not available here; using avx512"},
		{"avx2", LevelNEON, LevelNEON, "is not available"},
		// What is no level's name is reported with its quotes on.
		{"sse2", LevelAVX2, LevelAVX2, `"sse2" is not one of generic, neon, avx2, avx512; using avx2`},
		{"AVX2", LevelAVX512, LevelAVX512, "is not one of"},
		{"avx2 ", LevelAVX512, LevelAVX512, `"avx2 " is not one of`},
		{"\n", LevelNEON, LevelNEON, `"\n" is not one of`},
	} {
		got, err := choose(c.env, c.hw)
		complaint := ""
		if err != nil {
			complaint = err.Error()
		}
		if got != c.want {
			t.Errorf("choose(%q, %v) = %v, want %v", c.env, c.hw, got, c.want)
		}
		if (complaint != "") != (c.complains != "") || !strings.Contains(complaint, c.complains) {
			t.Errorf("choose(%q, %v) complains %q, want %q in it", c.env, c.hw, complaint, c.complains)
		}
	}
}

func TestLevels(t *testing.T) {
	if want := HasAsm && runtime.GOARCH == "arm64"; Has(LevelNEON) != want {
		t.Errorf("level neon on %s with HasAsm = %v: %v", runtime.GOARCH, HasAsm, !want)
	}
	if Has(LevelAVX2) && (!HasAsm || runtime.GOARCH != "amd64") {
		t.Errorf("level avx2 on %s with HasAsm = %v", runtime.GOARCH, HasAsm)
	}
	if !Has(LevelGeneric) {
		t.Error("a machine without the generic level")
	}
	defer Set(Current())
	for _, l := range Available() {
		Set(l)
		if NEON && AVX2 || AVX512 && !AVX2 || PEXT && !AVX2 || GFNI && !AVX2 {
			t.Errorf("%v: NEON, AVX2, AVX512, PEXT, GFNI = %v, %v, %v, %v, %v", l, NEON, AVX2, AVX512, PEXT, GFNI)
		}
		if Current() != l {
			t.Errorf("level %v in force, want %v", Current(), l)
		}
		if got, ok := Parse(l.String()); got != l || !ok {
			t.Errorf("Parse(%q) = %v, %v", l.String(), got, ok)
		}
	}
	if _, ok := Parse("sse2"); ok {
		t.Error("Parse takes a name that is no level's")
	}
}
