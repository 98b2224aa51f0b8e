// Visitors counts the different IPv4 addresses in an access log, by day, with a bitmap
// for each day, and says how much memory that took, and how much maps would have.
//
//	go run ./examples/visitors access.log
//
// Without a log it makes one up, the same each time.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bitsieve/bitsieve"
)

func main() {
	log.SetFlags(0)
	var in io.Reader
	switch len(os.Args) {
	case 1:
		r, w := io.Pipe()
		go func() { w.CloseWithError(writeSample(w, 3, 400_000)) }()
		in = r
	case 2:
		f, err := os.Open(os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		in = f
	default:
		log.Fatal("usage: visitors [LOG]")
	}
	if err := run(in, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run reads a log and prints what it finds.
func run(in io.Reader, out io.Writer) error {
	days, other, err := read(in)
	if err != nil {
		return err
	}
	var all bitsieve.IPv4Set
	var size uint64
	for _, date := range slices.Sorted(maps.Keys(days)) {
		day := days[date]
		size += day.SizeBytes()
		fmt.Fprintf(out, "%s  %7d visitors, %7d of them new\n", date, day.Count(), day.Count()-day.IntersectionCount(&all))
		all.Union(day)
	}
	fmt.Fprintf(out, "all days    %7d visitors\n", all.Count())
	if other > 0 {
		fmt.Fprintf(out, "%d lines have no IPv4 address or no date\n", other)
	}
	fmt.Fprintf(out, "memory: %.1f MiB in bitmaps, %.1f MiB in maps\n", mib(size), mib(mapSize(days)))

	var widest netip.Prefix
	for p := range all.Prefixes() {
		if !widest.IsValid() || p.Bits() < widest.Bits() {
			widest = p
		}
	}
	if widest.IsValid() {
		fmt.Fprintf(out, "the largest network of which everybody came is %v\n", widest)
	}
	return nil
}

// read returns the visitors of each day, and the number of lines that tell of none.
func read(in io.Reader) (days map[string]*bitsieve.IPv4Set, other int, err error) {
	days = map[string]*bitsieve.IPv4Set{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		addr, date, ok := parse(lines.Text())
		if !ok {
			other++
			continue
		}
		day := days[date]
		if day == nil {
			day = new(bitsieve.IPv4Set)
			days[date] = day
		}
		if _, err := day.Add(addr); err != nil {
			other++ // an IPv6 address
		}
	}
	return days, other, lines.Err()
}

// parse returns the address and the date of a line of the Common Log Format:
//
//	192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512
func parse(line string) (addr netip.Addr, date string, ok bool) {
	host, rest, _ := strings.Cut(line, " ")
	_, rest, _ = strings.Cut(rest, " [")
	stamp, _, _ := strings.Cut(rest, ":")
	addr, addrErr := netip.ParseAddr(host)
	day, dayErr := time.Parse("02/Jan/2006", stamp)
	return addr, day.Format(time.DateOnly), addrErr == nil && dayErr == nil
}

// mapSize returns what maps of the same visitors take.
func mapSize(days map[string]*bitsieve.IPv4Set) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var sets []map[netip.Addr]struct{}
	for _, day := range days {
		set := map[netip.Addr]struct{}{}
		for addr := range day.All() {
			set[addr] = struct{}{}
		}
		sets = append(sets, set)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(sets)
	return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

// writeSample writes a log of some days. Visitors come from 2,000 networks of 4,096
// addresses, of which some send many more than others.
func writeSample(w io.Writer, days, lines int) error {
	r := rand.New(rand.NewPCG(2026, 11))
	networks := make([]uint32, 2000)
	for i := range networks {
		networks[i] = r.Uint32() &^ 0xfff
	}
	often := rand.NewZipf(r, 1.2, 8, uint64(len(networks)-1))
	out := bufio.NewWriter(w)
	for d := range days {
		at := time.Date(2026, 11, 21+d, 0, 0, 0, 0, time.UTC)
		for range lines {
			x := networks[often.Uint64()] | r.Uint32()>>20
			addr := netip.AddrFrom4([4]byte{byte(x >> 24), byte(x >> 16), byte(x >> 8), byte(x)})
			fmt.Fprintf(out, "%v - - [%s] \"GET /%d HTTP/1.1\" 200 512\n", addr, at.Format("02/Jan/2006:15:04:05 -0700"), r.IntN(1000))
			at = at.Add(24 * time.Hour / time.Duration(lines))
		}
	}
	return out.Flush()
}
