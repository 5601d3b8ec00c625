package boolean

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"dossier/internal/text"
)

//go:embed fields.tsv
var fieldTable string

// fieldNames are what fieldTable's rows say, by the names that are looked up.
type fieldNames struct {
	tags     map[string]Field // PubMed's
	codes    map[string]Field // Ovid's and Embase's, joined by commas
	prefixes map[string]Field // what others write before a term
	// Europe PMC's fields that hold one of ours: exactly, and at least
	exact, wide map[Field][]string
}

// names reads the table when it is first asked for.
var names = sync.OnceValue(func() fieldNames {
	n := fieldNames{map[string]Field{}, map[string]Field{}, map[string]Field{}, map[Field][]string{}, map[Field][]string{}}
	for cells := range text.Rows(fieldTable) {
		field := Field(cells[0])
		for i, of := range []map[Field][]string{n.exact, n.wide} {
			if cells[2+i] != "-" {
				of[field] = strings.Split(cells[2+i], " ")
			}
		}

		for tag := range strings.SplitSeq(cells[1], ", ") {
			n.tags[tag] = field
		}

		for code := range strings.FieldsSeq(cells[4]) {
			n.codes[code] = field
		}

		for prefix := range strings.FieldsSeq(cells[5]) {
			n.prefixes[prefix] = field
		}
	}
	return n
})

//go:embed tags.txt
var foreignTagTable string

// foreignTags are tags that PubMed knows and that nothing else here can answer, each with what to write instead.
var foreignTags = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for tags, remedy := range text.Entries(foreignTagTable) {
		for tag := range strings.SplitSeq(tags, ", ") {
			out[tag] = remedy
		}
	}
	return out
})

// maxNear is PubMed's bound on the N of [tiab:~N].
const maxNear = 1000

// normalTag lower-cases a tag, and has one space between words and none around / and : .
func normalTag(raw string) string {
	tag := strings.ToLower(text.Line(raw))
	for _, sign := range []string{"/", ":"} {
		tag = strings.ReplaceAll(strings.ReplaceAll(tag, " "+sign, sign), sign+" ", sign)
	}
	return tag
}

// isTag reports whether raw would be a tag if it stood in brackets behind a term.
func isTag(raw string) bool {
	name, _, _ := strings.Cut(normalTag(raw), ":~")
	_, known := names().tags[name]
	_, foreign := foreignTags()[name]
	return known || foreign
}

// parseTag reads what stands between a tag's brackets; near is NoProximity where the tag has no :~N. An error's two
// strings are a SyntaxError's Msg and Remedy.
func parseTag(raw string) (field Field, near int, problem *complaint) {
	name, distance, proximity := strings.Cut(normalTag(raw), ":~")

	field, known := names().tags[name]
	if !known {
		return FieldAll, NoProximity, unknownTag(raw, name)
	}

	if !proximity {
		return field, NoProximity, nil
	}

	if !field.allowsProximity() {
		return field, NoProximity, &complaint{
			fmt.Sprintf("proximity does not work with [%s]", name), "PubMed allows it with [ti:~N], [tiab:~N] and [ad:~N] only"}
	}

	near, err := strconv.Atoi(distance)
	if err != nil || near < 0 || near > maxNear {
		return field, NoProximity, &complaint{
			fmt.Sprintf("%s is no distance in words", quoteForReader(distance)),
			fmt.Sprintf("write a whole number from 0 to %d, such as [tiab:~3]", maxNear)}
	}
	return field, near, nil
}

func unknownTag(raw, name string) *complaint {
	shown := quoteForReader("[" + strings.TrimSpace(raw) + "]")
	if remedy, foreign := foreignTags()[name]; foreign {
		return &complaint{shown + " is PubMed's own and cannot be asked of the other sources or of the store", remedy}
	}
	return &complaint{shown + " is no field tag that is known here",
		"use one of [tiab] [ti] [ab] [mh] [majr] [tw] [pt] [au] [la] [ta] [nm] [ot] [ad] [dp] [pmid] [doi]; put a phrase that holds brackets in quotes"}
}

// ofBody reports whether only full texts have a field.
func (f Field) ofBody() bool {
	return f == FieldBody || f == FieldMethods || f == FieldResults || f == FieldTable
}

// isDate reports whether a field holds dates.
func (f Field) isDate() bool {
	return f == FieldDatePub || f == FieldDateEntry || f == FieldDateCreated || f == FieldDateModified
}

// allowsProximity reports whether PubMed takes :~N behind a field's tag.
func (f Field) allowsProximity() bool {
	return f == FieldTitle || f == FieldTitleAbs || f == FieldAffiliation
}

// HoldsHeadings reports whether a field holds MeSH headings.
func (f Field) HoldsHeadings() bool {
	return f == FieldMeSH || f == FieldMeSHNoExp || f == FieldMeSHMajor || f == FieldMeSHMajorNoExp
}

// Explodes reports whether a term in the field asks for a heading with all that stands below it in MeSH's tree.
func (f Field) Explodes() bool { return f == FieldMeSH || f == FieldMeSHMajor }
