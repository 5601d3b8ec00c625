package evidence

// Study is the population of a record, as far as its words state it, and whether that is what a question asks.
type Study struct {
	Tumours []string // as the dictionary names them, at most three; empty where none is named
	Asked   Ternary  // whether it is on the question's tumour or a narrower one; yes for a question that names no tumour
	Why     string   // of a no or an unknown, as a sentence's end: "its title is on breast cancer, not on lung cancer"
}
