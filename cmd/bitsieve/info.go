package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"syscall"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const infoDescription = `Says what is in filters' FILEs, and checks them to the last byte. No key is
needed. If a FILE is damaged, what can still be said is, and the exit status
is 2. For the FILE -, standard input is read. What comes through a pipe is first
copied to a temporary file.

Filters of Guava, bits-and-blooms, RedisBloom and Parquet, and Parquet files
that hold filters, are described too. They have no checksums.

Example:
  bitsieve info bad.bsv`

func (t *tool) infoCommand() *cli.Command {
	return &cli.Command{
		Name:        "info",
		Usage:       "describe and check filters and sets",
		ArgsUsage:   "FILE...",
		Description: infoDescription,
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a filter's FILE is missing")
			}
			for _, path := range cmd.Args().Slice() {
				if err := apart(t.stdoutUse(), useOf(path, "the filter")); err != nil {
					return err
				}
			}
			var trouble error
			for i, path := range cmd.Args().Slice() {
				if i > 0 {
					fmt.Fprintln(t.stdout)
				}
				text, err := t.inspect(path)
				if err != nil {
					trouble = errReported
				}
				if text == "" {
					t.complain(message(err))
					continue
				}
				if _, err := fmt.Fprint(t.stdout, text); err != nil {
					return err
				}
			}
			return trouble
		},
	}
}

// inspect describes the filter in a file, and says what is wrong with it, as far as
// there is something to say. What is not a regular file is copied into one: a filter
// cannot be checked before all of it has come, and its key is not known here.
func (t *tool) inspect(path string) (text string, err error) {
	from := t.stdin
	if path != "-" {
		stat, err := os.Stat(path)
		switch {
		case err != nil:
			return "", err
		case stat.IsDir():
			return "", &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
		case stat.Mode().IsRegular():
			return t.inspectFile(path, path)
		}
		stream, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer stream.Close()
		from = stream
	}
	file, err := os.CreateTemp("", "bitsieve-info-*")
	if err != nil {
		return "", err
	}
	t.unfinished.begin(func() []string { return []string{file.Name()} })
	defer t.unfinished.end()
	defer t.unfinished.remove()
	_, err = io.Copy(file, from)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	if path == "-" {
		path = stdinName
	}
	return t.inspectFile(file.Name(), path)
}

// inspectFile is inspect for a regular file, which the text calls by a name.
func (t *tool) inspectFile(path, name string) (text string, err error) {
	var damage *bitsieve.FormatError
	other, err := t.openForeign(path)
	switch {
	case errors.As(err, &damage):
		return describeForeign(name, path, nil, err)
	case err != nil:
		return "", err
	case other != nil:
		text, err = describeForeign(name, path, other, nil)
		return text, errors.Join(err, other.Close())
	}
	t.mapped = path
	info, err := bitsieve.InspectFile(path)
	if err != nil && !errors.As(err, &damage) {
		return "", err
	}
	return describe(name, info, damage), err
}

// A description is lines of a name and a value.
type description struct{ strings.Builder }

func (d *description) line(name, format string, args ...any) {
	fmt.Fprintf(d, "%-21s %s\n", name+":", fmt.Sprintf(format, args...))
}

// damage is the last line of the description of a file with something wrong.
func (d *description) damage(e *bitsieve.FormatError) {
	if e != nil {
		bare := *e
		bare.Path = ""
		d.line("damage", "%s", strings.TrimPrefix(bare.Error(), "bitsieve: "))
	}
}

// describe renders what is known of a file.
func describe(path string, info bitsieve.FileInfo, damage *bitsieve.FormatError) string {
	var d description
	line := d.line
	line("file", "%s, %s", path, size(uint64(info.Size)))
	addresses := info.Kind == "ipv4"
	if info.Kind != "" {
		kind := info.Kind
		if info.Inner != "" {
			kind += " over " + info.Inner
		}
		line("kind", "%s", kind)
		line("size", "%s, %s of 64 bytes", size(info.Blocks*64), plural(info.Blocks, "block"))
	}
	if addresses {
		line("addresses", "%d", info.Items)
	} else if info.Kind != "" {
		line("k", "%d bits per key", info.K)
		hash := info.Hash
		if info.Keyed {
			hash += ", under a secret key"
		}
		line("hash", "%s", hash)
		items := fmt.Sprintf("about %d", info.Items)
		if info.Items == math.MaxUint64 {
			items = "too many to tell"
		}
		if info.Capacity > 0 {
			items += fmt.Sprintf(", made for %d", info.Capacity)
		}
		line("items", "%s", items)
		if info.Kind == "whitelist" {
			line("exceptions", "%d", info.Exceptions)
		}
	}
	// A shard's bits are not counted.
	if info.PayloadOK && !addresses && info.Kind != "shard" {
		unit := "bits"
		if info.Kind == "counting" || info.Kind == "spectral" {
			unit = "counters"
		}
		line("fill", "%.1f %% of the %s", 100*info.Fill, unit)
		line("false-positive rate", "%s", rates(info))
	} else if info.Rate > 0 {
		line("false-positive rate", "%g by design", info.Rate)
	}
	switch {
	case info.PayloadOK:
		line("checksums", "header and payload are right")
	case info.HeaderOK:
		line("checksums", "header is right")
	case info.Kind != "":
		line("checksums", "header is wrong, and what is said above may be")
	}
	d.damage(damage)
	return d.String()
}

func rates(info bitsieve.FileInfo) string {
	s := fmt.Sprintf("%.3g now", info.FPRate)
	if info.Rate > 0 {
		s += fmt.Sprintf(", %g by design", info.Rate)
	}
	return s
}
