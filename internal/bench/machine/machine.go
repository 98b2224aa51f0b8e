// Package machine finds out what a benchmark runs on.
package machine

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/klauspost/cpuid/v2"
)

// A Machine is a description to print above figures.
type Machine struct {
	Name       string   `json:"name"` // for file names and column heads
	CPU        string   `json:"cpu"`
	Family     int      `json:"family,omitempty"`
	Model      int      `json:"model,omitempty"`
	Micro      string   `json:"micro,omitempty"`  // microarchitecture, as internal/cpu names it
	Tuning     string   `json:"tuning,omitempty"` // whose row of tuning was in force
	Cores      int      `json:"cores"`            // that this process may use
	L1D        int      `json:"l1d,omitempty"`
	L2         int      `json:"l2,omitempty"`
	L3         int      `json:"l3,omitempty"`
	Memory     int64    `json:"memory,omitempty"`
	Virtual    bool     `json:"virtual,omitempty"` // runs under a hypervisor
	OS         string   `json:"os"`
	Kernel     string   `json:"kernel,omitempty"`
	Arch       string   `json:"arch"`
	ArchLevel  string   `json:"arch_level,omitempty"` // GOAMD64 or GOARM64
	Go         string   `json:"go"`
	HugePages  string   `json:"huge_pages"`
	Levels     []string `json:"levels"`      // of the library, lowest first
	PeerLevels string   `json:"peer_levels"` // what the peers choose from
}

// Detect describes this machine. levels are the library's; noHuge tells that
// huge pages were switched off for this process.
func Detect(levels []string, noHuge bool) Machine {
	c := cpuid.CPU
	m := Machine{
		CPU:       cpuName(),
		Family:    c.Family,
		Model:     c.Model,
		Cores:     runtime.GOMAXPROCS(0),
		L1D:       max(c.Cache.L1D, 0),
		L2:        max(c.Cache.L2, 0),
		L3:        max(c.Cache.L3, 0),
		Memory:    totalMemory(),
		Virtual:   c.Supports(cpuid.HYPERVISOR),
		OS:        runtime.GOOS,
		Kernel:    kernelVersion(),
		Arch:      runtime.GOARCH,
		ArchLevel: archLevel(),
		Go:        runtime.Version(),
		HugePages: hugePages(),
		Levels:    levels,
	}
	m.Tuning = cpu.Tuned().String()
	if os.Getenv(cpu.TuningEnv) == "" {
		m.Micro = m.Tuning
	}
	if noHuge {
		m.HugePages = "switched off for this run"
	}
	if m.Arch == "amd64" {
		m.PeerLevels = fmt.Sprintf("x86-64-v%d", c.X64Level())
	}
	m.Name = slug(m)
	return m
}

// cpuName is the CPU's own name, and what the operating system calls it where
// the CPU does not say.
func cpuName() string {
	if name := strings.TrimSpace(cpuid.CPU.BrandName); name != "" {
		return name
	}
	if name := osCPUName(); name != "" {
		return name
	}
	return "unknown " + runtime.GOARCH
}

// Core is the microarchitecture in short, to head columns with; the machine's name where
// it is not known.
func (m Machine) Core() string {
	micro := m.Micro
	if micro == "" && strings.HasPrefix(m.CPU, "AMD") { // a report from before there was Micro
		switch {
		case m.Family == 25 && slices.Contains(m.Levels, "avx512"):
			micro = "zen4"
		case m.Family == 26:
			micro = "zen5"
		}
	}
	if name, ok := coreNames[micro]; ok {
		return name
	}
	return m.Name
}

var coreNames = map[string]string{
	"zen2": "Zen 2", "zen3": "Zen 3", "zen4": "Zen 4", "zen5": "Zen 5",
	"haswell": "Haswell", "alderlake": "Alder Lake", "skylake-server": "Skylake-SP", "icelake": "Ice Lake",
	"sapphirerapids": "Sapphire Rapids",
	"neoverse-n1":    "Neoverse N1", "neoverse-v1": "Neoverse V1", "neoverse-v2": "Neoverse V2",
}

// Title is one line: the CPU and what is needed to tell it from its relatives.
func (m Machine) Title() string {
	s := m.CPU
	if m.Family > 0 {
		s += fmt.Sprintf(" (family %d, model %d)", m.Family, m.Model)
	}
	if len(m.Levels) > 0 {
		s += ", " + m.Levels[len(m.Levels)-1]
	}
	return s
}

// Lines describe the machine for people.
func (m Machine) Lines() [][2]string {
	cpu := m.CPU
	if m.Family > 0 {
		cpu += fmt.Sprintf(", family %d model %d", m.Family, m.Model)
	}
	if core := m.Core(); core != m.Name {
		cpu += ", " + core
	}
	cpu += fmt.Sprintf(", %d cores", m.Cores)
	if m.Virtual {
		cpu += ", virtual"
	}
	target := m.OS + "/" + m.Arch
	if m.ArchLevel != "" {
		target += " " + m.ArchLevel
	}
	if m.Kernel != "" {
		target += ", kernel " + m.Kernel
	}
	lines := [][2]string{{"CPU", cpu}}
	if m.L1D > 0 {
		lines = append(lines, [2]string{"caches", fmt.Sprintf("L1d %d KiB, L2 %d KiB, L3 %d KiB", m.L1D>>10, m.L2>>10, m.L3>>10)})
	}
	if m.Tuning != "" {
		lines = append(lines, [2]string{"tuning", m.Tuning})
	}
	if m.Memory > 0 {
		lines = append(lines, [2]string{"memory", fmt.Sprintf("%.1f GiB", float64(m.Memory)/(1<<30))})
	}
	return append(lines,
		[2]string{"huge pages", m.HugePages},
		[2]string{"system", target + ", " + m.Go},
		[2]string{"levels", strings.Join(m.Levels, ", ")})
}

// CacheOf names the innermost cache that holds size bytes.
func (m Machine) CacheOf(size int64) string {
	for _, c := range []struct {
		name string
		size int
	}{{"L1", m.L1D}, {"L2", m.L2}, {"L3", m.L3}} {
		if c.size > 0 && size <= int64(c.size) {
			return c.name
		}
	}
	if m.L1D == 0 {
		return ""
	}
	return "DRAM"
}

// slug makes a name from what tells one machine from another.
func slug(m Machine) string {
	name := m.CPU
	for _, noise := range []string{"(R)", "(TM)", "(r)", "(tm)", " CPU", " Processor"} {
		name = strings.ReplaceAll(name, noise, "")
	}
	name, _, _ = strings.Cut(name, "@")
	if len(strings.Fields(name)) <= 2 && m.Family > 0 { // "AMD EPYC" could be any of ten years
		name += fmt.Sprintf(" f%dm%d", m.Family, m.Model)
	}
	var b strings.Builder
	dash := false
	for _, r := range name + " " + m.OS + " " + m.Arch {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(unicode.ToLower(r))
		} else {
			dash = true
		}
	}
	return b.String()
}

// archLevel returns the instruction set that the Go compiler was told to assume.
func archLevel() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "GOAMD64" || s.Key == "GOARM64" {
			return s.Value
		}
	}
	return ""
}

// Commit returns the commit of the working directory, with "-dirty" if files
// differ from it; empty if git does not tell.
func Commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// fileLine returns a file's contents without white space at the ends, or "".
func fileLine(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
