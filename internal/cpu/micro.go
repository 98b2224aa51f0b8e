package cpu

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
)

// A Micro is a microarchitecture, as far as its tuning differs from others'.
type Micro uint8

// The microarchitectures that are told apart. TUNING.md says which of them have
// been measured; the others have the row of the nearest one that has.
const (
	Unknown        Micro = iota
	Zen2                 // and Zen 1
	Zen3                 // family 0x19 without AVX-512
	Zen4                 // AVX-512 by halves
	Zen5                 // AVX-512 in full width
	Haswell              // Intel's with AVX2 but without AVX-512, to Comet Lake
	AlderLake            // and the later client and E-core ones: AVX2 with AVX-VNNI
	SkylakeServer        // the first AVX-512, without VPOPCNTDQ: level avx2
	IceLake              // client and server, with Tiger Lake and Rocket Lake
	SapphireRapids       // and what came after it with AVX-512
	NeoverseN1           // and the Cortex-A76 to A78
	NeoverseV1
	NeoverseV2 // and V3, N2, N3, Cortex-X2 and later
	Apple
	NumMicros
)

var microNames = [NumMicros]string{"unknown", "zen2", "zen3", "zen4", "zen5",
	"haswell", "alderlake", "skylake-server", "icelake", "sapphirerapids",
	"neoverse-n1", "neoverse-v1", "neoverse-v2", "apple"}

func (m Micro) String() string { return microNames[m] }

// detectMicro returns the microarchitecture of this machine. What an x86 processor
// can do decides rather than its model number: a virtual machine may claim the
// number of another model, but not instructions that the processor lacks.
func detectMicro(goos, goarch string, c *cpuid.CPUInfo) Micro {
	switch {
	case goarch == "amd64" && (c.IsVendor(cpuid.AMD) || c.IsVendor(cpuid.Hygon)):
		switch {
		case c.Supports(cpuid.AVX512VP2INTERSECT) || c.Family >= 0x1a:
			return Zen5
		case c.Supports(cpuid.AVX512F):
			return Zen4
		case c.Family == 0x19:
			return Zen3
		case c.Family >= 0x17:
			return Zen2
		}
	case goarch == "amd64" && c.IsVendor(cpuid.Intel):
		switch {
		case c.Supports(cpuid.AVX512FP16):
			return SapphireRapids
		case c.Supports(cpuid.AVX512F, cpuid.AVX512VBMI2):
			return IceLake
		case c.Supports(cpuid.AVX512F):
			return SkylakeServer
		case c.Supports(cpuid.AVXVNNI):
			return AlderLake
		case c.Supports(cpuid.AVX2):
			return Haswell
		}
	case goarch == "arm64" && (goos == "darwin" || goos == "ios"):
		return Apple
	case goarch == "arm64" && c.IsVendor(cpuid.ARM):
		return armMicro(c.Model >> 4 & 0xfff)
	}
	return Unknown
}

// armMicro returns the microarchitecture of a core of Arm's own by the part number
// of its MIDR_EL1.
func armMicro(part int) Micro {
	switch part {
	case 0xd0b, 0xd0c, 0xd0d, 0xd41, 0xd42, 0xd4b: // Cortex-A76, Neoverse N1, A77, A78 and its kin
		return NeoverseN1
	case 0xd40, 0xd44: // Neoverse V1, Cortex-X1
		return NeoverseV1
	case 0xd47, 0xd48, 0xd49, 0xd4d, 0xd4e, 0xd4f, 0xd81, 0xd82, 0xd83, 0xd84, 0xd85, 0xd8e:
		// Cortex-A710, X2, Neoverse N2, A715, X3, Neoverse V2, A720, X4, V3AE, V3, X925, N3
		return NeoverseV2
	}
	return Unknown
}

var micro = detectMicro(runtime.GOOS, runtime.GOARCH, &cpuid.CPU)
