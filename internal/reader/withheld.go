package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// outgoing is the form of a question that is sent.
func (a *Asker) outgoing(ctx context.Context, r *request) (*guard.Sent, error) {
	o := guard.Outgoing{
		Lexicon: a.Lexicon, Vocabulary: a.Vocabulary, SendUnknown: a.SendUnknown || r.passed.Policy == guard.Allow,
	}
	sent, err := o.Of(ctx, &r.asked, r.passed.StrippedOfPatient())
	return &sent, err
}

// sentBefore finds the answer to the outgoing form of a question, where that was sent before; it rejects a question of
// which nothing would be left.
func (a *Asker) sentBefore(ctx context.Context, r *request, topic evidence.Topic, asked *lexicon.Question) (
	*answer.Answer, error,
) {
	if refusal(a.Lexicon, asked, false) != nil {
		return nil, &QuestionError{errors.New(withheldWords(r.sent) + " Nothing to ask for is left.")}
	}

	if a.Live {
		return nil, nil
	}
	before := *r

	before.asked, before.topic, before.byID = *asked, topic, nil
	for _, step := range []func(context.Context, *request) (*answer.Answer, error){a.fromTopic, a.fromInbox} {
		if found, err := step(ctx, &before); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// withheldWords describes which words of a question stayed here.
func withheldWords(sent *guard.Sent) string {
	words := text.Each(sent.Withheld, func(p lexicon.Part) string { return fmt.Sprintf("%q", p.Text) })
	return fmt.Sprintf("Neither sent nor kept: %s. That may be a patient's: it is no word of the dictionary, nor what the "+
		"store's papers are about, or it is a name, too. Asked as: %q. --send-unknown sends all of it "+
		"(privacy.unknown_words in the configuration).",
		strings.Join(words, ", "), sent.Text)
}
