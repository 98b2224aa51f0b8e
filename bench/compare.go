package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bitsieve/bitsieve/bench/internal/plots"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// compare renders several machines side by side.
func compare(args []string) error {
	fs := newFlags("bench compare")
	markdown := fs.String("md", "", "write Markdown to `FILE` instead of standard output")
	dir := fs.String("results", "", "write machines.md and figures, machines-*.svg, to `DIR`")
	reports, err := readReports(fs, args)
	if err != nil {
		return flagError(err)
	}
	var images []string
	if *dir != "" {
		*markdown = filepath.Join(*dir, "machines.md")
		if err := os.MkdirAll(*dir, 0o777); err != nil {
			return err
		}
		files, err := plots.WriteMachines(reports, *dir, "machines")
		if err != nil {
			return err
		}
		for _, f := range files {
			images = append(images, filepath.Base(f))
		}
	}
	text := report.CompareMachines(reports, images)
	if *markdown != "" {
		return writeFile(*markdown, text)
	}
	fmt.Print(text)
	return nil
}

// What targets writes stands between these lines of its file.
const (
	targetsBegin = "<!-- by bench targets -->\n"
	targetsEnd   = "<!-- end -->\n"
)

// targets says which of the project's aims several machines reach.
func targets(args []string) error {
	fs := newFlags("bench targets")
	markdown := fs.String("md", "", "write into `FILE`, between the lines that mark the place, instead of to standard output")
	reports, err := readReports(fs, args)
	if err != nil {
		return flagError(err)
	}
	text := report.TargetTables(reports)
	if *markdown == "" {
		fmt.Print(text)
		return nil
	}
	old, err := os.ReadFile(*markdown)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), targetsBegin)
	_, after, found := strings.Cut(rest, targetsEnd)
	if !ok || !found {
		return fmt.Errorf("%s lacks the lines %q and %q", *markdown, strings.TrimSpace(targetsBegin), strings.TrimSpace(targetsEnd))
	}
	return writeFile(*markdown, before+targetsBegin+"\n"+text+targetsEnd+after)
}
