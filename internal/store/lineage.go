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
