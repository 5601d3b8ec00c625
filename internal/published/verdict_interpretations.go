package published

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// InterpretationsStore is the part of a store that is needed.
type InterpretationsStore interface {
	InterpretationsFiles() ([]evidence.GivenFile, error)
	InterpretationsOf(names []string) ([]evidence.Interpretation, error)
}

// mostOnOthers bounds the entries shown of each source that are on something else.
const mostOnOthers = 3

// KeysIn names the genes and markers of a profile, and the exact changes read in it; none if it can't be read.
func (r *Reader) KeysIn(profile string) (names, changes []string) {
	within, _ := plainProfile(profile)

	found := r.changesIn(within)
	for i := range found {
		names, changes = append(names, keysOf(&found[i])...), append(changes, changeKey(&found[i]))
	}
	return names, changes
}

// changesIn reads the alterations in a name; none if it has a gene and an unreadable change.
func (r *Reader) changesIn(name string) []lexicon.Finding {
	read := r.words.Read(name)

	found := findings(r.words, &read)
	if len(found) == 1 && found[0].IsBare() && len(read.Words) > 0 {
		return nil
	}
	return found
}

// changeKey is the name of an exact change for look-ups: a frame shift is shortened to its place.
func changeKey(f *lexicon.Finding) string {
	return shift().ReplaceAllString(withoutOrigin(f.String()), "${1}fs")
}

var shift = text.LazyRegexp(`( [A-Z]\d{1,4})[A-Z]?fs(?:\*\d{1,4})?$`)

// IsGene reports whether questions may be about a gene.
func (r *Reader) IsGene(symbol string) bool {
	_, known := r.words.Lookup(lexicon.KindGene, symbol)
	return known
}

// keysOf are the genes or the marker of a finding: both genes of a fusion.
func keysOf(f *lexicon.Finding) []string {
	name := f.Names()[0]
	if name == "" { // a change without a known gene
		return nil
	}

	if parts := strings.Split(name, "-"); len(parts) == 2 && strings.HasSuffix(f.String(), "fusion") {
		return append(parts, name)
	}
	return []string{name}
}

// findings are a text's findings on genes and markers.
func findings(words *lexicon.Lexicon, q *lexicon.Question) []lexicon.Finding {
	return slices.DeleteFunc(words.Findings(q), func(f lexicon.Finding) bool { return f.IsMetastasis() })
}

// Interpretations returns the curators' statements on a question's alterations; nil if the store has no files of
// theirs, or the question names no alteration and no marker.
func (r *Reader) Interpretations(store InterpretationsStore, question string) (*evidence.InterpretationsFound, error) {
	files, err := store.InterpretationsFiles()
	if err != nil || len(files) == 0 {
		return nil, err
	}
	q := r.askAlterations(question)
	out := &evidence.InterpretationsFound{Files: files, Verdicts: []evidence.InterpretationVerdict{}}

	var keys []string
	for i := range q.findings {
		f := &q.findings[i]

		keys = append(append(keys, keysOf(f)...), changeKey(f))
		if !slices.Contains(out.Alterations, f.String()) {
			out.Alterations = append(out.Alterations, f.String())
		}
	}

	if len(keys) == 0 {
		return nil, nil
	}

	entries, err := store.InterpretationsOf(keys)
	if err != nil {
		return nil, err
	}
	all := text.Each(entries, func(e evidence.Interpretation) evidence.InterpretationVerdict { return r.judge(q, &e) })
	slices.SortStableFunc(all, compareInterpretations)

	others := map[string]int{}
	for i := range all {
		v := &all[i]
		if v.Verdict == evidence.InterpretsAnother {
			if others[v.Source]++; others[v.Source] > mostOnOthers {
				out.Others++
				continue
			}
		}
		out.Verdicts = append(out.Verdicts, *v)
	}
	return out, nil
}

// nearness is a verdict's place in the order of display, the nearest first.
func nearness(kind evidence.InterpretationKind) int {
	return slices.Index([]evidence.InterpretationKind{
		evidence.InterpretsThis, evidence.InterpretsWider, evidence.InterpretsUnread, evidence.InterpretsAnother}, kind)
}

// compareInterpretations orders by nearness, then source and number.
func compareInterpretations(a, b evidence.InterpretationVerdict) int {
	return cmp.Or(cmp.Compare(nearness(a.Verdict), nearness(b.Verdict)), cmp.Compare(len(a.Differs), len(b.Differs)),
		evidence.CompareGiven(a.Interpretation, b.Interpretation))
}
