package evidence

// Wanted is what will be read from a store about incoming records: a store over a network loads it in a few requests,
// instead of one for each question.
type Wanted struct {
	Origins     []string     // origin keys: of the records themselves
	Identifiers []Identifier // that they carry or link to
	Titles      []string     // title keys under which they are found
}
