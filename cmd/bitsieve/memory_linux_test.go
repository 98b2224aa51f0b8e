package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The least of what limits a process counts.
func TestMachineMemory(t *testing.T) {
	const gib = 1 << 30
	none := uint64(math.MaxUint64)
	for _, c := range []struct {
		name  string
		files map[string]string
		space uint64
		want  uint64
	}{
		{"nothing is known", nil, none, 0},
		{"the machine", map[string]string{"proc/meminfo": "MemTotal: 9 kB\nMemAvailable: 8388608 kB\nSwapFree: 1048576 kB\n"}, none, 9 * gib},
		{"ulimit -v", map[string]string{"proc/meminfo": "MemAvailable: 8388608 kB\n"}, gib, gib},
		{"ulimit -v alone", nil, gib, gib},
		{"a group without limit", map[string]string{
			"proc/meminfo": "MemAvailable: 8388608 kB\n", "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "max\n", "sys/fs/cgroup/memory.current": "5\n",
		}, none, 8 * gib},
		{"a group, whose cached files give way", map[string]string{
			"proc/meminfo": "MemAvailable: 8388608 kB\n", "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "2147483648\n", "sys/fs/cgroup/a/b/memory.current": "1610612736\n",
			"sys/fs/cgroup/a/b/memory.stat": "anon 1\ninactive_file 536870912\n",
		}, none, gib},
		{"the group above", map[string]string{
			"proc/meminfo": "MemAvailable: 8388608 kB\n", "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.current": "0\n",
			"sys/fs/cgroup/a/memory.max": "3221225472\n", "sys/fs/cgroup/a/memory.current": "0\n",
		}, none, 3 * gib},
		{"version 1", map[string]string{
			"proc/meminfo": "MemAvailable: 8388608 kB\n", "proc/self/cgroup": "5:cpu:/x\n4:memory:/x\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "1073741824\n", "sys/fs/cgroup/memory/x/memory.usage_in_bytes": "0\n",
		}, none, gib},
		{"in use beyond the limit", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "5\n", "sys/fs/cgroup/memory.current": "9\n",
			"proc/meminfo": "MemAvailable: 8388608 kB\n",
		}, none, 1},
	} {
		root := t.TempDir()
		for name, text := range c.files {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := memoryUnder(root, c.space); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got := machineMemory(); got < 1<<20 || got > 1<<50 {
		t.Errorf("this machine has %d bytes", got)
	}
}
