// Command cache protects a slow store behind a cache from requests for keys that
// do not exist: a filter in front knows which do. See README.md.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bitsieve/bitsieve"
)

// A service answers requests from a cache, and from the store what the cache does
// not have. The filter, if there is one, holds the keys of the store.
type service struct {
	filter *bitsieve.Blocked
	cache  *cache
	store  *store
	// cacheMissing puts the news that a key does not exist into the cache, too.
	cacheMissing bool
}

// get returns the value of a key, errMissing if there is none, errBusy if the store
// does not answer.
func (s *service) get(key string) (value string, err error) {
	if s.filter != nil && !s.filter.TestString(key) {
		return "", errMissing // certainly not in the store
	}
	if value, ok := s.cache.get(key); ok {
		if value == missing {
			return "", errMissing
		}
		return value, nil
	}
	value, err = s.store.get(key)
	switch {
	case err == nil:
		s.cache.put(key, value)
	case err == errMissing && s.cacheMissing:
		s.cache.put(key, missing)
	}
	return value, err
}

// put writes a value. Its key is in the filter before it can be asked for.
func (s *service) put(key, value string) {
	if s.filter != nil {
		s.filter.AddString(key)
	}
	s.store.put(key, value)
	s.cache.put(key, value)
}

// missing stands in the cache for a key that the store does not have.
const missing = "\x00missing"

func main() {
	d := defaults
	flag.IntVar(&d.articles, "articles", d.articles, "keys in the store")
	flag.IntVar(&d.requests, "requests", d.requests, "requests, at 2,000 a second")
	flag.Float64Var(&d.attack, "attack", d.attack, "share of the requests that ask for what does not exist")
	flag.Float64Var(&d.rate, "p", d.rate, "false-positive rate of the filter")
	flag.Parse()
	if err := d.run(); err != nil {
		log.Fatal(err)
	}
}

// A demo is a store, and traffic on it.
type demo struct {
	articles, requests int
	attack, rate       float64
}

var defaults = demo{articles: 100_000, requests: 200_000, attack: 0.7, rate: 0.001}

// run runs the same traffic against each protection, as two kinds of attack.
func (d demo) run() error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "attack by\tprotection\tstore calls\tfor nothing\tp50\tp90\tp99\t")
	crafted, err := d.craft(1000)
	if err != nil {
		return err
	}
	for _, attack := range []struct {
		name string
		keys []string
	}{{"random keys", nil}, {"crafted keys", crafted}} {
		for _, p := range protections {
			s, err := d.service(p)
			if err != nil {
				return err
			}
			latencies := d.traffic(s, attack.keys)
			fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%v\t%v\t%v\t\n", attack.name, p.name, s.store.calls, s.store.forNothing,
				percentile(latencies, 50), percentile(latencies, 90), percentile(latencies, 99))
		}
	}
	return out.Flush()
}

// A protection is what stands between an attack and the store.
type protection struct {
	name         string
	filter       bool
	secret       []byte
	cacheMissing bool
}

var protections = []protection{
	{name: "none"},
	{name: "missing keys cached", cacheMissing: true},
	{name: "filter", filter: true},
	// A service has 32 bytes of crypto/rand here, and tells nobody. These are fixed
	// for the figures to be the same in each run.
	{name: "filter with a secret key", filter: true, secret: []byte("an example has no secrets, alas!")},
}

// service returns a service whose store holds the articles, written one by one.
func (d demo) service(p protection) (*service, error) {
	s := &service{cache: newCache(d.articles / 10), store: newStore(), cacheMissing: p.cacheMissing}
	if p.filter {
		var options []bitsieve.Option
		if p.secret != nil {
			options = append(options, bitsieve.WithKey(p.secret))
		}
		var err error
		if s.filter, err = bitsieve.NewBlocked(uint64(d.articles), d.rate, options...); err != nil {
			return nil, err
		}
	}
	for i := range d.articles {
		s.put(article(i), "text")
	}
	return s, nil
}

func article(i int) string { return fmt.Sprintf("article:%d", i) }

// traffic sends the requests, some articles far more often than others, and
// returns what each of the honest ones took. Attackers ask for keys of their own
// choice, or if they have none for keys drawn at random.
func (d demo) traffic(s *service, attackers []string) (latencies []time.Duration) {
	const interval = time.Second / 2000
	random := rand.New(rand.NewPCG(1, 2))
	popular := rand.NewZipf(random, 1.1, 10, uint64(d.articles-1))
	for range d.requests {
		s.store.clock += interval
		if random.Float64() < d.attack {
			key := fmt.Sprintf("article:x%d", random.Uint64())
			if attackers != nil {
				key = attackers[random.IntN(len(attackers))]
			}
			s.get(key)
			continue
		}
		s.store.done = s.store.clock + cacheLatency
		s.get(article(int(popular.Uint64()))) // answers and failures alike have taken their time
		latencies = append(latencies, s.store.done-s.store.clock)
	}
	slices.Sort(latencies)
	return latencies
}

// craft returns n keys that do not exist and pass a filter without a secret key: who
// can read the articles' names and this code builds the same filter at home.
func (d demo) craft(n int) ([]string, error) {
	f, err := bitsieve.NewBlocked(uint64(d.articles), d.rate)
	if err != nil {
		return nil, err
	}
	for i := range d.articles {
		f.AddString(article(i))
	}
	var found []string
	var hits bitsieve.BitSet
	batch := make([]string, 4096)
	for next := 0; len(found) < n; {
		for i := range batch {
			batch[i] = fmt.Sprintf("article:y%d", next)
			next++
		}
		f.TestStrings(batch, &hits)
		for i := range hits.EachSet() {
			found = append(found, batch[i])
		}
	}
	return found[:n], nil
}

// percentile returns the p-th percentile of sorted latencies, rounded.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[(len(sorted)-1)*p/100].Round(100 * time.Microsecond)
}
