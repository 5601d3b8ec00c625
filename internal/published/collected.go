package published

import "dossier/internal/evidence"

// collected is the joint contents of several files, of any kind.
type collected struct {
	files   []evidence.GivenFile
	leftOut []FileLeftOut
}

// FileLeftOut is what can't be used in one file. Noun is the unit of the count: a row may hold several entries.
type FileLeftOut struct {
	File, Noun string
	evidence.LeftOut
}

// LeftOut lists the entries left out, by file, the most frequent first.
func (c *collected) LeftOut() []FileLeftOut { return c.leftOut }

// take adds a file whose entries were read.
func (c *collected) take(file evidence.GivenFile, left *evidence.LeftOuts) {
	c.files = append(c.files, file)
	for _, l := range left.List() {
		c.leftOut = append(c.leftOut, FileLeftOut{file.Name, "entry", l})
	}
}
