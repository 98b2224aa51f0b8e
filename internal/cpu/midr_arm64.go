//go:build !purego && linux

package cpu

import "github.com/klauspost/cpuid/v2"

// readMIDR returns MIDR_EL1 of the core that runs it: implementer, variant, part and
// revision. The processor must have cpuid.ARMCPUID.
func readMIDR() uint64

// midr is MIDR_EL1 of a core of this machine, on Linux and Android, or 0 where the
// kernel does not tell: before Linux 4.11. cpuid reads it too, but keeps no implementer
// that it has no name for, such as Apple's and Microsoft's.
func midr() uint64 {
	if cpuid.CPU.Supports(cpuid.ARMCPUID) {
		return readMIDR()
	}
	return 0
}
