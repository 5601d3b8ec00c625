package report

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/lazy"
	plaintext "dossier/internal/text"
)

// study is what the report knows of one of its records before anything is written.
type study struct {
	evidence.Study
	patients int
	setting  []string
	review   string // why a person should look at it; it is then never the only support of a statement
}

// supports says that the record may stand alone behind a finding.
func (s *study) supports() bool { return s.Asked == evidence.Yes && s.review == "" }

// studyOf reads a record once. What screening says of its title holds as well.
func (b *builder) studyOf(it evidence.Item) *study {
	if known := b.studies[it.Record.ID]; known != nil {
		return known
	}
	s := &study{Study: b.opt.Reader.Study(it.Record), setting: []string{}}
	s.review = oneLine(evidence.Review(it.Record, it.Assessment), grounding.MaxStatement)
	if it.Assessment != nil {
		if c := it.Assessment.Contradiction; c != "" {
			s.Asked, s.Why = evidence.No, oneLine(c, grounding.MaxStatement)
		}
	}
	var told string
	s.patients, told = patientsOf(it)
	for _, text := range []string{it.Record.Title, told} {
		for _, value := range b.opt.Reader.Setting(text) {
			if len(s.setting) < maxSettings {
				s.setting = grounding.AppendNew(s.setting, value)
			}
		}
	}
	b.studies[it.Record.ID] = s
	return s
}

const maxSettings = 3

//go:embed forms.txt
var formTable string

// forms gives an expression of formTable by its name.
var forms = lazy.Table(formTable)

// patientsOf reads from the abstract how many patients a study had: the first number of patients in a sentence that
// tells of their enrolment, else in one that tells of their treatment; 0 where there is none. It gives the sentence
// too, which says who they were. A guideline and an experiment have none, a single case one.
func patientsOf(it evidence.Item) (n int, told string) {
	switch bucket, design := it.Bucket(), it.Design(); {
	case bucket == evidence.Guideline || bucket == evidence.Preclinical:
		return 0, ""
	case design == evidence.DesignCaseReport:
		return 1, ""
	}
	var all []string
	for _, section := range it.Record.Abstract {
		if !forms("background").MatchString(section.Category + " " + section.Label) {
			all = append(all, plaintext.Sentences(plaintext.Line(section.Text))...)
		}
	}
	for _, enrolled := range []bool{true, false} {
		for _, s := range all {
			if enrolled && !forms("enrolled").MatchString(s) || !enrolled && !forms("treated").MatchString(s) {
				continue
			}
			if n := patientsIn(s); n >= fewPatients || n > 0 && enrolled {
				return n, s
			}
		}
	}
	return 0, ""
}

// fewPatients is what a sentence that does not tell of enrolment must have: "two patients" in it may be of anything.
const fewPatients = 10

// patientsIn is the first number of patients in a sentence; those who were only screened, and bounds ("at
// least 50 patients each"), do not count. A number in words beyond
// ninety-nine is not read, nor the second of two groups that would have to be added up.
func patientsIn(sentence string) int {
	for _, q := range grounding.Quantities(sentence) {
		rest := sentence[q.End:]
		group := forms("several groups").FindString(sentence[:q.Start])
		if q.Spelled && forms("number in words").MatchString(sentence) ||
			group != "" && !forms("studies and places").MatchString(group) {
			return 0
		}
		before := sentence[:q.Start]
		whole := q.Measure == grounding.People && q.Value >= 1 && q.Value < 1e8 && q.Value == math.Trunc(q.Value)
		ofPatients := forms("patients").MatchString(rest) ||
			forms("n equals").MatchString(before) && !grounding.CountsWorks(rest)
		if whole && ofPatients && !forms("bound").MatchString(before) && !forms("screened").MatchString(rest) {
			return int(q.Value)
		}
	}
	return 0
}

// included are the rows of the table of evidence, by bucket, in each in the sample's order.
func (b *builder) included() []IncludedRecord {
	out := make([]IncludedRecord, 0, len(b.in.Sample))
	for _, it := range b.in.Sample {
		row := b.newRow(it)
		row.FollowUp = b.followUp[it.Record.ID]
		row.Result = b.results[it.Record.ID]
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(x, y IncludedRecord) int { return x.Bucket.Rank() - y.Bucket.Rank() })
	return out
}

func (b *builder) newRow(it evidence.Item) IncludedRecord {
	r, s := it.Record, b.studyOf(it)
	row := IncludedRecord{
		ID: r.ID, Title: titleOf(r), Source: publishedIn(r), Year: r.Date.Year(),
		Bucket: it.Bucket(), Design: it.Design(), Tumours: answer.NotNull(s.Tumours), Setting: s.setting,
		Asked: s.Asked, Elsewhere: s.Why, Patients: s.patients, Review: s.review,
		Curated: curatedOf(r), Preprint: r.Preprint, TitleOnly: r.AbstractText() == "", URL: r.URL(),
	}
	if it.Assessment != nil && !math.IsNaN(it.Assessment.Score) {
		score := it.Assessment.Score
		row.Score = &score
	}
	return row
}

// civicAddress is what every address of CIViC's begins with; no other is linked from a curated statement.
const civicAddress = "https://civicdb.org/"

// curatedOf are the curators' statements in the order of their levels.
func curatedOf(r *evidence.Record) []CuratedMark {
	out := []CuratedMark{}
	for _, c := range r.Curated {
		source := oneLine(c.Source, maxName)
		if strings.EqualFold(source, "civic") {
			source = "CIViC"
		}
		m := CuratedMark{
			Source: source, ID: oneLine(c.ID, maxName),
			Level: oneLine(c.Level, maxName), LevelName: oneLine(c.LevelName(), maxName),
			Direction: oneLine(c.Direction, maxName), Significance: oneLine(c.Significance, maxName),
			Profile: oneLine(c.Profile, maxName), State: oneLine(c.Status, maxName),
			FileDate: evidence.Date(oneLine(string(c.FileDate), maxName)),
		}
		if strings.HasPrefix(c.URL, civicAddress) {
			m.URL = oneLine(c.URL, maxName)
		}
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b CuratedMark) int { return strings.Compare(a.Level, b.Level) })
	return out
}
