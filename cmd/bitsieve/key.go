package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

func keyFlag() cli.Flag {
	return &cli.StringFlag{Name: "key-file", Usage: "the secret key is in the file `K`: 64 hexadecimal digits, as\n" +
		"from openssl rand -hex 32, or 32 raw bytes"}
}

// keyOptions returns the options for the filter's key, none without -key-file.
func (t *tool) keyOptions(cmd *cli.Command) ([]bitsieve.Option, error) {
	path := cmd.String("key-file")
	if path == "" {
		if cmd.IsSet("key-file") {
			return nil, usagef("-key-file needs a file")
		}
		return nil, nil
	}
	key, mode, err := readKey(path)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && mode.IsRegular() && mode.Perm()&0o066 != 0 {
		t.complain(fmt.Sprintf("warning: %s: other users may read or change the key (mode %04o); chmod 600 forbids it", path, mode.Perm()))
	}
	return []bitsieve.Option{bitsieve.WithKey(key)}, nil
}

func readKey(path string) (key []byte, mode os.FileMode, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	b, err := io.ReadAll(io.LimitReader(file, int64(maxKeyFile)+1))
	if err != nil {
		return nil, 0, err
	}
	if key, err = parseKey(b); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return key, info.Mode(), nil
}

// maxKeyFile is the size of the longest key file.
const maxKeyFile = 2*bitsieve.KeySize + len("\r\n")

// parseKey returns the key that a key file holds. It refuses what was probably
// meant for something else: the key would be weaker than it looks.
func parseKey(b []byte) ([]byte, error) {
	const want = "; a key is 64 hexadecimal digits, as openssl rand -hex 32 gives, or 32 raw bytes"
	text := bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
	key := b
	switch {
	case len(text) == 2*bitsieve.KeySize:
		key = make([]byte, bitsieve.KeySize)
		if _, err := hex.Decode(key, text); err != nil {
			return nil, fmt.Errorf("has %d characters that are not all hexadecimal digits"+want, len(text))
		}
	case len(b) > maxKeyFile:
		return nil, fmt.Errorf("has more than %d bytes"+want, maxKeyFile)
	case len(text) < len(b) && printable(text):
		return nil, fmt.Errorf("has %d characters and the end of a line"+want, len(text))
	case len(b) != bitsieve.KeySize:
		return nil, fmt.Errorf("has %d bytes"+want, len(b))
	case allHex(b):
		return nil, fmt.Errorf("has %d hexadecimal digits, which is half a key"+want, len(b))
	}
	if bytes.Count(key, key[:1]) == len(key) {
		return nil, fmt.Errorf("has the same byte %d times, which is no secret"+want, len(key))
	}
	return key, nil
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func allHex(b []byte) bool {
	_, err := hex.Decode(make([]byte, len(b)/2), b)
	return err == nil
}
