package identity

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// TestTitleRule joins two records without a common identifier.
// wording is an abstract long enough to be a paper's own.
var wording = strings.Repeat("Invented cells of nine lines were held under the drug until they grew again. ", 4)

func saying(abstract string) func(*evidence.Record) {
	return func(r *evidence.Record) { r.Abstract = []evidence.Section{{Text: abstract}} }
}

func TestTitleRule(t *testing.T) {
	const title = "Adaptive resistance to KRAS G12C inhibition in colorectal cancer"
	const long = title + ": a multicentre prospective cohort study of patients treated in routine practice"
	const misprinted = "Adaptive resistence to KRAS G12C inhibition in colorectal cancer"
	discov := in("Cancer Discovery", "10", "8", "1129-1139")
	type change = func(*evidence.Record)
	for _, c := range []struct {
		name string
		a, b []change
		one  bool
	}{
		{"title, year and first author agree, and nothing else is known", nil, nil, true},
		{"a year apart", nil, []change{dated("2021-01")}, true},
		{"two years apart", nil, []change{dated("2022")}, false},
		{"no year on one side", nil, []change{dated("")}, false},
		{"another first author", nil, []change{by("Ryan, M", "Misale, S")}, false},
		{"no author on one side", nil, []change{by()}, false},
		{"no author, but all of the place and the year agree", []change{discov}, []change{discov, by()}, true},
		{"no year, but all of the place and the author agree", []change{discov}, []change{discov, dated("")}, true},
		{"neither author nor year, but all of the place", []change{discov}, []change{discov, by(), dated("")}, true},
		{"neither author nor year, and no pages", []change{discov}, []change{in("Cancer Discovery", "10", "", ""), by(),
			dated("")}, false},
		{"a misprinted year, on the same page", []change{discov}, []change{in("Cancer Discov", "10", "", "1129"),
			dated("2002")}, true},
		{"the same, with other people", []change{discov}, []change{in("Cancer Discov", "10", "", "1129"), dated("2002"),
			by("Ryan, M")}, false},
		{"the same page of a volume called by its year", []change{in("Cancer Discov", "2020", "", "1129")},
			[]change{in("Cancer Discov", "2002", "", "1129"), dated("2002")}, false},
		{"a review and its update a year later", []change{in("Cochrane Database Syst Rev", "", "4", "CD001234")},
			[]change{in("Cochrane Database of Systematic Reviews", "", "1", "CD001234"), dated("2021")}, false},
		{"the same, without the issue", []change{in("Cochrane Database Syst Rev", "", "", "CD001234")},
			[]change{in("Cochrane Database of Systematic Reviews", "", "1", "CD001234"), dated("2021")}, false},
		{"two copies of a review", []change{in("Cochrane Database Syst Rev", "", "", "CD001234")},
			[]change{in("Cochrane Database of Systematic Reviews", "2020", "4", "CD001234")}, true},
		{"a number of its own beside pages counted from one", []change{in("Lancet", "10", "", "104713")},
			[]change{in("Lancet", "10", "", "1-9")}, true},
		{"another paper of an issue, each counted from one", []change{in("Lancet", "10", "2", "1-5")},
			[]change{in("Lancet", "10", "2", "1-5"), titled(title + " in women")}, false},
		{"numerals in two forms", []change{titled("Resistance to type II inhibitors in stage IV cancer")}, []change{titled(
			"Resistance to type 2 inhibitors in stage 4 cancer")}, true},
		{"other numerals", []change{titled("Resistance to type II inhibitors in stage IV cancer")}, []change{titled(
			"Resistance to type 1 inhibitors in stage 4 cancer")}, false},
		{"the second issue of the first volume, and the first of the second", []change{in("Lancet", "1", "2", "")},
			[]change{in("Lancet", "2", "1", ""), dated("2021")}, false},
		{"no title, though all else agrees", []change{discov}, []change{discov, titled("")}, false},
		{"no title on either side", []change{discov, titled("")}, []change{discov, titled("")}, false},

		{"capitals and a full stop", nil, []change{titled(
			"ADAPTIVE RESISTANCE TO KRAS G12C INHIBITION IN COLORECTAL CANCER.")}, true},
		{"a language in brackets", nil, []change{titled("[" + title + "]. [Chinese]")}, true},
		{"a language in parentheses", nil, []change{titled(title + " (English)")}, true},
		{"MEDLINE's notes", nil, []change{titled(title + ". [Review] [45 refs]")}, true},
		{"a note cut off with the title", nil, []change{titled(title + ". [Review] [")}, true},
		{"a note on an erratum elsewhere", nil, []change{titled(title +
			".[Erratum appears in Cancer Discov. 2020 Oct;10(10):1611]")}, true},
		{"the same, cut off", nil, []change{titled(title + ".[Erratum appears in Cancer Discov. 20")}, true},
		{"NHS EED's notes", nil, []change{titled(title + " (Structured abstract)")}, true},
		{"Greek letters", []change{titled("Interferon-γ and TGF-β1 in human papillomavirus infection")},
			[]change{titled("Interferon-gamma and TGF-beta1 in human papillomavirus infection")}, true},
		{"HTML entities, tags and dashes", []change{titled(
			"Women aged ≥30 years—treatment &amp; follow-up of <i>Candida</i> infection")},
			[]change{titled("Women aged &gt;or=30 years - treatment and follow up of Candida infection")}, true},
		{"accents", []change{titled("Müllerian carcinosarcoma in São Paulo's registry")},
			[]change{titled("Mullerian carcinosarcoma in Sao Paulos registry")}, true},
		{"British spelling", []change{titled("Randomised trial in atypical haemolytic uraemic syndrome")},
			[]change{titled("Randomized trial in atypical hemolytic uremic syndrome")}, true},
		{"a title cut off at an export's limit", []change{titled(long)}, []change{titled(long[:130])}, true},
		{"the same, with other people", []change{titled(long)}, []change{titled(long[:130]), by("Amodio, V", "Other, P",
			"Third, Q")}, false},
		{"a long title's second part, place unknown", []change{titled(long)}, []change{titled(long + ". Part II")}, false},
		{"a long title's protocol, place unknown", []change{titled(long)}, []change{titled(long + ": study protocol")}, false},
		{"a long title's later results, place unknown", []change{titled(long)}, []change{titled(
			long + ": five-year results")}, false},
		{"a reply under a long title, place unknown", []change{titled(long)}, []change{titled(long + ": reply")}, false},
		{"a subtitle missing, place unknown", []change{titled(long)}, nil, false},
		{"a subtitle missing, at the same place", []change{titled(long), discov}, []change{discov}, true},
		{"a misprint, at the same place", []change{discov},
			[]change{discov, titled("Adaptive resistence to KRAS G12C inhibition in colorectal cancer")}, true},
		{"a misprint, place unknown", nil, []change{titled(
			"Adaptive resistence to KRAS G12C inhibition in colorectal cancer")}, false},
		{"a translated word, on the same eleven pages", []change{discov},
			[]change{discov, titled("Adaptive resistance against KRAS G12C blockade in cancer of the colon")}, true},
		{"a translated word of a single author, on the same eleven pages", []change{discov, by("Amodio, V")},
			[]change{discov, by("Amodio, V"), titled("Adaptive resistance against KRAS G12C blockade in cancer of the colon")},
			true},
		{"a translated word of single authors who differ", []change{discov, by("Amodio, V")}, []change{discov, by("Other, P"),
			titled("Adaptive resistance against KRAS G12C blockade in cancer of the colon")}, false},

		{"Part I and Part II", []change{titled(title + ". Part I")}, []change{titled(title + ". Part II")}, false},
		{"Part I and Part II on one page", []change{titled(title + ". Part I"), in("Cancer Discov", "10", "", "77")},
			[]change{titled(title + ". Part II"), in("Cancer Discov", "10", "", "77")}, false},
		{"Part II and no part", nil, []change{titled(title + " II")}, false},
		{"numerals", []change{discov}, []change{discov,
			titled("Adaptive resistance to KRAS G12D inhibition in colorectal cancer"), in("Cancer Discovery", "10", "8",
				"1129")}, false},
		{"opposites a letter apart", []change{titled("Treatment of hypertension in plasma-sensitive patients"),
			in("Lancet", "1", "", "5")}, []change{titled("Treatment of hypotension in plasma-sensitive patients"),
			in("Lancet", "1", "", "5")}, false},
		{"two abstracts of one group on one page", []change{titled(
			"HPV infection in smears with atypical repair: prevalence"), in("Lab Invest", "92", "", "100A")},
			[]change{titled("HPV infection in smears with atrophy: prevalence"), in("Lab Invest", "92", "", "100A")}, false},
		{"a short title, place unknown", []change{titled("Eculizumab")}, []change{titled("Eculizumab")}, false},
		{"a short title at the same place", []change{titled("Eculizumab"), discov}, []change{titled("Eculizumab."), discov},
			true},
		{"an editorial each month", []change{titled("Editorial"), in("Lancet", "1", "1", "1")}, []change{titled("Editorial"),
			in("Lancet", "1", "2", "99")}, false},
		{"an annual report", []change{titled("Annual report of the national cancer registry"), in("Acta", "40", "", "1-90")},
			[]change{titled("Annual report of the national cancer registry"), dated("2021"), in("Acta", "41", "", "1-80")},
			false},
		{"serial papers in one volume", []change{titled("Gateways to clinical trials of new drugs"),
			in("Methods Find", "29", "1", "47-71")}, []change{titled("Gateways to clinical trials of new drugs"),
			in("Methods Find", "29", "7", "467-509")}, false},
		{"a meeting abstract and its full paper", []change{in("Molecular Immunology", "47", "13", "2263-2264")},
			[]change{in("J Biol Chem", "285", "2", "1053-1065")}, false},
		{"a meeting abstract and its paper, still without volume", []change{in("Blood", "114", "22", "956")},
			[]change{in("American Journal of Hematology", "", "", "")}, false},
		{"an abstract in the supplement of the paper's volume", []change{titled(long), in("Spine", "29", "14", "E300-3")},
			[]change{titled(long), in("Spine", "29", "suppl_1", "S12-S12")}, false},
		{"a journal and a repository's copy", []change{in("Blood", "114", "22", "956")},
			[]change{in("Zenodo (CERN European Organization for Nuclear Research)", "", "", "")}, true},
		{"a journal's name that means nothing to us, at the same place", []change{in("Zhonghua Zhong Liu Za Zhi", "34", "",
			"556-559")}, []change{in("Chinese Journal of Oncology", "34", "", "556-9")}, true},
		{"a guideline published in two journals", []change{in("Am J Clin Pathol", "137", "", "516-542")},
			[]change{in("CA: a Cancer Journal for Clinicians", "62", "", "147-172")}, false},
		{"article and reply", nil, []change{titled(title + " - Reply")}, false},
		{"article and correction", nil, []change{titled("Correction to: " + title)}, false},
		{"two copies of a correction", []change{titled("Erratum: " + title), in("Cancer Discov", "10", "9", "1500")},
			[]change{titled(title + " (vol 10, pg 1129, 2020)"), in("Cancer Discovery", "10", "9", "1500-1500")}, true},
		{"preprint and article", []change{isAPreprint}, nil, false},
		{"trial and its publication", []change{func(r *evidence.Record) { r.Trial = &evidence.Trial{} }}, nil, false},

		{"the journal abbreviated", []change{discov}, []change{in("Cancer Discov", "10", "", "1129-39")}, true},
		{"pages in three notations", []change{discov}, []change{in("Cancer Discovery", "10", "", "1129–1139")}, true},
		{"page and electronic number", []change{in("PLoS ONE", "5", "", "1-6")}, []change{in("PloS one", "5", "", "e12724")},
			true},
		{"a supplement's number in the volume", []change{in("Vaccine", "24", "", "S78-S89")},
			[]change{in("Vaccine", "24 Suppl 3", "", "S78-89")}, true},
		{"the journal's acronym", []change{in("BMJ", "337", "", "969-972")},
			[]change{in("British Medical Journal", "337", "", "969-72")}, true},
		{"volume and issue in the fields for issue and page", []change{in("Pediatric Nephrology", "", "26", "9")},
			[]change{in("Pediatr Nephrol", "26", "9", "1746")}, true},
		{"first authors given and family name swapped, on the same pages", []change{discov, by("Xi, L F", "Koutsky, L")},
			[]change{discov, by("Long, F X", "Laura, K")}, true},
		{"the same title on the same page only, another author", []change{in("Lancet", "1", "", "5")},
			[]change{in("Lancet", "1", "", "5"), by("Ryan, M")}, false},
		{"a long title, the same people, one volume, other pages", []change{titled(long), in("Cancer Discov", "10", "",
			"125-128")}, []change{titled(long), in("Cancer Discov", "10", "", "2-8")}, true},
		{"a group before the people, one page", []change{titled(long), in("Cancer Discov", "10", "2", "536")},
			[]change{titled(long), in("Cancer Discov", "10", "2", "536"), by("Invented Group", "Amodio, V", "Misale, S")}, true},
		{"other people, one page", []change{titled(long), in("Cancer Discov", "10", "2", "536")},
			[]change{titled(long), in("Cancer Discov", "10", "2", "536"), by("Ryan, M", "Other, P")}, false},
		{"a paper's own number, and a group for its people", []change{in("Cancer Discov", "10", "2", "104713")},
			[]change{in("Cancer Discov", "10", "2", "104713"), by("Invented Group")}, true},
		{"the issue in the field for the volume", []change{in("Cancer Discov", "10", "2", "536")},
			[]change{in("Cancer Discov", "2", "", "536")}, true},
		{"another volume, which is no issue", []change{in("Cancer Discov", "10", "2", "536")},
			[]change{in("Cancer Discov", "3", "", "536")}, false},
		{"a subtitle that leaves little, on the same pages", []change{titled("KRAS G12C: adaptive resistance to its " +
			"inhibition in tumours of the colon and rectum"), discov}, []change{titled("KRAS G12C"), discov}, true},
		{"a protocol in the same issue, no pages", []change{titled(long), in("Cancer Discov", "10", "2", "")},
			[]change{titled(long + ": study protocol"), in("Cancer Discov", "10", "2", "")}, false},
		{"two neighbouring letters swapped, at the same place", []change{discov},
			[]change{discov, titled("Adaptive resistance to KRAS G12C inhibition in colorectal cnacer")}, true},
		{"a formula in brackets, and its other part", []change{titled("Alkylation of complexes (M = Mn, Re) in adults"),
			in("Cancer Discov", "10", "2", "")}, []change{titled("Alkylation of complexes (M = Mn, Re) in children"),
			in("Cancer Discov", "10", "2", "")}, false},
		{"a method whose name ends in correction, and its erratum",
			[]change{titled("Adaptive calibration by bias-correction"), discov}, []change{titled("Erratum to: Adaptive calibration by bias-correction"), discov}, false},
		{"nobody named, and no place", []change{in("Cancer Discov", "", "", "")}, []change{in("Cancer Discov", "", "", ""),
			by()}, false},
		{"the same, word for word", []change{in("Cancer Discov", "", "", ""), saying(wording)},
			[]change{in("Cancer Discov", "", "", ""), by(), saying(wording)}, true},
		{"the same under a title that goes on", []change{in("Cancer Discov", "", "", ""), saying(wording)},
			[]change{in("Cancer Discov", "", "", ""), titled(title + ": part two"), saying(wording)}, false},
		{"the same a year later", []change{in("Cancer Discov", "", "", ""), saying(wording)},
			[]change{in("Cancer Discov", "", "", ""), by(), dated("2021"), saying(wording)}, false},
		{"a misprint, word for word", []change{in("Cancer Discov", "10", "2", ""), by(), saying(wording)}, []change{in(
			"Cancer Discov", "10", "2", ""), titled("Adaptive resistance to KRAS G12C inhibition in colorectel cancer"),
			saying(wording)}, true},
		{"a volume that is the year", []change{discov}, []change{in("Cancer Discovery", "2020", "", "")}, true},
		{"a volume that is another year", []change{discov}, []change{in("Cancer Discovery", "1999", "", "")}, false},
		{"volume and issue in each other's field", []change{in("Cancer Discov", "10", "8", "")},
			[]change{in("Cancer Discov", "8", "10", "")}, true},
		{"the pages counted from one", []change{discov}, []change{in("Cancer Discovery", "10", "", "1-11")}, true},
		{"as many pages elsewhere", []change{discov}, []change{in("Cancer Discovery", "10", "", "12-22")}, false},
		{"another digit in the page", []change{discov}, []change{in("Cancer Discovery", "10", "", "1729-1739")}, true},
		{"the next pages", []change{in("Cancer Discovery", "10", "", "1121-1124")},
			[]change{in("Cancer Discovery", "10", "", "1125-1128")}, false},
		{"a misprint, and a page with a plus", []change{discov}, []change{in("Cancer Discovery", "10", "", "1129+"),
			titled(misprinted)}, true},
		{"a misprint, all pages, neither journal nor year", []change{discov}, []change{in("", "10", "", "1129-1139"),
			dated(""), titled(misprinted)}, true},
		{"a misprint, the page and no volume", []change{discov}, []change{in("Cancer Discovery", "", "", "1129-1139"),
			titled(misprinted)}, true},
		{"another name of the journal, all pages and no volume", []change{discov}, []change{in("Zhonghua Zhong Liu Za Zhi",
			"", "", "1129-1139")}, true},
		{"another name of the journal, its first page and no volume", []change{discov}, []change{in(
			"Zhonghua Zhong Liu Za Zhi", "", "", "1129")}, false},
		{"no year, the page and no volume", []change{discov}, []change{in("Cancer Discovery", "", "", "1129"), dated("")},
			true},
		{"no year, an early page and no volume", []change{in("Cancer Discovery", "10", "", "5")}, []change{in(
			"Cancer Discovery", "", "", "5"), dated("")}, false},
		{"a long title in one journal and year, nobody named", []change{titled(long), discov}, []change{titled(long),
			in("Cancer Discov", "", "", ""), by("[No authors listed]")}, true},
		{"the same in no journal", []change{titled(long), discov}, []change{titled(long), in("", "", "", ""), by()}, false},
		{"the same in another year", []change{titled(long), discov}, []change{titled(long), in("Cancer Discov", "", "", ""),
			by(), dated("2021")}, false},
		{"the first authors in each other's place", []change{discov, by("Amodio, V", "Misale, S")},
			[]change{in("Cancer Discov", "", "", ""), by("Misale, S", "Amodio, V")}, true},
		{"a letter lost, in one volume", []change{titled(long), discov}, []change{in("Cancer Discov", "10", "", ""),
			titled(strings.Replace(long, "inhibition", "inhibtion", 1))}, true},
		{"a first letter lost, in one volume", []change{titled(long + " with methylprednisolone"), discov}, []change{in(
			"Cancer Discov", "10", "", ""), titled(long + " with ethylprednisolone")}, false},
		{"a Greek letter lost, in one volume", []change{titled(long + " by interferon-γ"), discov}, []change{in(
			"Cancer Discov", "10", "", ""), titled(long + " by interferon-?")}, true},
		{"another Greek letter, in one volume", []change{titled(long + " by interferon-γ"), discov}, []change{in(
			"Cancer Discov", "10", "", ""), titled(long + " by interferon-α")}, false},
		{"a rubric in front, place unknown", nil, []change{titled("Original article: " + title)}, true},
		{"the title in two languages, place unknown", []change{titled(long)}, []change{titled(long +
			" = Adaptive Resistenz gegen die Hemmung von KRAS bei Krebs des Darms")}, true},
		{"cohort B on the same three pages", []change{in("Cancer Discov", "10", "", "1-9")}, []change{in("Cancer Discov",
			"10", "", "1-9"), titled(title + ", cohort B")}, false},
		{"the same where one is a single page", []change{titled(long), in("Cancer Discov", "10", "", "125-128")},
			[]change{titled(long), in("Cancer Discov", "10", "", "300")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := paper("import:a.ris|1", "", c.a...), paper("import:b.ris|1", "", c.b...)
			m := newMemory()
			mustJoin(t, m, a, b)
			if one := len(m.merged) == 1; one != c.one {
				t.Errorf("one record: %v, want %v\n%+v\n%+v", one, c.one, newTitle(a.Title), newTitle(b.Title))
			}
			if agree(newProfile(&a), newProfile(&b)) != agree(newProfile(&b), newProfile(&a)) {
				t.Error("the rule is not symmetric")
			}
		})
	}
}

func TestTitleRuleRespectsIdentifiers(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b string
		one  bool
	}{
		{"different kinds", "PMID:1", "10.1000/a", true},
		{"two PMIDs", "PMID:1", "PMID:2", false},
		{"two DOIs", "10.1000/a", "10.1000/b", false},
		{"two PMCIDs", "PMC1", "PMC2", false},
		{"two OpenAlex works", "W1", "W2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, paper("pubmed|1", c.a), paper("openalex|2", c.b))
			if one := len(m.merged) == 1; one != c.one {
				t.Errorf("one record: %v, want %v", one, c.one)
			}
		})
	}
}

func TestARecordThatCouldBeEitherOfTwoStaysAlone(t *testing.T) {
	m := newMemory()
	mustJoin(t, m,
		paper("import:a.ris|1", "", in("Lancet", "1", "1", "5-9")),
		paper("import:a.ris|2", "", in("Lancet", "1", "2", "105-109")),
		paper("openalex|W3", "W3"))
	if len(m.merged) != 3 {
		t.Errorf("%v", m.state())
	}
}

func TestFirstAuthors(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b evidence.Author
		want authorMatch
	}{
		{"two in one field", evidence.Author{Family: "Doe, J. and Roe, R."}, evidence.Author{Family: "Doe", Given: "Jane"},
			same},
		{"family name and initial in one field", evidence.Author{Family: "Doe J"}, evidence.Author{Family: "Doe",
			Initials: "J"}, same},
		{"initial first", evidence.Author{Family: "J. Doe"}, evidence.Author{Family: "Doe J"}, same},
		{"capitals", evidence.Author{Family: "DOE J"}, evidence.Author{Family: "Doe", Given: "J"}, same},
		{"full name in one field", evidence.Author{Family: "Jane van der Berg"}, evidence.Author{Family: "van der Berg",
			Initials: "J"}, same},
		{"particles with the given names", evidence.Author{Family: "Berg", Given: "Jan van der"},
			evidence.Author{Family: "van der Berg", Given: "Jan"}, same},
		{"a particle alone", evidence.Author{Family: "del", Given: "Pino M"}, evidence.Author{Family: "del Pino", Given: "M"},
			same},
		{"suffix", evidence.Author{Family: "Wright Jr.", Given: "T C"}, evidence.Author{Family: "Wright", Given: "Jr"}, same},
		{"accents and hyphens", evidence.Author{Family: "Frémeaux-Bacchi"}, evidence.Author{Family: "Fremeaux Bacchi",
			Given: "V"}, same},
		{"a compound cut short", evidence.Author{Family: "Garcia Molina", Given: "M"}, evidence.Author{Family: "Molina",
			Given: "M G"}, same},
		{"a compound of another person", evidence.Author{Family: "Garcia Molina", Given: "M"},
			evidence.Author{Family: "Molina", Given: "Zoe"}, differentAuthor},
		{"swapped", evidence.Author{Family: "Wei", Given: "Zhang"}, evidence.Author{Family: "Zhang", Given: "Wei"}, same},
		{"a border moved, initials agree", evidence.Author{Family: "Parry", Given: "Dilworth H"},
			evidence.Author{Family: "Dilworth", Given: "H P"}, similarAuthor},
		{"a letter lost", evidence.Author{Family: "Stensson", Given: "E"}, evidence.Author{Family: "Östensson", Given: "E"},
			similarAuthor},
		{"short names a letter apart", evidence.Author{Family: "Chen", Given: "L"}, evidence.Author{Family: "Che",
			Given: "L"}, differentAuthor},
		{"a group", evidence.Author{Collective: "The ALTS Group"}, evidence.Author{Collective: "The ALTS group"}, same},
		{"no name", evidence.Author{}, evidence.Author{Family: "Doe"}, unknownAuthor},
		{"strangers", evidence.Author{Family: "Doe"}, evidence.Author{Family: "Roe"}, differentAuthor},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := newName(c.a), newName(c.b)
			if got := a.compare(b); got != c.want {
				t.Errorf("%v and %v: %v, want %v", a, b, got, c.want)
			}
			if a.compare(b) != b.compare(a) {
				t.Errorf("%v and %v: not symmetric", a, b)
			}
		})
	}
}

func TestPages(t *testing.T) {
	for _, c := range []struct{ in, start, end string }{
		{"123-9", "123", "129"}, {"123–129", "123", "129"}, {"1123-35", "1123", "1135"}, {"S417-S429", "s417", "s429"},
		{"e2757", "e2757", ""}, {"26323524261430769", "26323524261430769", ""},
		{"100A-101A", "a100", "a101"}, {"123-129; discussion 130", "123", "129"}, {"Suppl-29", "", ""}, {"t-8", "", ""},
		{"", "", ""}, {"pp. 12-14", "12", "14"}, {"Art. No. 104713", "104713", ""},
		{"UNSP e12", "e12", ""}, {"Artn 7", "7", ""},
	} {
		if start, end := pageRange(c.in); start != c.start || end != c.end {
			t.Errorf("%q: %q to %q, want %q to %q", c.in, start, end, c.start, c.end)
		}
	}
}

func TestSameJournal(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want agreement
	}{
		{"J Natl Cancer Inst", "Journal of the National Cancer Institute", agrees},
		{"JNCI", "Journal of the National Cancer Institute", agrees},
		{"Obstetrics & Gynecology", "Obstetrics and Gynecology", agrees},
		{"Lancet Oncology", "The Lancet Oncology", agrees},
		{"BMJ (Clinical research ed.)", "BMJ", agrees},
		{"CA Cancer J Clin", "CA: a cancer journal for clinicians", agrees},
		{"International journal of cancer.Journal international du cancer", "Int J Cancer", agrees},
		{"Pediatric Nephrology.Conference: 44th Annual Meeting", "Pediatr Nephrol", agrees},
		{"Curr Pharm Des", "Current pharmaceutical design", agrees},
		{"Ann. N. Y. Acad. Sci.", "Annals of the New York Academy of Sciences", agrees},
		{"Ann Urol (Paris)", "Annales d'urologie", agrees},
		{"Cancro", "Il Cancro", agrees},
		{"Anticancer Drugs", "Anti-cancer drugs", agrees},
		{"Saf Health Work", "Safety and health at work", agrees},
		{"Kyobu Geka", "Kyobu geka. The Japanese journal of thoracic surgery", agrees},
		{"Rinsho Ketsueki", "[Rinsho ketsueki] The Japanese journal of clinical hematology", agrees},
		{"Acta Crystallogr C", "Acta crystallographica. Section C, Crystal structure communications", agrees},
		{"Int J. Cancer", "Int J. Cardiology", contradicts},
		{"Lancet", "Lancet Oncology", contradicts},
		{"Blood", "Blood Advances", contradicts},
		{"Cancer", "Cancer Research", contradicts},
		{"Cancer Prevention Research", "Clinical Cancer Research", contradicts},
		{"", "Cancer", silent},
	} {
		a, b := newVenue(evidence.Journal{Title: c.a}), newVenue(evidence.Journal{Title: c.b})
		if got := a.compareJournals(b); got != c.want || b.compareJournals(a) != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestTitleKey(t *testing.T) {
	for _, c := range []struct{ name, title, want string }{
		{"empty", "", ""},
		{"too short to say anything", "Editorial", ""},
		{"notes do not count", "Reply (multiple letters) [1]", ""},
		{"Han characters say more", "结直肠癌的治疗研究进展", "t:结直肠癌的治疗研究进展"},
		{"normalised", "[Hæmolytic–uræmic SYNDROME &amp; TGF-β]. [French]", "t:hemolyticuremicsyndromeandtgfbeta"},
		{"up to sixty letters", "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg",
			"t:aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff"},
	} {
		if got := TitleKey(&evidence.Record{Title: c.title}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTheCloserGoesFirst has a paper, its copy of the same year, and a third that may be the paper's copy of a year
// before or another of a series: what the third is must not part the other two.
func TestTheCloserGoesFirst(t *testing.T) {
	single, placeless := by("Amodio, V"), in("Cancer Discovery", "", "", "")
	m := newMemory()
	mustJoin(t, m,
		paper("import:a.ris|1", "", single, in("Cancer Discovery", "10", "8", "1129-1139")),
		paper("import:b.ris|1", "", single, placeless),
		paper("import:c.ris|1", "", single, placeless, dated("2019")))
	for id, rec := range m.merged {
		if together := len(rec.Members) == 2; together != slices.Contains(rec.Members, "import:a.ris|1") {
			t.Errorf("%s holds %v", id, rec.Members)
		}
	}
	if len(m.merged) != 2 {
		t.Errorf("%d records, want 2", len(m.merged))
	}
}
