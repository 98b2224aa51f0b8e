package machine

import (
	"regexp"
	"testing"
)

func TestSlug(t *testing.T) {
	for _, c := range []struct {
		m    Machine
		want string
	}{
		{Machine{CPU: "AMD EPYC", Family: 25, Model: 17, OS: "linux", Arch: "amd64"}, "amd-epyc-f25m17-linux-amd64"},
		{Machine{CPU: "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", Family: 6, OS: "linux", Arch: "amd64"}, "intel-xeon-e5-2680-v4-linux-amd64"},
		{Machine{CPU: "Intel(R) Xeon(R) Processor", Family: 6, Model: 167, OS: "linux", Arch: "amd64"}, "intel-xeon-f6m167-linux-amd64"},
		{Machine{CPU: "Apple M2 Pro", OS: "darwin", Arch: "arm64"}, "apple-m2-pro-darwin-arm64"},
	} {
		if got := slug(c.m); got != c.want {
			t.Errorf("%s: %q, want %q", c.m.CPU, got, c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	m := Detect([]string{"generic"}, false)
	if m.CPU == "" || m.Cores < 1 || m.Go == "" || m.HugePages == "" {
		t.Errorf("an incomplete description: %+v", m)
	}
	if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(m.Name) {
		t.Errorf("name %q is not fit for a file", m.Name)
	}
}

func TestCore(t *testing.T) {
	for _, c := range []struct {
		m    Machine
		want string
	}{
		{Machine{Name: "box", Micro: "sapphirerapids"}, "Sapphire Rapids"},
		{Machine{Name: "box", Micro: "unknown"}, "box"},
		{Machine{Name: "box", Micro: "zen3", CPU: "AMD EPYC", Family: 26}, "Zen 3"},
		{Machine{Name: "box", CPU: "AMD EPYC", Family: 25, Levels: []string{"generic", "avx2", "avx512"}}, "Zen 4"},
		{Machine{Name: "box", CPU: "AMD EPYC", Family: 25, Levels: []string{"generic", "avx2"}}, "box"},
		{Machine{Name: "box", CPU: "AMD EPYC", Family: 26}, "Zen 5"},
	} {
		if got := c.m.Core(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.m, got, c.want)
		}
	}
}

func TestCacheOf(t *testing.T) {
	m := Machine{L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}
	for size, want := range map[int64]string{8 << 10: "L1", 32 << 10: "L1", 256 << 10: "L2", 4 << 20: "L3", 64 << 20: "DRAM"} {
		if got := m.CacheOf(size); got != want {
			t.Errorf("%d bytes fit into %s, want %s", size, got, want)
		}
	}
	if got := (Machine{}).CacheOf(1); got != "" {
		t.Errorf("a machine of unknown caches has %s", got)
	}
}
