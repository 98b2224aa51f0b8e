package bitsieve

import (
	"runtime"
	"strings"
	"testing"
)

func TestChooseLevel(t *testing.T) {
	for _, c := range []struct {
		env       string
		hw        level
		want      level
		complains string // part of the complaint; "" for none
	}{
		{"", levelAVX512, levelAVX512, ""},
		{"", levelGeneric, levelGeneric, ""},
		{"generic", levelAVX512, levelGeneric, ""},
		{"generic", levelNEON, levelGeneric, ""},
		{"generic", levelGeneric, levelGeneric, ""},
		{"avx2", levelAVX512, levelAVX2, ""},
		{"avx512", levelAVX512, levelAVX512, ""},
		{"neon", levelNEON, levelNEON, ""},
		// Never past the hardware.
		{"avx512", levelAVX2, levelAVX2, "BITSIEVE_CPU=avx512 is not available here; using avx2"},
		{"avx2", levelGeneric, levelGeneric, "is not available"},
		{"neon", levelGeneric, levelGeneric, "is not available"},
		// Nor to another architecture's level.
		{"neon", levelAVX512, levelAVX512, "BITSIEVE_CPU=neon is not available here; using avx512"},
		{"avx2", levelNEON, levelNEON, "is not available"},
		// What is no level's name is reported with its quotes on.
		{"sse2", levelAVX2, levelAVX2, `"sse2" is not one of generic, neon, avx2, avx512; using avx2`},
		{"AVX2", levelAVX512, levelAVX512, "is not one of"},
		{"avx2 ", levelAVX512, levelAVX512, `"avx2 " is not one of`},
		{"\n", levelNEON, levelNEON, `"\n" is not one of`},
	} {
		got, complaint := chooseLevel(c.env, c.hw)
		if got != c.want {
			t.Errorf("chooseLevel(%q, %v) = %v, want %v", c.env, c.hw, got, c.want)
		}
		if (complaint != "") != (c.complains != "") || !strings.Contains(complaint, c.complains) {
			t.Errorf("chooseLevel(%q, %v) complains %q, want %q in it", c.env, c.hw, complaint, c.complains)
		}
	}
}

func TestLevels(t *testing.T) {
	if want := hasAsm && runtime.GOARCH == "arm64"; hardwareLevel.has(levelNEON) != want {
		t.Errorf("level neon on %s with hasAsm = %v: %v", runtime.GOARCH, hasAsm, !want)
	}
	if hardwareLevel.has(levelAVX2) && (!hasAsm || runtime.GOARCH != "amd64") {
		t.Errorf("level avx2 on %s with hasAsm = %v", runtime.GOARCH, hasAsm)
	}
	forEachLevel(t, func(t *testing.T) {
		if !hardwareLevel.has(levelGeneric) {
			t.Error("a machine without the generic level")
		}
		if useNEON && useAVX2 || useAVX512 && !useAVX2 {
			t.Errorf("useNEON, useAVX2, useAVX512 = %v, %v, %v", useNEON, useAVX2, useAVX512)
		}
		if got := Acceleration(); !strings.HasSuffix(t.Name(), "/"+got) {
			t.Errorf("Acceleration() = %q", got)
		}
	})
}
