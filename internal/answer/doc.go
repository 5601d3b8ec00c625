// Package answer is what who asks a question is given: an answer with its records and how far to trust it, how the
// question was understood, what is near it, and what there is where nothing is known. They are plain values: ask makes
// them, render and report show them.
package answer
