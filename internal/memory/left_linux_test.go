package memory

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// machine writes the files of a system under a new root.
func machine(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLeft(t *testing.T) {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &r) == nil && r.Cur < 1<<62 {
		t.Skip("a limit on the address space comes on top")
	}
	const (
		meminfo = "MemTotal: 100 kB\nMemAvailable: 64 kB\nSwapFree: 16 kB\nCommitLimit: 50 kB\nCommitted_AS: 20 kB\n"
		free    = 80 << 10
	)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"nothing to read", nil, unlimited.bytes},
		{"free memory", map[string]string{"proc/meminfo": meminfo}, free},
		{"overcommitting", map[string]string{"proc/meminfo": meminfo, "proc/sys/vm/overcommit_memory": "0\n"}, free},
		{"not overcommitting", map[string]string{"proc/meminfo": meminfo, "proc/sys/vm/overcommit_memory": "2\n"}, 30 << 10},
		{"v2", map[string]string{
			"proc/meminfo":                       meminfo,
			"proc/self/cgroup":                   "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":       "max\n",
			"sys/fs/cgroup/a/b/memory.current":   "1\n",
			"sys/fs/cgroup/a/memory.max":         "10000\n",
			"sys/fs/cgroup/a/memory.current":     "5000\n",
			"sys/fs/cgroup/a/memory.stat":        "anon 1\ninactive_file 100\nactive_file 20\nshmem 5\n",
			"sys/fs/cgroup/memory/memory.limits": "1\n",
		}, 5120},
		{"v2, over its limit", map[string]string{
			"proc/self/cgroup":             "0::/\n",
			"sys/fs/cgroup/memory.max":     "10000\n",
			"sys/fs/cgroup/memory.current": "10001\n",
		}, 0},
		{"v1 in a container, which sees its own group at the top", map[string]string{
			"proc/meminfo":     meminfo,
			"proc/self/cgroup": "12:cpu,cpuacct:/docker/f00\n4:memory:/docker/f00\n1:name=systemd:/docker/f00\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "30000\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "1000\n",
			"sys/fs/cgroup/memory/memory.stat":           "inactive_file 7\ntotal_inactive_file 400\ntotal_active_file 100\n",
		}, 29500},
		{"v1 without a limit", map[string]string{
			"proc/meminfo":     meminfo,
			"proc/self/cgroup": "4:hugetlb,memory:/\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "1000\n",
		}, free},
	} {
		if got := leftIn(machine(t, c.files)); got.bytes != c.want {
			t.Errorf("%s: %v, want %d", c.name, got, c.want)
		}
	}
	if got := left(); got == unlimited || got.bytes < 1<<20 {
		t.Errorf("this machine: %v", got)
	}
}
