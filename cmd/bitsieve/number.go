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
	v, err := parseCount(s)
	if err != nil {
		return err
	}
	*c = count(v)
	return nil
}

// parseCount parses a number of lines: 1000000, 1e6 or 1M.
func parseCount(s string) (uint64, error) {
	wrong := fmt.Errorf("a number of lines is a whole number, as 1000000, 1e6 or 1M")
	number, unit := s, 1.0
	if s != "" {
		if u, ok := map[byte]float64{'k': 1e3, 'm': 1e6, 'g': 1e9, 't': 1e12}[s[len(s)-1]|0x20]; ok {
			number, unit = s[:len(s)-1], u
		}
	}
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		if strings.ContainsAny(number, "xXpP_") { // other ways to write a float
			return 0, wrong
		}
		f, err := strconv.ParseFloat(number, 64)
		f *= unit
		if whole := math.Round(f); math.Abs(f-whole) < 1e-6 {
			f = whole // 1.1k is 1100.0000000000002
		}
		if err != nil || f != math.Trunc(f) || !(f >= 0 && f < 1<<53) {
			return 0, wrong
		}
		v = uint64(f)
	}
	if v == 0 {
		return 0, fmt.Errorf("a number of lines is at least 1")
	}
	return v, nil
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

// parseSize parses a number of bytes such as 8KiB or 64MiB.
func parseSize(s string) (int64, error) {
	number := strings.TrimRight(s, "KMGTiB")
	n, err := strconv.ParseInt(number, 10, 64)
	unit, ok := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[s[len(number):]]
	if err != nil || !ok || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is not a size, as 8KiB, 64MiB or 1GiB", s)
	}
	return n * unit, nil
}

// toUint64 converts a number that may be too large.
func toUint64(x float64) uint64 {
	if x >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(x)
}
