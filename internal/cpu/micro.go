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
	NeoverseV1           // and the Cortex-X1
	NeoverseV2           // and V3, N2, N3, Cortex-A710, X2 and later
	Apple                // all of them
	NumMicros
)

var microNames = [NumMicros]string{"unknown", "zen2", "zen3", "zen4", "zen5",
	"haswell", "alderlake", "skylake-server", "icelake", "sapphirerapids",
	"neoverse-n1", "neoverse-v1", "neoverse-v2", "apple"}

func (m Micro) String() string { return microNames[m] }

// detectMicro returns the microarchitecture of this machine. What an x86 processor
// can do decides rather than its model number: a virtual machine may claim the
// number of another model, but not instructions that the processor lacks. An arm64
// one tells no more than its MIDR_EL1, and where that is 0 it is unknown, as on
// Windows, unless the operating system runs on one make only.
func detectMicro(goos, goarch string, c *cpuid.CPUInfo, midr uint64) Micro {
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
	case goarch == "arm64":
		return armMicro(midr)
	}
	return Unknown
}

// The implementers of arm64 cores that armMicro knows, as in MIDR_EL1.
const (
	implementerARM       = 0x41
	implementerHiSilicon = 0x48
	implementerQualcomm  = 0x51
	implementerApple     = 0x61
	implementerMicrosoft = 0x6d
)

// armMicro returns the microarchitecture of a core by its MIDR_EL1: the implementer in
// bits 24 to 31, the part in bits 4 to 15. Of cores of several kinds it is that of the
// one on which the program has started; small ones, such as the Cortex-A55 and A510,
// are Unknown, as are those of other makers' own designs.
func armMicro(midr uint64) Micro {
	part := midr >> 4 & 0xfff
	switch midr >> 24 & 0xff {
	case implementerARM:
		return armPart(part)
	case implementerApple:
		return Apple // under Linux, as Asahi's
	case implementerHiSilicon:
		if part == 0xd40 || part == 0xd41 { // Cortex-A76 and A77, in Kirin
			return NeoverseN1
		}
	case implementerQualcomm:
		if part == 0x804 { // Kryo 4xx Gold, a Cortex-A76
			return NeoverseN1
		}
	case implementerMicrosoft:
		return armPart(part) // Azure Cobalt 100 is a Neoverse N2 with that part number
	}
	return Unknown
}

// armPart returns the microarchitecture of a core of Arm's own by its part number.
func armPart(part uint64) Micro {
	switch part {
	case 0xd0b, 0xd0c, 0xd0d, 0xd0e, // Cortex-A76, Neoverse N1, Cortex-A77, A76AE
		0xd41, 0xd42, 0xd4b: // Cortex-A78, A78AE, A78C
		return NeoverseN1
	case 0xd40, 0xd44, 0xd4c: // Neoverse V1, Cortex-X1, X1C
		return NeoverseV1
	case 0xd47, 0xd48, 0xd49, // Cortex-A710, X2, Neoverse N2
		0xd4d, 0xd4e, 0xd4f, // Cortex-A715, X3, Neoverse V2
		0xd81, 0xd82, 0xd83, 0xd84, // Cortex-A720, X4, Neoverse V3AE, V3
		0xd85, 0xd87, 0xd89, 0xd8e, // Cortex-X925, A725, A720AE, Neoverse N3
		0xd8b, 0xd8c, 0xd90: // C1-Pro, C1-Ultra, C1-Premium
		return NeoverseV2
	}
	return Unknown
}

var micro = detectMicro(runtime.GOOS, runtime.GOARCH, &cpuid.CPU, midr())
