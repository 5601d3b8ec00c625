package desk

import (
	"context"
	"errors"

	"dossier/internal/ask"
	"dossier/internal/config"
	"dossier/internal/store"
)

// Explainer makes an explainer of questions; without a store, or with one that can't be read, it knows no near topics.
func (d *Desk) Explainer(ctx context.Context) (*ask.Explainer, error) {
	words, err := d.Lexicon()
	if err != nil {
		return nil, err
	}

	e := &ask.Explainer{Lexicon: words, Privacy: d.App.Gate(words), Vocabulary: d.vocabulary(),
		SendUnknown: d.App.Config.Privacy.UnknownWords == config.SendUnknown}
	for _, s := range d.App.Sources(nil) {
		if dialect, ok := s.(ask.Dialect); ok {
			e.Sources = append(e.Sources, dialect)
		}
	}

	if llm := d.App.Config.LLM; d.App.Config.Uses(llm.Planner) && d.App.Config.AsksModel() {
		e.Model = llm.As(llm.Planner).Model
	}

	if d.Reader == nil {
		if !errors.Is(d.Missing, store.ErrNoStore) {
			d.App.Log.Warn("near topics are not shown, since the store can't be read", "cause", d.Missing)
		}
		return e, nil
	}
	e.Catalogue, err = ask.ReadCatalogue(ctx, words, d.Reader, d.App.Config.Data, d.App.User)
	return e, err
}
