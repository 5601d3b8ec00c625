//go:build !unix

package main

import "os"

// writtenBy is not told by this system.
func writtenBy(*os.ProcessState) int64 { return 0 }
