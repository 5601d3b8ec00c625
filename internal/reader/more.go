package reader

import (
	"context"
	"errors"
	"slices"

	"dossier/internal/answer"
	"dossier/internal/evidence"
)

// More searches for what a report on an answer needs further, over the sources of its topic, each question by ask. A
// question that nobody can answer brings nothing, and neither does a live answer that nobody vouches for: its papers
// would stand in a report on something else, unmarked. What readers have excluded of the topic stays out.
func (a *Asker) More(
	about *answer.Answer, ask func(context.Context, string, evidence.Topic) (*answer.Answer, error),
) func(context.Context, []string) ([]evidence.Item, error) {
	topic := about.Answer.Topic
	if about.Origin == answer.FromStore { // no topic of anybody's: it was made to look through the store alone
		topic = a.Topic
	}
	return func(ctx context.Context, questions []string) ([]evidence.Item, error) {
		var items []evidence.Item

		var errs []error
		for _, question := range questions {
			found, err := ask(ctx, question, topic)
			var miss *MissError
			var impossible *QuestionError

			var private *PrivateError
			switch {
			case errors.As(err, &miss), errors.As(err, &impossible), errors.As(err, &private):
			case err != nil:
				errs = append(errs, err)
			case found.Live != nil && !found.Live.Vouched:
			default:
				items = append(items, slices.DeleteFunc(found.Sample, func(it evidence.Item) bool {
					return slices.Contains(about.Answer.Excluded, it.Record.ID)
				})...)
			}
		}
		return items, errors.Join(errs...)
	}
}
