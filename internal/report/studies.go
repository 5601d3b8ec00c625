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
	"dossier/internal/results"
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
	s.patients, told = results.Patients(it.Record, it.Bucket(), it.Design())
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
