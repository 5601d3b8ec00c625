// Package pipeline takes a topic from its question to its Answer: the six steps of docs/METHOD.md, a file each, and the
// run over many topics.
//
//	plan.go      1   question → query, layer after layer (planner.go by rules), and every source's answer
//	                 to it: asked.go asks, dropped.go detects which answers are to another query,
//	                 leftout.go what a query does not ask for
//	gather.go    2   the sources' answers → source records
//	identify.go  2b  source records → merged records
//	bucket.go    3,5 record → bucket and design (types.go, design*.go hold the tables)
//	screen.go    4   records → assessments, by a model behind Judge or by rules (screen_rules.go, textrank.go)
//	                 screen_flag.go detects records that address the model, by their texts or by their effect on a reply
//	                 learn.go: their order by what readers marked (learn_ranking.go)
//	sample.go    6   assessments → sample; curated.go: what curators' statements add;
//	                 trials.go: → the trials that are listed
//
//	topic.go     one topic through all the steps
//	run.go       many topics into one store (pending.go holds what is fetched and not yet written)
//	share.go     what of a night several runs share, and who does it
//	sweep.go     what became of the store's papers, asked of every source that can tell
//	notices.go   what retraction notices in the store say of its records
//	correct.go   answers whose sample that makes wrong
//	ask.go       one question, live, beside a store that is only read (overlay.go)
//	import.go    records from files into the store; curated.go: a file of curators' statements
//	                 on papers; given.go: users' files that are held against questions
//
// A topic's question is understood once, by the Dictionary; planning, screening and an answer's account of its query
// work on that value.
//
// The linear models over words know words and facts alone: linear_model.go, by which designs are told
// (design_model.go), and learn_ranking.go. Both give the same bits on every kind of processor.
//
// The steps are functions from plain values to plain values. Whatever needs a network, a store or a clock stands behind
// the small interfaces of interfaces.go, which others implement; the package imports no store, no model, and of the
// sources only the types that they share.
package pipeline
