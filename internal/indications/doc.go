// Package indications says of a regulator's words whether they are on what a question asks.
//
//	split.go    an entry's words → its indications, each with the heading and the beginning that hold for it, and what
//	            the words limit
//	phrases.go  the wording of labels → words that the lexicon reads (phrases.tsv)
//	asked.go    a question → what it says of all that an indication may demand
//	weigh.go    what is demanded and a question → what differs, and what the question leaves open; the parts of it in
//	            weigh_course.go, weigh_partners.go and weigh_settings.go
//	find.go     a question and the store → a verdict on each entry of its drugs
//
// "Approved in this indication" is said only where all that an indication demands is read and is so of the question.
// What the question leaves open is named. What can't be read whole is said to be that, whatever else fits. Nothing is
// recommended.
package indications
