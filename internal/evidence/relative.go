package evidence

// Relative is a member of a record's family, seen from that record: a preprint of an article, its erratum, its
// retraction notice, the trial that it reports. Relatives are linked and never merged.
type Relative struct {
	Relation  Relation
	Record    string     // its id, where the store holds it
	Target    Identifier // as linked, or the record's best identifier
	Title     string
	Date      Date
	Retracted bool
	Citation  string
	Source    string // source of the relation; empty where the identity rules found it
}
