package boolean

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"dossier/internal/text"
)

// fieldTags gives each field its tags in normal form (see normalTag), as PubMed's "Search field tags" lists them.
var fieldTags = map[Field][]string{
	FieldAll:            {"all", "all fields"},
	FieldTitleAbs:       {"tiab", "title/abstract"},
	FieldTitle:          {"ti", "title"},
	FieldAbstract:       {"ab", "abstract"},
	FieldMeSH:           {"mh", "mesh", "mesh terms", "mesh term", "mesh:exp", "mesh terms:exp"},
	FieldMeSHNoExp:      {"mh:noexp", "mesh:noexp", "mesh terms:noexp", "mesh term:noexp"},
	FieldMeSHMajor:      {"majr", "mesh major topic", "mesh major topics"},
	FieldMeSHMajorNoExp: {"majr:noexp", "mesh major topic:noexp"},
	FieldSubheading:     {"sh", "mesh subheading", "mesh subheadings", "subheading", "sh:noexp"},
	FieldTextWord:       {"tw", "text word", "text words"},
	FieldType:           {"pt", "publication type", "ptyp"},
	FieldAuthor:         {"au", "author", "auth", "fau", "full author name"},
	FieldFirstAuthor:    {"1au", "author - first", "first author", "first author name"},
	FieldLastAuthor:     {"lastau", "author - last", "last author", "last author name"},
	FieldLanguage:       {"la", "language", "lang"},
	FieldSubstance:      {"nm", "supplementary concept", "substance name"},
	FieldJournal:        {"ta", "jour", "journal"},
	FieldKeyword:        {"ot", "other term", "other terms"},
	FieldPMID:           {"pmid", "uid"},
	FieldDOI:            {"doi", "aid", "article identifier", "lid", "location id"},
	FieldAffiliation:    {"ad", "affiliation"},
	FieldDatePub:        {"dp", "pdat", "date - publication", "publication date"},
	FieldDateEntry:      {"edat", "date - entry", "date - entrez", "entry date", "entrez date"},
	FieldDateCreated:    {"crdt", "date - create", "date - created", "create date"},
	FieldDateModified:   {"mdat", "lr", "date - modification", "date - last revised", "modification date"},
}

// foreignTags are tags that PubMed knows and that nothing else here can answer, each with what to write instead.
var foreignTags = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range tagRemedies {
		for tag := range strings.SplitSeq(row.tags, ", ") {
			out[tag] = row.remedy
		}
	}
	return out
})

var tagRemedies = []struct{ tags, remedy string }{
	{
		"sb, subset",
		"leave the subset out, or name it by a publication type or a MeSH heading, such as \"Systematic Review\"[pt]",
	},
	{"filter", "write the filter as terms, such as \"Humans\"[mh], \"English\"[la], \"Review\"[pt] or 2016:2026[dp]"},
	{"text", "leave it out; text words have the tag [tw]"},
	{"pmcid", "look for the paper by [pmid] or [doi]"},
	{"book", "write the book's words with [ti]"},
	{"ed", "write the name with [au]"},
	{"rn, ec/rn number", "write the substance's name with [nm]"},
	{"pa, pharmacological action", "write the drugs' names with [tiab], joined by OR"},
	{"cn, corporate author", "write the group's name with [au]"},
	{"auid", "write the author's name with [au]"},
	{"is, issn", "write the journal's name or ISSN with [ta]"},
	{"si, secondary source id", "write the registry number with [tiab], such as NCT01234567[tiab]"},
	{"tt, transliterated title", "write the title's words with [ti]"},
	{"mhda, dcom, date - mesh, epdat, ppdat, date - completion", "use the date of publication, [dp]"},
	{"cois, gr, grants and funding, pl, place of publication, ir", "leave it out"},
	{"vi, ip, pg", "leave it out, or look for the paper by [pmid] or [doi]"},
	{"ps, personal name as subject", "write the name with [tiab]"},
}

// knownTags is fieldTags turned round.
var knownTags = sync.OnceValue(func() map[string]Field {
	out := map[string]Field{}
	for field, tags := range fieldTags {
		for _, tag := range tags {
			out[tag] = field
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

// isTag says whether raw would be a tag if it stood in brackets behind a term.
func isTag(raw string) bool {
	name, _, _ := strings.Cut(normalTag(raw), ":~")
	_, known := knownTags()[name]
	_, foreign := foreignTags()[name]
	return known || foreign
}

// parseTag reads what stands between a tag's brackets; near is NoProximity where the tag has no :~N. An error's two
// strings are a SyntaxError's Msg and Remedy.
func parseTag(raw string) (field Field, near int, problem *complaint) {
	name, distance, proximity := strings.Cut(normalTag(raw), ":~")
	field, known := knownTags()[name]
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

// isDate says whether a field holds dates.
func (f Field) isDate() bool {
	return f == FieldDatePub || f == FieldDateEntry || f == FieldDateCreated || f == FieldDateModified
}

// allowsProximity says whether PubMed takes :~N behind a field's tag.
func (f Field) allowsProximity() bool {
	return f == FieldTitle || f == FieldTitleAbs || f == FieldAffiliation
}

// HoldsHeadings says whether a field holds MeSH headings.
func (f Field) HoldsHeadings() bool {
	return f == FieldMeSH || f == FieldMeSHNoExp || f == FieldMeSHMajor || f == FieldMeSHMajorNoExp
}

// Explodes says whether a term in the field asks for a heading with all that stands below it in MeSH's tree.
func (f Field) Explodes() bool { return f == FieldMeSH || f == FieldMeSHMajor }
