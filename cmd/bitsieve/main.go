// Bitsieve builds Bloom filters from lists and sifts streams of lines with them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/urfave/cli/v3"
)

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses, as grep has them.
const (
	statusOK      = 0
	statusNone    = 1 // query selected no line
	statusTrouble = 2
)

var (
	// errNone ends a query that selected no line.
	errNone = errors.New("no line selected")
	// errReported ends a command whose errors have been printed already.
	errReported = errors.New("trouble")
)

// usageError is a mistake on the command line.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// tool is one run of the program: its streams and what a command needs to say
// who is speaking.
type tool struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	command        string // "bitsieve query" and the like
	progress       *progress
	ctx            context.Context // done when a signal has come
	unfinished     unfinished
	mapped         string // the filter's file that is mapped
}

// run runs the program and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := &tool{stdin: stdin, stdout: stdout, stderr: stderr, command: "bitsieve"}
	defer t.watchSignals()()
	err := t.execute(args)
	t.stopProgress()
	var usage usageError
	var stopped interruptError
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errNone):
		return statusNone
	case errors.As(err, &stopped):
		t.complain(stopped.Error())
		return stopped.status()
	case errors.Is(err, errReported), errors.Is(err, syscall.EPIPE):
		// Whoever closes the pipe that we write to has seen enough.
	case errors.As(err, &usage):
		t.complain(usage.text + " (see " + t.command + " -h)")
	default:
		t.complain(message(err))
	}
	return statusTrouble
}

// execute runs the command that args name.
func (t *tool) execute(args []string) (err error) {
	defer t.catchFaults(&err)()
	help := &stickyWriter{w: t.stdout}
	err = t.app(help).Run(t.ctx, args)
	switch {
	case err == nil && help.err != nil:
		return outputError{help.err}
	case errors.Is(err, context.Canceled):
		return t.interrupted()
	}
	return err
}

// message renders an error. For a file that cannot be read it is enough to say
// which and why, as other tools do.
func message(err error) string {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Path + ": " + pe.Err.Error()
	}
	return err.Error()
}

// complain prints a message to standard error.
func (t *tool) complain(text string) {
	t.progress.clear()
	fmt.Fprintf(t.stderr, "%s: %s\n", t.command, strings.TrimPrefix(text, "bitsieve: "))
}

func usagef(format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...)}
}

func (t *tool) app(stdout io.Writer) *cli.Command {
	root := &cli.Command{
		Name:                          "bitsieve",
		Usage:                         "sift lines by Bloom filters",
		Description:                   rootDescription,
		CustomRootCommandHelpTemplate: rootHelp,
		HideVersion:                   true,
		Reader:                        t.stdin,
		Writer:                        stdout,
		ErrWriter:                     t.stderr,
		Commands: []*cli.Command{
			t.buildCommand(),
			t.queryCommand(),
			t.screenCommand(),
			t.dedupCommand(),
			t.topCommand(),
			t.sortCommand(),
			t.ipsetCommand(),
			t.visitorsCommand(),
			t.infoCommand(),
			t.convertCommand(),
			t.benchCommand(),
			t.versionCommand(),
		},
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "version", Usage: "print the version", Local: true},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			switch {
			case cmd.Bool("version"):
				return t.version()
			case cmd.Args().Present():
				return t.unknownCommand(cmd)
			}
			cmd.Writer = t.stderr
			_ = cli.ShowRootCommandHelp(cmd)
			return errReported
		},
		ExitErrHandler: func(context.Context, *cli.Command, error) {}, // run does
		OnUsageError:   t.onUsageError,
	}
	t.furnish(root, stdout)
	return root
}

// furnish gives the commands of a command what all have in common.
func (t *tool) furnish(parent *cli.Command, stdout io.Writer) {
	for _, c := range parent.Commands {
		c.CustomHelpTemplate = commandHelp
		if len(c.Commands) > 0 {
			c.CustomHelpTemplate = groupHelp
		}
		c.HideHelpCommand = true // "help" may be a file's name
		c.UseShortOptionHandling = true
		c.OnUsageError = t.onUsageError
		// For cli, what stands before -h would be the name of a command.
		c.CommandNotFound = func(_ context.Context, cmd *cli.Command, _ string) {
			cli.HelpPrinter(stdout, c.CustomHelpTemplate, cmd)
		}
		action := c.Action
		c.Action = func(ctx context.Context, cmd *cli.Command) error {
			t.command = cmd.FullName()
			for _, err := range []error{bitsieve.AccelerationError(), cpu.TuningError()} {
				if err != nil {
					t.complain("warning: " + strings.TrimPrefix(err.Error(), "bitsieve: "))
				}
			}
			return action(ctx, cmd)
		}
		t.furnish(c, stdout)
	}
}

func (t *tool) onUsageError(_ context.Context, cmd *cli.Command, err error, _ bool) error {
	t.command = cmd.FullName()
	return usageError{err.Error()}
}

func (t *tool) unknownCommand(cmd *cli.Command) error {
	name := cmd.Args().First()
	text := fmt.Sprintf("there is no command %q", name)
	// It always has one, perhaps "help", which is not everywhere. Who mistypes a name
	// mistypes its first letter last.
	if s := cli.SuggestCommand(cmd.Commands, name); cmd.Command(s) != nil && strings.HasPrefix(name, s[:1]) {
		text += fmt.Sprintf("; did you mean %q?", s)
	}
	return usageError{text}
}
