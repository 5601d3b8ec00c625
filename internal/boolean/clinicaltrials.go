package boolean

// CTQuery is a search of ClinicalTrials.gov: its parameters query.cond, query.intr and query.term, which must all
// match. An empty one is not sent.
type CTQuery struct {
	Cond, Intr, Term string
}

// ClinicalTrials writes a search of ClinicalTrials.gov, in its Essie syntax, from the concepts: diseases are
// conditions, drugs are interventions, and genes, variants, mechanisms and outcomes are words anywhere in the record. A
// query written by hand has no groups; then n is asked as words anywhere. The notes name what could not be asked; where
// nothing could, the CTQuery is empty.
func ClinicalTrials(groups []Group, n Node) (CTQuery, []string) {
	var plain plainClauses

	ask := func(n Node) string {
		if c := plain.clause(n, false); c != nil {
			return c.render("AND NOT")
		}
		return ""
	}
	if nodeOf(groups) == nil {
		q := CTQuery{Term: ask(n)}
		return q, plain.left
	}

	var cond, intr, term []Group
	for _, g := range groups {
		switch g.Concept {
		case Disease:
			cond = append(cond, g)
		case Drug:
			intr = append(intr, g)
		default:
			term = append(term, g)
		}
	}
	q := CTQuery{Cond: ask(nodeOf(cond)), Intr: ask(nodeOf(intr)), Term: ask(nodeOf(term))}
	return q, plain.left
}
