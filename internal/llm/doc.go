// Package llm asks a language model, by any endpoint that speaks OpenAI's chat protocol, and brings back what can be
// trusted in form: a decoded document, or an error that says which of the many ways of going wrong it was.
//
//	client.go, send.go    a call: one JSON document in, one validated JSON document out; retries, one bound on
//	                      calls at once
//	guard.go              what the network may bring: bounded, told apart, the key set in one place
//	wire.go               an answer as servers really wrap it, made plain
//	ladder.go             what the endpoint can do: json_schema, the same without bounds, json_object, or nothing
//	batch.go, window.go   what is asked about some records, and how many of them the model's context holds
//	pause.go              an endpoint that is down is left alone for a while
//	repair.go, lenient.go a reply that is fenced, wordy, broken or cut, made into JSON with every complete item
//	task.go               the tasks: prompts/*.md (in our words, with a version) and schemas/*.json, fitted to a batch
//	meter.go              tokens, calls and cost by topic and run, and the budget
//	planner.go            step 1 by model
//	judge.go              step 4 by model: batches, and what is asked again
//	exam.go               the examination of a judge, with the papers of exam.json
//	verdict.go, scale.go  what a reply says of each record, and whether all of it is of the scale asked for
//	lessons.go            what a run learns of its model: when to say the scale again, when to stop asking
//	doctor.go             is the endpoint fit for work
//	estimate.go           what will a run cost
//	clean.go              strangers' texts, bounded and plain
//
// The instructions stand in the system message, which the program alone writes. Whatever strangers wrote, papers above
// all, stands in the strings of one JSON document in the last user message, bounded in length. What comes back is data
// of an untrusted kind as well: it is bounded, cleaned and checked, and what does not fit is rejected, not guessed.
//
// The package knows no store, no source and no configuration, and decides nothing about evidence.
package llm
