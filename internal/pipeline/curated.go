package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// curatedPoints are the points that a statement of a level adds to a paper's score: less than a band of the scale, so
// that they order papers within a band and lift only those at its edge. Laboratory evidence and inference add nothing
// (docs/METHOD.md, "What curators say").
var curatedPoints = map[string]float64{"A": 1.5, "B": 1, "C": 0.5}

// putForward raises the scores of the records that curators cite for the very same question, whichever way their
// statement points, and removes what an earlier file had added. It reports whether any score changed. A record whose
// title contradicts the question, or that can be no evidence, is not raised; the original judgement is stored
// separately.
func (p *Pipeline) putForward(asked *lexicon.Question, passAll bool, assessed []Assessed) (otherwise bool) {
	for i := range assessed {
		a, before := &assessed[i].Assessment, assessed[i].Assessment.PutForward
		revert(a)

		if s := p.statementFor(asked, &assessed[i]); s != nil {
			a.PutForward = &evidence.PutForward{
				Source: s.Source, Statement: s.ID, Level: s.Level, Direction: s.Direction,
				By: curatedPoints[s.Level], Judged: a.Score, Passed: a.Passed,
			}
			a.Criteria = append(slices.Clip(a.Criteria), a.PutForward.Criterion())
			a.Score = math.Min(evidence.MaxScore, math.Round(100*(a.Score+a.PutForward.By))/100)
			a.Passed = a.Passed || passAll || a.Score >= p.Settings.PassScore
		}
		now := a.PutForward
		otherwise = otherwise || (before == nil) != (now == nil) || now != nil && *now != *before
	}
	return otherwise
}

// revert restores an assessment's original judgement.
func revert(a *evidence.Assessment) {
	put := a.PutForward
	if put == nil {
		return
	}
	added := put.Criterion()
	a.Criteria = slices.DeleteFunc(slices.Clone(a.Criteria), func(c string) bool { return c == added })
	a.Score, a.Passed, a.PutForward = put.Judged, put.Passed, nil
}

// statementFor finds the statement that raises a record's score: accepted and not flagged, of the best level, of those
// the first; nil where there is none.
func (p *Pipeline) statementFor(asked *lexicon.Question, a *Assessed) *evidence.CuratedStatement {
	if a.Assessment.Excluded != "" || a.Assessment.Contradiction != "" || a.Record.Trial != nil {
		return nil
	}

	for i := range a.Record.Curated { // in order of precedence
		s := &a.Record.Curated[i]
		if s.Counts() && curatedPoints[s.Level] > 0 && p.Lexicon.Concerns(asked, s) {
			return s
		}
	}
	return nil
}

// CuratedCounts are the results of an import of curators' statements.
type CuratedCounts struct {
	Statements int
	Before     int           // statements of the previous file
	BeforeDate evidence.Date // its date; empty where there was no file
	evidence.CuratedChanges
	Papers    int      // that the statements are on
	Joined    int      // of these, how many the store has
	Corrected []string // topics whose answer was sampled again
}

// String formats the counts as one line.
func (c CuratedCounts) String() string {
	before := "none before"
	if c.BeforeDate != "" {
		before = fmt.Sprintf("before %d of %s", c.Before, c.BeforeDate)
	}
	return fmt.Sprintf("statements %d (%s): new %d, changed %d, gone %d; on %d papers, %d of them in the store",
		c.Statements, before, c.New, c.Changed, c.Gone, c.Papers, c.Joined)
}

// ImportCurated replaces a knowledge base's file, resamples the answers that it changes, and publishes. The same file
// again changes nothing; after an interruption it completes the import.
func (p *Pipeline) ImportCurated(
	ctx context.Context, store Library, file evidence.CuratedFile, opts ImportOptions,
) (evidence.Run, CuratedCounts, error) {
	run := evidence.Run{ID: opts.ID, Program: opts.Program, Started: p.Now().UTC(), Import: opts.Files}

	before, had, err := store.CuratedFile()
	if err != nil {
		return run, CuratedCounts{}, fmt.Errorf("reading the file before: %w", err)
	}
	counts := CuratedCounts{
		Statements: len(file.Statements), Before: len(before.Statements), BeforeDate: before.Date,
		CuratedChanges: file.ChangesSince(&before),
	}
	pmids := file.PMIDs()

	counts.Papers = len(pmids)
	if counts.Joined, err = PapersHeld(store, pmids); err != nil {
		return run, counts, err
	}

	news := !had || before.Date != file.Date || counts.CuratedChanges != evidence.CuratedChanges{}
	if news {
		if err := commit(ctx, store, evidence.Batch{Curated: &file}); err != nil {
			return run, counts, err
		}
	}

	if counts.Corrected, err = p.CorrectAnswers(ctx, store); err != nil {
		return run, counts, err
	}
	news = news || len(counts.Corrected) > 0
	err = p.publishImport(ctx, store, &run, news, counts.String(), "answers sampled again", counts.Corrected)
	return run, counts, err
}

// PapersHeld counts the papers that a store holds.
func PapersHeld(view View, pmids []string) (n int, err error) {
	for _, pmid := range pmids {
		ids, err := view.Lookup(evidence.Identifier{Kind: evidence.PMID, Value: pmid})
		if err != nil {
			return n, fmt.Errorf("looking up PMID %s: %w", pmid, err)
		}

		if len(ids) > 0 {
			n++
		}
	}
	return n, nil
}
