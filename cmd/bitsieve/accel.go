package main

// accelerationError returns what is wrong with the value of BITSIEVE_CPU.
//
// TODO(merge): return bitsieve.AccelerationError() once the library has it, which
// then no longer writes to standard error itself.
func accelerationError() error { return nil }
