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
				info, err := t.inspect(path)
				var damage *bitsieve.FormatError
				if err != nil {
					trouble = errReported
				}
				if err != nil && !errors.As(err, &damage) {
					t.complain(message(err))
					continue
				}
				if _, err := fmt.Fprint(t.stdout, describe(path, info, damage)); err != nil {
					return err
				}
			}
			return trouble
		},
	}
}

// inspect describes the filter in a file. What is not a regular file is copied
// into one: a filter cannot be checked before all of it has come, and its key is
// not known here.
func (t *tool) inspect(path string) (info bitsieve.FileInfo, err error) {
	from := t.stdin
	if path != "-" {
		stat, err := os.Stat(path)
		switch {
		case err != nil:
			return info, err
		case stat.IsDir():
			return info, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
		case stat.Mode().IsRegular():
			t.mapped = path
			return bitsieve.InspectFile(path)
		}
		stream, err := os.Open(path)
		if err != nil {
			return info, err
		}
		defer stream.Close()
		from = stream
	}
	file, err := os.CreateTemp("", "bitsieve-info-*")
	if err != nil {
		return info, err
	}
	t.unfinished.begin(func() []string { return []string{file.Name()} })
	defer t.unfinished.end()
	defer t.unfinished.remove()
	_, err = io.Copy(file, from)
	if err := errors.Join(err, file.Close()); err != nil {
		return info, err
	}
	info, err = bitsieve.InspectFile(file.Name())
	var damage *bitsieve.FormatError
	if errors.As(err, &damage) {
		damage.Path = path
	}
	return info, err
}

// describe renders what is known of a file.
func describe(path string, info bitsieve.FileInfo, damage *bitsieve.FormatError) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-21s %s\n", name+":", fmt.Sprintf(format, args...))
	}
	if path == "-" {
		path = stdinName
	}
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
	if damage != nil {
		d := *damage
		d.Path = ""
		line("damage", "%s", strings.TrimPrefix(d.Error(), "bitsieve: "))
	}
	return b.String()
}

func rates(info bitsieve.FileInfo) string {
	s := fmt.Sprintf("%.3g now", info.FPRate)
	if info.Rate > 0 {
		s += fmt.Sprintf(", %g by design", info.Rate)
	}
	return s
}
