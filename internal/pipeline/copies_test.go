package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

const (
	workMain  = "Invented inhibition of KRAS G12C in metastatic colorectal cancer"
	workTitle = workMain + ": a randomised trial of two hospitals"
	workDOI   = "10.5555/work"
	workPMID  = "99000601"
	workText  = "In 160 patients of two hospitals the invented combination prolonged progression-free survival against " +
		"chemotherapy alone. Diarrhoea and rash were more frequent with it, and nobody stopped the treatment."
)

type edit = func(*evidence.Record)

// work is PubMed's record of the paper that is retracted below, or another's record of it after edits.
func work(edits ...edit) evidence.Record {
	r := evidence.Record{
		Title: workTitle, Date: "2018-05", Identifiers: underIDs("pmid", workPMID, "doi", workDOI),
		Origins:          []evidence.Origin{{Source: evidence.SourcePubMed, ID: workPMID, Fetched: tonight}},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
		Authors: []evidence.Author{{Family: "Farthingmoor", Initials: "W"}, {Family: "Ibberstone", Initials: "M"},
			{Family: "Quillworth", Initials: "A"}},
		Journal:  evidence.Journal{Title: "Specimen annals of oncology", Volume: "4", Pages: "11-19"},
		Abstract: []evidence.Section{{Text: workText}},
	}
	for _, e := range edits {
		e(&r)
	}
	return r
}

func from(source, id string, pairs ...string) edit {
	return func(r *evidence.Record) {
		r.Origins, r.Identifiers = []evidence.Origin{{Source: source, ID: id, Fetched: tonight}}, underIDs(pairs...)
		r.Journal = evidence.Journal{}
	}
}

// longText is long enough to be a work's by itself.
const longText = workText + " The hospitals had agreed on their invented doses beforehand, and a board that knew of " +
	"no arm looked at every image twice. Of those who crossed over a third still had their disease under control in a year."

// otherFigures are those of another study by the same people, in the same words.
var otherFigures = strings.NewReplacer("160", "72", "two hospitals", "nine hospitals", "third", "half", "year", "month",
	"Diarrhoea", "Anaemia").Replace(longText)

const otherText = "In this audit of four wards we counted how often a result reached the clinic before the visit. " +
	"It did in two of three cases, and in nine of ten where the laboratory had called."

func abstracted(abstract string) edit {
	return func(r *evidence.Record) {
		if r.Abstract = nil; abstract != "" {
			r.Abstract = []evidence.Section{{Text: abstract}}
		}
	}
}

func titledAs(title string) edit { return func(r *evidence.Record) { r.Title = title } }
func in(date evidence.Date) edit { return func(r *evidence.Record) { r.Date = date } }
func writtenBy(families ...string) edit {
	return func(r *evidence.Record) {
		r.Authors = nil
		for _, f := range families {
			family, given, _ := strings.Cut(f, ", ")
			r.Authors = append(r.Authors, evidence.Author{Family: family, Given: given})
		}
	}
}

func typedAs(names ...string) edit {
	return func(r *evidence.Record) { r.PublicationTypes = nil; ofTypes(names...)(r) }
}

// TestARetractionIsOfTheWork has, for each row of docs/METHOD.md's table of copies, a record that the identity rules
// keep apart from a retracted one, in every order of arrival; and takes the retraction back.
func TestARetractionIsOfTheWork(t *testing.T) {
	const ris, pubmed, openalex, europe = "import:twins.ris", evidence.SourcePubMed, evidence.SourceOpenAlex,
		evidence.SourceEuropePMC
	retracted := typedAs("Journal Article", "Retracted Publication")
	file := from(ris, "1")
	var copied, apart, disputed = "copy", "", "disputed"
	for _, c := range []struct {
		name     string
		original []edit // of PubMed's record, beside being retracted
		twin     []edit
		want     string
	}{
		{"another year by three, and another DOI", nil, []edit{from(ris, "1", "doi", "10.5555/other"), in("2021")}, copied},
		{"the same year, another DOI", nil, []edit{from(ris, "1", "doi", "10.5555/other")}, copied},
		{"the DOI with a suffix", nil, []edit{from(ris, "1", "doi", workDOI+"_corr"), in("2022")}, copied},
		{"an author list of the last alone", nil, []edit{file, in("2021"), writtenBy("Quillworth")}, copied},
		{"another order, first names spelled out", nil,
			[]edit{file, in("2015"), writtenBy("Ibberstone, Mara", "Farthingmoor, Wilhelmina")}, copied},
		{"no authors", nil, []edit{file, in("2021"), writtenBy()}, copied},
		{"no year, no journal, other first author", nil, []edit{file, in(""), writtenBy("Ibberstone", "Farthingmoor")}, copied},
		{"a full stop, capitals", nil, []edit{file, in("2021"), titledAs(strings.ToUpper(workTitle) + ".")}, copied},
		{"markup and entities", nil, []edit{file, in("2021"),
			titledAs(strings.Replace(workTitle, "KRAS G12C", "<i>KRAS</i>&#160;<sup>G12C</sup>", 1))}, copied},
		{"without the subtitle", nil, []edit{file, in("2021"), titledAs(workMain)}, copied},
		{"cut off behind a word, all else the same", nil, []edit{file, titledAs("Invented inhibition of KRAS G12C in metastatic")},
			copied},
		{"beginning as it does, word for word, in another year", nil,
			[]edit{file, in("2021"), titledAs("Invented inhibition of KRAS G12C in metastatic")}, copied},
		{"beginning as it does, in another year", nil,
			[]edit{file, in("2021"), titledAs("Invented inhibition of KRAS G12C in metastatic"), abstracted("")}, apart},
		{"PubMed's title says that it is retracted", []edit{titledAs("RETRACTED: " + workTitle)},
			[]edit{file, in("2021")}, copied},
		{"PubMed's title is in brackets, a translation", []edit{titledAs("[" + workTitle + "].")},
			[]edit{file, in("2021")}, copied},
		{"under PubMed's vernacular title", []edit{func(r *evidence.Record) {
			r.VernacularTitle = "Erfundene Hemmung von KRAS G12C beim metastasierten Dickdarmkrebs"
		}}, []edit{file, in("2021"), titledAs("Erfundene Hemmung von KRAS G12C beim metastasierten Dickdarmkrebs")}, copied},
		{"a repository's copy", nil, []edit{from(openalex, "W99000601"), in("2020"),
			func(r *evidence.Record) { r.Journal.Title = "Invented University Repository" }}, copied},
		{"a conference abstract", nil, []edit{file, in("2016"), typedAs("Conference Abstract")}, copied},
		{"a second record of PubMed's", nil, []edit{from(pubmed, "99000602", "pmid", "99000602"), in("2019")}, copied},
		{"its PMID under another title and other people", nil,
			[]edit{from(ris, "1", "pmid", workPMID), titledAs(falsePaper), writtenBy("Stranger"), in("2011")}, copied},
		{"its DOI under another title by one of its authors", nil,
			[]edit{from(ris, "1", "doi", workDOI), titledAs(falsePaper), writtenBy("Ibberstone"), in("2022")}, copied},
		{"its preprint, by title", nil,
			[]edit{from(europe, "PPR/PPR99000601", "ppr", "PPR99000601"), in("2014"), typedAs("Preprint")}, copied},
		{"its preprint under another title, by the article's DOI", nil,
			[]edit{from(europe, "PPR/PPR99000601", "ppr", "PPR99000601", "doi", workDOI), titledAs(falsePaper),
				typedAs("Preprint")}, copied},
		{"its preprint under another title, by the preprint's link", nil,
			[]edit{from(europe, "PPR/PPR99000601", "ppr", "PPR99000601"), titledAs(falsePaper), typedAs("Preprint"),
				linkingTo(evidence.PreprintOf, workPMID)}, copied},
		{"its preprint under another title, by the article's link", []edit{func(r *evidence.Record) {
			r.Links = append(r.Links, evidence.Link{Relation: evidence.UpdateOf, Target: underIDs("ppr", "PPR99000601")[0]})
		}}, []edit{from(europe, "PPR/PPR99000601", "ppr", "PPR99000601"), titledAs(falsePaper), typedAs("Preprint")}, copied},

		{"word for word under other people's names", nil, []edit{file, in("2021"), writtenBy("Stranger", "Other")}, copied},
		{"word for word under other people's names and another DOI", nil,
			[]edit{from(ris, "1", "doi", "10.5555/other"), in("2021"), writtenBy("Stranger", "Other")}, copied},
		{"word for word but for the end, which was cut off", nil, []edit{file, in("2021"), writtenBy("Stranger"),
			abstracted(workText[:len(workText)*5/6])}, copied},
		{"a long title under other people's names, without abstract and identifier", nil,
			[]edit{file, in("2021"), writtenBy("Stranger", "Other"), abstracted("")}, copied},
		{"a short title by the same first author in the same year", []edit{titledAs("KRAS in cancer")},
			[]edit{file, titledAs("KRAS in Cancer."), abstracted("")}, copied},
		{"a short title, word for word", []edit{titledAs("KRAS in cancer")},
			[]edit{file, in("2021"), titledAs("KRAS in cancer"), writtenBy("Stranger")}, copied},
		{"word for word under another title and other people's names", []edit{abstracted(longText)}, []edit{
			from(pubmed, "99000602", "pmid", "99000602"), titledAs(falsePaper), writtenBy("Stranger"), abstracted(longText)},
			copied},
		{"word for word under another title, with a label and in capitals", []edit{abstracted(longText)}, []edit{
			file, titledAs(falsePaper), abstracted("RESULTS: " + strings.ToUpper(longText))}, copied},
		{"under another title with a few words that many have", nil,
			[]edit{from(pubmed, "99000602", "pmid", "99000602"), titledAs(falsePaper)}, apart},
		{"under another title with the same words and as many of its own", []edit{abstracted(longText)}, []edit{
			from(pubmed, "99000602", "pmid", "99000602"), titledAs(falsePaper), abstracted(longText + " " + otherText)}, apart},
		{"under another title with the same words and other figures", []edit{abstracted(longText)}, []edit{
			from(pubmed, "99000602", "pmid", "99000602"), titledAs(falsePaper), abstracted(otherFigures)}, apart},
		{"its comment, with its abstract", []edit{abstracted(longText)}, []edit{from(pubmed, "99000602", "pmid", "99000602"),
			titledAs(falsePaper), typedAs("Comment"), abstracted(longText)}, apart},
		{"another subtitle", nil, []edit{file, in("2021"), titledAs(workMain + ": a cost analysis")}, apart},
		{"a subtitle where the retracted paper has none", []edit{titledAs(workMain)},
			[]edit{file, in("2021"), titledAs(workMain + ": five-year results")}, apart},
		{"another part", []edit{titledAs(workMain + ". Part II")}, []edit{file, in("2021"), titledAs(workMain + ". Part I")}, apart},
		{"the same title by other people, on something else", nil,
			[]edit{file, in("2021"), writtenBy("Stranger", "Other"), abstracted(otherText)}, apart},
		{"the same title by other people, without abstract, under an identifier", nil,
			[]edit{from(ris, "1", "doi", "10.5555/other"), in("2021"), writtenBy("Stranger", "Other"), abstracted("")}, apart},
		{"a short title in another year", []edit{titledAs("KRAS in cancer")},
			[]edit{file, in("2021"), titledAs("KRAS in cancer"), abstracted(otherText)}, apart},
		{"a short title by other people", []edit{titledAs("KRAS in cancer")},
			[]edit{file, titledAs("KRAS in cancer"), writtenBy("Stranger"), abstracted("")}, apart},
		{"a short title, nearly", []edit{titledAs("KRAS in cancer")}, []edit{file, titledAs("NRAS in cancer"), abstracted("")}, apart},
		{"a title that journals print again and again", []edit{titledAs("Highlights from this issue of the journal")},
			[]edit{file, in("2021"), titledAs("Highlights from this issue of the journal")}, apart},
		{"what was published in its place", nil,
			[]edit{from(pubmed, "99000602", "pmid", "99000602"), in("2021"), linkingTo(evidence.ReplacesRetracted, workPMID)},
			apart},
		{"another paper with the DOI of their supplement", nil, []edit{
			from(pubmed, "99000602", "pmid", "99000602", "doi", workDOI), titledAs(falsePaper), writtenBy("Stranger")}, apart},
		{"a file that calls itself the replacement", nil,
			[]edit{from(ris, "1"), in("2021"), linkingTo(evidence.ReplacesRetracted, workPMID)}, copied},
		{"its erratum", nil, []edit{from(pubmed, "99000602", "pmid", "99000602"), typedAs("Published Erratum")}, apart},
		{"under the PMID of a retracted comment", []edit{typedAs("Comment")},
			[]edit{from(ris, "1", "pmid", workPMID), titledAs(falsePaper), writtenBy("Stranger"), in("2011")}, apart},
		{"its trial's registration", nil, []edit{from(evidence.SourceClinicalTrials, "NCT99000601", "nct", "NCT99000601"),
			func(r *evidence.Record) { r.Trial = &evidence.Trial{} }}, apart},

		// Who is trusted less retracts nobody's paper: the claim is shown.
		{"a file's retracted record, and PubMed's own", []edit{file, in("2021")}, nil, disputed},
		{"OpenAlex's retracted record of another DOI, and PubMed's own",
			[]edit{from(openalex, "W99000601", "openalex", "W99000601", "doi", "10.5555/other"), in("2021")}, nil, disputed},
		{"a withdrawn preprint, and its article",
			[]edit{from(europe, "PPR/PPR99000601", "ppr", "PPR99000601"), in("2014"), typedAs("Preprint"), retractedClaim}, nil,
			disputed},
		{"a withdrawn preprint that OpenAlex has, and a file's article",
			[]edit{from(openalex, "W99000601", "openalex", "W99000601"), in("2016"), typedAs("preprint"), retractedClaim},
			[]edit{file}, disputed},
		{"a file's retracted record, and PubMed's of another title with its text",
			[]edit{file, titledAs(falsePaper), abstracted(longText)}, []edit{abstracted(longText)}, disputed},
		{"a file's retracted record, and OpenAlex's", []edit{file, in("2021")},
			[]edit{from(openalex, "W99000601", "openalex", "W99000601")}, disputed},
		{"a file's retracted record, and another file's", []edit{file, in("2021")}, []edit{from("import:b.ris", "1")}, copied},
		{"OpenAlex's retracted record, and a file's", []edit{from(openalex, "W99000601", "openalex", "W99000601"), in("2021")},
			[]edit{file}, copied},
	} {
		t.Run(c.name, func(t *testing.T) {
			sound, twin := work(c.original...), work(c.twin...)
			original := work(append([]edit{retracted}, c.original...)...)
			original.PublicationTypes = append(original.PublicationTypes,
				evidence.PublicationType{Name: "Retracted Publication"})
			key := twin.Origins[0].Key()
			soundStore := newFakeStore()
			sound.Retraction = evidence.Retraction{}
			keep(t, soundStore, sound, twin)
			want := recordWith(t, soundStore, key)
			for order, steps := range map[string][][]evidence.Record{
				"the twin last":       {{original}, {twin}},
				"the twin first":      {{twin}, {original}},
				"at once":             {{twin, original}},
				"the retraction last": {{sound, twin}, {original}},
			} {
				store := newFakeStore()
				for _, records := range steps {
					keep(t, store, records...)
				}
				got, first := recordWith(t, store, key), recordWith(t, store, original.Origins[0].Key())
				if got.ID == first.ID {
					t.Fatalf("%s: they are one record", order)
				}
				if told := tell(got, first.ID); told != c.want {
					t.Errorf("%s: %s, want %q", order, told, c.want)
				}
				if !first.Retracted() || first.Retraction.CopyOf != "" {
					t.Errorf("%s: the original: %+v", order, first.Retraction)
				}
				keep(t, store, sound)
				if diff := cmp.Diff(want, recordWith(t, store, key)); diff != "" {
					t.Errorf("%s, after the retraction was taken back (-want +got):\n%s", order, diff)
				}
			}
		})
	}
}

func tell(r evidence.Record, original string) string {
	switch {
	case r.Retraction.CopyOf == original && r.Retracted():
		return "copy"
	case r.Retracted() || r.Retraction.CopyOf != "":
		return "retracted, a copy of " + r.Retraction.CopyOf
	case r.Retraction.Disputed != (evidence.Dispute{}):
		return "disputed"
	}
	return ""
}

func recordWith(t *testing.T, store View, originKey string) evidence.Record {
	t.Helper()
	id, _, ok, err := store.RecordOf(originKey)
	if err != nil || !ok {
		t.Fatalf("no record of %s: %v", originKey, err)
	}
	return mustRecord(t, store, id)
}

// A copy retracts nothing: what a file has under a copy's PMID, with neither title nor text of the retracted paper, is
// another work.
func TestACopyOfACopyIsNone(t *testing.T) {
	retracted := work(typedAs("Journal Article", "Retracted Publication"))
	copied := work(from(evidence.SourcePubMed, "99000602", "pmid", "99000602"), in("2019"))
	other := work(from("import:twins.ris", "1", "pmid", "99000602"), titledAs(falsePaper), writtenBy("Stranger"),
		in("2011"), abstracted(otherText))
	for order, steps := range map[string][][]evidence.Record{
		"the copy first": {{retracted, copied}, {other}},
		"the copy last":  {{retracted, other}, {copied}},
		"at once":        {{retracted, copied, other}},
	} {
		store := newFakeStore()
		for _, records := range steps {
			keep(t, store, records...)
		}
		if r := recordWith(t, store, copied.Origins[0].Key()); !r.Retracted() {
			t.Fatalf("%s: the copy: %+v", order, r.Retraction)
		}
		if r := recordWith(t, store, other.Origins[0].Key()); r.Retraction != (evidence.Retraction{}) {
			t.Errorf("%s: what has the copy's PMID: %+v", order, r.Retraction)
		}
	}
}

// A DOI that a third paper has is a whole supplement's: one retracted abstract says nothing of its neighbours.
func TestASupplementIsNotRetractedWithOneAbstract(t *testing.T) {
	abstract := func(id, title, author string) evidence.Record {
		return work(from("import:congress.ris", id, "doi", "10.5555/supplement"), titledAs(title), writtenBy(author, "Ibberstone"))
	}
	first := abstract("1", "Invented first abstract on KRAS G12C in colorectal cancer", "Farthingmoor")
	first.PublicationTypes = []evidence.PublicationType{{Name: "Retracted Publication"}}
	store := storeWith(t, first, abstract("2", "Second abstract on BRAF V600E in melanoma of the elderly", "Farthingmoor"),
		abstract("3", "Third abstract on EGFR exon 20 insertions in lung cancer", "Quillworth"))
	for _, id := range []string{"2", "3"} {
		if r := recordWith(t, store, "import:congress.ris|"+id); r.Retracted() {
			t.Errorf("%s: %+v", r.Title, r.Retraction)
		}
	}
}

// TestNoticesByTitle has notices whose record names no paper but in its title, or in a note.
func TestNoticesByTitle(t *testing.T) {
	const ris, pubmed, openalex = "import:notices.ris", evidence.SourcePubMed, evidence.SourceOpenAlex
	sameJournal := func(r *evidence.Record) {
		r.Journal = evidence.Journal{Title: "Specimen annals of oncology", Volume: "7"}
	}
	for _, c := range []struct {
		name          string
		paper, notice []edit
		want          evidence.Ternary
		disputed      bool
	}{
		{"PubMed's, in quotes, with the place", nil, []edit{from(pubmed, "99000609", "pmid", "99000609"), sameJournal,
			titledAs(`Retraction notice to "` + workTitle + `" [Spec. Ann. Oncol. 4 (2018) 11-19]`), writtenBy(), in("2021")},
			evidence.Yes, false},
		{"PubMed's, without quotes, with the place", nil, []edit{from(pubmed, "99000609", "pmid", "99000609"), sameJournal,
			titledAs(`Retraction notice to ` + workTitle + ` [Spec. Ann. Oncol. 4 (2018) 11-19].`), writtenBy(), in("2021")},
			evidence.Yes, false},
		{"OpenAlex's, of the authors", nil, []edit{from(openalex, "W9", "openalex", "W9"), in("2021"),
			titledAs("RETRACTION: " + workTitle)}, evidence.Yes, false},
		{"the authors named in the title", nil, []edit{from(openalex, "W9", "openalex", "W9"), in("2021"),
			titledAs("Retraction for Farthingmoor et al., " + workTitle)}, evidence.Yes, false},
		{"a notice of withdrawal", nil, []edit{from(openalex, "W9", "openalex", "W9"), in("2021"),
			titledAs("Withdrawal notice to: " + workTitle)}, evidence.Yes, false},
		{"a file's, on what only files know", []edit{from("import:papers.ris", "1")},
			[]edit{from(ris, "9"), in("2021"), titledAs("Retraction notice to: " + workTitle), writtenBy()}, evidence.Yes, false},
		{"a file's, which cites the title in a note", []edit{from("import:papers.ris", "1")},
			[]edit{from(ris, "9"), in("2021"), titledAs("Retraction notice"), writtenBy(), func(r *evidence.Record) {
				r.Links = []evidence.Link{{Relation: evidence.Retracts, Citation: "“" + workTitle + "”"}}
			}}, evidence.Yes, false},
		{"a file's, on PubMed's paper", nil, []edit{from(ris, "9"), in("2021"), sameJournal,
			titledAs("Retraction notice to: " + workTitle), writtenBy()}, "", true},
		{"older than the paper", nil, []edit{from(pubmed, "99000609", "pmid", "99000609"), sameJournal, in("2010"),
			titledAs("Retraction: " + workTitle), writtenBy()}, "", false},
		{"of another journal, by others", nil, []edit{from(pubmed, "99000609", "pmid", "99000609"), in("2021"),
			func(r *evidence.Record) { r.Journal.Title = "Quarterly of invented cases" },
			titledAs("Retraction: " + workTitle), writtenBy("Stranger")}, "", false},
		{"on another paper", nil, []edit{from(pubmed, "99000609", "pmid", "99000609"), sameJournal, in("2021"),
			titledAs("Retraction: " + falsePaper)}, "", false},
		{"on a short title, in the same journal", []edit{titledAs("KRAS in cancer")}, []edit{
			from(pubmed, "99000609", "pmid", "99000609"), sameJournal, in("2021"), titledAs("Retraction: KRAS in cancer"),
			writtenBy()}, evidence.Yes, false},
		{"on a short title, nobody says where", []edit{titledAs("KRAS in cancer")}, []edit{
			from(pubmed, "99000609", "pmid", "99000609"), in("2021"), titledAs("Retraction: KRAS in cancer"), writtenBy()}, "",
			false},
		{"an erratum", nil, []edit{from(pubmed, "99000609", "pmid", "99000609"), sameJournal, in("2021"),
			titledAs("Erratum: " + workTitle)}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			subject, notice := work(c.paper...), work(c.notice...)
			key := subject.Origins[0].Key()
			for order, steps := range map[string][][]evidence.Record{
				"the notice last":  {{subject}, {notice}},
				"the notice first": {{notice}, {subject}},
				"at once":          {{subject, notice}},
			} {
				store := newFakeStore()
				for _, records := range steps {
					keep(t, store, records...)
				}
				got := recordWith(t, store, key)
				if got.Retraction.Status != c.want || (got.Retraction.Disputed != evidence.Dispute{}) != c.disputed {
					t.Errorf("%s: %+v", order, got.Retraction)
				}
				takeOut(t, store, notice.Origins[0].Key())
				if r := recordWith(t, store, key).Retraction; r != (evidence.Retraction{}) {
					t.Errorf("%s, without the notice: %+v", order, r)
				}
			}
		})
	}
}

// A copy stands where a retracted paper would: in no sample, among what was removed.
func TestCopiesAreNotSampled(t *testing.T) {
	original := work(typedAs("Journal Article", "Retracted Publication"))
	store := storeWith(t, original, work(from("import:twins.ris", "1"), in("2022")))
	var assessed []Assessed
	for _, m := range store.merged {
		r := m.Record
		k := KindInTopic(&r, "")
		assessed = append(assessed, Assessed{Record: r, Assessment: evidence.Assessment{Record: r.ID, Passed: true, Score: 9,
			Bucket: evidence.RCT, Excluded: exclusionReason(&r, k)}})
	}
	s := Sample(assessed, evidence.Quotas{evidence.RCT: 5}, 5)
	slices.Sort(s.Removed)
	if len(s.Sample) != 0 || len(s.Removed) != 2 {
		t.Errorf("sampled %v, removed %v", s.Sample, s.Removed)
	}
}

// A source record says nothing of being a copy: that is told of merged records alone.
func TestNoSourceSaysThatItIsACopy(t *testing.T) {
	said := work(from(evidence.SourceOpenAlex, "W99000601", "openalex", "W99000601"))
	said.Retraction = evidence.Retraction{Status: evidence.Yes, Source: evidence.SourceOpenAlex,
		CopyOf: "PMID:" + workPMID}
	said.RetractedTitles = []string{"t:anything"}
	got := recordWith(t, storeWith(t, said), said.Origins[0].Key())
	if got.Retraction.CopyOf != "" || slices.Contains(got.RetractedTitles, "t:anything") {
		t.Errorf("%+v, %q", got.Retraction, got.RetractedTitles)
	}
}

// A notice that leads to a paper of the store is that one's: another of the same title, which is no copy, is not
// retracted by it.
func TestANoticeWithALinkIsNotMatchedByTitle(t *testing.T) {
	retracting := notice(99000609, evidence.Retracts, workPMID, "Retraction Notice")
	retracting.Title, retracting.Date, retracting.Journal = "Retraction: "+workTitle, "2021", work().Journal
	others := work(from("import:others.ris", "1"), in("2019"), writtenBy("Stranger", "Other"), abstracted(otherText))
	store := storeWith(t, work(), others, retracting)
	if r := recordWith(t, store, others.Origins[0].Key()); r.Retracted() {
		t.Errorf("%+v", r.Retraction)
	}
	takeOut(t, store, "pubmed|"+workPMID)
	if r := recordWith(t, store, others.Origins[0].Key()); !r.Retracted() {
		t.Errorf("without the paper that it leads to: %+v", r.Retraction)
	}
}

// What a live answer brings is held against the store, as what the store brings is.
func TestWaitingCopies(t *testing.T) {
	twin := work(from(evidence.SourceOpenAlex, "W99000601", "openalex", "W99000601"), in("2022"))
	original := work(typedAs("Journal Article", "Retracted Publication"))
	for name, c := range map[string]struct{ stored, waiting []evidence.Record }{
		"the retracted paper in the store": {[]evidence.Record{original}, []evidence.Record{twin}},
		"both in the live answer":          {nil, []evidence.Record{twin, original}},
	} {
		records, err := LiveRecords(storeWith(t, c.stored...), &evidence.InboxAnswer{SourceRecords: c.waiting}, true)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(records, func(r evidence.Record) bool { return r.ID == "OpenAlex:W99000601" })
		if at < 0 || records[at].Retraction.CopyOf != "PMID:"+workPMID {
			t.Errorf("%s: %+v", name, records)
		}
	}
}

// The retelling of another version's records finds copies that the version did not know.
func TestRetellingFindsCopies(t *testing.T) {
	store := storeWith(t, work(typedAs("Journal Article", "Retracted Publication")), work(from("import:twins.ris", "1"),
		in("2022")))
	for _, m := range store.merged {
		m.Record.RetractedTitles = nil
		if m.Record.Retraction.CopyOf != "" {
			m.Record.Retraction = evidence.Retraction{}
		}
		store.commitMerged(evidence.Batch{Put: []evidence.Merged{m}})
	}
	batch, err := madeAnew(store, []string{"pubmed|" + workPMID})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if r := recordWith(t, store, "import:twins.ris|1"); r.Retraction.CopyOf != "PMID:"+workPMID {
		t.Errorf("%+v", r.Retraction)
	}
}
