package pipeline

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/injection"
	"dossier/internal/text"
)

// addressesModel is the first passage of a record's texts that speaks to a model instead of to a reader; empty where
// none does. It reads all that a model is shown of a record, and what is shown beside it.
func addressesModel(r *evidence.Record) string {
	texts := []string{r.Title, r.VernacularTitle, r.AbstractText()}
	for _, other := range r.OtherAbstracts {
		texts = append(texts, evidence.SectionsText(other.Sections))
	}
	texts = append(texts, r.Keywords...)
	for _, t := range r.PublicationTypes {
		texts = append(texts, t.Name)
	}
	if t := r.Trial; t != nil {
		texts = append(texts, t.OfficialTitle, t.WhyStopped, t.Eligibility)
		for _, arm := range t.Arms {
			texts = append(texts, arm.Label, arm.Description)
		}
		for _, i := range t.Interventions {
			texts = append(texts, i.Name, i.Description)
		}
	}
	for _, text := range texts {
		if passage := injection.Find(text); passage != "" {
			return passage
		}
	}
	return ""
}

// withoutAddresses is an abstract without the sentences that speak to a model, so that none of them is taken for a
// finding.
func withoutAddresses(abstract []evidence.Section) []evidence.Section {
	var out []evidence.Section
	for _, section := range abstract {
		var kept []string
		for _, sentence := range text.Sentences(text.Line(section.Text)) {
			if injection.Find(sentence) == "" {
				kept = append(kept, sentence)
			}
		}
		section.Text = strings.Join(kept, " ")
		out = append(out, section)
	}
	return out
}

// atMost is the assessment of a record that addresses a model: the model's word can lower it below the rules', and can
// do nothing else. Study type and findings are the rules'.
func atMost(byRules, byModel evidence.Assessment) evidence.Assessment {
	if byRules.Score <= byModel.Score && (byModel.Relevant || !byRules.Relevant) {
		return byRules
	}
	byModel.Score = min(byModel.Score, byRules.Score)
	byModel.Relevant = byModel.Relevant && byRules.Relevant
	byModel.StudyType, byModel.Criteria, byModel.KeyFindings = "", byRules.Criteria, byRules.KeyFindings
	byModel.Flagged = byRules.Flagged
	return byModel
}

// What makes a reply suspect: few records rose, and all others fell, of which the rules would have let a share pass.
// One paper that speaks to the model can do that, in whatever words; so can an honest reply, where the rules are
// wrong. Asking again about the others without the risen ones tells the two apart.
const (
	risenScore  = 8 // from here on a record rose
	fallenScore = 2 // up to here one fell
	risenShare  = 4 // at most one in so many rises
	owedShare   = 4 // at least one in so many of the fallen was owed better
	apartRounds = 3 // how often records are asked about again: each may unmask another paper
)

// suspectReply is a reply that is held back until the records that fell were asked about again.
type suspectReply struct{ risen, fallen []evidence.Assessment }

// suspect says whether a reply looks as if one of its records, or a few, had told the model how to judge all of them.
func (s *screening) suspect(reply []evidence.Assessment) (suspectReply, bool) {
	var held suspectReply
	owed := 0
	for _, a := range reply {
		byRules := s.rules[a.Record]
		switch {
		case a.Refused != "": // keep says so
			return held, false
		case a.Relevant && a.Score >= risenScore:
			held.risen = append(held.risen, a)
		case a.Score <= fallenScore:
			held.fallen = append(held.fallen, a)
			owed += one(byRules.Relevant && byRules.Score >= s.PassScore)
		default:
			return held, false
		}
	}
	few := max(1, len(reply)/risenShare)
	share := max(1, (len(held.fallen)+owedShare-1)/owedShare)
	return held, len(held.risen) > 0 && len(held.risen) <= few && owed >= share
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// confirmed says whether the records that fell rose again without the risen ones beside them: at least half of those
// that were owed better. known is false where too few of them were judged again to tell.
func (s *screening) confirmed(held suspectReply) (guilty, known bool) {
	owed, judged, better := 0, 0, 0
	for _, a := range held.fallen {
		if byRules := s.rules[a.Record]; !byRules.Relevant || byRules.Score < s.PassScore {
			continue
		}
		owed++
		if now := s.out[a.Record]; now.ScoreSource == evidence.ScoreLLM {
			judged++
			better += one(now.Score > fallenScore)
		}
	}
	return 2*better >= owed, 2*judged >= owed
}
