//go:build !unix

package files

// There is nothing to add where links need rights of their own and pipes are no files.
const (
	NoFollow = 0
	NoWait   = 0
)
