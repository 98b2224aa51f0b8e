package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"
)

const rootDescription = `bitsieve keeps sets of lines in Bloom filters: a set of a million lines takes
about 2 MB and is searched at the speed of reading. A filter never misses a line
that is in the set; it takes a line that is not for a member with a small
probability, which you choose when you build it.`

const rootHelp = `{{.Name}} - {{.Usage}}

Usage: {{.Name}} COMMAND [OPTION...] [ARGUMENT...]

{{.Description}}

Commands:
{{range .VisibleCommands}}  {{printf "%-9s" .Name}} {{.Usage}}
{{end}}
{{.Name}} COMMAND -h shows a command's options and examples.

Lines end with LF or CR LF, the last one perhaps with neither; the end of a line
is no part of its key. A line is at most 64 MiB long. Without an input, or for
the input -, standard input is read. Inputs that are compressed by gzip, zstd or
bzip2 are read as what they hold, whatever their name. Options may be written
with one dash or two, and among the arguments. Numbers of lines may be written as
1000000, 1e6 or 1M (k, M, G, T).

The exit status is 0 for success, 1 if query, screen or ipset query selected no
line, 2 on trouble, and 128 plus the signal's number after a signal.

The environment variable BITSIEVE_CPU=generic|avx2|avx512|neon chooses slower
kernels than the CPU's best, and BITSIEVE_TUNING=zen4, sapphirerapids or another
name that the command version prints tunes them for that microarchitecture: no
answer depends on either. BITSIEVE_MEMORY=64GiB says how much memory may be taken,
instead of what the machine has left.
`

const commandHelp = `{{.FullName}} - {{.Usage}}

Usage: {{.FullName}}{{with .ArgsUsage}} {{.}}{{end}}

{{.Description}}

Options:{{range .VisibleFlags}}
  {{.}}{{end}}
`

const groupHelp = `{{.FullName}} - {{.Usage}}

Usage: {{.FullName}}{{with .ArgsUsage}} {{.}}{{end}}

{{.Description}}

Commands:
{{range .VisibleCommands}}  {{printf "%-9s" .Name}} {{.Usage}}
{{end}}
{{.FullName}} COMMAND -h shows a command's options and examples.

Options:{{range .VisibleFlags}}
  {{.}}{{end}}
`

func init() {
	cli.FlagStringer = describeFlag
	cli.SubcommandHelpTemplate = groupHelp
}

// describeFlag renders an option as "-o FILE    what it does". The word in
// back quotes in its usage names the value, as in package flag.
func describeFlag(f cli.Flag) string {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	usage, value := d.GetUsage(), ""
	if before, rest, found := strings.Cut(usage, "`"); found {
		word, after, _ := strings.Cut(rest, "`")
		usage, value = before+word+after, " "+word
	}
	var names []string
	for _, name := range f.Names() {
		names = append(names, "-"+name)
	}
	indent := "\n" + strings.Repeat(" ", 17)
	return fmt.Sprintf("%-14s %s", strings.Join(names, ", ")+value, strings.ReplaceAll(usage, "\n", indent))
}
