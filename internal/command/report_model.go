package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/llm"
	"dossier/internal/report"
	"dossier/internal/store"
	"dossier/internal/text"
)

// The token limits of the replies to a report's three calls.
const (
	roomForHypotheses = 3000
	roomForAssessment = 1500
	roomForReport     = 6000
)

// reportModel lets the configured model make a report's judgements. It caches replies in the data directory by their
// whole request, so that the same generation gives the same report again, with and without --offline, and no reply is
// paid for twice.
type reportModel struct {
	client                       *llm.Client // nil with --offline: only kept replies serve
	name                         string
	hypotheses, assessment, text llm.Task
	kept                         store.Replies
	// the form of the question that the model gets beside the evidence, which is public
	wording func(ctx context.Context, question, given string) (string, error)
	log     *slog.Logger
	outside func(ctx context.Context, question string, services, model bool,
		work func(context.Context) error) error
	estimates bool // only count the requests without a cached reply
}

// CostEstimator is a model that sends nothing and counts what the report's requests would cost; nil if model is nil.
// Cached replies cost nothing.
func CostEstimator(model report.Model) report.Model {
	asks, ok := model.(*reportModel)
	if !ok {
		return nil
	}
	counts := *asks
	counts.estimates = true
	return &counts
}

// NewReportModel is nil if no model is configured for writing. The model's form of the question passes the privacy
// gate as well: the store may hold a question from before there was one.
func (a *App) NewReportModel(words *lexicon.Lexicon) (report.Model, error) {
	writer := a.Config.LLM.Writer
	if !a.Config.Uses(writer) {
		return nil, nil //nolint:nilnil // no model is no failure: the rules write
	}

	client, err := a.NewModel(writer)
	if err != nil {
		return nil, err
	}
	gate, wording := a.Gate(words), a.questionForm()
	task := func(name string, room int) llm.Task {
		t := llm.NewTask(name, room)
		t.Retries = 1
		return t
	}
	return &reportModel{
		client: client, name: a.Config.LLM.As(writer).Model, hypotheses: task(llm.Hypotheses, roomForHypotheses),
		assessment: task(llm.Assessment, roomForAssessment),
		text:       task(llm.Report, roomForReport), kept: store.RepliesIn(a.Config.Data), log: a.Log,
		outside: a.AuditedSend,
		wording: func(ctx context.Context, question, given string) (string, error) {
			passed := gate.Pass(question)
			understood := words.Understand(passed.Question)

			sent, err := outgoing(words, given).Of(ctx, &understood, passed.StrippedOfPatient())
			if err != nil {
				return "", err
			}
			understood = words.Understand(sent.Text)
			return wording(&understood), nil
		},
	}, nil
}

// outgoing allows words that are in the evidence sent along, and no other unknown ones.
func outgoing(words *lexicon.Lexicon, given string) *guard.Outgoing {
	held := sync.OnceValue(func() map[string]bool {
		held := map[string]bool{}
		for _, word := range text.Tokens(given) {
			held[word] = true
		}
		return held
	})
	return &guard.Outgoing{Lexicon: words, Vocabulary: func(_ context.Context, word string) (guard.WordUse, error) {
		if slices.ContainsFunc(text.Tokens(word), func(t string) bool { return !held()[t] }) {
			return guard.WordUse{}, nil
		}
		return guard.WordUse{Texts: guard.MinPapers}, nil
	}}
}

// Name is the model's name.
func (m *reportModel) Name() string { return m.name }

// Prompt is the versions of the three prompts.
func (m *reportModel) Prompt() string {
	return strings.Join([]string{m.hypotheses.Prompt.Version, m.assessment.Prompt.Version, m.text.Prompt.Version}, ", ")
}

// Hypotheses is the call `hypotheses`.
func (m *reportModel) Hypotheses(ctx context.Context, req report.EvidenceRequest) ([]report.DraftHypothesis,
	evidence.Usage, error) {
	var reply struct {
		Hypotheses []report.DraftHypothesis `json:"hypotheses"`
	}
	usage, err := m.call(ctx, m.hypotheses, &req, &req.Question, &reply)
	return reply.Hypotheses, usage, err
}

// Assess is the call `assessment`.
func (m *reportModel) Assess(ctx context.Context, req report.EvidenceRequest) (report.DraftAssessment, evidence.Usage,
	error) {
	var reply report.DraftAssessment
	usage, err := m.call(ctx, m.assessment, &req, &req.Question, &reply)
	return reply, usage, err
}

// Write is the call `report`.
func (m *reportModel) Write(ctx context.Context, req report.WriteRequest) (report.Draft, evidence.Usage, error) {
	var reply report.Draft
	usage, err := m.call(ctx, m.text, &req, &req.Question, &reply)
	return reply, usage, err
}

var errNoReplyKept = errors.New("with --offline no model is asked, and no reply to this request was kept")

// call returns the cached reply to a request, or sends it with the question in the model's form. The cache does not
// depend on how a question is worded, so that rewording wastes no paid reply. The cost is cached with the reply, so
// that the report states it again.
func (m *reportModel) call(
	ctx context.Context, task llm.Task, request any, question *string, out any,
) (evidence.Usage, error) {
	document, err := json.Marshal(request)
	if err != nil {
		return evidence.Usage{}, fmt.Errorf("writing the request %s: %w", task.Name, err)
	}
	// A reply's key is the model, the prompt and the whole request.
	key := store.ReplyKey(fmt.Sprintf("%q %q %q %s", m.name, task.Name, task.Prompt.Version, document))
	asked := *question
	*question = ""

	without, err := json.Marshal(request)
	if err != nil {
		return evidence.Usage{}, fmt.Errorf("writing the request %s: %w", task.Name, err)
	}

	if *question, err = m.wording(ctx, asked, string(without)); err != nil {
		return evidence.Usage{}, err
	}

	usage, kept, err := m.cachedReply(key, out)
	switch {
	case m.estimates && (kept || m.client == nil):
		return evidence.Usage{}, nil
	case m.estimates:
		return m.estimate(task, request, out)
	case kept:
		return usage, nil
	case m.client == nil:
		return evidence.Usage{}, errors.Join(errNoReplyKept, err)
	case err != nil:
		m.log.Warn("a kept reply of the model is of no use; it is asked again", "error", err)
	}
	meter := m.client.Meter()
	err = m.outside(ctx, *question, false, true, func(ctx context.Context) error {
		_, err := m.client.Call(meter.For(ctx, key), task, request, out)
		return err
	})

	usage = meter.Topic(key)
	if err != nil {
		return usage, err
	}

	if err := m.keepReply(key, usage, out); err != nil {
		m.log.Info("a reply of the model could not be kept", "error", err) // a reader may not be allowed to write here
	}
	return usage, nil
}

// estimate counts a request. Its placeholder reply leads to no further request.
func (m *reportModel) estimate(task llm.Task, request, out any) (evidence.Usage, error) {
	if assessment, ok := out.(*report.DraftAssessment); ok {
		assessment.Sufficient = true
	}
	return m.client.Estimate(task, request)
}

// keptReply is a call's cache entry.
type keptReply struct {
	Usage evidence.Usage  `json:"usage"`
	Reply json.RawMessage `json:"reply"`
}

// cachedReply reads a cached reply into out; ok is false if there is none, or it is unusable.
func (m *reportModel) cachedReply(key string, out any) (usage evidence.Usage, ok bool, err error) {
	text, ok, err := m.kept.Get(key)
	if !ok {
		return usage, false, err
	}

	var kept keptReply
	if err = json.Unmarshal(text, &kept); err == nil {
		err = json.Unmarshal(kept.Reply, out)
	}
	return kept.Usage, err == nil, err
}

func (m *reportModel) keepReply(key string, usage evidence.Usage, reply any) error {
	kept, err := json.Marshal(reply)
	if err != nil {
		return err
	}

	text, err := json.Marshal(keptReply{usage, kept})
	if err != nil {
		return err
	}
	return m.kept.Put(key, text)
}
