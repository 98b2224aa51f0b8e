package main

import (
	"fmt"
	"testing"
)

var small = demo{articles: 2000, requests: 5000, attack: 0.7, rate: 0.01}

// TestFilterKeepsCallsAway compares the calls that reach the store for nothing,
// with each protection and attack.
func TestFilterKeepsCallsAway(t *testing.T) {
	crafted, err := small.craft(50)
	if err != nil {
		t.Fatal(err)
	}
	const attacks = 3500 // requests, about
	for _, attack := range []struct {
		name string
		keys []string
	}{{"random", nil}, {"crafted", crafted}} {
		for _, p := range protections {
			s, err := small.service(p)
			if err != nil {
				t.Fatal(err)
			}
			latencies := small.traffic(s, attack.keys)
			if n := len(latencies) + attacks; n < 4800 || n > 5200 {
				t.Fatalf("%d honest requests of %d", len(latencies), small.requests)
			}
			got := float64(s.store.forNothing) / attacks
			protected := p.filter && (attack.keys == nil || p.secret != nil) || p.cacheMissing && attack.keys != nil
			if protected && got > 0.06 || !protected && got < 0.9 {
				t.Errorf("%s keys, %s: a share of %.3f of the attack reached the store", attack.name, p.name, got)
			}
		}
	}
}

// TestWrittenKeysAreFound writes keys while others are read: each is found at once,
// and later, when the cache has forgotten it.
func TestWrittenKeysAreFound(t *testing.T) {
	for _, p := range protections {
		s, err := demo{articles: 1000, rate: 0.01}.service(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2000 {
			key := fmt.Sprintf("new:%d", i)
			s.store.clock += timeout // the store is idle
			if _, err := s.get(key); err != errMissing {
				t.Fatalf("%s: %s was not written: %v", p.name, key, err)
			}
			s.put(key, key)
			for _, back := range []int{0, i / 2, i} {
				want := fmt.Sprintf("new:%d", i-back)
				s.store.clock += timeout
				if got, err := s.get(want); err != nil || got != want {
					t.Fatalf("%s: %s is %q, %v", p.name, want, got, err)
				}
			}
		}
	}
}

// TestBusyIsNotMissing checks that a store which does not answer leaves no trace
// in the cache.
func TestBusyIsNotMissing(t *testing.T) {
	s, err := small.service(protection{cacheMissing: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.store.free {
		s.store.free[i] = 2 * timeout
	}
	if _, err := s.get(article(0)); err != errBusy {
		t.Fatalf("a busy store: %v", err)
	}
	s.store.clock = 3 * timeout
	if _, err := s.get(article(0)); err != nil {
		t.Error(err)
	}
}
