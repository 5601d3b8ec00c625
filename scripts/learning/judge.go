package main

import (
	"context"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/text"
)

// assess judges a set's records by the rules, as for a topic with that question; the result has the set's order.
func assess(l *lexicon.Lexicon, s *set) ([]pipeline.Assessed, error) {
	asked := l.Understand(s.question)
	matcher := l.Matcher(&asked)

	screened, err := pipeline.Screen(context.Background(), pipeline.ScreenRequest{
		Question: pipeline.Question{Text: s.question, Fit: matcher.Fit, RestsOnWords: matcher.RestsOnWords()},
		Records:  s.records, PassScore: 5,
	})
	if err != nil {
		return nil, err
	}

	judged := map[string]evidence.Assessment{}
	for _, a := range screened.Assessments {
		judged[a.Record] = a
	}
	return text.Each(s.records, func(r evidence.Record) pipeline.Assessed {
		return pipeline.Assessed{Record: r, Assessment: judged[r.ID]}
	}), nil
}
