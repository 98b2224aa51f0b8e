package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bitsieve/bitsieve"
)

// savedHead is how the files begin that package bitsieve writes.
const savedHead = "\x89BSV"

// isSaved reports whether a path is a regular file that package bitsieve wrote. That of
// standard input, which is "", is none.
func isSaved(path string) (bool, error) {
	if path == "" || !isRegular(path) {
		return false, nil // reading it says what is wrong
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, len(savedHead))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == savedHead, nil
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// areLines returns an error if one of the inputs is a file that package bitsieve wrote:
// its bytes would make a list that nothing is in.
func areLines(ins []input) error {
	for _, in := range ins {
		saved, err := isSaved(in.path)
		if err != nil {
			return err
		}
		if saved {
			return fmt.Errorf("%s was written by bitsieve, and is not a list of lines: nothing was done", in.path)
		}
	}
	return nil
}

// explainKind says what to do with a file that is not of a kind for query. Other errors
// it leaves alone.
func explainKind(path string, err error) error {
	if errors.Is(err, bitsieve.ErrNotFilter) && !isRegular(path) {
		return fmt.Errorf("%w (another library's filter is read from a regular file only)", err)
	}
	if !errors.Is(err, bitsieve.ErrKind) {
		return err
	}
	info, _ := bitsieve.InspectFile(path) // what is known of a damaged file will do
	switch info.Kind {
	case "ipv4":
		return fmt.Errorf("%s holds a set of addresses: ipset query looks lines up in it", path)
	case "shard":
		return fmt.Errorf("%s holds a part of a filter, and query wants the whole one", path)
	}
	return err
}
