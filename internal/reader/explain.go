package reader

import (
	"context"
	"errors"
	"unicode"
	"unicode/utf8"

	"dossier/internal/answer"
	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/source"
)

// Dialect is a source that writes a query in its own syntax, and sends nothing.
type Dialect interface {
	Name() evidence.SourceName
	// Dialect returns a query as the source's Search sends it; the notes list what can't be expressed. An error means that
	// nothing can.
	Dialect(q source.Query) (query string, notes []string, err error)
}

// Explainer explains how questions are understood, and what would be sent for them. It sends nothing, and stores
// nothing of a question.
type Explainer struct {
	Lexicon   *lexicon.Lexicon
	Sources   []Dialect
	Catalogue *Catalogue // nil where there is no store
	Privacy   guard.Gate
	// Vocabulary and SendUnknown: see guard.Outgoing
	Vocabulary  guard.Vocabulary
	SendUnknown bool
	Model       string // the planning model; empty where the rules plan
}

// Explain explains a question. A question that can't be asked is explained too: the warnings state why.
func (e *Explainer) Explain(question string) answer.Explanation {
	question, err := CleanQuestion(question)
	if err != nil {
		return answer.Explanation{Model: e.Model, Understood: answer.Understood{Warnings: []string{asSentence(err)}}}
	}
	passed := e.Privacy.Pass(question)
	asked := e.Lexicon.Understand(passed.Question)
	out := answer.Explanation{
		Question: asked.Text, Key: asked.Key(), Model: e.Model, Understood: answer.NewUnderstood(&asked, e.Lexicon.Broader),
	}
	sent, unsent := e.outgoing(&asked, &passed)

	wording, private := describePrivacy(question, &passed, explained, sent.Text)
	if out.Privacy = private; private != nil {
		out.Warnings = append([]string{wording}, out.Warnings...)
	}

	out.Warnings = append(out.Warnings, unsent...)
	if err := refusal(e.Lexicon, &asked, e.Model != ""); err != nil {
		out.Warnings = append([]string{asSentence(err)}, out.Warnings...)
		return e.withNear(out, &asked)
	}

	toSend := e.Lexicon.Understand(sent.Text)
	for n := 1; n <= pipeline.Layers; n++ {
		if query, ok := e.Lexicon.Layer(&toSend, n); ok && query.Node() != nil {
			out.Queries = append(out.Queries, e.layer(query))
		}
	}
	return e.withNear(out, &asked)
}

// outgoing is the form of a question that would be sent, with warnings about withheld words.
func (e *Explainer) outgoing(asked *lexicon.Question, passed *guard.Passed) (guard.Sent, []string) {
	outgoing := guard.Outgoing{Lexicon: e.Lexicon, Vocabulary: e.Vocabulary,
		SendUnknown: e.SendUnknown || passed.Policy == guard.Allow}

	sent, err := outgoing.Of(context.Background(), asked, passed.StrippedOfPatient())
	switch {
	case err != nil:
		return guard.Sent{Text: asked.Text}, []string{asSentence(err)}
	case len(sent.Withheld) > 0:
		return sent, []string{withheldWords(&sent)}
	}
	return sent, nil
}

func (e *Explainer) withNear(out answer.Explanation, asked *lexicon.Question) answer.Explanation {
	if e.Catalogue == nil {
		return out
	}

	if same := e.Catalogue.same(asked); same != nil {
		out.Topic = same.topic
	}
	out.Near = e.Catalogue.near(asked)
	return out
}

// layer returns one layer's query in each source's syntax.
func (e *Explainer) layer(planned boolean.Query) answer.LayerQueries {
	out := answer.LayerQueries{Layer: planned.Layer, Query: planned.String(), BySource: map[string]string{}}

	q := source.Query{Node: planned.Node(), Groups: planned.Groups}
	for _, s := range e.Sources {
		query, notes, err := s.Dialect(q)
		for _, note := range notes {
			out.Notes = append(out.Notes, s.Name()+": "+note)
		}

		if err != nil {
			if failed, ok := errors.AsType[*source.Error](err); ok {
				err = failed.Err // its source and operation are stated already, or not meant here
			}
			out.Notes = append(out.Notes, s.Name()+": not asked: "+err.Error())
			continue
		}
		out.BySource[s.Name()] = query
	}
	return out
}

// asSentence formats an error as a warning: with a capital and a full stop.
func asSentence(err error) string {
	text := err.Error()
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
