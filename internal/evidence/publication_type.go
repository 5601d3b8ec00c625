package evidence

import (
	"slices"
	"strings"
)

// PublicationType is a source's word for what the record is; UI is NLM's id, empty in other sources.
type PublicationType struct {
	Name string `json:"name"`
	UI   string `json:"ui,omitempty"`
}

// NLM's ids of the types that say more than what kind of evidence a record is.
const (
	retractedUI = "D016441"
	preprintUI  = "D000076942"
)

// retractedTypes are the keys of what NLM, Europe PMC and exports call the type of a paper that no longer stands.
var retractedTypes = []string{"retracted publication", "retracted", "retracted article", "retracted paper",
	"preprint withdrawal", "preprint removal"}

// IsRetracted reports whether the type is that of a retracted paper or of a withdrawn preprint, by its id or, in old
// files and in other sources, by its name.
func (t PublicationType) IsRetracted() bool {
	return t.UI == retractedUI || slices.Contains(retractedTypes, TypeKey(t.Name))
}

// IsPreprint reports in the same way whether the type is that of a preprint.
func (t PublicationType) IsPreprint() bool {
	return t.UI == preprintUI || TypeKey(t.Name) == "preprint"
}

// TypeKey is one spelling of "Case Reports", "CASE REPORTS" and Europe PMC's "case-report".
func TypeKey(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), "-", " ")), " ")
}
