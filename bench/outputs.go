package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/bitsieve/bitsieve/bench/internal/plots"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// outputs are where a report goes besides standard output.
type outputs struct{ json, markdown, benchfmt, plots, results string }

func (o *outputs) register(fs *flag.FlagSet) {
	fs.StringVar(&o.json, "json", "", "write all measurements to `FILE`")
	fs.StringVar(&o.markdown, "md", "", "write Markdown tables to `FILE`")
	fs.StringVar(&o.benchfmt, "benchfmt", "", "write all measurements to `FILE` in Go's benchmark format, for benchstat")
	fs.StringVar(&o.plots, "plots", "", "write plots, SVG and PNG, to `DIR`")
	fs.StringVar(&o.results, "results", "", "write JSON, Markdown and plots to `DIR`, named by the machine")
}

// write renders a report to wherever it was asked for.
func (o outputs) write(r *report.Report) error {
	if o.results != "" {
		o.json = filepath.Join(o.results, r.Machine.Name+".json")
		o.markdown = filepath.Join(o.results, r.Machine.Name+".md")
		o.plots = o.results
	}
	if o.json != "" {
		var b strings.Builder
		if err := r.WriteJSON(&b); err != nil {
			return err
		}
		if err := writeFile(o.json, b.String()); err != nil {
			return err
		}
	}
	if o.benchfmt != "" {
		var b strings.Builder
		if err := r.WriteBenchfmt(&b); err != nil {
			return err
		}
		if err := writeFile(o.benchfmt, b.String()); err != nil {
			return err
		}
	}
	var images []string
	if o.plots != "" {
		if err := os.MkdirAll(o.plots, 0o777); err != nil {
			return err
		}
		files, err := plots.Write(r, o.plots)
		if err != nil {
			return err
		}
		for _, f := range files {
			rel, err := filepath.Rel(filepath.Dir(o.markdown), f)
			if err == nil && filepath.Ext(f) == ".svg" {
				images = append(images, filepath.ToSlash(rel))
			}
		}
	}
	if o.markdown != "" {
		return writeFile(o.markdown, r.Markdown(images))
	}
	return nil
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}
