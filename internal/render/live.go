package render

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Live says of an answer, or of a record, that it was fetched live and waits in the inbox: no generation has it yet,
// and what it says is its owner's word.
type Live struct {
	Topic   string    `json:"topic"`   // the id by which the live answer can be asked for
	Owner   string    `json:"owner"`   // whose file it is
	Fetched time.Time `json:"fetched"` // when, as the file says
	Vouched bool      `json:"vouched"` // the owner is who reads, the owner of the store, or root
}

// String says it in part of a line; empty for what is not live.
func (l *Live) String() string {
	switch {
	case l == nil:
		return ""
	case l.Vouched:
		return Clean(fmt.Sprintf("fetched live by %s on %s, not yet in the store", l.Owner, l.at()))
	}
	return Clean(fmt.Sprintf("as a file of %s says, dated %s, not yet in the store", l.Owner, l.at()))
}

func (l *Live) at() string { return l.Fetched.UTC().Format("2006-01-02 15:04 MST") }

// mark is the short form, beside a record in a list.
func (l *Live) mark() string {
	if l == nil {
		return ""
	}
	return "live, by " + l.Owner + ", not yet in the store"
}

// utc has the time as JSON shows it; nil stays nil.
func (l *Live) utc() *Live {
	if l == nil {
		return nil
	}
	shown := *l
	shown.Fetched = l.Fetched.UTC()
	return &shown
}

// told is a count of a topic as it is shown: of a live answer that nobody vouches for, none is known.
func (t Topic) told(count int) string {
	if t.Live != nil && !t.Live.Vouched {
		return "–"
	}
	return strconv.Itoa(count)
}

// apart parts topics into those of the store and those that wait in the inbox.
func apart(topics []Topic) (stored, live []Topic) {
	for _, t := range topics {
		if t.Live == nil {
			stored = append(stored, t)
		} else {
			live = append(live, t)
		}
	}
	return slices.Clip(stored), live
}
