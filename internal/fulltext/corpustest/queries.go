package corpustest

import (
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Fields are those of boolean queries that hold words.
var Fields = []boolean.Field{
	boolean.FieldAll, boolean.FieldTitleAbs, boolean.FieldTitle, boolean.FieldAbstract, boolean.FieldMeSH,
	boolean.FieldMeSHNoExp,
	boolean.FieldMeSHMajor, boolean.FieldMeSHMajorNoExp, boolean.FieldSubheading, boolean.FieldTextWord, boolean.FieldType,
	boolean.FieldAuthor, boolean.FieldFirstAuthor, boolean.FieldLastAuthor, boolean.FieldLanguage, boolean.FieldSubstance,
	boolean.FieldJournal, boolean.FieldKeyword, boolean.FieldPMID, boolean.FieldDOI, boolean.FieldAffiliation,
}

// DateFields are those that hold dates which records carry.
var DateFields = []boolean.Field{boolean.FieldDatePub, boolean.FieldDateModified}

// Text gives something that stands in some record's field, or nearly.
func (m Maker) Text(field boolean.Field, records []evidence.Record) string {
	doc := boolean.DocumentOf(&records[m.IntN(len(records))])

	passages := doc.Passages(field)
	if len(passages) == 0 || m.IntN(8) == 0 {
		return m.Words(1 + m.IntN(3))
	}

	words := text.Tokens(Pick(m, passages))
	if len(words) == 0 || m.IntN(3) == 0 {
		return Pick(m, passages)
	}
	from := m.IntN(len(words))
	return strings.Join(words[from:min(len(words), from+1+m.IntN(4))], " ")
}

func (m Maker) term(records []evidence.Record) boolean.Node {
	if m.IntN(8) == 0 {
		ends := []string{"", "2019", "2020/03", "2020/03/05", "2021/12", "2024/01/10", "2024"}
		return boolean.DateRange{Field: Pick(m, DateFields), From: Pick(m, ends), To: Pick(m, ends)}
	}
	t := boolean.Phrase("", Pick(m, Fields))

	t.Text, t.Quoted = m.Text(t.Field, records), m.IntN(2) == 0
	switch m.IntN(5) {
	case 0:
		t.Truncated = true
		if runes := []rune(t.Text); len(runes) > 3 {
			t.Text = string(runes[:len(runes)-1-m.IntN(2)])
		}
	case 1:
		t.Near = m.IntN(6)
	}
	return t
}

// Query makes a query of so many levels at most, which some of records should match.
func (m Maker) Query(records []evidence.Record, depth int) boolean.Node {
	if depth == 0 || m.IntN(3) == 0 {
		return m.term(records)
	}

	switch m.IntN(3) {
	case 0:
		return boolean.And{Of: []boolean.Node{m.Query(records, depth-1), m.Query(records, depth-1)}}
	case 1:
		return boolean.Or{Of: []boolean.Node{m.Query(records, depth-1), m.Query(records, depth-1), m.Query(records, depth-1)}}
	}
	return boolean.Not{Keep: m.Query(records, depth-1), Drop: m.Query(records, depth-1)}
}
