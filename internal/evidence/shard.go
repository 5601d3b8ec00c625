package evidence

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"
)

// Shard is one of several shares into which topics are divided, so that a run takes its own: Number, from 1, of Of.
// The zero Shard is all topics.
type Shard struct{ Number, Of int }

// MaxShards is the highest number of shares.
const MaxShards = 64

var errShard = errors.New("it must be one of several shares, as 3/16")

// ParseShard reads what String writes: "3/16".
func ParseShard(text string) (Shard, error) {
	first, second, _ := strings.Cut(text, "/")
	number, err := strconv.Atoi(first)
	of, ofErr := strconv.Atoi(second)

	s := Shard{number, of}
	switch {
	case err != nil || ofErr != nil || s.String() != text:
		return Shard{}, fmt.Errorf("%.40q: %w", text, errShard)
	case of < 1 || of > MaxShards:
		return Shard{}, fmt.Errorf("%.40q: topics are parted into 1 to %d shares", text, MaxShards)
	case number < 1 || number > of:
		return Shard{}, fmt.Errorf("%.40q: the shares are 1/%d to %d/%d", text, of, of, of)
	}
	return s, nil
}

// String gives the share as it is asked for; of all topics, nothing.
func (s Shard) String() string {
	if s.IsAll() {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// IsAll reports whether the share is that of all topics.
func (s Shard) IsAll() bool { return s == Shard{} }

// Has reports whether a topic is in the share, by its id alone: on all machines, and whatever other topics there are.
func (s Shard) Has(topic string) bool {
	if s.IsAll() {
		return true
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(topic)) // a hash takes all
	hash := sum.Sum64()
	return int((hash^hash>>32)%uint64(s.Of)) == s.Number-1 // the lower bits of this hash alone separate short ids badly
}

// PieceState is the state of a piece of a night's work, such as a topic, where several runs share the night.
type PieceState struct {
	Mine   bool   // this run has taken it
	Done   bool   // another has done it
	Failed bool   // it was done, and nothing came of it
	Holder string // the program that has it; empty where none does
}

// Night is the progress of a night that several runs share.
type Night struct {
	Generation int // that they make together; 0 where there is one run
	Of         int // how many shares there are
	Begun      time.Time
	Awaited    []int // the shares that are not done
	Changed    bool  // one that is done has something to publish
}

var (
	// ErrTaken is given where another run has taken over a piece of work, and nothing of this one's is written.
	ErrTaken = errors.New("another run has taken over the work")
	// ErrEnded is given where what runs share was published, or set aside, by another.
	ErrEnded = errors.New("the shared generation has ended")
)
