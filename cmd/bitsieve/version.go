package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/urfave/cli/v3"
)

func (t *tool) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, and the kernels in use",
		Description: "Prints the version, the Go release, the platform, the kernels in use and the\n" +
			"microarchitecture that they are tuned for.",
		Action: func(_ context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return usagef("no arguments are taken")
			}
			return t.version()
		},
	}
}

func (t *tool) version() error {
	_, err := fmt.Fprintf(t.stdout, "bitsieve %s %s %s/%s %s, tuned for %s\n", buildVersion(),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, bitsieve.Acceleration(), cpu.DescribeTuning())
	return err
}

// buildVersion returns the version and, in brackets, the commit, as far as they
// are known.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return info.Main.Version + " (" + s.Value[:min(12, len(s.Value))] + ")"
		}
	}
	return info.Main.Version
}
