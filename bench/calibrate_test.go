package main

import (
	"strings"
	"testing"
)

func TestReportThresholds(t *testing.T) {
	const output = "=== RUN   TestCalibrate\n" +
		"    x_test.go:1: figures\n" +
		"threshold\tminCount\twords\t4\tat most 7\tagrees\n" +
		"threshold\tminBatch\tkeys\t8\t9 to 12\tcosts 14 % at 8\n" +
		"threshold\tfar\twords\t8\tany\tcosts 9 % at 8\n" +
		"threshold\tnear\twords\t8\tany\tagrees\n" +
		"threshold\tfar\twords\t8\tany\tagrees\n" +
		"threshold\tnear\twords\t8\tany\tcosts 9 % at 8\n" +
		"--- PASS: TestCalibrate (0.00s)\nok\n"
	var b strings.Builder
	if err := reportThresholds(&b, strings.NewReader(output), false); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if !strings.HasSuffix(got, "\n\n1 of 4 constants disagree in every run: minBatch\n") || strings.Contains(got, "figures") {
		t.Errorf("%s", got)
	}
	if strings.Count(got, "\n") != 9 || !strings.Contains(got, "minBatch           keys          8  9 to 12                   costs 14 % at 8\n") {
		t.Errorf("%s", got)
	}
	b.Reset()
	if err := reportThresholds(&b, strings.NewReader(output), true); err != nil || !strings.Contains(b.String(), "figures\n") {
		t.Errorf("%v, %s", err, &b)
	}
	if err := reportThresholds(&b, strings.NewReader("PASS\n"), true); err == nil {
		t.Error("no error for nothing")
	}
}

// The library's test prints what reportThresholds reads.
func TestCalibrate(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library's tests")
	}
	if err := calibrate([]string{"-run", "^shortWords$"}); err != nil {
		t.Fatal(err)
	}
}
