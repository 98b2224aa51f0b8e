package cpu

import (
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
)

// TestDetectMicro has processors by what they report, among them a virtual machine
// that has Sapphire Rapids' instructions and Rocket Lake's model number.
func TestDetectMicro(t *testing.T) {
	for _, c := range []struct {
		goos, goarch  string
		vendor        cpuid.Vendor
		family, model int
		features      []cpuid.FeatureID
		want          Micro
	}{
		{"linux", "amd64", cpuid.AMD, 0x1a, 0x02, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VP2INTERSECT}, Zen5},
		{"linux", "amd64", cpuid.AMD, 0x1a, 0x24, []cpuid.FeatureID{cpuid.AVX2}, Zen5},
		{"linux", "amd64", cpuid.AMD, 0x19, 0x11, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F}, Zen4},
		{"linux", "amd64", cpuid.AMD, 0x19, 0x01, []cpuid.FeatureID{cpuid.AVX2}, Zen3},
		{"linux", "amd64", cpuid.AMD, 0x17, 0x31, []cpuid.FeatureID{cpuid.AVX2}, Zen2},
		{"linux", "amd64", cpuid.Hygon, 0x18, 0x01, []cpuid.FeatureID{cpuid.AVX2}, Zen2},
		{"linux", "amd64", cpuid.AMD, 0x15, 0x02, nil, Unknown},
		{"linux", "amd64", cpuid.Intel, 6, 167, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VBMI2, cpuid.AVX512FP16, cpuid.AVXVNNI}, SapphireRapids},
		{"linux", "amd64", cpuid.Intel, 6, 0x6a, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VBMI2}, IceLake},
		{"linux", "amd64", cpuid.Intel, 6, 0x55, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F}, SkylakeServer},
		{"windows", "amd64", cpuid.Intel, 6, 0x97, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVXVNNI}, AlderLake},
		{"darwin", "amd64", cpuid.Intel, 6, 0x9e, []cpuid.FeatureID{cpuid.AVX2}, Haswell},
		{"linux", "amd64", cpuid.Intel, 6, 0x1a, nil, Unknown},
		{"darwin", "arm64", cpuid.VendorUnknown, 0, 0, nil, Apple},
		{"linux", "arm64", cpuid.ARM, 0, 0xd0c1, nil, NeoverseN1},
		{"linux", "arm64", cpuid.ARM, 0, 0xd401, nil, NeoverseV1},
		{"linux", "arm64", cpuid.ARM, 0, 0xd4f0, nil, NeoverseV2},
		{"linux", "arm64", cpuid.ARM, 0, 0xd030, nil, Unknown},
		{"linux", "arm64", cpuid.Ampere, 0, 0xac30, nil, Unknown},
		{"linux", "s390x", cpuid.VendorUnknown, 0, 0, nil, Unknown},
	} {
		info := cpuid.CPUInfo{VendorID: c.vendor, Family: c.family, Model: c.model}
		info.Enable(c.features...)
		if got := detectMicro(c.goos, c.goarch, &info); got != c.want {
			t.Errorf("%s/%s, %v, family %#x, model %#x: %v, want %v", c.goos, c.goarch, c.vendor, c.family, c.model, got, c.want)
		}
	}
}

func TestChooseMicro(t *testing.T) {
	for m := range NumMicros {
		if got, err := chooseMicro(m.String(), Unknown); got != m || err != nil {
			t.Errorf("%v is read as %v, %v", m, got, err)
		}
	}
	if got, err := chooseMicro("", Zen4); got != Zen4 || err != nil {
		t.Errorf("no value: %v, %v", got, err)
	}
	got, err := chooseMicro("zen6", Zen4)
	if got != Zen4 || err == nil || !strings.Contains(err.Error(), `"zen6" is not one of unknown, zen2,`) {
		t.Errorf("zen6: %v, %v", got, err)
	}
}

func TestSetTuning(t *testing.T) {
	defer SetTuning(Tuned())
	for m := range NumMicros {
		SetTuning(m)
		if Tuned() != m || Tune != rows[m] {
			t.Errorf("%v: the row of %v is in force", m, Tuned())
		}
		if want := m != Machine(); strings.Contains(DescribeTuning(), "this is") != want {
			t.Errorf("%v on %v: described as %q", m, Machine(), DescribeTuning())
		}
	}
}
