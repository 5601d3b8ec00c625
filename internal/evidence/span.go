package evidence

import "slices"

// Span is a part of an ordered list of origin keys, so that of a list without end only some are read.
type Span struct {
	From, To  string // the keys from From up to To, without To; an empty To is the list's end
	Limit     int    // at most so many; 0 is all of them
	Backwards bool   // those nearest To, the nearest first, instead of those nearest From
}

// Of gives the span's part of keys, which are in order.
func (s Span) Of(keys []string) []string {
	first, _ := slices.BinarySearch(keys, s.From)

	end := len(keys)
	if s.To != "" {
		end, _ = slices.BinarySearch(keys, s.To)
	}
	part := keys[first:max(first, end)]
	// The list may be that of a crowd, and is asked for one key's neighbours at a time: only what is given is copied.
	if over := len(part) - s.Limit; s.Limit > 0 && over > 0 {
		if s.Backwards {
			part = part[over:]
		} else {
			part = part[:s.Limit]
		}
	}

	part = slices.Clone(part)
	if s.Backwards {
		slices.Reverse(part)
	}
	return part
}

// Over gives the span's part of an ordered list that has changed since it was written down: keys have come, themselves
// in order, and others are gone. List gives a span's part of it as it is written down; an error is its own.
func (s Span) Over(come []string, gone func(key string) bool, list func(Span) ([]string, error)) ([]string, error) {
	keys := s.Of(come)

	rest := s
	if s.Limit > 0 && len(keys) == s.Limit {
		// Keys beyond the last of these are not requested. Without this bound, where all around a key are replaced by
		// incoming ones, the whole list would be read for each of them.
		if last := keys[len(keys)-1]; s.Backwards {
			rest.From = last
		} else {
			rest.To = last
		}
	}

	for stayed := 0; ; rest.Limit *= 2 { // where many are gone, more is read at a time
		old, err := list(rest)
		if err != nil {
			return nil, err
		}

		for _, key := range old {
			if !gone(key) {
				keys = append(keys, key)
				stayed++
			}
		}

		if rest.Limit == 0 || len(old) < rest.Limit || stayed >= s.Limit {
			break
		}

		if last := old[len(old)-1]; s.Backwards {
			rest.To = last
		} else {
			rest.From = last + "\x00"
		}
	}
	slices.Sort(keys)
	return s.Of(slices.Compact(keys)), nil
}
