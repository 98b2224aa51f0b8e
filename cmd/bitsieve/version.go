package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

func (t *tool) versionCommand() *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version, and the kernels in use",
		Description: "Prints the version, the Go release, the platform and the kernels in use.",
		Action: func(_ context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return usagef("no arguments are taken")
			}
			return t.version()
		},
	}
}

func (t *tool) version() error {
	version, revision := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " (" + s.Value[:min(12, len(s.Value))] + ")"
			}
		}
	}
	_, err := fmt.Fprintf(t.stdout, "bitsieve %s%s %s %s/%s %s\n", version, revision,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, bitsieve.Acceleration())
	return err
}
