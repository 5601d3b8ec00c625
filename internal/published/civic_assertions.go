package published

import (
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// assertionTable are CIViC's assertions (AssertionSummaries.tsv). The file has only accepted ones and no column for
// that; if a file has such a column, it counts.
var assertionTable = table{
	what: "CIViC's assertion summaries", from: "take AssertionSummaries.tsv from https://civicdb.org/releases",
	columns: []column{
		{name: "molecular_profile", others: []string{"gene"}},
		{name: "variant", optional: true},
		{name: "disease"},
		{name: "therapies", others: []string{"drugs"}},
		{name: "therapy_interaction_type", others: []string{"drug_interaction_type"}, optional: true},
		{name: "assertion_type"},
		{name: "assertion_direction"},
		{name: "significance", others: []string{"clinical_significance"}},
		{name: "acmg_codes", optional: true},
		{name: "amp_category"},
		{name: "clingen_codes", optional: true},
		{name: "escat", optional: true},
		{name: "nccn_guideline", optional: true},
		{name: "nccn_guideline_version", optional: true},
		{name: "regulatory_approval", optional: true},
		{name: "fda_companion_test", optional: true},
		{name: "assertion_summary"},
		{name: "assertion_description", optional: true},
		{name: "assertion_id"},
		{name: "evidence_item_ids", optional: true},
		{name: "variant_origin", optional: true},
		{name: "assertion_status", others: []string{"status"}, optional: true},
		{name: "last_review_date", optional: true},
		{name: "assertion_civic_url", optional: true},
		{name: "is_flagged", optional: true},
	},
}

var (
	assertionID = text.LazyRegexp(`^(?:AID)?([1-9][0-9]{0,8})$`)
	itemID      = text.LazyRegexp(`^(?:EID)?([1-9][0-9]{0,8})$`)
)

// onOf maps CIViC's types to what they are on.
var onOf = map[string]string{
	"predictive": evidence.OnTherapy, "diagnostic": evidence.OnDiagnosis, "prognostic": evidence.OnPrognosis,
	"predisposing": evidence.OnPathogenicity, "oncogenic": evidence.OnOncogenicity, "functional": evidence.OnFunction,
}

// effectOf maps CIViC's significances of a treatment to response or resistance.
var effectOf = map[string]string{
	"sensitivity/response": evidence.EffectSensitivity, "resistance": evidence.EffectResistance,
	"reduced sensitivity": evidence.EffectResistance,
}

func (f *curatedFile) assertion(cell func(string) string, line int) {
	f.Seen++

	e := &evidence.Interpretation{}
	if match := assertionID().FindStringSubmatch(cell("assertion_id")); match != nil {
		e.ID = "AID" + match[1]
	}
	e.Type, e.Review = told(cell("assertion_type")), strings.ToLower(cell("assertion_status"))

	e.On = onOf[strings.ToLower(e.Type)]
	switch {
	case e.ID == "":
		f.leave("it has no assertion id", "", line, true)
		return
	case e.Review == "rejected":
		f.leave("CIViC's editors have rejected it", e.ID, line, false)
		return
	case e.On == "":
		f.leave("its type is none of CIViC's", e.ID, line, true)
		return
	}
	e.Name = text.Line(cell("molecular_profile") + " " + cell("variant"))

	e.Profiles = alternatives(e.Name)
	if disease := told(text.Line(cell("disease"))); disease != "" {
		e.Diseases = []string{disease}
	}
	e.Direction, e.Significance = told(cell("assertion_direction")), told(cell("significance"))
	e.Effect = effectOf[strings.ToLower(e.Significance)]
	civicRegimens(e, listed(cell("therapies"), ","), cell("therapy_interaction_type"))
	grade(e, "AMP/ASCO/CAP", cell("amp_category"))
	grade(e, scaleESCAT, cell("escat"))
	e.Origin = originOf(e.On, cell("variant_origin"))
	f.assertionBeside(e, cell)
	f.keep(e, line, false)
}

// assertionBeside reads an assertion's further cells: words, evidence, guidelines, approvals.
func (f *curatedFile) assertionBeside(e *evidence.Interpretation, cell func(string) string) {
	e.Words = text.Line(cell("assertion_summary"))
	if e.Words == "" {
		e.Words = text.AtWord(text.Line(cell("assertion_description")), maxCell)
	}
	note(e, "ACMG codes", cell("acmg_codes"))
	note(e, "ClinGen/CGC/VICC codes", cell("clingen_codes"))
	note(e, "NCCN guideline", strings.TrimSpace(told(cell("nccn_guideline"))+" "+told(cell("nccn_guideline_version"))))
	note(e, "FDA approval, by CIViC", cell("regulatory_approval"))
	note(e, "FDA companion test, by CIViC", cell("fda_companion_test"))

	if flagged := cell("is_flagged"); strings.EqualFold(flagged, "true") || strings.EqualFold(flagged, "t") {
		e.Notes = append(e.Notes, "flagged")
	}

	for _, item := range listed(cell("evidence_item_ids"), ",") {
		if match := itemID().FindStringSubmatch(item); match != nil {
			e.Items = append(e.Items, "EID"+match[1])
		}
	}

	day, _, _ := strings.Cut(cell("last_review_date"), " ")
	if reviewed, err := time.Parse(time.DateOnly, day); err == nil {
		e.Reviewed = evidence.DateOf(reviewed)
	}
	e.URL = linkTo(cell("assertion_civic_url"))
}

// alternatives splits a profile of several alternatives: "BRAF V600E OR BRAF V600K".
func alternatives(profile string) []string {
	if !strings.Contains(profile, " OR ") || strings.ContainsAny(profile, "()") || strings.Contains(profile, " AND ") {
		return []string{profile}
	}
	return strings.Split(profile, " OR ")
}

// civicRegimens reads how therapies combine.
func civicRegimens(e *evidence.Interpretation, therapies []string, interaction string) {
	switch {
	case len(therapies) == 0:
	case strings.EqualFold(interaction, "Substitutes"):
		for _, therapy := range therapies {
			e.Regimens = append(e.Regimens, []string{therapy})
		}
	default:
		e.Regimens = [][]string{therapies}
		e.Unclear = len(therapies) > 1 && !strings.EqualFold(interaction, "Combination")
	}
}

// originOf reads a variant's origin; a predisposing variant is germline, a driver of a tumour is not.
func originOf(on, origin string) string {
	origin = strings.ToLower(origin)
	switch {
	case strings.Contains(origin, "germline") && strings.Contains(origin, "somatic"):
		return ""
	case strings.Contains(origin, "germline"), on == evidence.OnPathogenicity:
		return "germline"
	case strings.Contains(origin, "somatic"), on == evidence.OnOncogenicity:
		return "somatic"
	}
	return ""
}
