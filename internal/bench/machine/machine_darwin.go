package machine

import "golang.org/x/sys/unix"

func totalMemory() int64 {
	n, _ := unix.SysctlUint64("hw.memsize")
	return int64(n)
}

func kernelVersion() string {
	v, _ := unix.Sysctl("kern.osrelease")
	return v
}

func osCPUName() string {
	name, _ := unix.Sysctl("machdep.cpu.brand_string")
	return name
}
