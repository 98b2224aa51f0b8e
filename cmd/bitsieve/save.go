package main

import (
	"os"
	"path/filepath"
)

// save writes a filter or a set to a file. A signal removes the file beside it that Save
// writes to before it takes the old one's place.
func (t *tool) save(f interface{ Save(path string) error }, path string) error {
	if err := t.interrupted(); err != nil {
		return sayDone(err, "%s is not written", path)
	}
	t.unfinished.begin(func() []string { return openTemps(path) })
	defer t.unfinished.end()
	return f.Save(path)
}

// saveTemps is how Save names its temporary files.
const saveTemps = ".bitsieve-*.tmp"

// openTemps returns the temporary files that this process has open for path: it
// is by this that they are told from those of other processes.
func openTemps(path string) (temps []string) {
	// Save follows symbolic links, a dangling one too.
	for range 40 {
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	dir := filepath.Dir(path)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if ok, _ := filepath.Match(saveTemps, e.Name()); !ok {
			continue
		}
		temp := filepath.Join(dir, e.Name())
		if isOpen(temp) {
			temps = append(temps, temp)
		}
	}
	return temps
}
