package published

import (
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// clinvarTable is ClinVar's variant summary (variant_summary.txt.gz): a row for each variant and assembly, with up to
// three classifications. The two on tumours exist since 2024.
var clinvarTable = table{
	what: "ClinVar's variant summary",
	from: "take variant_summary.txt.gz from https://ftp.ncbi.nlm.nih.gov/pub/clinvar/tab_delimited/",
	columns: []column{
		{name: "alleleid"},
		{name: "name"},
		{name: "genesymbol"},
		{name: "clinicalsignificance"},
		{name: "lastevaluated", optional: true},
		{name: "phenotypelist"},
		{name: "assembly"},
		{name: "reviewstatus"},
		{name: "variationid"},
		{name: "somaticclinicalimpact", optional: true},
		{name: "somaticclinicalimpactlastevaluated", optional: true},
		{name: "reviewstatusclinicalimpact", others: []string{"reviewstatussomatic"}, optional: true},
		{name: "oncogenicity", optional: true},
		{name: "oncogenicitylastevaluated", optional: true},
		{name: "reviewstatusoncogenicity", optional: true},
		{name: "escat", optional: true},
	},
}

// classification is one of the three in a row.
type classification struct{ kind, on, what, value, review, evaluated string }

// variant reads a row. Rows that no question can match, or that no one vouches for, are counted and left out before the
// change is read: the file has millions of rows.
func (f *curatedFile) variant(cell func(string) string, line int) {
	id := cell("variationid")

	var given []classification
	for _, c := range []classification{
		{"germline", evidence.OnPathogenicity, "Germline classification", "clinicalsignificance", "reviewstatus",
			"lastevaluated"},
		{"oncogenicity", evidence.OnOncogenicity, "Oncogenicity", "oncogenicity", "reviewstatusoncogenicity",
			"oncogenicitylastevaluated"},
		{"impact", evidence.OnImpact, "Somatic clinical impact", "somaticclinicalimpact", "reviewstatusclinicalimpact",
			"somaticclinicalimpactlastevaluated"},
	} {
		if c.value = cell(c.value); isSaid(c.value) {
			c.review, c.evaluated = cell(c.review), cell(c.evaluated)
			given = append(given, c)
		}
	}

	f.Seen += max(1, len(given))
	switch why := f.noVariant(cell, id); {
	case why != "":
		for range max(1, len(given)) {
			f.leave(why, id, line, strings.HasPrefix(why, "it has no"))
		}
		return
	case len(given) == 0:
		f.leave("nobody has classified it", id, line, false)
		return
	}

	for _, c := range given {
		switch {
		case c.kind == "germline" && !isPathogenic(c.value):
			f.leave("its germline classification is not (likely) pathogenic", id, line, false)
		case !isReviewed(c.review):
			f.leave("its review status says that nobody gave criteria", id, line, false)
		default:
			f.classified(cell, id, &c, line)
		}
	}
}

// noVariant explains why no question can match a row; empty if one may.
func (f *curatedFile) noVariant(cell func(string) string, id string) string {
	switch assembly := cell("assembly"); {
	case !numberRE().MatchString(id):
		return "it has no variation id"
	case assembly != "GRCh38" && assembly != "na":
		return "the row of GRCh38 is read, not that of another assembly"
	case strings.ContainsAny(cell("genesymbol"), ";,"):
		return "it is on several genes"
	case !f.IsGene(cell("genesymbol")):
		return "its gene is none that questions are on"
	}
	return ""
}

var (
	numberRE = text.LazyRegexp(`^[1-9][0-9]{0,9}$`)
	// the notations in a variant's name: NM_004985.5(KRAS):c.34G>T (p.Gly12Cys)
	codingRE  = text.LazyRegexp(`:(c\.[^ ()]+)`)
	proteinRE = text.LazyRegexp(`\((p\.[^()]+)\)`)
)

func (f *curatedFile) classified(cell func(string) string, id string, c *classification, line int) {
	gene, name := cell("genesymbol"), text.Line(cell("name"))

	e := &evidence.Interpretation{
		ID: id + "/" + c.kind, On: c.on, Type: c.what, Name: name, Significance: c.value, Review: c.review,
		Origin: "somatic", URL: "https://www.ncbi.nlm.nih.gov/clinvar/variation/" + id + "/",
	}
	switch c.kind {
	case "germline":
		e.Origin = "germline"
	case "impact":
		e.Significance = ""
		grade(e, "AMP/ASCO/CAP", c.value)
		grade(e, scaleESCAT, cell("escat"))
	}

	for _, re := range []string{first(proteinRE().FindStringSubmatch(name)), first(codingRE().FindStringSubmatch(name))} {
		if re != "" {
			e.Profiles = append(e.Profiles, gene+" "+re)
		}
	}

	for _, disease := range strings.FieldsFunc(cell("phenotypelist"), func(r rune) bool { return r == '|' || r == ';' }) {
		disease = text.Line(disease)
		if isSaid(disease) && !slices.Contains(e.Diseases, disease) && disease != "not specified" &&
			disease != "See cases" {
			e.Diseases = append(e.Diseases, disease)
		}
	}

	e.OneOf = len(e.Diseases) > 1 // one list for all classifications of the variant
	for _, form := range []string{"Jan 02, 2006", "Jan 2, 2006", time.DateOnly} {
		if day, err := time.Parse(form, c.evaluated); err == nil {
			e.Reviewed = evidence.DateOf(day)
		}
	}
	f.keep(e, line, true)
}

func first(match []string) string {
	if match == nil {
		return ""
	}
	return match[1]
}

// isSaid reports whether a cell has a value.
func isSaid(value string) bool {
	return value != "" && value != "-" && value != "na" && !strings.EqualFold(value, "not provided")
}

func isPathogenic(value string) bool {
	value = strings.ToLower(value)
	return strings.HasPrefix(value, "pathogenic") || strings.HasPrefix(value, "likely pathogenic")
}

// isReviewed reports whether someone vouches for a classification, with criteria: one star or more.
func isReviewed(status string) bool {
	status = strings.ToLower(status)
	return strings.HasPrefix(status, "criteria provided") || strings.HasPrefix(status, "reviewed by expert panel") ||
		strings.HasPrefix(status, "practice guideline")
}
