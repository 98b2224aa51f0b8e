package tests

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The house rules of assembly that a program can check (CONTRIBUTING.md): go vet
// and profiles see arguments, jumps and results because they stand in the TEXT
// block, and a macro's name means one thing in the whole tree.

var (
	asmMacro = regexp.MustCompile(`^#define\s+(\w+)\(?`)
	asmLabel = regexp.MustCompile(`^\s*\w+:`)
	asmJump  = regexp.MustCompile(`^\s*(J[A-Z]+|RET|B|BL|B(EQ|NE|L[TESO]|G[TE]|H[IS]|CC|CS|MI|PL|VS|VC)|CBZ|CBNZ|TBZ|TBNZ|CALL)\b`)
	asmFP    = regexp.MustCompile(`\w\+\d+\(FP\)`)
	asmText  = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	asmFlag  = regexp.MustCompile(`·(use|has)[A-Z]\w*\(SB\)|cpu[·.∕]`)
)

// A macro is a #define of several instructions, not a register or a number.
type macro struct {
	file string
	body string
}

func TestAssemblyStyle(t *testing.T) {
	macros := map[string]macro{}
	texts := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".s" && filepath.Ext(path) != ".h" || strings.Contains(path, "bench") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(data), "\n")
		text, sawFP := "", false
		endText := func() {
			if text != "" && !sawFP {
				t.Errorf("%s: %s has no argument in its own lines: go vet cannot check it", path, text)
			}
			text, sawFP = "", false
		}
		for i := 0; i < len(lines); i++ {
			line, _, _ := strings.Cut(lines[i], "//")
			if m := asmMacro.FindStringSubmatch(line); m != nil {
				body := line[len(m[0]):]
				for ; strings.HasSuffix(strings.TrimRight(lines[i], " "), `\`); i++ {
					body += "\n" + lines[i+1]
				}
				checkMacro(t, macros, m[1], macro{path, body})
				continue
			}
			if m := asmText.FindStringSubmatch(line); m != nil {
				endText()
				text = m[1]
				texts++
			}
			sawFP = sawFP || asmFP.MatchString(line)
			if asmFlag.MatchString(line) {
				t.Errorf("%s:%d asks about a CPU", path, i+1)
			}
		}
		endText()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if texts < 80 || len(macros) < 80 {
		t.Errorf("only %d TEXT blocks and %d macros were found", texts, len(macros))
	}
}

func checkMacro(t *testing.T, macros map[string]macro, name string, m macro) {
	instructions := strings.Split(m.body, "\n")
	if strings.ToUpper(name) != name || len(instructions) == 1 && !strings.Contains(m.body, " ") {
		return // a register, a constant or an offset
	}
	for _, line := range instructions[1:] {
		line, _, _ = strings.Cut(line, "//")
		if asmLabel.MatchString(line) || asmJump.MatchString(line) || asmFP.MatchString(line) {
			t.Errorf("%s: macro %s is not a straight line: %s", m.file, name, strings.TrimSpace(line))
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	// The twins of two architectures may share a name: it means the same.
	if strings.Contains(m.file, "_arm64.") {
		name += " (arm64)"
	}
	if other, ok := macros[name]; ok && squeeze(other.body) != squeeze(m.body) {
		t.Errorf("%s and %s define %s differently", other.file, m.file, name)
	}
	macros[name] = m
}
