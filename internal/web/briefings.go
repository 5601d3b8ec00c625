package web

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// briefingsKept is how many topics' briefings are kept of a generation; one takes some 100 KB.
const briefingsKept = 200

// briefings keeps what was made of the reports on one generation's topics, which stay as they are for as long as it is
// shown: nothing in them depends on the reader, or on the time. It goes with the generation. It is safe for concurrent
// use, and who asks for what is being made waits for that.
type briefings struct {
	making singleflight.Group
	most   int

	mu      sync.Mutex
	byTopic map[string]keptBriefing
	order   []string // of the topics that are kept, the one kept first at the beginning
}

// keptBriefing is a briefing, and the state of what it was made of besides the generation.
type keptBriefing struct {
	*briefing
	state string
}

func newBriefings(most int) *briefings {
	return &briefings{most: most, byTopic: map[string]keptBriefing{}}
}

// get returns a topic's briefing as it was made in the same state, or has it made. What fails is not kept.
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
		// others wait for it, whoever of them goes away
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

// keep keeps a briefing in the place of the topic's earlier one, or of the one that was kept first of all.
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
