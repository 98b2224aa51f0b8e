//go:build purego || !linux || !arm64

package cpu

import "github.com/klauspost/cpuid/v2"

// midr is what cpuid knows of MIDR_EL1, for a core of Arm's own: on FreeBSD, and on
// Linux without assembly. It is 0 where a program cannot read the register, such as
// on Windows.
func midr() uint64 {
	if cpuid.CPU.IsVendor(cpuid.ARM) {
		return implementerARM<<24 | uint64(cpuid.CPU.Model&0xffff)
	}
	return 0
}
