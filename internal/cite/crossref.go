package cite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
)

// Work parses a Crossref work: CSL-JSON with Crossref's additions. It has no origin yet; source is the source of its
// statements about others.
func Work(raw json.RawMessage, source string) (evidence.Record, error) {
	var item map[string]json.RawMessage
	if err := json.Unmarshal(raw, &item); err != nil {
		return evidence.Record{}, fmt.Errorf("it is no JSON object: %w", err)
	}
	d := newDraft(1)
	readCSLFields(d, newCSLValues(item))
	d.finish(source)
	return d.Record, nil
}

// crossref takes what only Crossref's works have.
func (d *draft) crossref(v cslValues) {
	if d.Journal.Title == "" { // a preprint's server
		d.Journal.Title = strings.Join(named(v["institution"], 1), "")
	}
	d.CitedBy, _ = strconv.Atoi(v.first("is-referenced-by-count"))

	d.CitedBy = max(d.CitedBy, 0)
	for _, u := range updatesOf(v["update-to"]) {
		d.update(u, u.relation())
	}

	for _, u := range updatesOf(v["updated-by"]) {
		if relation := u.relation(); relation != "" {
			d.update(u, relation.Inverse())
		}
	}
	d.crossrefRelations(v["relation"])
}

// crossrefUpdate is an entry of update-to, which a notice has, or of updated-by, which the paper has.
type crossrefUpdate struct{ DOI, Type string }

func updatesOf(raw json.RawMessage) []crossrefUpdate {
	var out []crossrefUpdate
	for _, one := range jsonList(raw) {
		var u crossrefUpdate
		if json.Unmarshal(one, &u) == nil && len(out) < maxNotes {
			out = append(out, u)
		}
	}
	return out
}

// relation is that of a notice to what it is on; empty for what makes none, such as a new version. A retraction of a
// part takes nothing back of the rest.
func (u crossrefUpdate) relation() evidence.Relation {
	switch strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(u.Type)) {
	case "retraction", "withdrawal", "removal":
		return evidence.Retracts
	case "correction", "erratum", "corrigendum", "addendum", "clarification", "partial_retraction":
		return evidence.ErratumFor
	case "expression_of_concern":
		return evidence.ConcernFor
	}
	return ""
}

// update links to the other side. A publisher that retracts a paper in its place gives the paper's own DOI on both
// sides: it is no notice on another one.
func (d *draft) update(u crossrefUpdate, relation evidence.Relation) {
	if relation == "" {
		return
	}
	target, ok := evidence.NewIdentifier(evidence.DOI, u.DOI)

	isRetraction := relation == evidence.Retracts || relation == evidence.RetractedBy
	if isSelf := ok && slices.Contains(d.Identifiers, target); !isSelf {
		d.addLink(evidence.Link{Relation: relation, Target: target, Citation: oneLine(u.DOI, maxID)})
		isRetraction = relation == evidence.RetractedBy // also where the notice's DOI can't be read
	}

	if isRetraction {
		d.Retraction.Status = evidence.Yes
	}
}

// crossrefRelations takes the links of a work's family. Others, such as reviews and data sets, are many and none.
func (d *draft) crossrefRelations(raw json.RawMessage) {
	var relations map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &relations) != nil {
		return
	}

	for _, name := range slices.Sorted(maps.Keys(relations)) {
		relation, known := familyRelations[name]
		if !known {
			continue
		}

		others := jsonList(relations[name])
		for _, one := range others[:min(len(others), maxNotes)] {
			var other struct {
				ID   string `json:"id"`
				Kind string `json:"id-type"`
			}
			if json.Unmarshal(one, &other) != nil || !strings.EqualFold(other.Kind, "doi") {
				continue
			}

			if target, ok := evidence.NewIdentifier(evidence.DOI, other.ID); ok && !slices.Contains(d.Identifiers, target) {
				d.addLink(evidence.Link{Relation: relation, Target: target})
			}
		}
	}
}

var familyRelations = map[string]evidence.Relation{
	"is-preprint-of": evidence.PreprintOf, "has-preprint": evidence.PublishedFrom,
	"is-version-of": evidence.OtherRelationship, "has-version": evidence.OtherRelationship,
	"is-comment-on": evidence.CommentOn, "has-comment": evidence.CommentIn,
}

// crossrefKind is a work's kind: for posted content that is no preprint, its subtype.
func crossrefKind(kind, subtype string) string {
	if kind == "posted-content" && subtype != "" {
		return subtype
	}
	return kind
}

// crossrefAffiliations are those of an author.
func crossrefAffiliations(raw json.RawMessage) []string {
	var author struct {
		Affiliation json.RawMessage `json:"affiliation"`
	}
	if json.Unmarshal(raw, &author) != nil {
		return nil
	}
	return named(author.Affiliation, maxNotes)
}

// named are the names of the objects in a list, at most n.
func named(raw json.RawMessage, n int) []string {
	var out []string
	for _, one := range jsonList(raw) {
		var thing struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(one, &thing) == nil && len(out) < n {
			if name := plain(thing.Name, maxWord); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}
