package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/lexicon"
	plaintext "dossier/internal/text"
)

// followUpRound searches for what is missing and for each hypothesis from the evidence, but for nothing twice. It
// reports whether that brought a new record.
func (b *builder) followUpRound(ctx context.Context, given []Evidence, missing []string) bool {
	chains := b.searchesOf(b.stateHypotheses(ctx, given))

	missing, chains = b.notSearched(missing), b.notSearched(chains)
	if ctx.Err() != nil || len(missing)+len(chains) == 0 {
		return false
	}
	found, err := b.opt.More(ctx, slices.Concat(missing, chains))

	round := FollowUp{Missing: answer.NotNull(b.checkLacking(missing)), Hypotheses: answer.NotNull(chains),
		Found: len(found)}
	if err != nil {
		round.Error = oneLine(err.Error(), grounding.MaxStatement)
	}

	for _, it := range found {
		if it.Record == nil || it.Record.Retracted() || it.Record.Trial != nil || b.g.Record(it.Record.ID) != nil ||
			slices.ContainsFunc(it.Record.Identifiers, b.g.IsRetracted) {
			continue
		}
		round.New++
		b.followUp[it.Record.ID] = true
		b.in.Sample = append(b.in.Sample, it)
		b.g.Add([]evidence.Item{it})
		b.chooseResult(it)
		b.readFullText(it)
	}
	b.joinReports()
	b.r.Assessment.FollowUps = append(b.r.Assessment.FollowUps, round)
	return round.New > 0 && ctx.Err() == nil
}

// searchesOf turns each hypothesis that stands up into a question: its drug and its target, in the tumours of the
// report's question.
func (b *builder) searchesOf(drafts []DraftHypothesis) []string {
	asked := b.opt.Lexicon.Understand(b.r.Question)

	var tumours []string
	for _, t := range asked.Tumours {
		if t.Status == lexicon.Present {
			tumours = append(tumours, t.Name)
		}
	}

	var out []string
	for _, d := range drafts {
		h, reason := b.hypothesis(d)
		if search := plaintext.Join(" ", h.Drug, h.Target); reason == "" && search != "" {
			out = append(out, plaintext.Join(" ", search, strings.Join(tumours, " ")))
		}
	}
	return cleanLines(out, maxName, maxListed)
}

// notSearched drops questions that this report, or an earlier search for it, has asked already.
func (b *builder) notSearched(questions []string) []string {
	var out []string
	for _, text := range questions {
		if key := b.askedAs(text); !b.searched[key] {
			b.searched[key] = true
			out = append(out, text)
		}
	}
	return out
}

// askedAs is a key that is the same for questions that ask the same.
func (b *builder) askedAs(question string) string {
	q := b.opt.Lexicon.Understand(question)
	return cmp.Or(q.Key(), strings.Join(strings.Fields(strings.ToLower(question)), " "))
}
