package main

import (
	"container/list"
	"errors"
	"time"
)

// Times are simulated, so that figures are the same on every machine.
const (
	cacheLatency = 200 * time.Microsecond // of an answer without the store
	storeLatency = 5 * time.Millisecond   // of a call of the store
	connections  = 8                      // calls that the store serves at a time: 1,600 a second
	timeout      = 2 * time.Second        // for which a call waits for a connection at most
)

var (
	errMissing = errors.New("no such key")
	errBusy    = errors.New("the store does not answer")
)

// A store is slow: a call waits for one of its connections, and then for the answer.
type store struct {
	values     map[string]string
	calls      int
	forNothing int // calls for keys that it does not have

	clock time.Duration              // when the request came
	done  time.Duration              // when the last answer went out
	free  [connections]time.Duration // when each connection is free
}

func newStore() *store { return &store{values: map[string]string{}} }

func (s *store) put(key, value string) { s.values[key] = value }

func (s *store) get(key string) (value string, err error) {
	first := 0
	for i, at := range s.free {
		if at < s.free[first] {
			first = i
		}
	}
	start := max(s.clock, s.free[first])
	if start-s.clock > timeout {
		s.done = s.clock + timeout
		return "", errBusy
	}
	s.calls++
	s.free[first] = start + storeLatency
	s.done = s.free[first]
	value, ok := s.values[key]
	if !ok {
		s.forNothing++
		return "", errMissing
	}
	return value, nil
}

// A cache keeps the values that were used last, so many of them.
type cache struct {
	limit int
	items map[string]*list.Element
	order list.List // of *item, the last used first
}

type item struct{ key, value string }

func newCache(limit int) *cache { return &cache{limit: limit, items: map[string]*list.Element{}} }

func (c *cache) get(key string) (value string, ok bool) {
	e, ok := c.items[key]
	if !ok {
		return "", false
	}
	c.order.MoveToFront(e)
	return e.Value.(*item).value, true
}

func (c *cache) put(key, value string) {
	if e, ok := c.items[key]; ok {
		e.Value.(*item).value = value
		c.order.MoveToFront(e)
		return
	}
	c.items[key] = c.order.PushFront(&item{key, value})
	if len(c.items) > c.limit {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.items, last.Value.(*item).key)
	}
}
