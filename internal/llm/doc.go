// Package llm queries a language model through any endpoint that speaks OpenAI's chat protocol, and returns results of
// a checked form: a decoded document, or an error that states which of many failures it was.
//
//	client.go, send.go    a call: one JSON document in, one validated JSON document out; retries, one bound on
//	                      concurrent calls
//	guard.go              what the network may return: bounded, classified, the key set in one place
//	wire.go               normalises the wrappings that servers put around an answer
//	mode.go               what the endpoint supports: json_schema, the same without bounds, json_object, or nothing
//	batch.go, window.go   the request about some records, and how many of them the model's context holds
//	breaker.go            leaves an endpoint that is down alone for a while
//	repair.go, lenient.go turns a fenced, wordy, broken or cut reply into JSON with every complete item
//	task.go               the tasks: prompts/*.md (in our words, with a version) and schemas/*.json, fitted to a batch
//	meter.go              tokens, calls and cost by topic and run, and the budget
//	planner.go            step 1 by model
//	judge.go              step 4 by model: batches, and which records are asked again
//	exam.go               the examination of a judge, with the papers of exam.json
//	verdict.go, scale.go  a reply's assessment of each record, and whether its scores use the requested scale
//	lessons.go            adjustments of a run to its model: when to repeat the scale, when to stop asking
//	doctor.go             checks that the endpoint is fit for work
//	estimate.go           estimates the cost of a run
//	clean.go              bounds and cleans untrusted text
//
// Instructions stand in the system message, which the program alone writes. Untrusted text, papers above all, stands in
// the strings of one JSON document in the last user message, bounded in length. Replies are untrusted as well: they are
// bounded, cleaned and checked, and what does not fit is rejected, not guessed.
//
// The package knows no store, no source and no configuration, and decides nothing about evidence.
package llm
