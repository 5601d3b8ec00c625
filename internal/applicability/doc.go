// Package applicability decides whether publications (package published) apply to what a question asks: a regulator's
// approval of a drug, and a curator's interpretation of an alteration.
//
//	approvals.go  a question and the store → a verdict on each entry of its drugs
//	asked.go      a question → what it states on all that an indication may demand
//	split.go      an entry's words → its indications, each with its heading, its beginning and its limits
//	phrases.go    the wording of labels → words that the lexicon reads (phrases.tsv)
//	weigh.go      demands and a question → what differs, and what the question leaves open; the parts of it in
//	              weigh_course.go, weigh_partners.go and weigh_settings.go
//
//	interpretations.go        a question and the store → a verdict on each entry of its alterations
//	interpretations_weigh.go  an entry and a question → what differs, what is wider, what is left open
//
// The verdict is "approved in this indication" only if everything that an indication demands was read and holds for the
// question; "for this very alteration" only if all of an entry's profile does. A verdict names what the question leaves
// open. An entry that can't be read whole is marked as such, whatever else fits. Nothing is recommended, and no level
// is worked out.
package applicability
