// Package peers holds what compares package parquet with the Go libraries that write
// and read Parquet files, github.com/parquet-go/parquet-go and
// github.com/apache/arrow-go: tests that each reads the other's filters, and
// benchmarks. It is a module of its own so that whoever uses package parquet gets
// neither of them.
package peers
