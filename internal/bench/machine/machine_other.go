//go:build !linux && !darwin

package machine

func totalMemory() int64    { return 0 }
func kernelVersion() string { return "" }
func osCPUName() string     { return "" }
