package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"
)

// rate is the value of -p.
type rate float64

func (r *rate) Set(s string) error {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return fmt.Errorf("a rate lies between 0 and 1, as 0.001 or 0.1%%")
	}
	*r = rate(v)
	return nil
}

func (r *rate) Get() any       { return float64(*r) }
func (r *rate) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }

// count is the value of -n.
type count uint64

func (c *count) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		// 1e9 is easier to get right than 1000000000.
		f, ferr := strconv.ParseFloat(s, 64)
		if ferr != nil || f != math.Trunc(f) || f < 0 || f >= 1<<53 {
			return fmt.Errorf("a number of lines is a whole number, as 1000000 or 1e6")
		}
		v = uint64(f)
	}
	if v == 0 {
		return fmt.Errorf("a number of lines is at least 1")
	}
	*c = count(v)
	return nil
}

func (c *count) Get() any       { return uint64(*c) }
func (c *count) String() string { return strconv.FormatUint(uint64(*c), 10) }

func rateFlag(r *rate, usage string) cli.Flag {
	return &cli.GenericFlag{Name: "p", Usage: usage, Value: r}
}

func countFlag(c *count, usage string) cli.Flag {
	return &cli.GenericFlag{Name: "n", Usage: usage, Value: c}
}

// size renders a number of bytes.
func size(n uint64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, i := float64(n)/1024, 0
	for v >= 1024 && i < len(units)-1 {
		v /= 1024
		i++
	}
	digits := 2
	if v >= 10 {
		digits = 1
	}
	if v >= 100 {
		digits = 0
	}
	return fmt.Sprintf("%.*f %ciB", digits, v, units[i])
}

// plural renders a number of things.
func plural(n uint64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
