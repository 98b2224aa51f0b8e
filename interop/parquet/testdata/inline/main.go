// Command inline is disassembled by TestInlining: each function calls one verb of the
// package, as a program in another module does.
package main

import "github.com/bitsieve/bitsieve/interop/parquet"

//go:noinline
func viewTestHash(v parquet.View, x uint64) bool { return v.TestHash(x) }

//go:noinline
func viewTestInt64(v parquet.View, x int64) bool { return v.TestInt64(x) }

//go:noinline
func viewTestDouble(v parquet.View, x float64) bool { return v.TestDouble(x) }

//go:noinline
func viewTestInt32(v parquet.View, x int32) bool { return v.TestInt32(x) }

//go:noinline
func viewTestFloat(v parquet.View, x float32) bool { return v.TestFloat(x) }

//go:noinline
func filterTestHash(f *parquet.Filter, x uint64) bool { return f.TestHash(x) }

//go:noinline
func filterTestInt64(f *parquet.Filter, x int64) bool { return f.TestInt64(x) }

//go:noinline
func filterTestDouble(f *parquet.Filter, x float64) bool { return f.TestDouble(x) }

//go:noinline
func filterTestInt32(f *parquet.Filter, x int32) bool { return f.TestInt32(x) }

//go:noinline
func filterTestFloat(f *parquet.Filter, x float32) bool { return f.TestFloat(x) }

//go:noinline
func filterAddHash(f *parquet.Filter, x uint64) { f.AddHash(x) }

//go:noinline
func filterAddInt64(f *parquet.Filter, x int64) { f.AddInt64(x) }

//go:noinline
func filterAddDouble(f *parquet.Filter, x float64) { f.AddDouble(x) }

//go:noinline
func filterAddInt32(f *parquet.Filter, x int32) { f.AddInt32(x) }

//go:noinline
func filterAddFloat(f *parquet.Filter, x float32) { f.AddFloat(x) }

//go:noinline
func viewTestBytes(v parquet.View, x []byte) bool { return v.Test(x) }

//go:noinline
func viewTestString(v parquet.View, x string) bool { return v.TestString(x) }

//go:noinline
func filterTestBytes(f *parquet.Filter, x []byte) bool { return f.Test(x) }

//go:noinline
func filterTestString(f *parquet.Filter, x string) bool { return f.TestString(x) }

//go:noinline
func filterAddBytes(f *parquet.Filter, x []byte) { f.Add(x) }

//go:noinline
func filterAddString(f *parquet.Filter, x string) { f.AddString(x) }

func main() {
	f, err := parquet.NewWithSize(parquet.BlockBytes)
	if err != nil {
		panic(err)
	}
	v := f.View()
	viewTestHash(v, 1)
	viewTestInt64(v, 1)
	viewTestDouble(v, 1)
	viewTestInt32(v, 1)
	viewTestFloat(v, 1)
	filterTestHash(f, 1)
	filterTestInt64(f, 1)
	filterTestDouble(f, 1)
	filterTestInt32(f, 1)
	filterTestFloat(f, 1)
	filterAddHash(f, 1)
	filterAddInt64(f, 1)
	filterAddDouble(f, 1)
	filterAddInt32(f, 1)
	filterAddFloat(f, 1)
	viewTestBytes(v, nil)
	viewTestString(v, "")
	filterTestBytes(f, nil)
	filterTestString(f, "")
	filterAddBytes(f, nil)
	filterAddString(f, "")
}
