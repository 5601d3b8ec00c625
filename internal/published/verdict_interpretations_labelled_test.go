package published

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// interpretationPair is a question and an entry, and what the entry is to it: the same, a wider one, or other in one
// slot.
type interpretationPair struct {
	number, kind, question string
	entry                  evidence.Interpretation
}

func interpretationPairs(t *testing.T, name string) (out []interpretationPair) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "interpretations", name))
	if err != nil {
		t.Fatal(err)
	}
	for row := range text.Rows(string(content)) {
		out = append(out, interpretationPair{row[0], row[1], row[2], entryOf(row[3], row[4], row[5], row[6], row[7], row[8])})
	}
	return out
}

// entryOf makes an entry of a row as the readers of files make it: a level is one of OncoKB's.
func entryOf(profile, disease, therapies, kind, significance, origin string) evidence.Interpretation {
	e := evidence.Interpretation{Source: evidence.CuratedCIViC, ID: "AID1", Type: kind, Name: profile,
		Profiles: []string{profile}, Diseases: []string{disease}, Significance: significance, Origin: origin,
		On: map[string]string{"Predictive": evidence.OnTherapy, "Prognostic": evidence.OnPrognosis,
			"Oncogenicity": evidence.OnOncogenicity, "Germline classification": evidence.OnPathogenicity,
			"Predisposing": evidence.OnPathogenicity}[kind]}
	for _, regimen := range strings.Split(therapies, ", ") {
		if regimen != "" {
			e.Regimens = append(e.Regimens, strings.Split(regimen, " + "))
		}
	}
	switch {
	case e.On != evidence.OnTherapy:
	case significance == "Resistance", strings.HasPrefix(significance, "R"):
		e.Effect = evidence.EffectResistance
	default:
		e.Effect = evidence.EffectSensitivity
	}
	return e
}

// TestLabelledInterpretations holds the verdicts to pairs that were labelled before there was any rule: nothing is
// called the same that is not, nor wider. How many of those that are the same are called so, at least, is what was
// reached (docs/CURATED.md).
func TestLabelledInterpretations(t *testing.T) {
	r := newReader(t)
	for _, set := range []struct {
		name    string
		atLeast int // of those that are the same, or wider, are called so
		another int // of those on something else are called on another, at least
	}{{"dev.tsv", 16, 17}, {"held.tsv", 16, 16}, {"fresh.tsv", 13, 11},
		{"shifts-dev.tsv", 8, 8}, {"shifts-held.tsv", 11, 8}} {
		t.Run(set.name, func(t *testing.T) {
			right, found, apart := 0, 0, 0
			for _, p := range interpretationPairs(t, set.name) {
				v := r.judge(r.askAlterations(p.question), &p.entry)
				want := evidence.InterpretationKind(strings.Replace(p.kind, "same", "this", 1))
				is := v.Verdict == evidence.InterpretsThis || v.Verdict == evidence.InterpretsWider
				isWanted := want == evidence.InterpretsThis || want == evidence.InterpretsWider
				if isWanted {
					right++
				}
				switch {
				case is && v.Verdict != want:
					t.Errorf("%s (%s): %q is called %s by %q in %q", p.number, p.kind, p.question, v.Verdict, p.entry.Name,
						p.entry.Diseases)
				case is:
					found++
				case v.Verdict == evidence.InterpretsAnother && !isWanted && want != evidence.InterpretsUnread:
					apart++
				case v.Verdict != want:
					t.Logf("%s (%s): %q is called %s by %q in %q: %+v, unread %q", p.number, p.kind, p.question, v.Verdict,
						p.entry.Name, p.entry.Diseases, v.Differs, v.Unread)
				}
			}
			t.Logf("called what they are: %d of %d, and on another: %d", found, right, apart)
			if found < set.atLeast || apart < set.another {
				t.Errorf("only %d of %d that are on what is asked are called so, %d were; on another %d, and %d were", found,
					right, set.atLeast, apart, set.another)
			}
		})
	}
}
