package web

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// briefingsKept is how many topics' briefings are cached for a generation; one takes some 100 KB.
const briefingsKept = 200

// briefings caches the briefings of one generation's topics, which depend neither on the reader nor on the time. It is
// dropped with the generation. It is safe for concurrent use; requests for a briefing that is being made wait for it.
type briefings struct {
	making singleflight.Group
	most   int

	mu      sync.Mutex
	byTopic map[string]keptBriefing
	order   []string // of the cached topics, the oldest first
}

// keptBriefing is a cached briefing, with the state of its inputs besides the generation.
type keptBriefing struct {
	*briefing
	state string
}

func newBriefings(most int) *briefings {
	return &briefings{most: most, byTopic: map[string]keptBriefing{}}
}

// get returns a topic's briefing, from the cache if its state is the same. Failures are not cached.
func (b *briefings) get(
	ctx context.Context, topic string, state string, brief func(context.Context) (*briefing, error),
) (*briefing, error) {
	find := func() *briefing {
		b.mu.Lock()
		defer b.mu.Unlock()

		if found, ok := b.byTopic[topic]; ok && found.state == state {
			return found.briefing
		}
		return nil
	}
	if found := find(); found != nil {
		return found, nil
	}

	made, err, _ := b.making.Do(topic+" "+state, func() (any, error) {
		if found := find(); found != nil { // it was made just now
			return found, nil
		}
		// others wait for it even if this request ends
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), workTime)
		defer cancel()

		made, err := brief(ctx)
		if err == nil {
			b.keep(topic, keptBriefing{made, state})
		}
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return made.(*briefing), nil //nolint:forcetypeassert // it is what the function above gives
}

// keep caches a briefing in place of the topic's earlier one, or of the oldest.
func (b *briefings) keep(topic string, made keptBriefing) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if _, there := b.byTopic[topic]; !there {
		if len(b.order) == b.most {
			delete(b.byTopic, b.order[0])
			b.order = b.order[1:]
		}
		b.order = append(b.order, topic)
	}
	b.byTopic[topic] = made
}
