// Package replace holds the replacements of github.com/holiman/bloomfilter/v2 and
// github.com/ipfs/bbloom against the real ones: names and signatures, answers, bits
// and serialised forms, speed, and the peers' own tests.
package replace
