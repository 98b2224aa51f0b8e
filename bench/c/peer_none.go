//go:build !cbench || !cgo || windows

package c

import "errors"

// Load fails: this build has no C in it.
func Load(string) ([]*Peer, error) {
	return nil, errors.New("this program was built without C: go run -tags cbench . -peer FILE, with a C compiler and not on Windows")
}
