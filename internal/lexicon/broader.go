package lexicon

// Broader names the concepts that hold c, from the nearest to the root; none where the dictionary knows none.
func (l *Lexicon) Broader(c *Concept) []string {
	if c.Entry == nil {
		return nil
	}
	return c.Entry.Broader
}
