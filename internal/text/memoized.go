package text

import (
	"strings"
	"sync"
)

// Memoized is a function of a short text that keeps what it gave, of at most so many texts: when they are more, it
// begins anew. Goroutines may call it at once.
func Memoized[V any](most int, of func(text string) V) func(text string) V {
	var mu sync.RWMutex
	kept := map[string]V{}
	return func(text string) V {
		mu.RLock()
		v, known := kept[text]
		mu.RUnlock()

		if known {
			return v
		}
		v = of(text)
		mu.Lock()
		defer mu.Unlock()

		if len(kept) >= most {
			clear(kept)
		}
		kept[strings.Clone(text)] = v // or the whole text that it is a part of would be kept with it
		return v
	}
}
