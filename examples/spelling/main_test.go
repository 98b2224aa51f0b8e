package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	words := strings.Fields("a the cat's don't sat on mat Paris café")
	c, err := newChecker(words, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	text := "The cat’s mat,\n\ton teh 'mat'; paris PARIS café cafe don't don' 4 x-mat\nMat MAT mAt"
	want := []string{"2:5 teh", "2:16 paris", "2:33 cafe", "2:44 don", "2:51 x", "3:9 mAt"}
	var got []string
	err = c.check(strings.NewReader(text), func(line, column int, word string) {
		got = append(got, fmt.Sprintf("%d:%d %s", line, column, word))
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestSlips checks that of the misspellings of a list about the share p slips
// through, and no word is taken for one.
func TestSlips(t *testing.T) {
	const p = 0.01
	var words []string
	for i := range 5000 {
		words = append(words, fmt.Sprintf("word%cnumber%d", 'a'+i%26, i))
	}
	testSlips(t, words, p)
}

func TestDictionary(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	text, err := os.ReadFile("/usr/share/dict/words")
	if err != nil {
		t.Skipf("%v (apt-get install wamerican)", err)
	}
	words := strings.Fields(string(text))
	c := testSlips(t, words, 0.001)
	if int(c.filter.SizeBytes()) > len(text)/4 {
		t.Errorf("the filter takes %d bytes, the dictionary %d", c.filter.SizeBytes(), len(text))
	}
	sample, err := os.Open("sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer sample.Close()
	var unknown []string
	if err := c.check(sample, func(_, _ int, word string) { unknown = append(unknown, word) }); err != nil {
		t.Fatal(err)
	}
	want := []string{"dictionnary", "themselfs", "recieves", "mispelled", "lenght"}
	if !slices.Equal(unknown, want) {
		t.Errorf("unknown: %q, want %q", unknown, want)
	}
}

func testSlips(t *testing.T, words []string, p float64) *checker {
	t.Helper()
	c, err := newChecker(words, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		if !c.knows(w) {
			t.Fatalf("%s is unknown", w)
		}
	}
	tried, slipped := c.slips(words)
	if tried < 2*len(words) {
		t.Errorf("only %d misspellings of %d words", tried, len(words))
	}
	if share := float64(slipped) / float64(tried); share > 1.3*p || share < 0.5*p {
		t.Errorf("%d of %d misspellings slip through, a share of %g; want about %g", slipped, tried, share, p)
	}
	return c
}
