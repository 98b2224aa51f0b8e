// Command spelling prints the words of a text that a dictionary does not have, by
// a filter of a fifth of the dictionary's size. See README.md.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"unicode"

	"github.com/bitsieve/bitsieve"
)

func main() {
	dictionary := flag.String("dict", "/usr/share/dict/words", "the dictionary, `FILE` of a word a line")
	rate := flag.Float64("p", 0.001, "false-positive rate: of misspellings that slip through")
	flag.Parse()

	text, err := os.ReadFile(*dictionary)
	if err != nil {
		log.Fatalf("%v\n(on Debian and Ubuntu: apt-get install wamerican; elsewhere: -dict FILE)", err)
	}
	words := strings.Fields(string(text))
	c, err := newChecker(words, *rate)
	if err != nil {
		log.Fatal(err)
	}
	if flag.NArg() == 0 {
		err = c.print("standard input", os.Stdin)
	}
	for _, name := range flag.Args() {
		if err == nil {
			err = c.printFile(name)
		}
	}
	if err != nil {
		log.Fatal(err)
	}

	tried, slipped := c.slips(words)
	fmt.Printf("\n%d words, %d KiB; the filter takes %d KiB, %.1f bits a word\n",
		len(words), len(text)>>10, c.filter.SizeBytes()>>10, float64(8*c.filter.SizeBytes())/float64(len(words)))
	fmt.Printf("of %d misspellings, %d slip through: %.3f %% (p = %g %%)\n",
		tried, slipped, 100*float64(slipped)/float64(tried), 100**rate)
}

// A checker knows the words of a dictionary: all of them, and few others.
type checker struct {
	filter *bitsieve.Blocked
}

func newChecker(words []string, rate float64) (*checker, error) {
	f, err := bitsieve.NewBlocked(uint64(len(words)), rate)
	if err != nil {
		return nil, err
	}
	f.AddStrings(words)
	return &checker{f}, nil
}

// knows reports whether a word is spelt as in the dictionary. At the beginning of a
// sentence and in headlines, words that the dictionary has in lower case are not.
func (c *checker) knows(word string) bool {
	if c.filter.TestString(word) {
		return true
	}
	lower := strings.ToLower(word)
	first := []rune(lower)
	first[0] = unicode.ToUpper(first[0])
	switch word {
	case string(first): // The
		return c.filter.TestString(lower)
	case strings.ToUpper(word): // THE, LONDON
		return c.filter.TestString(lower) || c.filter.TestString(string(first))
	}
	return false
}

func (c *checker) printFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.print(name, f)
}

// print prints the unknown words of a text with where they are.
func (c *checker) print(name string, text io.Reader) error {
	return c.check(text, func(line, column int, word string) {
		fmt.Printf("%s:%d:%d: %s\n", name, line, column, word)
	})
}

// check calls report for each word of a text that is unknown. Lines and columns
// count from 1, columns in characters.
func (c *checker) check(text io.Reader, report func(line, column int, word string)) error {
	s := bufio.NewScanner(text)
	for line := 1; s.Scan(); line++ {
		characters := []rune(strings.ReplaceAll(s.Text(), "’", "'"))
		for start, end := nextWord(characters, 0); start < end; start, end = nextWord(characters, end) {
			if word := string(characters[start:end]); !c.knows(word) {
				report(line, start+1, word)
			}
		}
	}
	return s.Err()
}

// nextWord returns where the next word of a line from a character on starts and ends:
// letters, and apostrophes between letters. It is empty after the last one.
func nextWord(line []rune, from int) (start, end int) {
	start = from
	for start < len(line) && !unicode.IsLetter(line[start]) {
		start++
	}
	end = start
	for end < len(line) && (unicode.IsLetter(line[end]) ||
		line[end] == '\'' && end > start && end+1 < len(line) && unicode.IsLetter(line[end+1])) {
		end++
	}
	return start, end
}

// slips misspells each word in several ways and returns how many of the results are
// not words, and how many of those the filter has for words.
func (c *checker) slips(words []string) (tried, slipped int) {
	exact := make(map[string]bool, len(words))
	for _, word := range words {
		exact[word] = true
	}
	var wrong []string
	for _, word := range words {
		for _, w := range misspell(word) {
			if !exact[w] {
				exact[w] = true // once
				wrong = append(wrong, w)
			}
		}
	}
	return len(wrong), c.filter.TestStrings(wrong, nil)
}

// misspell returns what becomes of a word when two neighbours in its middle change
// places, when one of them is left out, is doubled or is mistaken for an e.
func misspell(word string) []string {
	w := []rune(word)
	if len(w) < 4 {
		return nil
	}
	m := len(w) / 2
	before, after := string(w[:m]), string(w[m+1:])
	return []string{
		string(w[:m-1]) + string(w[m]) + string(w[m-1]) + after,
		before + after,
		before + string(w[m]) + string(w[m]) + after,
		before + "e" + after,
	}
}
