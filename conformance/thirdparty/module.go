package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A side is a module before or after the replace lines: one source, two go.mod files.
type side struct {
	name    string // before, after
	source  string
	modfile string
}

// unpack copies the module into dir, with a go.mod for each side.
func (c Case) unpack(dir, root string) (sides [2]side, err error) {
	out, err := exec.Command("go", "mod", "download", "-json", c.module+"@"+c.version).Output()
	var info struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &info); jsonErr != nil {
		return sides, fmt.Errorf("go mod download: %w", err)
	}
	if info.Error != "" {
		return sides, fmt.Errorf("not available at the proxy: %s", info.Error)
	}
	source := filepath.Join(dir, "source")
	if err := copyTree(source, info.Dir); err != nil {
		return sides, err
	}
	for i, name := range []string{"before", "after"} {
		s := side{name, source, filepath.Join(dir, name+".mod")}
		sides[i] = s
		for from, to := range map[string]string{"go.mod": s.modfile, "go.sum": filepath.Join(dir, name+".sum")} {
			data, err := os.ReadFile(filepath.Join(info.Dir, from))
			if err != nil && from == "go.mod" {
				return sides, err
			}
			if err := os.WriteFile(to, data, 0o666); err != nil {
				return sides, err
			}
		}
	}
	edit := []string{"mod", "edit", "-replace=github.com/bitsieve/bitsieve=" + root}
	for _, name := range c.replaces {
		edit = append(edit, "-replace="+peers[name].module+"="+filepath.Join(root, peers[name].dir))
	}
	if out, err := exec.Command("go", append(edit, sides[1].modfile)...).CombinedOutput(); err != nil {
		return sides, fmt.Errorf("go mod edit: %w: %s", err, out)
	}
	return sides, nil
}

// copyTree copies a folder of the module cache, where nothing can be written. A copy
// that is there already is kept.
func copyTree(dst, src string) error {
	done := dst + ".done"
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	err := filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
	if err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o666)
}

// goCommand returns a go command on this side, behind what THIRDPARTY_BUILD says.
func (s side) goCommand(args ...string) *exec.Cmd {
	words := append(strings.Fields(os.Getenv("THIRDPARTY_BUILD")), "go")
	cmd := exec.Command(words[0], append(words[1:], args...)...)
	cmd.Dir = s.source
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod -modfile="+s.modfile)
	cmd.Stderr = new(bytes.Buffer)
	return cmd
}

// failure returns an error with the end of what a command said.
func failure(cmd *exec.Cmd, err error) error {
	said := strings.TrimSpace(cmd.Stderr.(*bytes.Buffer).String())
	if len(said) > 500 {
		said = "… " + said[len(said)-500:]
	}
	return fmt.Errorf("%w: %s", err, said)
}
