package catalogue

import (
	"maps"
	"slices"
)

// Messages are those of a language's catalogue by their English texts, each in all its forms.
func Messages(tag string) (map[string][]string, error) {
	all, err := messages(tag)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for key, t := range all {
		out[key] = []string{t.text}
		if t.forms != nil {
			out[key] = slices.Collect(maps.Values(t.forms))
		}
	}
	return out, nil
}
