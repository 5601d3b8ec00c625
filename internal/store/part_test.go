//go:build unix

package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/writing"
)

// twoTopics publishes a store of 20 papers and two topics: "kras" names papers 1 and 2, "egfr" 2 and 3. Paper 10 is a
// retraction notice of 1, 11 a comment on that, 12 an erratum of 3. Paper 4 was merged into 1, and 5 was once shown.
func twoTopics(t testing.TB, dir string) {
	t.Helper()
	w := begin(t, dir, testOptions())
	batch := papers(1, 20)
	batch.Judgements = nil
	for topic, question := range map[string]string{"kras": "sotorasib?", "egfr": "Osimertinib?"} {
		a := evidence.Assessment{Record: paperID(2), Content: "c", Model: "m", Prompt: "1", Score: 7}
		key := evidence.JudgementKey(question, a.Content, a.Model, a.Prompt)
		a.Criteria = []string{topic}
		batch.Judgements = append(batch.Judgements, Judgement{Key: key, Made: night, Assessment: a})
	}
	for n, target := range map[int]string{10: "1", 11: "10", 12: "3"} {
		link := evidence.Link{Relation: evidence.Retracts, Target: evidence.Identifier{Kind: evidence.PMID, Value: target}}
		batch.SourceRecords[n-1].Links = []evidence.Link{link}
		batch.Put[n-1].Record.Links = []evidence.Link{link}
	}
	batch.Curated = curatedFile("2026-11-01", curatedOn("1", "EID1"), curatedOn("3", "EID3"))
	batch.Run = &evidence.Run{ID: "run-1", Started: night, Notes: []string{"of egfr"},
		Topics: []evidence.TopicRun{{Topic: "egfr"}, {Topic: "kras", Seconds: 3}}}
	batch.Answers = []evidence.Answer{answerOf("kras", "sotorasib?", night, 1, 2, 5),
		answerOf("egfr", "Osimertinib?", night, 2, 3)}
	commit(t, w, batch)
	commit(t, w, Batch{Drop: []string{paperID(4)}, DropSources: []string{"pubmed|4"},
		Redirect: map[string]string{paperID(4): paperID(1)},
		Answers:  []evidence.Answer{answerOf("kras", "sotorasib?", night.Add(time.Hour), 1, 2)},
		Run:      &evidence.Run{ID: "run-2", Started: night.Add(time.Hour), Topics: []evidence.TopicRun{{Topic: "egfr"}}}})
	publish(t, w)
	must(t, w.Close())
}

func partOf(t testing.TB, dir string, topics ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	_, err := Folder(dir).Export(t.Context(), ExportRequest{Topics: topics, Texts: writing.Texts{}}, &out)
	must(t, err)
	return out.Bytes()
}

// TestAPartHoldsWhatItsTopicsNeed and nothing of the others.
func TestAPartHoldsWhatItsTopicsNeed(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	twoTopics(t, from)
	done, err := Folder(to).Import(t.Context(), incoming(partOf(t, from, "kras", "kras")), testOptions())
	must(t, err)
	if done.Number != 1 || !slices.Equal(done.Part, []string{"kras"}) || !done.Built.Equal(night) {
		t.Errorf("imported %+v", done)
	}
	whole, part := open(t, from), open(t, to)
	var ids []string
	for record, err := range part.Records(t.Context()) {
		must(t, err)
		ids = append(ids, record.ID)
		same, _, err := whole.Record(record.ID)
		if diff := cmp.Diff(same, record); diff != "" || err != nil {
			t.Errorf("%s (-whole +part): %s %v", record.ID, diff, err)
		}
	}
	// the sample, what was shown before, the notice, and what is linked with that
	if want := []string{"PMID:1", "PMID:10", "PMID:11", "PMID:2", "PMID:5"}; !slices.Equal(ids, want) {
		t.Errorf("it has %v, want %v", ids, want)
	}
	for question, want := range map[string]bool{"sotorasib?": true, "Osimertinib?": false} {
		if _, ok, err := part.Judgement(evidence.JudgementKey(question, "c", "m", "1")); ok != want || err != nil {
			t.Errorf("the judgement on %q: %v, %v", question, ok, err)
		}
		if _, ok, err := part.AnswerByQuestion(question); ok != want || err != nil {
			t.Errorf("the answer to %q: %v, %v", question, ok, err)
		}
	}
	for _, topic := range []string{"kras", "egfr"} {
		want, err := whole.History(topic)
		must(t, err)
		if topic == "egfr" {
			want = nil
		}
		if got, err := part.History(topic); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("the history of %s: %+v, %v", topic, got, err)
		}
	}
	record, ok, err := part.Record(paperID(4))
	if !ok || record.ID != paperID(1) || len(record.Curated) != 1 || err != nil {
		t.Errorf("under its old name: %+v, %v", record.ID, err)
	}
	runs, err := part.Runs(0)
	want := []evidence.Run{{ID: "run-1", Started: night, Topics: []evidence.TopicRun{{Topic: "kras", Seconds: 3}}}}
	if err != nil || cmp.Diff(want, runs) != "" {
		t.Errorf("runs: %+v, %v", runs, err)
	}
	if findings, err := Folder(to).Verify(t.Context(), true); err != nil || len(findings) > 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}

// TestAPartTakesNothingAway: where the store has more, only who asks for it has a part take its place.
func TestAPartTakesNothingAway(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	twoTopics(t, from)
	part := partOf(t, from, "kras")
	for _, c := range []struct {
		name    string
		prepare func(dir string)
		replace bool
		want    string // what is said; empty: it is imported
	}{
		{"into nothing", func(string) {}, false, ""},
		{"into an empty store", func(dir string) {
			w := begin(t, dir, testOptions())
			publish(t, w)
			must(t, w.Close())
		}, false, ""},
		{"over the part of another night", func(dir string) { must(t, imports(t, dir, part)) }, false, ""},
		{"over a part with another topic", func(dir string) { must(t, imports(t, dir, partOf(t, from, "egfr", "kras"))) },
			false, "what generation 1 has beside that (2 topics, 7 records)"},
		{"over a part that a run has added to", func(dir string) {
			must(t, imports(t, dir, part))
			publishPapers(t, dir, 40, 41)
		}, false, "with --replace"},
		{"over a store with other topics", func(dir string) { twoTopics(t, dir) }, false, "with --replace"},
		{"over a store with other topics, as asked for", func(dir string) { twoTopics(t, dir) }, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			c.prepare(dir)
			before, _ := Folder(dir).Current(t.Context())
			in := incoming(part)
			in.Replace = c.replace
			done, err := Folder(dir).Import(t.Context(), in, testOptions())
			if c.want == "" {
				if err != nil || done.Counts.Topics != 1 || !slices.Equal(done.Part, []string{"kras"}) {
					t.Errorf("%+v, %v", done, err)
				}
				return
			}
			var refused *BundleError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want %q, got %v", c.want, err)
			}
			if now, _ := Folder(dir).Current(t.Context()); now != before {
				t.Errorf("generation %d is current", now)
			}
		})
	}
}

func TestAPartIsOfTopicsThatAreThere(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	twoTopics(t, from)
	out := ExportRequest{Topics: []string{"kras", "none"}, Texts: writing.Texts{}}
	_, err := Folder(from).Export(t.Context(), out, io.Discard)
	var unknown *database.UnknownTopicError
	if !errors.As(err, &unknown) || unknown.Topic != "none" {
		t.Errorf("Export: %v", err)
	}
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	partOf(t, from, "egfr")
	if left, err := filepath.Glob(filepath.Join(scratch, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestWhatNeedsALicenceStaysHere unless it is asked for: a bundle has then nothing of it, not in a free page either,
// and says how many entries there are; all else is in it.
func TestWhatNeedsALicenceStaysHere(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	twoTopics(t, from)
	w := begin(t, from, testOptions())
	all := interpretationsOf("AID1", "held-1", "held-2")
	for i := 1; i < 3; i++ {
		all.Entries[i].Source, all.Entries[i].Words = evidence.CuratedOncoKB, "words of a licence"
	}
	all.Files[0].Kept = 1
	all.Files = append(all.Files, evidence.GivenFile{Source: evidence.CuratedOncoKB, Name: "held.tsv", Seen: 2, Kept: 2})
	commit(t, w, Batch{Interpretations: all})
	publish(t, w)
	must(t, w.Close())
	number, records := 2, 19
	for _, tc := range []struct {
		name     string
		out      ExportRequest
		licensed bool
	}{
		{"whole", ExportRequest{}, false}, {"a part", ExportRequest{Topics: []string{"kras"}}, false},
		{"whole, with it", ExportRequest{Licensed: true}, true},
		{"a part, with it", ExportRequest{Topics: []string{"kras"}, Licensed: true}, true},
		{"what is new, with it", ExportRequest{Since: 1, Licensed: true}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var bundle bytes.Buffer
			tc.out.Texts = writing.Texts{}
			written, err := Folder(from).Export(t.Context(), tc.out, &bundle)
			if err != nil || len(written.Licensed) != 1 || written.Licensed[0].Kept != 2 || written.Number != number {
				t.Fatalf("Export: %+v, %v", written, err)
			}
			if tc.out.Since != 0 {
				return // its import is another test's
			}
			to := filepath.Join(t.TempDir(), "to")
			_, err = Folder(to).Import(t.Context(), incoming(bundle.Bytes()), testOptions())
			must(t, err)
			r := open(t, to)
			got, err := r.Interpretations()
			want := all.Without(func(source string) bool { return !tc.licensed && evidence.NeedsLicence(source) })
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("Interpretations (-want +got):\n%s%v", diff, err)
			}
			if counts, err := r.Counts(); err != nil || tc.out.Topics == nil && counts.Records != records {
				t.Errorf("Counts: %+v, %v", counts, err)
			}
			// What is kept lies in one file or in two.
			files, err := filepath.Glob(filepath.Join(Folder(to).layout().generation(number), "*.db"))
			ok := slices.ContainsFunc(files, func(name string) bool {
				content, err := os.ReadFile(name)
				must(t, err)
				return bytes.Contains(content, []byte("held.tsv"))
			})
			if err != nil || len(files) == 0 || ok != tc.licensed {
				t.Errorf("%v have words of it: %v, %v", files, ok, err)
			}
			if findings, err := Folder(to).Verify(t.Context(), true); err != nil || len(findings) != 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
		})
	}
	var since *SinceError
	if _, err := Folder(from).Export(t.Context(), ExportRequest{Since: 1}, io.Discard); !errors.As(err, &since) {
		t.Errorf("a difference with it in both: %v", err)
	}
}
