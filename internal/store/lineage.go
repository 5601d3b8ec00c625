package store

import (
	"fmt"
	"time"
)

// succeed gives a generation that is about to be published its place in the store's history: its parent's sum, and a
// counter above those of all generations that are there, rolled back ones too. What was imported keeps the counter that
// it came with, and is what bundles are compared with from then on.
func (l layout) succeed(about *Generation) error {
	if parent, err := readManifest(l.generation(about.Parent)); err == nil {
		about.ParentSum = parent.Sum
	}

	if about.Counter != 0 {
		return nil
	}

	numbers, err := listGenerations(l.generations())
	if err != nil {
		return err
	}

	highest := 0
	for _, number := range numbers {
		if manifest, err := readManifest(l.generation(number)); err == nil {
			highest = max(highest, manifest.count())
		}
	}
	about.Counter = highest + 1
	return nil
}

// count is the generation's counter; its number for one from before there were counters.
func (g Generation) count() int {
	if g.Counter == 0 {
		return g.Number
	}
	return g.Counter
}

// checkNewer refuses a bundle that is older than the current generation: by the counter, where both have one, or by
// the time that they were built. A signature proves who exported it, not that nothing came since: what was retracted
// meanwhile would stand as evidence again.
func (in Incoming) checkNewer(bundle, current Generation) error {
	isBehind := bundle.Counter != 0 && current.Counter != 0 && bundle.Counter < current.Counter
	if in.AllowOlder || current.Number == 0 || !isBehind && !bundle.Built.Before(current.Built) {
		return nil
	}
	told := func(g Generation) string {
		text := "built " + g.Built.UTC().Format(time.RFC3339)
		if g.Counter != 0 {
			text += fmt.Sprintf(", the %d. of its line", g.Counter)
		}
		return text
	}
	return &BundleError{
		Name: in.Name,
		Reason: fmt.Sprintf("it is older (%s) than generation %d here (%s): what came since would be lost, and what was "+
			"retracted since would be shown as evidence again", told(bundle), current.Number, told(current)),
		Remedy: "export the newest generation; --allow-older takes this one all the same",
	}
}

// Line says what the generations' sums show of how an imported one stands to the one that was current before.
type Line string

// The lines. None is told of a part, which is of no line, nor of a store on a cluster, which keeps no manifests' sums.
const (
	GoesOn   Line = "goes on"   // it is that one, or was built upon it, with every one between here
	NotShown Line = "not shown" // one between is not here, or that one is not among those that it was built upon
)

// lineFrom follows a bundle's parents by their sums, through the generations that are here, to the current one.
func (b *bundle) lineFrom(l layout, current *Manifest) Line {
	if b.manifest.Part != nil || current.Part != nil {
		return ""
	}

	if b.difference != nil && b.base.manifest.Sum == current.Sum {
		return GoesOn // those between are in it
	}
	here := map[string]string{} // each generation's parent's sum, by its own

	numbers, _ := listGenerations(l.generations())
	for _, number := range numbers {
		if manifest, err := readManifest(l.generation(number)); err == nil {
			here[manifest.Sum] = manifest.ParentSum
		}
	}

	sum := b.manifest.Sum
	if sum != current.Sum {
		sum = b.manifest.ParentSum
	}

	for range len(here) { // no line is longer, and none comes back to where it was
		if sum == "" || sum == current.Sum {
			break
		}
		sum = here[sum]
	}

	if sum != "" && sum == current.Sum {
		return GoesOn
	}
	return NotShown
}
