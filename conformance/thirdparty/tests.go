package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
)

// outcomes are tests by package and name, and whether they passed, failed or were
// skipped. A package that does not build has an outcome of its own name.
type outcomes map[string]string

func (o outcomes) count(outcome string) (n int) {
	for _, x := range o {
		if x == outcome {
			n++
		}
	}
	return n
}

// test runs the tests of the case on one side.
func (c Case) test(s side) (outcomes, error) {
	args := []string{"test", "-json", "-count=1", "-vet=off", "-p=1", "-timeout=20m"}
	if c.short {
		args = append(args, "-short")
	}
	if c.run != "" {
		args = append(args, "-run="+c.run)
	}
	if c.skip != "" {
		args = append(args, "-skip="+c.skip)
	}
	cmd := s.goCommand(append(args, c.packages...)...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	all := outcomes{}
	lines := bufio.NewReader(pipe)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		var event struct{ Action, Package, Test, ImportPath string }
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		switch event.Action {
		case "pass", "fail", "skip":
			if event.Test != "" || event.Action == "fail" {
				all[event.Package+" "+event.Test] = event.Action
			}
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || len(all) == 0) {
		return nil, failure(cmd, err)
	}
	if all.count("pass") == 0 {
		return nil, failure(cmd, errors.New("no test passed"))
	}
	return all, nil
}
