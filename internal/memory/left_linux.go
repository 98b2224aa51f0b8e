package memory

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// left returns how much memory this process can still get.
func left() limit { return leftIn("/") }

// leftIn is left for a system whose /proc and /sys lie under root. What cannot be
// read sets no limit.
func leftIn(root string) limit {
	l := unlimited
	info := fields(path.Join(root, "proc/meminfo"))
	if free, ok := info["MemAvailable:"]; ok {
		l.lower((free+info["SwapFree:"])<<10, "free memory and swap space")
	}
	if readWord(path.Join(root, "proc/sys/vm/overcommit_memory")) == "2" {
		l.lower(minus(info["CommitLimit:"], info["Committed_AS:"])<<10, "the system's commit limit")
	}
	groups, _ := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups)) {
		// hierarchy number:controllers:path
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		top, files := path.Join(root, "sys/fs/cgroup"), groupV2
		if strings.Contains(","+parts[1]+",", ",memory,") {
			top, files = path.Join(top, "memory"), groupV1
		} else if parts[1] != "" {
			continue
		}
		eachGroup(top, parts[2], func(dir string) { lowerByGroup(&l, dir, files) })
	}
	lowerByProcess(&l, path.Join(root, "proc/self/statm"))
	return l
}

// eachGroup calls f with the folder of a control group and of those above it, up
// to the top. In a container the path may be that of the host, and only the top
// be there: it is the container's own.
func eachGroup(top, group string, f func(dir string)) {
	for group = path.Join("/", group); group != "/"; group = path.Dir(group) {
		f(path.Join(top, group))
	}
	f(top)
}

// A groupFiles says where a version of control groups has its figures.
type groupFiles struct{ limit, used, inactive, active string }

var (
	groupV1 = groupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"}
	groupV2 = groupFiles{"memory.max", "memory.current", "inactive_file", "active_file"}
)

// lowerByGroup counts the limit of the control group in the folder dir.
func lowerByGroup(l *limit, dir string, f groupFiles) {
	most, err := strconv.ParseUint(readWord(path.Join(dir, f.limit)), 10, 64) // or "max"
	if err != nil {
		return
	}
	used, err := strconv.ParseUint(readWord(path.Join(dir, f.used)), 10, 64)
	if err != nil {
		return
	}
	stat := fields(path.Join(dir, "memory.stat"))
	used = minus(used, stat[f.inactive]+stat[f.active]) // files' pages in cache make room
	l.lower(minus(most, used), "limit of the control group")
}

// lowerByProcess counts the limit on address space that ulimit -v sets.
func lowerByProcess(l *limit, statm string) {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &r) != nil || r.Cur >= math.MaxInt64 { // as RLIM_INFINITY is
		return
	}
	pages, err := strconv.ParseUint(readWord(statm), 10, 64)
	if err != nil {
		return
	}
	l.lower(minus(r.Cur, pages*uint64(unix.Getpagesize())), "limit on the process's address space")
}

// minus returns a − b, or 0 if b is larger.
func minus(a, b uint64) uint64 { return a - min(a, b) }

// readWord returns the first word of a file, "" if there is none.
func readWord(name string) string {
	b, _ := os.ReadFile(name)
	word, _, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	return word
}

// fields returns the numbers of a file whose lines are a name and a number.
func fields(name string) map[string]uint64 {
	b, _ := os.ReadFile(name)
	m := map[string]uint64{}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) >= 2 {
			if n, err := strconv.ParseUint(f[1], 10, 64); err == nil {
				m[f[0]] = n
			}
		}
	}
	return m
}
