package document

import (
	"reflect"
	"strings"

	"dossier/internal/text"
)

// TemplateModel is what head and foot are filled in from, by the names of its fields; docs/REPORT.md describes it. A
// text that a document has not is empty.
type TemplateModel struct {
	Kind       string // Whole, Short or Packet
	Hospital   string // as the template names it
	Fields     map[string]string
	Title      string // of the packet, or the report's question
	Board      string // the packet's title, or the topic's tags
	Meeting    string // the day as it was given
	Topic      string // its id
	Evidence   string // the moment that the evidence is of, in the report's language; a packet's oldest
	Generation string
	Program    string
	Language   string // en, de, …
	Cases      int
	Records    int
	Trials     int
}

// The kinds of document.
const (
	KindReport = "report"
	KindShort  = "short"
	KindPacket = "packet"
)

// bounded has every text on one line of bounded length.
func (m TemplateModel) bounded() TemplateModel {
	v := reflect.ValueOf(&m).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.CanSet() && f.Type().String() == "string" {
			f.SetString(text.AtWord(text.Line(f.String()), maxValue))
		}
	}
	return m
}

// names are those of the model's fields.
func names() (all []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[TemplateModel]()) {
		all = append(all, f.Name)
	}
	return all
}

// samples are documents of every kind, with all that a document can have and with nothing.
func samples() (all []TemplateModel) {
	long := strings.Repeat("W", maxValue)
	for _, kind := range []string{KindReport, KindShort, KindPacket} {
		all = append(all, TemplateModel{Kind: kind}, TemplateModel{Kind: kind,
			Title: long, Board: long, Meeting: long, Topic: long, Evidence: long, Generation: long, Program: long,
			Language: long, Cases: 1, Records: 1, Trials: 1})
	}
	return all
}
