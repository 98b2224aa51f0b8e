//go:build !unix

package main

import "testing"

func fifo(t *testing.T, _ string) string {
	t.Helper()
	t.Skip("no named pipes")
	return ""
}
