package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
)

// A web is a simulated one of some pages on some hosts. As an http.RoundTripper
// it answers a client without a network; it counts how often each page is fetched.
type web struct {
	fetched []atomic.Uint32 // by page
}

const (
	hosts        = 100
	linksPerPage = 20
)

func newWeb(pages int) *web { return &web{fetched: make([]atomic.Uint32, pages)} }

// url returns the URL of a page, normalised.
func (w *web) url(page int) string {
	return fmt.Sprintf("http://site%d.example/pages/%d", page%hosts, page)
}

func (w *web) start() string { return w.url(0) }

// fetches returns how many pages were fetched once and how many more often.
func (w *web) fetches() (once, again int) {
	for i := range w.fetched {
		switch w.fetched[i].Load() {
		case 0:
		case 1:
			once++
		default:
			again++
		}
	}
	return once, again
}

// RoundTrip implements http.RoundTripper.
func (w *web) RoundTrip(request *http.Request) (*http.Response, error) {
	var host, page int
	if _, err := fmt.Sscanf(request.URL.Host+request.URL.Path, "site%d.example/pages/%d", &host, &page); err != nil ||
		page < 0 || page >= len(w.fetched) || host != page%hosts {
		return nil, fmt.Errorf("no such page: %s", request.URL)
	}
	w.fetched[page].Add(1)
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"text/html"}},
		Body:       io.NopCloser(strings.NewReader(w.html(page))),
		Request:    request,
	}, nil
}

// html returns a page: two links that make a tree of all pages, so that none is
// out of reach, and links to any others. Links are written in several ways.
func (w *web) html(page int) string {
	random := rand.New(rand.NewPCG(uint64(page), 1))
	var b strings.Builder
	b.WriteString("<html><body>\n")
	for i := range linksPerPage {
		to := random.IntN(len(w.fetched))
		if i < 2 {
			to = (2*page + 1 + i) % len(w.fetched)
		}
		way := [...]string{
			"http://site%d.example/pages/%d",
			"HTTP://Site%d.Example:80/pages/%d",
			"//site%d.example/pages/%d#chapter-2",
			"http://site%d.example/authors/../pages/%d?utm_source=feed&amp;utm_medium=rss",
		}[random.IntN(4)]
		fmt.Fprintf(&b, "<p><a href=\""+way+"\">another page</a>\n", to%hosts, to)
	}
	b.WriteString("<p><a href=\"mailto:editor@site.example\">write to us</a>\n</body></html>\n")
	return b.String()
}
