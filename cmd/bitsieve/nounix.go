//go:build !unix

package main

import (
	"os"
	"syscall"
)

// endSignals are those that ask a program to end.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// isOpen reports whether this process has the file open. Here that is not to be
// found out, nor can an open file be removed.
func isOpen(string) bool { return false }
