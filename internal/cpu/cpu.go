// Package cpu decides, once at start-up, which kernels run. Nothing else in the
// module asks about a CPU: the dispatch verbs branch on the bools below.
package cpu

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// A Level names a set of kernels. The order matters: a verb without a kernel at
// the level in force falls through to the next lower one.
type Level uint8

// The levels, lowest first.
const (
	LevelGeneric Level = iota
	LevelNEON
	LevelAVX2
	LevelAVX512
	NumLevels
)

var levelNames = [NumLevels]string{"generic", "neon", "avx2", "avx512"}

func (l Level) String() string { return levelNames[l] }

// Env is the environment variable that lowers the level at start-up.
const Env = "BITSIEVE_CPU"

// What the dispatch verbs branch on. Set writes them: once at start-up, and in
// tests and benchmarks.
var (
	NEON   bool // arm64's 128-bit vectors
	AVX2   bool // with POPCNT, BMI1 and BMI2
	AVX512 bool // F, BW, DQ, VL, VPOPCNTDQ and VBMI2; AVX2 is set as well
	PEXT   bool // AVX2, and PEXT and PDEP take a few cycles
	GFNI   bool // AVX2, and affine maps of bytes: as wide as the level's vectors
)

// fastPEXT reports whether PEXT and PDEP are fast. AMD's cores before Zen 3
// (family 0x19), and Hygon's, which descend from them, have them in microcode,
// at up to 250 cycles.
var fastPEXT = cpuid.CPU.Supports(cpuid.BMI2, cpuid.POPCNT) &&
	!((cpuid.CPU.IsVendor(cpuid.AMD) || cpuid.CPU.IsVendor(cpuid.Hygon)) && cpuid.CPU.Family < 0x19)

// hasGFNI reports whether VGF2P8AFFINEQB is there. Its 512-bit form needs AVX-512 as
// well, its 256-bit form in VEX encoding AVX.
var hasGFNI = cpuid.CPU.Supports(cpuid.GFNI)

var (
	hardware = detect() // the best level that this CPU and build have
	current  Level      // the level in force
	envError error      // why BITSIEVE_CPU was not followed
)

func init() {
	var l Level
	l, envError = choose(os.Getenv(Env), hardware)
	Set(l)
}

// detect returns the best level that both the build and the CPU have. Each
// feature that a kernel uses is tested by name; the operating system's support
// for the wider registers is part of cpuid's answer.
func detect() Level {
	if !HasAsm {
		return LevelGeneric
	}
	switch runtime.GOARCH {
	case "arm64":
		return LevelNEON // part of Go's arm64 baseline: nothing to detect
	case "amd64":
		if !cpuid.CPU.Supports(cpuid.AVX2, cpuid.POPCNT, cpuid.BMI1, cpuid.BMI2) {
			return LevelGeneric
		}
		if !cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ,
			cpuid.AVX512VL, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512VBMI2) {
			return LevelAVX2
		}
		return LevelAVX512
	}
	return LevelGeneric
}

// choose applies the value of BITSIEVE_CPU to the hardware's level hw. It never
// returns a level above hw. The error is for the user: the value is not a
// level's name, or names a level that this machine lacks.
func choose(env string, hw Level) (Level, error) {
	if env == "" {
		return hw, nil
	}
	for l := range NumLevels {
		if env != l.String() {
			continue
		}
		if !hw.has(l) {
			return hw, fmt.Errorf("bitsieve: %s=%s is not available here; using %v", Env, env, hw)
		}
		return l, nil
	}
	return hw, errors.New("bitsieve: " + Env + "=" + strconv.Quote(env) + " is not one of " +
		strings.Join(levelNames[:], ", ") + "; using " + hw.String())
}

// has reports whether a machine whose best level is hw can run level l.
func (hw Level) has(l Level) bool {
	switch hw {
	case LevelNEON:
		return l <= LevelNEON
	case LevelAVX2, LevelAVX512:
		return l <= hw && l != LevelNEON
	}
	return l == LevelGeneric
}

// Current returns the level in force.
func Current() Level { return current }

// EnvError returns why BITSIEVE_CPU was not followed, or nil.
func EnvError() error { return envError }

// Has reports whether this machine and build have level l.
func Has(l Level) bool { return hardware.has(l) }

// Available returns the levels of this machine, lowest first.
func Available() (levels []Level) {
	for l := range NumLevels {
		if Has(l) {
			levels = append(levels, l)
		}
	}
	return levels
}

// Set puts level l, which this machine must have, in force. Nothing else may
// run at the time; filters made before keep the single-key kernels of the level
// they were made at.
func Set(l Level) {
	current = l
	NEON = l == LevelNEON
	AVX2 = l >= LevelAVX2
	AVX512 = l >= LevelAVX512
	PEXT = AVX2 && fastPEXT
	GFNI = AVX2 && hasGFNI
}

// Parse returns the level of the given name, and whether this machine has it.
func Parse(name string) (Level, bool) {
	for l := range NumLevels {
		if name == l.String() {
			return l, Has(l)
		}
	}
	return LevelGeneric, false
}

// Names returns the names of the levels of this machine, lowest first.
func Names() (names []string) {
	for _, l := range Available() {
		names = append(names, l.String())
	}
	return names
}

// SetByName is Set for the level of the given name. It reports whether this
// machine has it.
func SetByName(name string) bool {
	l, ok := Parse(name)
	if ok {
		Set(l)
	}
	return ok
}

// Refresh makes a filter that was made at another level use the single-key
// kernels of the level in force: for benchmarks that keep a filter while they go
// through the levels. Package bitsieve sets it.
var Refresh func(filter any)
