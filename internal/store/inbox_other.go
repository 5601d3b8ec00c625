//go:build !unix

package store

import "io/fs"

// uidOf returns noUser: if files have no numeric owner, no live answer is trusted.
func uidOf(fs.FileInfo) uint32 { return noUser }
