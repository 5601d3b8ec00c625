package published

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

var now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

// collection reads alterations as "GENE CHANGE"; CREAM is no gene, and "?" can't be read.
func collection() *Curated {
	return &Curated{
		KeysIn: func(profile string) (names, changes []string) {
			gene, change, _ := strings.Cut(profile, " ")
			if change == "?" || gene == "" {
				return nil, nil
			}
			return []string{gene}, []string{profile}
		},
		IsGene: func(symbol string) bool { return symbol != "CREAM" },
	}
}

func read(t testing.TB, c *Curated, name, content string) {
	t.Helper()
	if err := c.Read(strings.NewReader(content), name, "2026-11-01", now); err != nil {
		t.Fatal(err)
	}
}

// lines writes a table: cells stand apart by "|".
func lines(rows ...string) string {
	return strings.ReplaceAll(strings.Join(rows, "\n"), "|", "\t") + "\n"
}

const (
	assertionHeader = "molecular_profile|disease|therapies|assertion_type|assertion_direction|significance|acmg_codes|" +
		"amp_category|nccn_guideline|nccn_guideline_version|regulatory_approval|fda_companion_test|assertion_summary|" +
		"assertion_id|evidence_item_ids|last_review_date|assertion_civic_url|is_flagged"
	clinvarHeader = "#AlleleID|Name|GeneSymbol|ClinicalSignificance|LastEvaluated|PhenotypeList|Assembly|ReviewStatus|" +
		"VariationID|SomaticClinicalImpact|SomaticClinicalImpactLastEvaluated|ReviewStatusClinicalImpact|Oncogenicity|" +
		"OncogenicityLastEvaluated|ReviewStatusOncogenicity"
	associationHeader = "Level|Gene|Alterations|Cancer Types|Drugs (for therapeutic implications only)"
	actionableHeader  = "Isoform|RefSeq|Entrez Gene ID|Hugo Symbol|Alteration|Protein Change|Cancer Type|Level|" +
		"Drugs(s)|PMIDs for drug|Abstracts for drug"
	annotatedHeader = "Gene|Alteration|Protein Change|Oncogenicity|Mutation Effect|PMIDs for Mutation Effect"
)

func ofFile(e evidence.Interpretation, source string) evidence.Interpretation {
	e.Source, e.File, e.FileDate = source, "a.tsv", "2026-11-01"
	return e
}

// TestEveryForm: what is read of a row of each form, word for word.
func TestEveryForm(t *testing.T) {
	for _, tc := range []struct {
		name, table, source string
		want                []evidence.Interpretation
	}{
		{"CIViC's assertion", lines(assertionHeader, "KRAS G12C|Lung Non-small Cell Carcinoma|Sotorasib,Inventinib|"+
			"Predictive|Supports|Sensitivity/Response|NA|Tier I - Level A|Invented Guideline|2.2026|true|false|An invented summary.|"+
			"99000001|99000002,EID99000003|2026-01-09 10:00:00 UTC|https://civicdb.org/links/assertions/99000001|false"),
			evidence.CuratedCIViC, []evidence.Interpretation{{
				ID: "AID99000001", On: evidence.OnTherapy, Type: "Predictive", Name: "KRAS G12C", Profiles: []string{"KRAS G12C"},
				Keys: []string{"KRAS"}, Diseases: []string{"Lung Non-small Cell Carcinoma"},
				Regimens: [][]string{{"Sotorasib", "Inventinib"}}, Unclear: true, Direction: "Supports",
				Significance: "Sensitivity/Response", Effect: evidence.EffectSensitivity,
				Grades: []evidence.Grade{{Scale: "AMP/ASCO/CAP", Value: "Tier I - Level A"}}, Reviewed: "2026-01-09",
				Words: "An invented summary.", Items: []string{"EID99000002", "EID99000003"},
				Notes: []string{"NCCN guideline: Invented Guideline 2.2026", "FDA approval, by CIViC: true"},
				URL:   "https://civicdb.org/links/assertions/99000001",
			}}},
		{"ClinVar's three classifications", lines(clinvarHeader, "1|NM_9999999.9(KRAS):c.34G>T (p.Gly12Cys)|KRAS|"+
			"Pathogenic/Likely pathogenic|Dec 17, 2024|Noonan syndrome 3|Melanoma;not provided|GRCh38|criteria provided, "+
			"multiple submitters, no conflicts|99000012|Tier I - Strong|Jan 02, 2025|criteria provided, single submitter|Oncogenic|"+
			"Feb 03, 2025|reviewed by expert panel"),
			evidence.CuratedClinVar, nil},
		{"OncoKB's association", lines(associationHeader, "R1|KRAS|G12C, Oncogenic Mutations (excluding G12D, G13D)|"+
			"Colorectal Cancer, All Solid Tumors|Cetuximab, Sotorasib + Panitumumab"),
			evidence.CuratedOncoKB, []evidence.Interpretation{{
				ID: "x", On: evidence.OnTherapy, Type: "Therapeutic",
				Name:     "KRAS G12C, Oncogenic Mutations (excluding G12D, G13D)",
				Profiles: []string{"KRAS G12C", "KRAS Oncogenic Mutations (excluding G12D, G13D)"}, Keys: []string{"KRAS"},
				Diseases: []string{"Colorectal Cancer", "All Solid Tumors"},
				Regimens: [][]string{{"Cetuximab"}, {"Sotorasib", "Panitumumab"}}, Effect: evidence.EffectResistance,
				Grades: []evidence.Grade{{Scale: "OncoKB", Value: "R1"}},
			}}},
		{"a column that a curator added", lines(associationHeader+"|ESCAT",
			"1|Other Biomarkers|MSI-H|Colorectal Cancer|Pembrolizumab|I-A"), evidence.CuratedOncoKB, []evidence.Interpretation{{
			ID: "x", On: evidence.OnTherapy, Type: "Therapeutic", Name: "Other Biomarkers MSI-H", Profiles: []string{"MSI-H"},
			Keys: []string{"MSI-H"}, Diseases: []string{"Colorectal Cancer"}, Regimens: [][]string{{"Pembrolizumab"}},
			Effect: evidence.EffectSensitivity,
			Grades: []evidence.Grade{{Scale: "OncoKB", Value: "1"}, {Scale: "ESCAT", Value: "I-A"}},
		}}},
		{"OncoKB's actionable variant", lines(actionableHeader, "ENST|NM|3845|ALK|EML4-ALK Fusion|EML4-ALK Fusion|"+
			"Non-Small Cell Lung Cancer|LEVEL_1|Alectinib|99000001, 99000002|"), evidence.CuratedOncoKB,
			[]evidence.Interpretation{{
				ID: "x", On: evidence.OnTherapy, Type: "Therapeutic", Name: "ALK EML4-ALK Fusion",
				Profiles: []string{"EML4-ALK Fusion"}, Keys: []string{"EML4-ALK"}, Diseases: []string{"Non-Small Cell Lung Cancer"},
				Regimens: [][]string{{"Alectinib"}}, Effect: evidence.EffectSensitivity,
				Grades: []evidence.Grade{{Scale: "OncoKB", Value: "LEVEL_1"}}, PMIDs: []string{"99000001", "99000002"},
			}}},
		{"OncoKB's annotated variant", lines(annotatedHeader, "KRAS|G12C|G12C|Likely Oncogenic|Gain-of-function|99000001"),
			evidence.CuratedOncoKB, []evidence.Interpretation{{
				ID: "x", On: evidence.OnOncogenicity, Type: "Oncogenicity", Name: "KRAS G12C", Profiles: []string{"KRAS G12C"},
				Keys: []string{"KRAS G12C"}, Significance: "Likely Oncogenic", Origin: "somatic",
				Notes: []string{"mutation effect: Gain-of-function"}, PMIDs: []string{"99000001"},
			}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := collection()
			if tc.want == nil {
				tc.want = threeOfClinVar()
				tc.table = strings.Replace(tc.table, "Noonan syndrome 3\tMelanoma", "Noonan syndrome 3|Melanoma", 1)
			}
			read(t, c, "a.tsv", tc.table)
			files, got := c.All()
			for i := range got {
				if len(got[i].ID) == 12 && i < len(tc.want) {
					tc.want[i].ID = got[i].ID // a digest
				}
			}
			want := text.Each(tc.want, func(e evidence.Interpretation) evidence.Interpretation { return ofFile(e, tc.source) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(files) != 1 || files[0].Source != tc.source || files[0].Seen != len(want) || files[0].Kept != len(want) {
				t.Errorf("files %+v, left out %+v", files, c.LeftOut())
			}
		})
	}
}

func threeOfClinVar() []evidence.Interpretation {
	common := evidence.Interpretation{
		Name:     "NM_9999999.9(KRAS):c.34G>T (p.Gly12Cys)",
		Profiles: []string{"KRAS p.Gly12Cys", "KRAS c.34G>T"}, Keys: []string{"KRAS c.34G>T", "KRAS p.Gly12Cys"},
		Diseases: []string{"Noonan syndrome 3", "Melanoma"}, OneOf: true, Origin: "somatic",
		URL: "https://www.ncbi.nlm.nih.gov/clinvar/variation/99000012/",
	}
	germline, oncogenic, impact := common, common, common
	germline.ID, germline.On, germline.Type, germline.Origin = "99000012/germline", evidence.OnPathogenicity,
		"Germline classification", "germline"
	germline.Significance, germline.Review, germline.Reviewed = "Pathogenic/Likely pathogenic",
		"criteria provided, multiple submitters, no conflicts", "2024-12-17"
	oncogenic.ID, oncogenic.On, oncogenic.Type = "99000012/oncogenicity", evidence.OnOncogenicity, "Oncogenicity"
	oncogenic.Significance, oncogenic.Review, oncogenic.Reviewed = "Oncogenic", "reviewed by expert panel", "2025-02-03"
	impact.ID, impact.On, impact.Type = "99000012/impact", evidence.OnImpact, "Somatic clinical impact"
	impact.Grades = []evidence.Grade{{Scale: "AMP/ASCO/CAP", Value: "Tier I - Strong"}}
	impact.Review, impact.Reviewed = "criteria provided, single submitter", "2025-01-02"
	return []evidence.Interpretation{germline, oncogenic, impact}
}

// TestWhatIsLeftOutIsCounted: by reason, with the first of it; what was seen is what was kept and what was left out.
func TestWhatIsLeftOutIsCounted(t *testing.T) {
	variant := func(gene, significance, assembly, review, id string) string {
		return strings.Join([]string{"1", "NM_9.9(" + gene + "):c.1A>T (p.Met1Leu)", gene, significance, "-", "Melanoma",
			assembly, review, id, "-", "-", "-", "-", "-", "-"}, "|")
	}
	const stars = "criteria provided, single submitter"
	for _, tc := range []struct {
		reason, first, table string
		fault                bool
	}{
		{"CIViC's editors have rejected it", "AID2 in line 2", lines(assertionHeader+"|status",
			"KRAS G12C|Melanoma||Prognostic|Supports|Poor Outcome||||||||2|||||rejected"), false},
		{"it has no assertion id", "line 2", lines(assertionHeader,
			"KRAS G12C|Melanoma||Prognostic|Supports|Poor Outcome||||||||x||||"), true},
		{"its type is none of CIViC's", "AID2 in line 2", lines(assertionHeader,
			"KRAS G12C|Melanoma||Cheerful|Supports|Poor Outcome||||||||2||||"), true},
		{"its alteration can't be read", "AID2 in line 2", lines(assertionHeader,
			"KRAS ?|Melanoma||Prognostic|Supports|Poor Outcome||||||||2||||"), false},
		{"it has not as many cells as the header", "line 2", lines(assertionHeader, "KRAS G12C|Melanoma"), true},
		{"the row of GRCh38 is read, not that of another assembly", "7 in line 2", lines(clinvarHeader,
			variant("KRAS", "Pathogenic", "GRCh37", stars, "7")), false},
		{"its gene is none that questions are on", "7 in line 2", lines(clinvarHeader,
			variant("CREAM", "Pathogenic", "GRCh38", stars, "7")), false},
		{"it is on several genes", "7 in line 2", lines(clinvarHeader,
			variant("KRAS;NRAS", "Pathogenic", "GRCh38", stars, "7")), false},
		{"its germline classification is not (likely) pathogenic", "7 in line 2", lines(clinvarHeader,
			variant("KRAS", "Benign", "GRCh38", stars, "7")), false},
		{"its review status says that nobody gave criteria", "7 in line 2", lines(clinvarHeader,
			variant("KRAS", "Pathogenic", "GRCh38", "no assertion criteria provided", "7")), false},
		{"nobody has classified it", "7 in line 2", lines(clinvarHeader,
			variant("KRAS", "not provided", "GRCh38", stars, "7")), false},
		{"it has no variation id", "x in line 2", lines(clinvarHeader,
			variant("KRAS", "Pathogenic", "GRCh38", stars, "x")), true},
		{"its level is none of OncoKB's", "", lines(associationHeader, "Seven|KRAS|G12C|Melanoma|Sotorasib"), true},
		{"it has a level of a treatment and names none", "", lines(associationHeader, "1|KRAS|G12C|Melanoma|"), true},
		{"it says nothing of whether it drives a tumour", "", lines(annotatedHeader, "KRAS|G12C|G12C||Unknown|"), false},
		{"a text of its has more than 16384 bytes, or a list more than 500 members", "", lines(associationHeader,
			"1|KRAS|G12C|"+strings.Repeat("Melanoma, ", 501)+"|Sotorasib"), true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			c := collection()
			read(t, c, "a.tsv", tc.table)
			files, entries := c.All()
			left := c.LeftOut()
			if len(left) != 1 || left[0].Reason != tc.reason || left[0].Fault != tc.fault ||
				tc.first != "" && left[0].First != tc.first || len(entries) != 0 || files[0].Seen != 1 || files[0].Kept != 0 {
				t.Errorf("left out %+v, files %+v, kept %+v", left, files, entries)
			}
		})
	}
}

// TestTwoFilesOfOneSource: the same entry in both counts once, and a second file of statements on papers is refused.
func TestTwoFilesOfOneSource(t *testing.T) {
	c := collection()
	table := lines(associationHeader, "1|KRAS|G12C|Melanoma|Sotorasib")
	read(t, c, "a.tsv", table)
	read(t, c, "b.tsv", table)
	if files, entries := c.All(); len(entries) != 1 || files[1].Seen != 1 || files[1].Kept != 0 || len(c.LeftOut()) != 1 {
		t.Errorf("%+v, %+v, %+v", files, entries, c.LeftOut())
	}
	read(t, c, "evidence.tsv", asFile(newColumns, curatedRow()))
	err := c.Read(strings.NewReader(asFile(newColumns, curatedRow())), "more.tsv", "2026-11-01", now)
	if err == nil || err.Error() != "evidence.tsv are these, too; import the newer one alone" {
		t.Errorf("error %v", err)
	}
}

// FuzzCurated: no file makes the reader panic, every row is counted, and each entry can be found again.
func FuzzCurated(f *testing.F) {
	f.Add([]byte(lines(assertionHeader, "KRAS G12C|Melanoma|A,B|Predictive|Supports|Resistance||Tier I|||||s|1||||")))
	f.Add([]byte(lines(clinvarHeader, "1|N(KRAS):c.1A>T (p.Met1Leu)|KRAS|Pathogenic|-|a;b|GRCh38|practice guideline|7|-|-|-"+
		"|Oncogenic|-|reviewed by expert panel")))
	f.Add([]byte(lines(associationHeader, "R2|KRAS|(((, ), G12C|a, b (c, d)|x + y, + ,")))
	f.Add([]byte(lines(annotatedHeader, "KRAS|G12C||Oncogenic||1234567")))
	f.Fuzz(func(t *testing.T, content []byte) {
		c := collection()
		if c.Read(bytes.NewReader(content), "a.tsv", "2026-11-01", now) != nil || c.Evidence != nil {
			return
		}
		files, entries := c.All()
		left := 0
		for _, l := range c.LeftOut() {
			left += l.Rows
		}
		if files[0].Seen != len(entries)+left || files[0].Kept != len(entries) {
			t.Errorf("%+v, %d entries and %d left out", files[0], len(entries), left)
		}
		for _, e := range entries {
			if e.ID == "" || len(e.Keys) == 0 || e.On == "" || e.Source != files[0].Source || len(e.Words) > maxStatement {
				t.Errorf("%+v", e)
			}
		}
	})
}
