package grounding

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// Bounds of what is read from full texts.
const (
	maxKeptText  = 200 << 10 // bytes of one: results, tables and discussion of a long paper have some 60 KB
	maxKeptTexts = 80        // of one report
	maxChosen    = 16        // sentences and rows that one statement is compared with
)

// ReadTexts lets the checker settle what titles and abstracts leave open by the full texts of the cited records, where
// body gives one: a statement's figures may be only in the results section or in a table. Only a copy of a full text
// overrules a contradiction by an abstract. The checker calls body once a record, and only for cited ones.
func (g *Checker) ReadTexts(body func(*evidence.Record) *evidence.Body) { g.body = body }

// TextsRead is how many full texts statements were compared with.
func (g *Checker) TextsRead() (n int) {
	for _, t := range g.texts {
		if len(t.parts) > 0 {
			n++
		}
	}
	return n
}

// kept holds what is read from a record's full text: the sentences of its results and discussion, and the rows of its
// tables as sentences.
type kept struct{ parts []keptPart }

type keptPart struct {
	text       string
	folded     string
	discussed  bool            // it may cover other studies, so it supports quotations only, no number
	words      map[string]bool // of a table's row, the words for its subject
	quantities []results.Quantity
}

// textOf reads the full text of a record; it is empty if none is kept, or enough were read.
func (g *Checker) textOf(r *evidence.Record) *kept {
	if t := g.texts[r.ID]; t != nil {
		return t
	}
	t := &kept{}

	if g.texts == nil {
		g.texts = map[string]*kept{}
	}

	if len(g.texts) < maxKeptTexts {
		if body := g.body(r); body != nil {
			t.read(body)
		}
		g.texts[r.ID] = t
	}
	return t
}

func (t *kept) read(body *evidence.Body) {
	left := maxKeptText
	add := func(sentence, about string, discussed bool) {
		if left -= len(sentence); left >= 0 {
			t.parts = append(t.parts, keptPart{text: sentence, folded: foldQuote(sentence), discussed: discussed,
				words: subjectWords(about), quantities: results.Quantities(sentence)})
		}
	}

	rows := results.RowsOf(body)
	for i := range rows {
		add(rows[i].Sentence(), rows[i].Of, false)
	}

	for _, kind := range []evidence.SectionKind{evidence.Results, evidence.Discussion} {
		for i := range body.Sections {
			if body.Sections[i].Kind != kind {
				continue
			}

			for _, paragraph := range body.Sections[i].Paragraphs {
				for _, sentence := range plaintext.Sentences(plaintext.Line(paragraph)) {
					add(sentence, sentence, kind == evidence.Discussion)
				}
			}
		}
	}
}

// subjectWords are the words for a text's subject, numbers left out, and the outcomes that it names, under their
// standard names.
func subjectWords(text string) map[string]bool {
	words := results.TellingWords(text)
	maps.DeleteFunc(words, func(w string, _ bool) bool { return strings.Trim(w, "0123456789") == "" })

	for _, o := range results.Outcomes(text) {
		words["="+o.Name] = true
	}
	return words
}

// chosen are the sentences that may support or contradict a statement, in the text's order: among those on its subject,
// first those with its numbers, then those with most of its words. A long text has most numbers somewhere.
func (t *kept) chosen(text string) []evidence.Section {
	told, words, folded := results.Quantities(text), subjectWords(text), foldQuote(text)
	type choice struct{ at, weight int }

	var all []choice
	for i := range t.parts {
		p := &t.parts[i]

		weight := results.Common(words, p.words)
		switch {
		case strings.Contains(folded, p.folded) && !p.discussed, strings.Contains(p.folded, folded) && !p.discussed,
			quotes(text, p.folded):
			weight = 1000
		case p.discussed || weight == 0:
			continue
		default:
			for _, q := range told {
				if tells(q) && slices.ContainsFunc(p.quantities, func(r results.Quantity) bool { return results.BornOut(q, r) }) {
					weight += 10
				}
			}
		}
		all = append(all, choice{i, weight})
	}
	slices.SortStableFunc(all, func(a, b choice) int { return b.weight - a.weight })
	all = all[:min(len(all), maxChosen)]
	slices.SortFunc(all, func(a, b choice) int { return a.at - b.at })
	return plaintext.Each(all, func(c choice) evidence.Section {
		return evidence.Section{Category: "RESULTS", Text: t.parts[c.at].text}
	})
}

// quotes reports whether a statement quotes words of the sentence.
func quotes(text, folded string) bool {
	for _, m := range quoteRE().FindAllString(text, -1) {
		for _, part := range ellipsisRE().Split(m, -1) {
			part = strings.Trim(foldQuote(part), `".,;: `)
			if len(strings.Fields(part)) > 1 && strings.Contains(folded, part) {
				return true
			}
		}
	}
	return false
}

// withTexts adds to records what their full texts have on a statement; read reports whether there is anything.
func (g *Checker) withTexts(text string, sources []*Source) (all []*Source, read bool) {
	all = plaintext.Each(sources, func(s *Source) *Source {
		chosen := g.textOf(s.record).chosen(text)
		if len(chosen) == 0 {
			return s
		}
		read = true
		record := *s.record
		record.Abstract = slices.Concat(record.Abstract, chosen)
		longer := newSourceText(&record)
		longer.bucket, longer.flagged = s.bucket, s.flagged
		return longer
	})
	return all, read
}

// readOn checks a statement against the full texts of the records that it cites, where their abstracts leave part of it
// open, and returns the marks that stay.
func (g *Checker) readOn(text string, sources []*Source, marks []Mark) (verbatim bool, stay []Mark) {
	condemned := slices.ContainsFunc(marks, Mark.condemns)

	isBorneOut := len(marks) == 0 && slices.ContainsFunc(results.Quantities(text), tells)
	if g.body == nil || isBorneOut {
		return false, marks
	}

	longer, read := g.withTexts(text, sources)
	if !read {
		return false, marks
	}

	if isCopy(text, longer) {
		return true, []Mark{}
	}

	found := settle(append(markNamed(text, longer), g.Marks(text, longer, false)...))
	switch {
	case condemned:
		return false, marks
	case len(marks) == 0: // full texts may still contradict what no abstract states
		found = slices.DeleteFunc(found, func(m Mark) bool { return !m.condemns() })
	}
	return false, found
}

// markNamed marks a number that a statement gives to one of several by the words right behind it, where the texts give
// it to another: "28% with 10 mg" for "8% with 10 mg and 28% with 100 mg". No abstract explains the arms of a table's
// head or the parts of a study.
func markNamed(text string, sources []*Source) (out []Mark) {
	for _, span := range plaintext.SentenceSpans(text) {
		told := results.Quantities(span.In(text))
		for _, q := range told {
			name := nameBehind(span.In(text), q.End)
			if !tells(q) || len(name) == 0 {
				continue
			}

			isOther, fits := false, false
			for _, s := range sources {
				for i := range s.sentences {
					other, fit := s.sentences[i].gives(q, name)
					isOther, fits = isOther || other, fits || fit
				}
			}

			if isOther && !fits {
				at := plaintext.Span{Start: span.Start + q.Start, End: span.Start + q.End}
				out = append(out, newMark(MarkArm, text, at, "the cited record gives "+at.In(text)+" to another"))
			}
		}
	}
	return out
}

// gives reports whether a sentence has the number under another name and the name with another number of its kind
// (isOther), or may have the number under that name (fits).
func (one *sourceSentence) gives(q results.Quantity, name map[string]bool) (isOther, fits bool) {
	has, named := false, false
	for _, r := range one.quantities {
		behind := nameBehind(one.text, r.End)

		isSame := len(behind) == len(name) && results.Common(behind, name) == len(name)
		switch isBorneOut := results.BornOut(q, r); {
		case isBorneOut && (isSame || len(behind) == 0):
			return false, true
		case isBorneOut:
			has = true
		case r.Measure == q.Measure && isSame:
			named = true
		}
	}
	return has && named, has && !named
}

// nameBehind are the words right behind a number that name its owner: "28% with 100 mg".
func nameBehind(text string, end int) map[string]bool {
	m := forms("name behind").FindStringSubmatch(text[end:])
	if m == nil {
		return nil
	}
	out := map[string]bool{}

	words := plaintext.Tokens(m[1])
	for _, w := range words {
		if (len(words) == 1 || !plaintext.StopWords(w)) && !forms("of all studies").MatchString(w) {
			out[strings.TrimSuffix(w, "s")] = true
		}
	}
	return out
}
