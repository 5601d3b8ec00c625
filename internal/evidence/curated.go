package evidence

// CuratedStatement is what the curators of a knowledge base say a paper shows, such as one evidence item of CIViC. It is somebody's
// judgement of the paper, not the paper's own words, and is shown beside a record, never as part of it: it changes neither the
// record's bucket nor its score.
type CuratedStatement struct {
	Source       string   `json:"source"` // civic
	ID           string   `json:"id"`     // the knowledge base's own: EID1234
	PMID         string   `json:"pmid"`
	Profile      string   `json:"molecular_profile"` // "KRAS G12C", as the file has it
	Disease      string   `json:"disease,omitempty"`
	Therapies    []string `json:"therapies,omitempty"`
	Interaction  string   `json:"therapy_interaction,omitempty"` // Combination, Sequential, Substitutes
	Type         string   `json:"type"`                          // Predictive, Diagnostic, Prognostic, Predisposing, Oncogenic, Functional
	Direction    string   `json:"direction,omitempty"`           // Supports, Does Not Support
	Level        string   `json:"level"`                         // A to E; LevelName says what it means
	Significance string   `json:"significance,omitempty"`        // Sensitivity/Response, Resistance, …
	Statement    string   `json:"statement,omitempty"`
	Rating       int      `json:"rating,omitempty"` // 1 to 5 stars, 0: not rated
	Status       string   `json:"status"`           // accepted, submitted
	Origin       string   `json:"variant_origin,omitempty"`
	Flagged      bool     `json:"flagged,omitempty"`
	Reviewed     Date     `json:"reviewed,omitempty"`
	URL          string   `json:"url,omitempty"`
	FileDate     Date     `json:"file_date"` // of the file that brought it: what CIViC said then
}

// LevelName is CIViC's name of the statement's evidence level; a level that it does not have stands as it is.
func (s CuratedStatement) LevelName() string {
	switch s.Level {
	case "A":
		return "validated"
	case "B":
		return "clinical"
	case "C":
		return "case study"
	case "D":
		return "preclinical"
	case "E":
		return "inferential"
	}
	return s.Level
}
