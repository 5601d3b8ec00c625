package report

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/identity"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// study is what is known about one of the report's records before anything is written.
type study struct {
	evidence.Study
	fit      evidence.Fit
	patients int
	setting  []string
	review   string           // why a person should look at it; it is then never the only support of a statement
	results  []results.Result // best first
	lead     string           // the record that represents its study: its own id, if it does
	also     []string         // the other reports of the study that it represents
}

// supports reports whether the record alone may support a finding: it is on the question's tumour, and answers the
// question at least partly.
func (s *study) supports() bool { return s.Asked == evidence.Yes && s.review == "" && s.answers() }

// answers reports whether a record is direct or partly so. Older answers without this field count as direct.
func (s *study) answers() bool { return s.fit.Directness != evidence.Indirect }

// isDirect reports whether it meets everything asked, or this is unknown.
func (s *study) isDirect() bool { return s.fit.Directness == evidence.Direct || s.fit.Directness == "" }

// distance is how far a record is from the question: for direct ones, how many of its words they do not mention; among
// the others, those silent on a marker or a treatment are farthest, then experiments, then those that lack more; a slot
// not met even in part counts twice. Design ranks equals.
func (b *builder) distance(it evidence.Item) int {
	s, n := b.studyOf(it), 0
	if s.isDirect() {
		for _, slot := range s.fit.Slots {
			if slot.Slot == evidence.SlotWord && slot.Met == evidence.MetSilent {
				n++
			}
		}
		return n
	}

	for _, slot := range s.fit.Slots {
		switch {
		case !slot.IsSubject() || slot.Met == evidence.MetWhole:
		case slot.Met == evidence.MetInPart:
			n++
		default:
			n += 2
		}
	}

	if it.Bucket() == evidence.Preclinical {
		n += 100
	}

	if s.isSilent() {
		n += 1000
	}
	return n
}

// isSilent reports whether a record is not direct, and does not mention a treatment or marker that is asked about.
func (s *study) isSilent() bool {
	return !s.isDirect() && slices.ContainsFunc(s.fit.Slots, func(slot evidence.SlotFit) bool {
		return slot.IsSubject() && slot.Met == evidence.MetSilent
	})
}

// studyOf reads a record once. What screening found on its title holds too.
func (b *builder) studyOf(it evidence.Item) *study {
	if known := b.studies[it.Record.ID]; known != nil {
		return known
	}
	s := &study{
		Study: b.opt.Reader.Study(it.Record), setting: []string{}, results: results.Of(it.Record), lead: it.Record.ID,
	}

	s.review = oneLine(evidence.Review(it.Record, it.Assessment), grounding.MaxStatement)
	if it.Assessment != nil {
		s.fit = it.Assessment.Fit
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
var forms = plaintext.Forms(formTable)

// joinReports sets for each record of the sample which one represents its study: the strongest of the reports in the
// sample. Reports that the pipeline joined and left out of the sample are named beside it.
func (b *builder) joinReports() {
	items := b.byStrength(b.in.Sample)

	records := plaintext.Each(items, func(it evidence.Item) *evidence.Record { return it.Record })
	for i, first := range identity.Studies(records, b.opt.Reader.DrugsIn) {
		s, lead := b.studyOf(items[i]), b.studyOf(items[first])

		s.lead, s.also = items[first].Record.ID, nil
		if i != first {
			lead.also = append(lead.also, items[i].Record.ID)
		}
	}

	also := b.in.Answer.AlsoReported()
	for _, it := range items {
		lead := b.studies[b.studyOf(it).lead]
		for _, id := range also[it.Record.ID] {
			if b.g.Record(id) == nil {
				lead.also = grounding.AppendNew(lead.also, id)
			}
		}
	}
}

// leading are the records of the sample that represent their studies, in the sample's order.
func (b *builder) leading() []evidence.Item {
	return slices.DeleteFunc(slices.Clone(b.in.Sample), func(it evidence.Item) bool {
		return b.studyOf(it).lead != it.Record.ID
	})
}

// oneReport keeps the first of several reports of one study; a study counts once.
func (b *builder) oneReport(ids []string) []string {
	var out, leads []string
	for _, id := range ids {
		lead := cmp.Or(b.studyBy(id).lead, id)
		if !slices.Contains(leads, lead) {
			leads, out = append(leads, lead), append(out, id)
		}
	}
	return out
}

// answering are the ids of records that are direct or partly so.
func (b *builder) answering(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !b.studyBy(id).answers() })
}

// included are the rows of the table of evidence, one for each study, by bucket, direct ones first, else in the
// sample's order.
func (b *builder) included() []IncludedRecord {
	out := []IncludedRecord{}
	for _, it := range b.leading() {
		row := b.newRow(it)

		row.FollowUp = b.followUp[it.Record.ID]
		if row.Result = b.results[it.Record.ID]; row.Result != nil {
			row.Result.Directness = row.Directness
		}
		ok, looked := b.hasBody[it.Record.ID]

		row.FullText, row.AbstractOnly = b.quotes[it.Record.ID], looked && !ok
		if row.Tables = b.tables[it.Record.ID]; row.Tables != nil && row.Patients == 0 {
			row.Patients = row.Tables.enrolled()
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(x, y IncludedRecord) int {
		return cmp.Or(x.Bucket.Rank()-y.Bucket.Rank(), x.Directness.Rank()-y.Directness.Rank())
	})
	return out
}

func (b *builder) newRow(it evidence.Item) IncludedRecord {
	r, s := it.Record, b.studyOf(it)

	row := IncludedRecord{
		ID: r.ID, Title: b.titleOf(r), Source: publishedIn(r), Year: r.Date.Year(),
		Bucket: it.Bucket(), Design: it.Design(), Tumours: answer.NotNull(s.Tumours), Setting: s.setting,
		Asked: s.Asked, Elsewhere: s.Why, Patients: s.patients, Review: s.review,
		Directness: s.fit.Directness, Missing: oneLine(s.fit.Missing(), grounding.MaxStatement), fit: &s.fit,
		Fit: answer.NotNull(s.fit.Slots), Also: answer.NotNull(s.also), AlsoRefs: []int{},
		Curated: curatedOf(r), Preprint: r.Preprint, TitleOnly: r.AbstractText() == "", URL: r.URL(),
	}
	if it.Assessment != nil && !math.IsNaN(it.Assessment.Score) {
		score := it.Assessment.Score
		row.Score = &score
	}

	if it.Assessment != nil {
		row.Reading, row.Learned = it.Assessment.Reading, it.Assessment.Learned
	}
	return row
}

// civicAddress begins every address of CIViC; a curated statement links to no other.
const civicAddress = "https://civicdb.org/"

// curatedOf are the curators' statements in order of level.
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
