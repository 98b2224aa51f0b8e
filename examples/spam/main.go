// Spam refuses mail from the domains of a black list: a Bloom filter of a few bits a
// domain, with a white list of domains that must never be refused.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/bitsieve/bitsieve"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal("spam: ", err)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("spam", flag.ContinueOnError)
	list := flags.String("list", "", "the `file` of the black list, a domain a line (default: 20000 made-up domains)")
	good := flags.String("good", "", "the `file` of domains never to refuse (default: 100000 made-up domains)")
	rate := flags.Float64("p", 0.001, "the part of all other domains that may be refused")
	if err := flags.Parse(args); err != nil {
		return err
	}
	bad, err := domains(*list, 20_000, badDomain)
	if err != nil {
		return err
	}
	white, err := domains(*good, 100_000, goodDomain)
	if err != nil {
		return err
	}
	mails, err := senders(flags.Args(), bad, white)
	if err != nil {
		return err
	}
	return screen(out, bad, white, mails, *rate)
}

// screen makes both lists, and screens the mails' senders without and with the white
// one.
func screen(out io.Writer, bad, white, mails []string, rate float64) error {
	black, err := bitsieve.NewBlocked(uint64(len(bad)), rate)
	if err != nil {
		return err
	}
	// The exceptions first: a domain on both lists is reported, and stays refused.
	filter := bitsieve.NewWhitelist(black)
	filter.ExceptStrings(white)
	filter.AddStrings(bad)
	fmt.Fprintf(out, "black list: %d domains in %d KiB, %.1f bits each\n",
		len(bad), filter.SizeBytes()>>10, 8*float64(filter.SizeBytes())/float64(len(bad)))
	both, _ := filter.Conflicts()
	fmt.Fprintf(out, "white list: %d domains, %d of them on the black list too\n", len(white), len(both))
	for _, domain := range both[:min(3, len(both))] {
		fmt.Fprintf(out, "  on both: %s\n", domain)
	}

	// Only the exceptions that the filter needs are kept.
	before := filter.ExceptionBytes()
	filter.Trim()
	fmt.Fprintf(out, "exceptions kept: %d in %d bytes, of %d KiB\n\n", filter.ExceptionCount(), filter.ExceptionBytes(), before>>10)

	fmt.Fprintf(out, "%-14s %8s %8s  with the white list\n", "refused", "of", "without")
	row := func(name string, domains []string) {
		fmt.Fprintf(out, "%-14s %8d %8d  %d\n", name, len(domains), black.TestStrings(domains, nil), filter.TestStrings(domains, nil))
	}
	row("good domains", white)
	row("black list", bad)
	row("mails", mails)
	return nil
}

// domains returns the lines of a file, or n domains that make makes if there is none.
func domains(path string, n int, make func(i int) string) (list []string, err error) {
	if path != "" {
		return lines(path)
	}
	for i := range n {
		list = append(list, make(i))
	}
	return list, nil
}

// lines returns the lines of a file that are not empty, in lower case.
func lines(path string) (list []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for s.Scan() {
		if line := strings.ToLower(strings.TrimSpace(s.Text())); line != "" {
			list = append(list, line)
		}
	}
	return list, s.Err()
}

// senders returns the domains of the addresses in files, an address a line. Without a
// file it makes some up: of ten mails three are from listed domains, six from good
// ones, and one from a domain that nobody has heard of.
func senders(paths, bad, white []string) (mails []string, err error) {
	if len(paths) == 0 {
		for i := range 100_000 {
			switch {
			case i%10 < 3 && len(bad) > 0:
				mails = append(mails, bad[i*7919%len(bad)])
			case i%10 < 9 && len(white) > 0:
				mails = append(mails, white[i*7919%len(white)])
			default:
				mails = append(mails, fmt.Sprintf("nobody%d.example", i))
			}
		}
		return mails, nil
	}
	for _, path := range paths {
		addresses, err := lines(path)
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			mails = append(mails, domainOf(a))
		}
	}
	return mails, nil
}

// domainOf returns what follows the last @ of an address such as "Ann <ann@example.org>".
func domainOf(address string) string {
	domain := address[strings.LastIndexByte(address, '@')+1:]
	domain, _, _ = strings.Cut(domain, ">")
	return strings.TrimSpace(domain)
}

// badDomain and goodDomain make domains up, the same ones on every machine.

func badDomain(i int) string {
	return fmt.Sprintf("%s-%s%d.example", word(i), word(i/40), i%97)
}

func goodDomain(i int) string {
	return fmt.Sprintf("%s%s%d.example", word(i/40), word(i), i/1600)
}

var words = strings.Fields(`acorn amber beacon birch bridge canal cedar cliff cloud coral
	delta ember fable falcon field forge garden glade harbor hazel island ivory jade
	juniper lake lantern maple meadow nova oak orchid pearl pine quartz raven river
	saffron stone timber willow`)

func word(i int) string { return words[i%len(words)] }
