package reader

import (
	"context"
	"errors"

	"dossier/internal/config"
	"dossier/internal/store"
)

// Explainer returns an explainer of questions; without a readable store it knows no near topics.
func (r *Reader) Explainer(ctx context.Context) (*Explainer, error) {
	words, err := r.Lexicon()
	if err != nil {
		return nil, err
	}

	e := &Explainer{Lexicon: words, Privacy: r.App.Gate(words), Vocabulary: r.vocabulary(),
		SendUnknown: r.App.Config.Privacy.UnknownWords == config.SendUnknown}
	for _, s := range r.App.Sources(nil) {
		if dialect, ok := s.(Dialect); ok {
			e.Sources = append(e.Sources, dialect)
		}
	}

	if llm := r.App.Config.LLM; r.App.Config.Uses(llm.Planner) && r.App.Config.AsksModel() {
		e.Model = llm.As(llm.Planner).Model
	}

	if r.Store == nil {
		if !errors.Is(r.Missing, store.ErrNoStore) {
			r.App.Log.Warn("near topics are not shown, since the store can't be read", "cause", r.Missing)
		}
		return e, nil
	}
	e.Catalogue, err = ReadCatalogue(ctx, words, r.Store, r.App.Config.Data, r.App.User)
	return e, err
}
