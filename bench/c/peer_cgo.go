//go:build cbench && cgo && !windows

package c

// #cgo linux LDFLAGS: -ldl
// #include "peer_cgo.h"
import "C"

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"unicode/utf8"
	"unsafe"
)

// The most that a shared object may offer, and the longest name in a table.
const (
	mostPeers   = 64
	longestName = 48
)

// Load opens a shared object and returns the contenders that it offers. What it
// says about itself is checked, and so are its kernels' answers.
func Load(file string) ([]*Peer, error) {
	path, err := filepath.Abs(file) // a bare name would be looked up among the system's
	if err != nil {
		return nil, err
	}
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	var why *C.char
	open := C.peer_open(cpath, &why)
	if open == nil {
		return nil, errors.New(C.GoString(why)) // which names the file
	}
	var peers []*Peer
	for p := C.peer_at(open, 0); p != nil; p = C.peer_at(open, C.size_t(len(peers))) {
		if len(peers) == mostPeers {
			return nil, fmt.Errorf("%s: bitsieve_peer_at(%d) is not NULL: at most %d contenders", file, mostPeers, mostPeers)
		}
		peer, err := newPeer(p)
		if err != nil {
			return nil, fmt.Errorf("%s: bitsieve_peer_at(%d): %w", file, len(peers), err)
		}
		peers = append(peers, peer)
	}
	if len(peers) == 0 {
		return nil, fmt.Errorf("%s: bitsieve_peer_at(0) is NULL", file)
	}
	return peers, nil
}

// newPeer checks what a contender says about itself.
func newPeer(p *C.struct_bitsieve_peer) (*Peer, error) {
	if p.abi != C.BITSIEVE_PEER_ABI {
		return nil, fmt.Errorf("compiled with version %d of peer.h, this program has %d", p.abi, C.BITSIEVE_PEER_ABI)
	}
	if p.name == nil {
		return nil, errors.New("no name")
	}
	name := C.GoStringN(p.name, C.int(C.strnlen(p.name, longestName+1)))
	if !printable(name) || len(name) > longestName {
		return nil, fmt.Errorf("name %q: want 1 to %d bytes of printable UTF-8", name, longestName)
	}
	peer := &Peer{Name: name, Kernels: peerKernels(p, name)}
	for _, k := range peer.Kernels {
		if err := k.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	filters := map[string]bool{
		"create": p.create != nil, "destroy": p.destroy != nil,
		"add_uint64s": p.add_uint64s != nil, "test_uint64s": p.test_uint64s != nil,
	}
	texts := map[string]bool{"add_strings": p.add_strings != nil, "test_strings": p.test_strings != nil}
	hashes := map[string]bool{"add_hashes": p.add_hashes != nil, "test_hashes": p.test_hashes != nil}
	for _, set := range []map[string]bool{filters, texts, hashes} {
		if err := allOrNone(set); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	peer.Strings, peer.Hashes = texts["add_strings"], hashes["add_hashes"]
	switch {
	case filters["create"]:
		peer.NewFilter = func(bytes int64, bitsPerKey float64) (Filter, error) {
			return newPeerFilter(p, name, bytes, bitsPerKey)
		}
	case peer.Strings || peer.Hashes || p.test_uint64s_one_by_one != nil:
		return nil, fmt.Errorf("%s: functions of filters, but create is NULL", name)
	case len(peer.Kernels) == 0:
		return nil, fmt.Errorf("%s: neither kernels nor filters", name)
	}
	return peer, nil
}

func printable(name string) bool {
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			return false
		}
	}
	return name != "" && utf8.ValidString(name)
}

// allOrNone complains of a set of functions of which only some are there.
func allOrNone(there map[string]bool) error {
	var some, missing string
	for name, ok := range there {
		if ok {
			some = name
		} else {
			missing = name
		}
	}
	if some != "" && missing != "" {
		return fmt.Errorf("%s is NULL, but %s is not", missing, some)
	}
	return nil
}

func peerKernels(p *C.struct_bitsieve_peer, of string) (ks []Kernel) {
	if p.count != nil {
		ks = append(ks, Kernel{"Count", of, func(_, a, _ []uint64, reps int) int {
			return int(C.peer_count(p, ptr(a), C.size_t(len(a)), C.size_t(reps)))
		}})
	}
	for i, name := range Operations {
		ks = append(ks, peerOperation(p, C.int(i), name, of)...)
	}
	return ks
}

// peerOperation returns the kernels of one operation.
func peerOperation(p *C.struct_bitsieve_peer, i C.int, op, of string) (ks []Kernel) {
	if p.op_count[i] != nil {
		ks = append(ks, Kernel{op + "Count", of, func(_, a, b []uint64, reps int) int {
			return int(C.peer_op_count(p, i, ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps)))
		}})
	}
	if p.op_words_count[i] != nil {
		ks = append(ks, Kernel{op + "WithCount", of, func(dst, a, b []uint64, reps int) int {
			return int(C.peer_op_words_count(p, i, ptr(dst), ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps)))
		}})
	}
	if p.op_words[i] == nil {
		return ks
	}
	ks = append(ks, Kernel{op, of, func(dst, a, b []uint64, reps int) int {
		C.peer_op_words(p, i, ptr(dst), ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps))
		return 0
	}})
	if op == "And" {
		ks = append(ks, Kernel{"AndInPlace", of, func(dst, _, b []uint64, reps int) int {
			C.peer_op_words(p, i, ptr(dst), ptr(dst), ptr(b), C.size_t(len(b)), C.size_t(reps))
			return 0
		}})
	}
	return ks
}

type peerFilter struct {
	p    *C.struct_bitsieve_peer
	made C.struct_bitsieve_filter
}

func newPeerFilter(p *C.struct_bitsieve_peer, name string, bytes int64, bitsPerKey float64) (Filter, error) {
	f := &peerFilter{p: p}
	if C.peer_create(p, C.uint64_t(bytes), C.double(bitsPerKey), &f.made) != 0 {
		return nil, nil
	}
	m := f.made
	if m.self == nil || m.bits == nil || m.k == 0 || m.bytes == 0 || m.bytes > 2*C.uint64_t(bytes) {
		return nil, fmt.Errorf("%s: create(%d bytes) made self = %#x, bits = %#x, bytes = %d, k = %d",
			name, bytes, uintptr(m.self), uintptr(m.bits), m.bytes, m.k)
	}
	return f, nil
}

func (f *peerFilter) Size() int64 { return int64(f.made.bytes) }
func (f *peerFilter) K() int      { return int(f.made.k) }

func (f *peerFilter) AddUint64s(keys []uint64) {
	C.peer_add_uint64s(f.p, f.made.self, ptr(keys), C.size_t(len(keys)))
}

func (f *peerFilter) TestUint64s(keys []uint64) int {
	return int(C.peer_test_uint64s(f.p, f.made.self, ptr(keys), C.size_t(len(keys))))
}

func (f *peerFilter) TestUint64sOneByOne(keys []uint64) int {
	return int(C.peer_test_one_by_one(f.p, f.made.self, ptr(keys), C.size_t(len(keys))))
}

func (f *peerFilter) AddHashes(hashes []uint64) {
	C.peer_add_hashes(f.p, f.made.self, ptr(hashes), C.size_t(len(hashes)))
}

func (f *peerFilter) TestHashes(hashes []uint64) int {
	return int(C.peer_test_hashes(f.p, f.made.self, ptr(hashes), C.size_t(len(hashes))))
}

func (f *peerFilter) AddStrings(keys []string) {
	C.peer_add_strings(f.p, f.made.self, headers(keys), C.size_t(len(keys)))
	runtime.KeepAlive(keys)
}

func (f *peerFilter) TestStrings(keys []string) int {
	n := C.peer_test_strings(f.p, f.made.self, headers(keys), C.size_t(len(keys)))
	runtime.KeepAlive(keys)
	return int(n)
}

// headers returns the address of the headers of keys, as a number: cgo would
// look, in every timed call, at each string of the array that keys is a part of,
// for fear that C might keep one or the collector move it. peer.h forbids the one,
// and Go's collector does not do the other.
func headers(keys []string) C.uintptr_t {
	return C.uintptr_t(uintptr(unsafe.Pointer(unsafe.SliceData(keys))))
}

// A string's header is struct bitsieve_string.
var _ = [1]byte{}[unsafe.Sizeof("")-C.sizeof_struct_bitsieve_string]

func (f *peerFilter) Read() (sum uint64) {
	bits := unsafe.Slice((*byte)(f.made.bits), f.made.bytes)
	for i := 0; i < len(bits); i += 64 {
		sum += uint64(bits[i])
	}
	return sum
}

func (f *peerFilter) Close() {
	C.peer_destroy(f.p, f.made.self)
	f.made = C.struct_bitsieve_filter{}
}
