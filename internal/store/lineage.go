package store

import (
	"fmt"
	"time"
)

// setLineage sets the lineage of a generation that is about to be published: its parent's sum, and a counter above
// those of all generations present, including ones rolled back. An imported generation keeps its counter, with which
// later bundles are compared.
func (l layout) setLineage(about *Generation) error {
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
			highest = max(highest, manifest.counterOrNumber())
		}
	}
	about.Counter = highest + 1
	return nil
}

// counterOrNumber is the generation's counter, or its number if it is older than counters.
func (g Generation) counterOrNumber() int {
	if g.Counter == 0 {
		return g.Number
	}
	return g.Counter
}

// checkNewer refuses a bundle that is older than the current generation, by the counter if both have one, or by build
// time. A signature proves who exported a bundle, not that it is the newest: papers retracted since would count as
// evidence again.
func (in ImportRequest) checkNewer(bundle, current Generation) error {
	isBehind := bundle.Counter != 0 && current.Counter != 0 && bundle.Counter < current.Counter
	if in.AllowOlder || current.Number == 0 || !isBehind && !bundle.Built.Before(current.Built) {
		return nil
	}
	describe := func(g Generation) string {
		text := "built " + g.Built.UTC().Format(time.RFC3339)
		if g.Counter != 0 {
			text += fmt.Sprintf(", the %d. of its line", g.Counter)
		}
		return text
	}
	return &BundleError{
		Name: in.Name,
		Reason: fmt.Sprintf("it is older (%s) than generation %d here (%s): what came since would be lost, and what was "+
			"retracted since would be shown as evidence again", describe(bundle), current.Number, describe(current)),
		Remedy: "export the newest generation; --allow-older takes this one all the same",
	}
}

// Lineage tells whether the generations' sums prove that an imported one descends from the previous current one.
type Lineage string

// The lineages. A part has none, nor has a store on a cluster, which keeps no sums of manifests.
const (
	Continues Lineage = "goes on"   // it is that one, or descends from it through generations that are all here
	Unproven  Lineage = "not shown" // a generation between is missing here, or that one is not an ancestor
)

// lineageFrom follows a bundle's parents by their sums, through the generations that are here, to the current one.
func (b *bundle) lineageFrom(l layout, current *Manifest) Lineage {
	if b.manifest.Part != nil || current.Part != nil {
		return ""
	}

	if b.difference != nil && b.base.manifest.Sum == current.Sum {
		return Continues // the difference covers those between
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

	for range len(here) { // bounds the walk: a lineage is no longer and has no cycle
		if sum == "" || sum == current.Sum {
			break
		}
		sum = here[sum]
	}

	if sum != "" && sum == current.Sum {
		return Continues
	}
	return Unproven
}
