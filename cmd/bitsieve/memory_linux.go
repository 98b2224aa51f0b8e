package main

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// machineMemory returns the least of what the machine has left, what the control
// groups of the process have left, and what its address space may still grow by.
func machineMemory() uint64 {
	return memoryUnder("/", addressSpace())
}

// memoryUnder is machineMemory for a root directory.
func memoryUnder(root string, space uint64) uint64 {
	info := fields(filepath.Join(root, "proc/meminfo"))
	left := min(space, (info["MemAvailable:"]+info["SwapFree:"])<<10)
	if info["MemAvailable:"] == 0 {
		left = space
	}
	for _, line := range lineSlice(filepath.Join(root, "proc/self/cgroup")) {
		_, rest, _ := strings.Cut(line, ":")
		controllers, group, _ := strings.Cut(rest, ":")
		switch {
		case controllers == "":
			left = min(left, groupsMemory(filepath.Join(root, "sys/fs/cgroup"), group, "memory.max", "memory.current", "inactive_file"))
		case strings.Contains(controllers, "memory"):
			left = min(left, groupsMemory(filepath.Join(root, "sys/fs/cgroup/memory"), group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"))
		}
	}
	if left == math.MaxUint64 {
		return 0
	}
	return max(left, 1) // 0 is unknown
}

// groupsMemory returns what a control group and those above it have left. Cached
// files count as used but give way.
func groupsMemory(root, group, limitFile, usedFile, cache string) uint64 {
	left := uint64(math.MaxUint64)
	for dir := filepath.Join(root, group); ; dir = filepath.Dir(dir) {
		limit, ok := number(filepath.Join(dir, limitFile))
		used, known := number(filepath.Join(dir, usedFile))
		if ok && known {
			used -= min(used, fields(filepath.Join(dir, "memory.stat"))[cache])
			left = min(left, limit-min(limit, used))
		}
		if len(dir) <= len(root) {
			return left
		}
	}
}

// addressSpace returns what ulimit -v leaves.
func addressSpace() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.MaxUint64
	}
	used := fields("/proc/self/status")["VmSize:"] << 10
	return limit.Cur - min(limit.Cur, used)
}

// fields returns the numbers in a file of lines such as "name 123".
func fields(path string) map[string]uint64 {
	m := make(map[string]uint64)
	for _, line := range lineSlice(path) {
		if f := strings.Fields(line); len(f) >= 2 {
			if n, err := strconv.ParseUint(f[1], 10, 64); err == nil {
				m[f[0]] = n
			}
		}
	}
	return m
}

func lineSlice(path string) (lines []string) {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// number reads a file that holds one number; "max" is none.
func number(path string) (uint64, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}
