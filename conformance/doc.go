// Package conformance holds tests of bitsieve against the libraries and systems
// whose interfaces and formats it shares. It is a module of its own so that
// none of them becomes a dependency of the library.
package conformance
