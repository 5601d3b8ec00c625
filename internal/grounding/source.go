package grounding

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// Source is a record prepared for checks against it.
type Source struct {
	record    *evidence.Record
	sentences []sourceSentence   // the title first
	meta      []results.Quantity // numbers outside the text: year of publication, phase, enrolment
	folded    string             // title and abstract for quotes
	words     map[string]bool    // of title, abstract and metadata
	reading   *results.Reading   // nil until a statement in other words comes
	tuples    []results.Tuple    // of title and abstract
	entities  *lexicon.Said      // nil until a statement in other words comes
	patients  *lexicon.Said      // what the record states about all of them; nil until asked for
	bucket    evidence.Bucket
	wordStems string         // empty until they are asked for
	tokens    string         // empty until they are asked for
	changes   []sourceEffect // nil until asked for
	counts    map[string]int // of the sentences that have each word; nil until asked for
	flagged   bool           // a person should look at it first, see evidence.Review
}

// sourceSentence is a sentence with its numbers.
type sourceSentence struct {
	text       string
	quantities []results.Quantity
}

func newSourceText(r *evidence.Record) *Source {
	s := &Source{record: r, words: map[string]bool{}}

	texts := []string{r.Title}
	for _, section := range r.Abstract {
		texts = append(texts, section.Text)
	}

	for _, other := range r.OtherAbstracts {
		for _, section := range other.Sections {
			texts = append(texts, section.Text)
		}
	}

	for i, text := range texts {
		texts[i] = plaintext.Line(text)
		for _, sentence := range plaintext.Sentences(texts[i]) {
			s.sentences = append(s.sentences, sourceSentence{text: sentence, quantities: results.Quantities(sentence)})
		}
	}
	s.folded = foldQuote(strings.Join(texts, "\n"))

	s.meta = results.Quantities(metaText(r))
	if forms("one patient").MatchString(s.folded) {
		s.meta = append(s.meta, results.Quantity{Value: 1, Measure: results.People})
	}

	for _, w := range plaintext.Tokens(strings.Join(texts, "\n") + "\n" + metaText(r) + "\n" + r.Journal.Title) {
		s.words[w] = true
	}
	return s
}

// asked prepares the record for reading statements with its arms.
func (s *Source) asked() *results.Reading {
	if s.reading == nil {
		s.reading = results.NewReading(s.record)
	}
	return s.reading
}

// abstract returns the results of title and abstract, sentence by sentence.
func (s *Source) abstract() []results.Tuple {
	if s.tuples == nil {
		s.tuples = s.asked().Abstract()
	}
	return s.tuples
}

// metaText is what a record's other fields state, one statement a line.
func metaText(r *evidence.Record) string {
	lines := headingsOf(r)
	if y := r.Date.Year(); y > 0 {
		lines = append(lines, string(r.Date)[:4])
	}

	for _, t := range r.PublicationTypes {
		lines = append(lines, t.Name)
	}

	for _, a := range r.Authors {
		lines = append(lines, a.Collective)
	}
	return strings.Join(lines, "\n")
}

// allQuantities are the numbers of text and metadata.
func (s *Source) allQuantities() []results.Quantity {
	all := append([]results.Quantity{}, s.meta...)
	for _, sentence := range s.sentences {
		all = append(all, sentence.quantities...)
	}
	return all
}

// foldQuote evens out what typesetting changes in a quotation: white space and the shape of quote marks.
func foldQuote(s string) string {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '“', '”', '„', '«', '»', '″':
			return '"'
		case '‘', '’', '‚', '′', '`':
			return '\''
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// foldName makes one spelling of a family name, also from the possessive.
func foldName(s string) string { return plaintext.Letters(strings.TrimSuffix(s, "'s")) }

// isBy reports whether a name is the record's first author's, in full or without particles before it: papers are cited
// by their first author.
func (s *Source) isBy(name string) bool {
	if len(s.record.Authors) == 0 {
		return false
	}

	want, family := foldName(name), s.record.Authors[0].Family
	if foldName(family) == want {
		return true
	}
	parts := strings.Fields(family)
	return len(parts) > 1 && foldName(parts[len(parts)-1]) == want
}

// bears reports whether a citation by author and year means this record. A body named by its capitals, such as "(ESMO
// 2023)", has to be in the record's own words.
func (s *Source) bears(a authorYear) bool {
	if a.year != 0 && s.record.Date.Year() != a.year {
		return false
	}
	return s.isBy(a.family) || strings.ToUpper(a.family) == a.family && s.words[strings.ToLower(a.family)]
}

func (s *Source) isAt(p journalPlace) bool {
	first, _, _ := strings.Cut(strings.ToLower(s.record.Journal.Pages), "-")
	return s.record.Date.Year() == p.year && s.record.Journal.Volume == p.volume && strings.TrimSpace(first) == p.page
}

// names reports whether the record names a trial: as its own identifier, in a link, or in its text.
func (s *Source) names(id evidence.Identifier) bool {
	return slices.Contains(s.record.Identifiers, id) || s.words[strings.ToLower(id.Value)] ||
		slices.ContainsFunc(s.record.Links, func(l evidence.Link) bool { return l.Target == id })
}

// namesAll reports whether the record's text has the words of a name, side by side and in order.
func (s *Source) namesAll(name string) bool {
	want := strings.Join(plaintext.Tokens(name), " ")
	return want != "" && strings.Contains(s.allTokens(), " "+want+" ")
}

// allTokens are the words of text and metadata in order, with a space before and behind each.
func (s *Source) allTokens() string {
	if s.tokens == "" {
		s.tokens = " " + strings.Join(plaintext.Tokens(s.folded+"\n"+metaText(s.record)), " ") + " "
	}
	return s.tokens
}
