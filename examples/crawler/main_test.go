package main

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// TestEachPageOnce crawls with several goroutines: no page is fetched twice, and
// few are missed.
func TestEachPageOnce(t *testing.T) {
	const pages, p = 1000, 0.01
	w := newWeb(pages)
	filter, err := bitsieve.NewAtomicBlocked(pages, p)
	if err != nil {
		t.Fatal(err)
	}
	c := crawler{client: &http.Client{Transport: w}, known: filter, workers: 4}
	if err := c.crawl(w.start()); err != nil {
		t.Fatal(err)
	}
	once, again := w.fetches()
	if again > 0 {
		t.Errorf("%d pages were fetched more than once", again)
	}
	if missed := pages - once; float64(missed) > 2*p*pages {
		t.Errorf("%d of %d pages were missed; %.1f are expected", missed, pages, expectedMisses(filter, pages))
	}
	if got, want := c.links.Load(), int64(once*(linksPerPage+1)); got != want {
		t.Errorf("%d links seen on %d pages, want %d", got, once, want)
	}
}

// TestOneOfManyIsFirst checks that of goroutines that find the same links at the
// same time, one fetches each: never two, and none only by the rare accident that
// AtomicBlocked tells of.
func TestOneOfManyIsFirst(t *testing.T) {
	filter, err := bitsieve.NewAtomicBlocked(1000, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	c := crawler{known: filter}
	w := newWeb(1000)
	var mu sync.Mutex
	taken := map[string]int{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 1000; i += 10 {
				var urls []string
				for page := i; page < i+10; page++ {
					urls = append(urls, w.url(page))
				}
				mine := c.unknown(urls)
				mu.Lock()
				for _, u := range mine {
					taken[u]++
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	missed := 0
	for i := range 1000 {
		switch taken[w.url(i)] {
		case 0:
			missed++
		case 1:
		default:
			t.Fatalf("%s goes to %d goroutines", w.url(i), taken[w.url(i)])
		}
	}
	if missed > 3 {
		t.Errorf("%d URLs go to nobody", missed)
	}
}

func TestNormalise(t *testing.T) {
	page, err := url.Parse("https://example.org/a/b")
	if err != nil {
		t.Fatal(err)
	}
	for link, want := range map[string]string{
		"c":                               "https://example.org/a/c",
		"../c":                            "https://example.org/c",
		"/c#part":                         "https://example.org/c",
		"//EXAMPLE.org":                   "https://example.org/",
		"HTTPS://Example.ORG:443/C":       "https://example.org/C",
		"http://example.org:443/":         "http://example.org:443/",
		"http://example.org:80":           "http://example.org/",
		"?b=2&a=1":                        "https://example.org/a/b?a=1&b=2",
		"/c?":                             "https://example.org/c",
		"/c?utm_source=x&id=7&utm_term=y": "https://example.org/c?id=7",
		"http://me:secret@example.org/x":  "http://example.org/x",
		"mailto:me@example.org":           "",
		"javascript:void(0)":              "",
		"http://%zz/":                     "",
	} {
		got, ok := normalise(page, link)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", link, got, ok, want)
		}
	}
}
