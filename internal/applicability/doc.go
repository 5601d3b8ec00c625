// Package applicability says whether what is published (package published) applies to what a question asks: a
// regulator's approval of a drug, and a curator's interpretation of an alteration.
//
//	approvals.go  a question and the store → a verdict on each entry of its drugs
//	asked.go      a question → what it says of all that an indication may demand
//	split.go      an entry's words → its indications, each with the heading and the beginning that hold for it, and what
//	              the words limit
//	phrases.go    the wording of labels → words that the lexicon reads (phrases.tsv)
//	weigh.go      what is demanded and a question → what differs, and what the question leaves open; the parts of it in
//	              weigh_course.go, weigh_partners.go and weigh_settings.go
//
//	interpretations.go        a question and the store → a verdict on each entry of its alterations
//	interpretations_weigh.go  an entry and a question → what differs, what is wider, what is left open
//
// "Approved in this indication" is said only where all that an indication demands is read and is so of the question;
// "for this very alteration" only where all of an entry's profile is. What the question leaves open is named. What
// can't be read whole is said to be that, whatever else fits. Nothing is recommended, and no level is worked out.
package applicability
