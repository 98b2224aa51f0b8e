package redisbloom

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A server with RedisBloom at the address in this variable is compared with, such as
// 127.0.0.1:6379. The tests write keys that start with bitsieve-test and remove them.
const serverEnv = "BITSIEVE_REDISBLOOM"

// A server is a connection that speaks RESP2.
type server struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

func dial(t *testing.T) *server {
	t.Helper()
	address := os.Getenv(serverEnv)
	if address == "" {
		t.Skipf("%s names no server", serverEnv)
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &server{t, conn, bufio.NewReader(conn)}
}

func (s *server) send(args ...string) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := io.WriteString(s.conn, b.String()); err != nil {
		s.t.Fatal(err)
	}
}

// reply reads an int64, a string, a []any, nil or an error.
func (s *server) reply() any {
	line, err := s.r.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	kind, rest := line[0], strings.TrimRight(line[1:], "\r\n")
	n, _ := strconv.ParseInt(rest, 10, 64)
	switch kind {
	case '+':
		return rest
	case '-':
		return fmt.Errorf("%s", rest)
	case ':':
		return n
	case '$':
		if n < 0 {
			return nil
		}
		p := make([]byte, n+2)
		if _, err := io.ReadFull(s.r, p); err != nil {
			s.t.Fatal(err)
		}
		return string(p[:n])
	case '*':
		list := []any{}
		for range n {
			list = append(list, s.reply())
		}
		return list
	}
	s.t.Fatalf("reply %q", line)
	return nil
}

func (s *server) do(args ...string) any {
	s.t.Helper()
	s.send(args...)
	r := s.reply()
	if err, ok := r.(error); ok {
		s.t.Fatalf("%.100q: %v", args, err)
	}
	return r
}

// dump returns the pairs of BF.SCANDUMP, the last one included, as a file.
func (s *server) dump(key string) (file []byte) {
	for at := int64(0); ; {
		r := s.do("BF.SCANDUMP", key, strconv.FormatInt(at, 10)).([]any)
		chunk, _ := r[1].(string)
		at = r[0].(int64)
		file = append(appendPair(file, at, len(chunk)), chunk...)
		if at == 0 {
			return file
		}
	}
}

// A real server's dumps are ours, byte for byte; it takes our chunks, and we its.
func TestServer(t *testing.T) {
	s := dial(t)
	for _, m := range s.do("MODULE", "LIST").([]any) {
		t.Log(m)
	}
	for _, c := range dumps {
		key := "bitsieve-test-" + c.name
		s.do("DEL", key)
		s.do(append([]string{"BF.RESERVE", key, strconv.FormatFloat(c.p, 'g', -1, 64), strconv.FormatUint(c.n, 10)}, c.args...)...)
		f := c.filter(t)
		keys := numbers(0, c.keys)
		// Added on both sides, with the same answers.
		was := make([]bool, len(keys))
		for i, k := range keys {
			var err error
			if was[i], err = f.TestAndAddString(k); err != nil {
				t.Fatal(err)
			}
		}
		for i := 0; i < len(keys); i += 1000 {
			part := keys[i:min(i+1000, len(keys))]
			for j, r := range s.do(append([]string{"BF.MADD", key}, part...)...).([]any) {
				if (r.(int64) == 0) != was[i+j] {
					t.Fatalf("%s: BF.ADD of %s answers %v, TestAndAdd %v", c.name, part[j], r, was[i+j])
				}
			}
		}
		theirs, ours := s.dump(key), marshal(t, f)
		if !bytes.Equal(theirs, ours) {
			t.Errorf("%s: the dumps differ: %d and %d bytes", c.name, len(theirs), len(ours))
		}
		// Our chunks into the server, its into a Loader.
		copied := key + "-copy"
		s.do("DEL", copied)
		for at, chunk := range f.Chunks() {
			s.do("BF.LOADCHUNK", copied, strconv.FormatInt(at, 10), string(chunk))
		}
		if !bytes.Equal(s.dump(copied), ours) {
			t.Errorf("%s: what the server loaded differs", c.name)
		}
		var g Filter
		if err := g.UnmarshalBinary(theirs); err != nil {
			t.Fatal(err)
		}
		v := view(t, theirs)
		probes := numbers(0, c.keys+5000)
		for i := 0; i < len(probes); i += 1000 {
			part := probes[i:min(i+1000, len(probes))]
			for j, r := range s.do(append([]string{"BF.MEXISTS", copied}, part...)...).([]any) {
				if has := r.(int64) == 1; g.TestString(part[j]) != has || v.TestString(part[j]) != has {
					t.Fatalf("%s: BF.EXISTS of %s answers %v", c.name, part[j], r)
				}
			}
		}
		s.do("DEL", key, copied)
		t.Logf("%s: %d bytes, %d links, %d keys", c.name, len(ours), f.Links(), f.Count())
	}
}
