package cpu

import (
	"os"
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
		{"linux", "s390x", cpuid.VendorUnknown, 0, 0, nil, Unknown},
	} {
		info := cpuid.CPUInfo{VendorID: c.vendor, Family: c.family, Model: c.model}
		info.Enable(c.features...)
		if got := detectMicro(c.goos, c.goarch, &info, 0); got != c.want {
			t.Errorf("%s/%s, %v, family %#x, model %#x: %v, want %v", c.goos, c.goarch, c.vendor, c.family, c.model, got, c.want)
		}
	}
}

// TestArmMicro has arm64 cores by MIDR_EL1, as util-linux (sys-utils/lscpu-arm.c) and
// Trusted Firmware-A (include/lib/cpus/aarch64) list them.
func TestArmMicro(t *testing.T) {
	for _, c := range []struct {
		goos string
		midr uint64
		want Micro
	}{
		{"darwin", 0, Apple},
		{"ios", 0, Apple},
		{"windows", 0, Unknown},
		{"linux", 0, Unknown},
		{"linux", 0x413fd0c1, NeoverseN1},   // Graviton2, Altra
		{"android", 0x411fd410, NeoverseN1}, // Cortex-A78
		{"linux", 0x411fd401, NeoverseV1},   // Graviton3
		{"android", 0x411fd440, NeoverseV1}, // Cortex-X1
		{"linux", 0x410fd490, NeoverseV2},   // Neoverse N2
		{"linux", 0x6d0fd490, NeoverseV2},   // Azure Cobalt 100
		{"linux", 0x410fd4f0, NeoverseV2},   // Graviton4, Grace, Axion
		{"linux", 0x410fd840, NeoverseV2},   // Neoverse V3
		{"linux", 0x410fd8c0, NeoverseV2},   // C1-Ultra
		{"linux", 0x611f0230, Apple},        // M1's Firestorm
		{"linux", 0x610f0380, Apple},        // M2 Max's Blizzard
		{"linux", 0x481fd401, NeoverseN1},   // Kirin's Cortex-A76: V1's part number at Arm
		{"linux", 0x481fd010, Unknown},      // Kunpeng 920
		{"android", 0x51df804e, NeoverseN1}, // Kryo 4xx Gold
		{"linux", 0x512f0011, Unknown},      // Oryon
		{"android", 0x410fd050, Unknown},    // Cortex-A55
		{"android", 0x410fd460, Unknown},    // Cortex-A510
		{"linux", 0x410fd4a0, Unknown},      // Neoverse E1
		{"linux", 0x410fd083, Unknown},      // Cortex-A72
		{"linux", 0xc00fac30, Unknown},      // AmpereOne
		{"linux", 0x461f0010, Unknown},      // A64FX
	} {
		if got := detectMicro(c.goos, "arm64", new(cpuid.CPUInfo), c.midr); got != c.want {
			t.Errorf("%s, MIDR_EL1 %#x: %v, want %v", c.goos, c.midr, got, c.want)
		}
	}
}

// TestMachine compares this machine with what BITSIEVE_TEST_MICRO names, for a run on a
// known one, or under qemu:
//
//	BITSIEVE_TEST_MICRO=neoverse-n1 QEMU_CPU=neoverse-n1 GOARCH=arm64 go test -exec qemu-aarch64 -run Machine ./internal/cpu
func TestMachine(t *testing.T) {
	want, ok := os.LookupEnv("BITSIEVE_TEST_MICRO")
	if !ok {
		t.Skip("BITSIEVE_TEST_MICRO names no microarchitecture")
	}
	if got := Machine().String(); got != want {
		t.Errorf("this machine, of MIDR_EL1 %#x, is %s, want %s", midr(), got, want)
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
