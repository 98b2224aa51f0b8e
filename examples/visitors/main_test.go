package main

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	const log = `192.0.2.0 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512
192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512
192.0.2.1 - - [21/Nov/2026:10:00:01 +0000] "GET / HTTP/1.1" 200 512
::ffff:192.0.2.1 - - [22/Nov/2026:10:00:01 +0000] "GET / HTTP/1.1" 200 512
2001:db8::1 - - [22/Nov/2026:10:00:01 +0000] "GET / HTTP/1.1" 200 512
not a line of a log
198.51.100.7 - frank [22/Nov/2026:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326
`
	const want = `2026-11-21        2 visitors,       2 of them new
2026-11-22        2 visitors,       1 of them new
all days          3 visitors
2 lines have no IPv4 address or no date
memory: `
	var out strings.Builder
	if err := run(strings.NewReader(log), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), want) || !strings.HasSuffix(out.String(), "everybody came is 192.0.2.0/31\n") {
		t.Errorf("%s", out.String())
	}
}

// The sample's days, against maps.
func TestSample(t *testing.T) {
	var text strings.Builder
	if err := writeSample(&text, 2, 5000); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[netip.Addr]bool{}
	for line := range strings.Lines(text.String()) {
		addr, date, ok := parse(line)
		if !ok {
			t.Fatalf("%q", line)
		}
		if want[date] == nil {
			want[date] = map[netip.Addr]bool{}
		}
		want[date][addr] = true
	}
	days, other, err := read(strings.NewReader(text.String()))
	if err != nil || other > 0 || len(days) != 2 {
		t.Fatalf("%d days, %d other lines, %v", len(days), other, err)
	}
	for date, visitors := range want {
		if n := days[date].Count(); n != uint64(len(visitors)) {
			t.Errorf("%s: %d visitors, want %d", date, n, len(visitors))
		}
	}
	var out strings.Builder
	if err := run(strings.NewReader(text.String()), &out); err != nil {
		t.Fatal(err)
	}
	if line := fmt.Sprintf("2026-11-22  %7d visitors", len(want["2026-11-22"])); !strings.Contains(out.String(), line) {
		t.Errorf("%s", out.String())
	}
}
