package evidence

// Wanted is what a store is about to be asked for about records that come: one that is asked over a network brings it
// in a few requests, where each question by itself would be one.
type Wanted struct {
	Origins     []string     // origin keys: of the records themselves
	Identifiers []Identifier // that they carry or link to
	Titles      []string     // title keys under which they are found
}
