package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/cmd/bitsieve/internal/foreign"
	"github.com/urfave/cli/v3"
)

// Files that other libraries wrote.

// foreignChoice is what the command line says of such a file.
type foreignChoice struct{ funnel, column string }

func (c *foreignChoice) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "funnel", Usage: "a line stands for a key as Guava's funnel `F` has it: string\n" +
			"(default), chars, int or long", Destination: &c.funnel},
		&cli.StringFlag{Name: "column", Usage: "look at the filters of the column `C` of a Parquet file", Destination: &c.column},
	}
}

// given returns the option that was given, "" if none was.
func (c *foreignChoice) given() string {
	switch {
	case c.funnel != "":
		return "-funnel"
	case c.column != "":
		return "-column"
	}
	return ""
}

func (c *foreignChoice) parse() (choice foreign.Choice, err error) {
	choice.Column = c.column
	if c.funnel != "" {
		if choice.Funnel, err = foreign.ParseFunnel(c.funnel); err != nil {
			return choice, usageError{err.Error()}
		}
	}
	return choice, nil
}

// openForeign opens a file that another library wrote. It is nil if the path is that of
// a file of bitsieve's, or of no filter.
func (t *tool) openForeign(path string) (*foreign.File, error) {
	if saved, err := isSaved(path); saved || err != nil || !isRegular(path) {
		return nil, err
	}
	t.mapped = path
	return foreign.Open(path)
}

// openForQuery sets q.filter to that of a file, of whatever library. The function
// returned closes it.
func (t *tool) openForQuery(q *query, path string, opts []bitsieve.Option, c foreignChoice) (done func() error, err error) {
	choice, err := c.parse()
	if err != nil {
		return nil, err
	}
	other, err := t.openForeign(path)
	if err != nil {
		return nil, err
	}
	if other == nil {
		f, err := t.openFilter(path, opts)
		if err != nil {
			return nil, err
		}
		if option := c.given(); option != "" {
			err = usagef("%s is for files of other libraries, and %s is bitsieve's", option, path)
			return nil, errors.Join(err, f.Close())
		}
		q.filter = f
		return f.Close, nil
	}
	if len(opts) > 0 {
		return nil, fmt.Errorf("%s: a %s filter has no secret key", path, other.Format)
	}
	if q.filter, err = other.Lines(choice); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return other.Close, nil
}

// describeForeign renders what is known of another library's file, nil if it is damaged.
func describeForeign(name, path string, f *foreign.File, err error) (string, error) {
	var d description
	if stat, err := os.Stat(path); err == nil {
		d.line("file", "%s, %s", name, size(uint64(stat.Size())))
	}
	if f != nil {
		d.line("format", "%s", f.Format)
		var facts []foreign.Fact
		facts, err = f.Facts()
		for _, fact := range facts {
			d.line(fact.Name, "%s", fact.Value)
		}
	}
	var damage *bitsieve.FormatError
	if errors.As(err, &damage) {
		d.damage(damage)
	} else if err != nil {
		d.line("trouble", "%s", strings.TrimPrefix(err.Error(), "bitsieve: "))
	}
	return d.String(), err
}
