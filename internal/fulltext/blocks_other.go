//go:build !linux

package fulltext

// touchedBlocks visits all blocks: this system does not tell a process which pages of a mapped file it has read.
func touchedBlocks(content []byte, visit func(block int) error) error {
	return allBlocks(content, visit)
}
