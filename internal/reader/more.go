package reader

import (
	"context"
	"errors"
	"slices"

	"dossier/internal/answer"
	"dossier/internal/evidence"
)

// More searches for what a report on an answer still needs, over the sources of its topic, each question by ask. An
// unanswerable question adds nothing, and neither does an unvouched live answer: its papers would appear unmarked in a
// report on something else. Records that readers excluded from the topic stay out.
func (a *Asker) More(
	about *answer.Answer, ask func(context.Context, string, evidence.Topic) (*answer.Answer, error),
) func(context.Context, []string) ([]evidence.Item, error) {
	topic := about.Answer.Topic
	if about.Origin == answer.FromStore { // not a user's topic: it was made to search the store alone
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
