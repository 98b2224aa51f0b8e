package machine

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func totalMemory() int64 { return meminfo("MemTotal:") }

// AvailableMemory returns how much memory this process may take without
// swapping; 0 if unknown.
func AvailableMemory() int64 { return meminfo("MemAvailable:") }

func meminfo(field string) int64 {
	kib, _ := strconv.ParseInt(strings.TrimSuffix(fieldOf("/proc/meminfo", field), " kB"), 10, 64)
	return kib << 10
}

// fieldOf returns what follows name on the first line of a file that begins
// with it.
func fieldOf(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), name); ok {
			return strings.TrimLeft(rest, " \t:")
		}
	}
	return ""
}

func kernelVersion() string { return fileLine("/proc/sys/kernel/osrelease") }

// hugePages returns the kernel's mode for transparent huge pages.
func hugePages() string {
	modes := fileLine("/sys/kernel/mm/transparent_hugepage/enabled")
	if _, rest, ok := strings.Cut(modes, "["); ok {
		mode, _, _ := strings.Cut(rest, "]")
		return "transparent, mode " + mode
	}
	return "none"
}

// HugeInUse returns how much of this process's memory lies on huge pages.
func HugeInUse() int64 {
	kib, _ := strconv.ParseInt(strings.TrimSuffix(fieldOf("/proc/self/smaps_rollup", "AnonHugePages:"), " kB"), 10, 64)
	return kib << 10
}

// DisableHugePages makes this process, from now on, get small pages only.
func DisableHugePages() error {
	return unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0)
}

// armParts names cores that have no name of their own to tell. The numbers are
// those of Arm's MIDR register.
var armParts = map[string]string{
	"0xd03": "Cortex-A53", "0xd05": "Cortex-A55", "0xd07": "Cortex-A57",
	"0xd08": "Cortex-A72", "0xd0b": "Cortex-A76", "0xd41": "Cortex-A78",
	"0xd0c": "Neoverse N1", "0xd40": "Neoverse V1", "0xd49": "Neoverse N2",
	"0xd4f": "Neoverse V2", "0xd8e": "Neoverse N3", "0xd84": "Neoverse V3",
}

func osCPUName() string {
	if name := fieldOf("/proc/cpuinfo", "model name"); name != "" {
		return name
	}
	part := fieldOf("/proc/cpuinfo", "CPU part")
	if name := armParts[part]; name != "" && fieldOf("/proc/cpuinfo", "CPU implementer") == "0x41" {
		return "Arm " + name
	}
	if part != "" {
		return "Arm part " + part
	}
	return ""
}
