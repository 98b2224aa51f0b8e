// Command crawler fetches each page of a web once, however often it is linked:
// several goroutines share one filter of the URLs that are known, without a lock. See README.md.
package main

import (
	"flag"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bitsieve/bitsieve"
)

func main() {
	pages := flag.Int("pages", 50_000, "pages of the simulated web")
	rate := flag.Float64("p", 0.001, "false-positive rate of the filter: at most this share of the pages is missed")
	workers := flag.Int("workers", 8, "goroutines that fetch")
	flag.Parse()

	w := newWeb(*pages)
	filter, err := bitsieve.NewAtomicBlocked(uint64(*pages), *rate)
	if err != nil {
		log.Fatal(err)
	}
	c := crawler{client: &http.Client{Transport: w}, known: filter, workers: *workers}
	if err := c.crawl(w.start()); err != nil {
		log.Fatal(err)
	}

	once, again := w.fetches()
	fmt.Printf("links seen       %9d\n", c.links.Load())
	fmt.Printf("pages fetched    %9d of %d, %d of them more than once\n", once+again, *pages, again)
	fmt.Printf("pages missed     %9d, expected %.1f\n", *pages-once-again, expectedMisses(filter, *pages))
	filterKiB, mapKiB := filter.SizeBytes()>>10, mapBytes(w)>>10
	fmt.Printf("memory           %9d KiB, as a map about %d KiB\n", filterKiB, mapKiB)
}

// A crawler follows links from page to page.
type crawler struct {
	client  *http.Client
	known   *bitsieve.AtomicBlocked // URLs that are fetched, or will be
	workers int
	links   atomic.Int64 // seen on all pages
}

// crawl fetches start, then the pages linked there, then those linked on them,
// and so on until nothing is new.
func (c *crawler) crawl(start string) error {
	c.known.TestAndAddStrings([]string{start}, nil)
	var mu sync.Mutex // guards next and failure
	var failure error
	for todo := []string{start}; len(todo) > 0 && failure == nil; {
		var next []string
		var taken atomic.Int64
		var wg sync.WaitGroup
		for range c.workers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := taken.Add(1) - 1; i < int64(len(todo)); i = taken.Add(1) - 1 {
					links, err := c.fetch(todo[i])
					links = c.unknown(links)
					mu.Lock()
					next = append(next, links...)
					if failure == nil {
						failure = err
					}
					mu.Unlock()
				}
			}()
		}
		wg.Wait()
		todo = next
	}
	return failure
}

// unknown returns those of urls that nobody has seen yet, each to one caller only.
// It overwrites urls.
func (c *crawler) unknown(urls []string) []string {
	var hits bitsieve.BitSet
	c.known.TestAndAddStrings(urls, &hits)
	n := 0
	for i := range hits.EachClear() {
		urls[n] = urls[i]
		n++
	}
	return urls[:n]
}

// maxPage bounds what a page may send.
const maxPage = 1 << 20

var href = regexp.MustCompile(`(?i)<a\s[^>]*href="([^"]*)"`)

// fetch returns the normalised links of a page.
func (c *crawler) fetch(page string) ([]string, error) {
	response, err := c.client.Get(page)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPage))
	if err != nil {
		return nil, err
	}
	var links []string
	for _, match := range href.FindAllSubmatch(body, -1) {
		c.links.Add(1)
		if link, ok := normalise(response.Request.URL, html.UnescapeString(string(match[1]))); ok {
			links = append(links, link)
		}
	}
	return links, nil
}

// normalise returns the one spelling of a link found on a page, so that the ways
// to write a URL are one key: absolute, scheme and host in lower case, no default
// port, no dot segments, no fragment, query sorted and without what only tells
// where a reader came from. Links that cannot be fetched are not ok.
func normalise(page *url.URL, link string) (normal string, ok bool) {
	u, err := page.Parse(link) // resolves, and lowers the scheme
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", false
	}
	u.Host = strings.ToLower(u.Host)
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; strings.HasSuffix(u.Host, port) {
		u.Host = strings.TrimSuffix(u.Host, port)
	}
	u.Fragment, u.RawFragment, u.User = "", "", nil
	if u.Path == "" {
		u.Path = "/"
	}
	if u.RawQuery != "" {
		query := u.Query()
		for name := range query {
			if strings.HasPrefix(name, "utm_") {
				query.Del(name)
			}
		}
		u.RawQuery = query.Encode() // sorts
	}
	u.ForceQuery = false
	return u.String(), true
}

// expectedMisses returns how many of n new URLs the filter takes for known ones:
// each meets the rate of the filter as full as it is then.
func expectedMisses(f bitsieve.Filter, n int) (misses float64) {
	const step = 100
	for i := 0; i < n; i += step {
		misses += float64(min(step, n-i)) * f.ExpectedFPRate(uint64(i))
	}
	return misses
}

// mapBytes returns what the URLs of a web take in a map.
func mapBytes(w *web) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	known := map[string]struct{}{}
	for i := range w.fetched {
		known[w.url(i)] = struct{}{}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(known)
	return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}
