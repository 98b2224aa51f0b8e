package bitsieve

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/bitsieve/bitsieve/internal/cpulevel"
)

// level names a set of kernels. The order matters: a verb without a kernel at
// the level in force falls through to the next lower one.
type level uint8

const (
	levelGeneric level = iota
	levelNEON
	levelAVX2
	levelAVX512
	numLevels
)

var levelNames = [numLevels]string{"generic", "neon", "avx2", "avx512"}

func (l level) String() string { return levelNames[l] }

// levelEnv is the environment variable that lowers the level at start-up.
const levelEnv = "BITSIEVE_CPU"

// The dispatch verbs branch on these. They are written by setLevel only: once
// at start-up, and by tests.
var (
	useNEON   bool
	useAVX2   bool
	useAVX512 bool
)

// fastPEXT tells whether PEXT and PDEP take a few cycles, where there is AVX2.
// AMD's cores before Zen 3 (family 0x19), and Hygon's, which descend from them,
// have them in microcode, at up to 250 cycles.
var fastPEXT = cpuid.CPU.Supports(cpuid.BMI2, cpuid.POPCNT) &&
	!((cpuid.CPU.IsVendor(cpuid.AMD) || cpuid.CPU.IsVendor(cpuid.Hygon)) && cpuid.CPU.Family < 0x19)

var (
	hardwareLevel = detectLevel() // the best level this CPU and build have
	currentLevel  level           // the level in force
)

func init() {
	l, complaint := chooseLevel(os.Getenv(levelEnv), hardwareLevel)
	if complaint != "" {
		os.Stderr.WriteString(complaint + "\n")
	}
	setLevel(l)
	cpulevel.Available = availableLevels
	cpulevel.Set = setLevelByName
}

// detectLevel returns the best level that both the build and the CPU have.
// Each feature that a kernel uses is tested by name; the operating system's
// support for the wider registers is part of cpuid's answer.
func detectLevel() level {
	if !hasAsm {
		return levelGeneric
	}
	switch runtime.GOARCH {
	case "arm64":
		return levelNEON // part of Go's arm64 baseline: nothing to detect
	case "amd64":
		if !cpuid.CPU.Supports(cpuid.AVX2, cpuid.POPCNT, cpuid.BMI1, cpuid.BMI2) {
			return levelGeneric
		}
		if !cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ,
			cpuid.AVX512VL, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512VBMI2) {
			return levelAVX2
		}
		return levelAVX512
	}
	return levelGeneric
}

// chooseLevel applies the value of BITSIEVE_CPU to the hardware's level. It
// never returns a level above hw. complaint is a line for the user when the
// value is not a level's name or names a level that this machine lacks.
func chooseLevel(env string, hw level) (l level, complaint string) {
	if env == "" {
		return hw, ""
	}
	for l := range numLevels {
		if env != levelNames[l] {
			continue
		}
		if !hw.has(l) {
			return hw, "bitsieve: " + levelEnv + "=" + env + " is not available here; using " + hw.String()
		}
		return l, ""
	}
	return hw, "bitsieve: " + levelEnv + "=" + strconv.Quote(env) + " is not one of " +
		strings.Join(levelNames[:], ", ") + "; using " + hw.String()
}

// has reports whether a machine whose best level is hw can run level l.
func (hw level) has(l level) bool {
	switch hw {
	case levelNEON:
		return l <= levelNEON
	case levelAVX2, levelAVX512:
		return l <= hw && l != levelNEON
	}
	return l == levelGeneric
}

// setLevel puts level l in force. l must be one that hardwareLevel has.
func setLevel(l level) {
	currentLevel = l
	useNEON = l == levelNEON
	useAVX2 = l >= levelAVX2
	useAVX512 = l >= levelAVX512
}

// availableLevels returns the names of the levels of this machine, lowest first.
func availableLevels() (names []string) {
	for l := range numLevels {
		if hardwareLevel.has(l) {
			names = append(names, l.String())
		}
	}
	return names
}

func setLevelByName(name string) bool {
	for l := range numLevels {
		if name == l.String() && hardwareLevel.has(l) {
			setLevel(l)
			return true
		}
	}
	return false
}

// Acceleration returns the name of the kernels in use: "avx512", "avx2",
// "neon" or "generic". They are chosen once, at start-up, as the best that the
// CPU has; the environment variable BITSIEVE_CPU=generic|avx2|avx512|neon
// lowers the choice, never raises it past the hardware. A value that cannot be
// honoured is reported on standard error.
func Acceleration() string { return currentLevel.String() }
