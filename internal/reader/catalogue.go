package reader

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/agnivade/levenshtein"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/store"
	"dossier/internal/text"
)

// maxNear is how many near questions are listed.
const maxNear = 5

// Catalogue holds the questions that have an answer, topics before those of the inbox, each parsed once.
type Catalogue struct {
	words     *lexicon.Lexicon
	questions []storedQuestion
	byKey     map[string][]int // questions by what they ask, topics first
}

type storedQuestion struct {
	topic, question string
	asks            *lexicon.Question
	key             string
	named           []string // see namedIn
	class           class
	isPrivate       bool // asked by another user: it answers the same question, and is not listed
}

// class orders the questions: of two that ask the same, the lower class takes precedence.
type class int

const (
	fromFile   class = iota // a topic of the files
	askedLive               // a question that was asked live, and is in the store
	stillWaits              // one that waits in the inbox
)

// ReadCatalogue lists a store's topics, and the live answers in the inbox of dir. Unreadable live answers are skipped.
// User is for whom near questions are listed.
func ReadCatalogue(ctx context.Context, words *lexicon.Lexicon, reader *store.Reader, dir, user string) (*Catalogue,
	error) {
	topics, err := reader.Topics()
	if err != nil {
		return nil, err
	}
	entries, _ := Waiting(ctx, dir)
	return NewCatalogue(words, topics, entries, user), nil
}

// NewCatalogue lists topics, and live answers in the order given. The first of two with one id counts.
func NewCatalogue(words *lexicon.Lexicon, topics []evidence.TopicInfo, inbox []store.InboxEntry,
	user string) *Catalogue {
	return newCatalogue(words, &memory{}, topics, inbox, user)
}

func newCatalogue(words *lexicon.Lexicon, understood *memory, topics []evidence.TopicInfo,
	inbox []store.InboxEntry, user string) *Catalogue {
	c := &Catalogue{words: words, byKey: map[string][]int{}}
	seen := map[string]bool{}

	add := func(id, question string, class class, isListed bool) {
		if seen[id] {
			return
		}
		seen[id] = true
		asks := understood.question(words, question)

		stored := storedQuestion{
			topic: id, question: question, asks: asks, key: asks.Key(), named: namedIn(asks), class: class,
			isPrivate: !isListed,
		}
		if stored.key != "" {
			c.byKey[stored.key] = append(c.byKey[stored.key], len(c.questions))
		}
		c.questions = append(c.questions, stored)
	}
	for _, t := range topics {
		class := fromFile
		if evidence.IsLiveTopic(t.ID) {
			class = askedLive
		}
		add(t.ID, t.Question, class, t.ListedFor(user))
	}

	for i := range inbox {
		add(inbox[i].Answer.Topic.ID, inbox[i].Answer.Topic.Question, stillWaits, inbox[i].Owner == user)
	}
	return c
}

// same finds the stored question that asks exactly the same, by two independent tests: it has the same slots, and no
// word of either is left over; nil where there is none. Of several topics on one question, the one in the nearest words
// is returned, since its writer expects that one; topics of the files take precedence over live questions.
func (c *Catalogue) same(asked *lexicon.Question) *storedQuestion {
	var best *storedQuestion

	least := 0
	for _, i := range c.byKey[asked.Key()] {
		s := &c.questions[i]
		if len(c.words.Unaligned(asked, s.asks)) > 0 {
			continue
		}

		distance := levenshtein.ComputeDistance(evidence.NormalQuestion(asked.Text), evidence.NormalQuestion(s.question))
		if best == nil || s.class < best.class || s.class == best.class && distance < least {
			best, least = s, distance
		}
	}
	return best
}

// near lists the stored questions that share a named value with the question, and differ: those that differ in the
// fewest values first, then by id; at most maxNear.
func (c *Catalogue) near(asked *lexicon.Question) []answer.Near {
	named := namedIn(asked)
	type candidate struct {
		near   answer.Near
		values int
	}

	var found []candidate
	for i := range c.questions {
		s := &c.questions[i]
		if s.isPrivate || !slices.ContainsFunc(named, func(n string) bool { return slices.Contains(s.named, n) }) {
			continue
		}

		next := candidate{near: answer.Near{Topic: s.topic, Question: s.question}}
		for _, d := range c.words.Differ(asked, s.asks) {
			next.values += len(d.Asked) + len(d.Stored)
			d.Asked, d.Stored = answer.NotNull(d.Asked), answer.NotNull(d.Stored)
			next.near.Differs = append(next.near.Differs, d)
		}

		if next.values > 0 {
			found = append(found, next)
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.values, b.values), cmp.Compare(a.near.Topic, b.near.Topic))
	})
	return text.Each(found[:min(len(found), maxNear)], func(f candidate) answer.Near { return f.near })
}

// namedIn lists the values of which near questions must share one: tumours, conditions, genes, biomarkers and drugs.
func namedIn(q *lexicon.Question) []string {
	return slices.Concat(
		text.Each(slices.Concat(q.Tumours, q.Conditions), func(c lexicon.Concept) string { return "disease " + c.Name }),
		text.Each(q.Alterations, func(a lexicon.Alteration) string { return "gene " + cmp.Or(a.Gene, a.Change) }),
		text.Each(q.Biomarkers, func(b lexicon.Biomarker) string { return "biomarker " + b.Name }),
		text.Each(q.Drugs, func(d lexicon.Drug) string { return "drug " + d.Name }))
}

// memory caches stored questions as parsed, for one lexicon. It is safe for concurrent use.
type memory struct {
	mu    sync.Mutex
	known map[string]*lexicon.Question
}

// question parses text with words at its first use.
func (m *memory) question(words *lexicon.Lexicon, text string) *lexicon.Question {
	m.mu.Lock()
	defer m.mu.Unlock()

	q, ok := m.known[text]
	if !ok {
		understood := words.Understand(text)
		q = &understood

		if m.known == nil {
			m.known = map[string]*lexicon.Question{}
		}
		m.known[text] = q
	}
	return q
}
