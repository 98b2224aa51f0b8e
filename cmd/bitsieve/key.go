package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

func keyFlag() cli.Flag {
	return &cli.StringFlag{Name: "key-file", Usage: "the secret key is in the file `K`: 32 bytes, or 64\n" +
		"hexadecimal digits, as from openssl rand -hex 32"}
}

// keyOptions returns the options for the filter's key, none without -key-file.
func keyOptions(cmd *cli.Command) ([]bitsieve.Option, error) {
	path := cmd.String("key-file")
	if path == "" {
		if cmd.IsSet("key-file") {
			return nil, usagef("-key-file needs a file")
		}
		return nil, nil
	}
	key, err := readKey(path)
	if err != nil {
		return nil, err
	}
	return []bitsieve.Option{bitsieve.WithKey(key)}, nil
}

func readKey(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	const most = 2*bitsieve.KeySize + len("\r\n")
	b, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if len(b) == bitsieve.KeySize {
		return b, nil
	}
	if text := bytes.TrimRight(b, "\r\n"); len(b) <= most && len(text) == 2*bitsieve.KeySize {
		key := make([]byte, bitsieve.KeySize)
		if _, err := hex.Decode(key, text); err == nil {
			return key, nil
		}
	}
	return nil, fmt.Errorf("%s: a key is %d bytes, or %d hexadecimal digits on one line", path, bitsieve.KeySize, 2*bitsieve.KeySize)
}
