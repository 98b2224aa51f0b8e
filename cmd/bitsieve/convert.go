package main

import (
	"context"
	"fmt"
	"io"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/cmd/bitsieve/internal/foreign"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/urfave/cli/v3"
)

const convertDescription = `Writes the filter in FILE to OUT in another library's format, or another
library's in bitsieve's. A filter does not know its keys, so this is possible only
where both have the same hash:

  bits-and-blooms -> bitsieve     a filter of the kind "bloom"
  bitsieve -> bits-and-blooms     of the kind "bloom", without a secret key
  Parquet file -> parquet         the filter of a column, by itself; those of several
                                  row groups are united if they have the same size

For everything else the refusal says why. Query and info read the formats as they
are. RedisBloom's is the replies of BF.SCANDUMP, as package interop/redisbloom
writes them to a file.

Examples:
  bitsieve convert -to bitsieve -o bad.bsv bad.bloom
  bitsieve convert -to parquet -column user_id -o users.filter events.parquet`

func (t *tool) convertCommand() *cli.Command {
	var to, out, column string
	return &cli.Command{
		Name:        "convert",
		Usage:       "turn a filter into another library's, or back",
		ArgsUsage:   "-to FORMAT -o OUT [-column C] FILE",
		Description: convertDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "`FORMAT` is bitsieve, bits-and-blooms or parquet", Destination: &to},
			&cli.StringFlag{Name: "o", Usage: "write the filter to `OUT`; - is standard output", Destination: &out},
			&cli.StringFlag{Name: "column", Usage: "take the filters of the column `C` of a Parquet file", Destination: &column},
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			switch {
			case to == "":
				return usagef("-to is missing: the format to convert to")
			case out == "":
				return usagef("-o is missing: the file to write the filter to")
			case cmd.Args().Len() != 1:
				return usagef("one FILE is wanted")
			}
			target, err := foreign.ParseTarget(to)
			if err != nil {
				return usageError{err.Error()}
			}
			path := cmd.Args().First()
			written := useOf(out, "the file to write")
			if out == "-" {
				written = t.stdoutUse()
			}
			if err := apart(written, useOf(path, "the filter")); err != nil {
				return err
			}
			return t.convert(path, target, column, out)
		},
	}
}

func (t *tool) convert(path string, to foreign.Format, column, out string) error {
	write, done, err := t.converted(path, to, column)
	if err != nil {
		return err
	}
	defer done()
	if out == "-" {
		_, err = write(t.stdout)
		return err
	}
	return t.save(saver(write), out)
}

// converted returns what writes the filter of a file in another format, until done is
// called.
func (t *tool) converted(path string, to foreign.Format, column string) (write func(io.Writer) (int64, error), done func() error, err error) {
	other, err := t.openForeign(path)
	if err != nil {
		return nil, nil, err
	}
	if other != nil {
		write, err = other.Convert(to, column)
		done = other.Close
	} else {
		var f bitsieve.Filter
		if f, err = t.openFilter(path, nil); err != nil {
			return nil, nil, explainKind(path, err)
		}
		write, err = foreign.ConvertOwn(f, to)
		done = f.Close
	}
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return write, done, nil
}

// A saver saves what it writes.
type saver func(io.Writer) (int64, error)

func (s saver) Save(path string) error { return format.Save(path, s) }
