package sbbf

func add(b []byte, h uint64)       { addGeneric(b, h) }
func test(b []byte, h uint64) bool { return testGeneric(b, h) != 0 }
