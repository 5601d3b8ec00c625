package published

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

const fromOncoKB = "take it, by OncoKB's licence, from https://www.oncokb.org/"

// OncoKB's tables: the download of "actionable genes", and the two outputs of its programs, with the past and present
// names of their columns.
var (
	associationTable = table{
		what: "OncoKB's biomarkers and drugs", from: fromOncoKB,
		columns: []column{
			{name: "level"},
			{name: "gene", others: []string{"hugo symbol"}},
			{name: "alterations"},
			{name: "cancer types"},
			{name: "drugs (for therapeutic implications only)", others: []string{"drugs"}, optional: true},
			{name: "fda level", optional: true},
			{name: "escat", optional: true},
		},
	}
	actionableTable = table{
		what: "OncoKB's actionable variants", from: fromOncoKB,
		columns: []column{
			{name: "level"},
			{name: "gene", others: []string{"hugo symbol"}},
			{name: "alteration"},
			{name: "protein change", optional: true},
			{name: "cancer type"},
			{name: "drugs(s)", others: []string{"drugs", "drug(s)"}},
			{name: "pmids for drug", optional: true},
			{name: "fda level", optional: true},
			{name: "escat", optional: true},
		},
	}
	annotatedTable = table{
		what: "OncoKB's annotated variants", from: fromOncoKB,
		columns: []column{
			{name: "gene", others: []string{"hugo symbol"}},
			{name: "alteration"},
			{name: "protein change", optional: true},
			{name: "oncogenicity"},
			{name: "mutation effect"},
			{name: "pmids for mutation effect", optional: true},
		},
	}
)

// levelRE matches OncoKB's levels; R is for resistance, Dx for a diagnosis, Px for a prognosis.
var levelRE = text.LazyRegexp(`(?i)^(?:level[_ ]?)?(1|2[ab]?|3[ab]|4|r[123]|dx[123]|px[123])$`)

func (f *curatedFile) association(cell func(string) string, line int) {
	f.level(cell, listed(cell("alterations"), ","), listed(cell("cancer types"), ","),
		cell("drugs (for therapeutic implications only)"), "", line)
}

func (f *curatedFile) actionable(cell func(string) string, line int) {
	f.level(cell, []string{cell("alteration")}, []string{text.Line(cell("cancer type"))}, cell("drugs(s)"),
		cell("pmids for drug"), line)
}

// level reads a level with its subject.
func (f *curatedFile) level(cell func(string) string, alterations, diseases []string, drugs, pmids string, line int) {
	f.Seen++
	gene, level := text.Line(cell("gene")), text.Line(cell("level"))
	e := &evidence.Interpretation{
		ID: digest(gene, strings.Join(alterations, ", "), strings.Join(diseases, ", "), drugs, level),
		On: evidence.OnTherapy, Type: "Therapeutic", Name: oncokbName(gene, alterations),
		Profiles: profiles(gene, alterations),
		Diseases: diseases, PMIDs: pmidsRE().FindAllString(pmids, -1),
	}

	match := levelRE().FindStringSubmatch(level)
	if match == nil {
		f.leave("its level is none of OncoKB's", e.ID, line, true)
		return
	}

	switch strings.ToLower(match[1][:1]) {
	case "r":
		e.Effect = evidence.EffectResistance
	case "d":
		e.On, e.Type = evidence.OnDiagnosis, "Diagnostic"
	case "p":
		e.On, e.Type = evidence.OnPrognosis, "Prognostic"
	default:
		e.Effect = evidence.EffectSensitivity
	}

	for _, regimen := range listed(drugs, ",") {
		e.Regimens = append(e.Regimens, listed(regimen, " + "))
	}

	if e.On == evidence.OnTherapy && len(e.Regimens) == 0 {
		f.leave("it has a level of a treatment and names none", e.ID, line, true)
		return
	}
	grade(e, "OncoKB", level)
	grade(e, "FDA level, by OncoKB", cell("fda level"))
	grade(e, scaleESCAT, cell("escat"))
	f.keep(e, line, false)
}

// annotated reads a variant's effect.
func (f *curatedFile) annotated(cell func(string) string, line int) {
	f.Seen++
	gene, alteration, value := text.Line(cell("gene")), text.Line(cell("alteration")), told(cell("oncogenicity"))

	e := &evidence.Interpretation{
		ID: digest(gene, alteration, "oncogenicity"), On: evidence.OnOncogenicity, Type: "Oncogenicity",
		Name: oncokbName(gene, []string{alteration}), Profiles: profiles(gene, []string{alteration}), Significance: value,
		Origin: "somatic", PMIDs: pmidsRE().FindAllString(cell("pmids for mutation effect"), -1),
	}
	if value == "" {
		f.leave("it says nothing of whether it drives a tumour", e.ID, line, false)
		return
	}
	note(e, "mutation effect", cell("mutation effect"))
	f.keep(e, line, true)
}

// otherBiomarkers is OncoKB's gene for a marker without one.
const otherBiomarkers = "Other Biomarkers"

func oncokbName(gene string, alterations []string) string {
	return text.Line(gene + " " + strings.Join(alterations, ", "))
}

// profiles adds the gene to each alteration, unless the alteration names it: "EML4-ALK Fusion".
func profiles(gene string, alterations []string) (out []string) {
	for _, alteration := range alterations {
		switch {
		case gene == otherBiomarkers, strings.Contains(alteration, gene):
			out = append(out, text.Line(alteration))
		default:
			out = append(out, text.Line(gene+" "+alteration))
		}
	}
	return out
}
