package cite

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// TestWork: what Crossref adds to CSL-JSON, in a work of its API as in an exported file.
func TestWork(t *testing.T) {
	doi := func(value string) evidence.Identifier { return evidence.Identifier{Kind: evidence.DOI, Value: value} }
	link := func(relation evidence.Relation, target string) evidence.Link {
		l := evidence.Link{Relation: relation, Source: "crossref"}
		if target != "" {
			l.Target = doi(target)
		}
		return l
	}
	cited := func(relation evidence.Relation, target string) evidence.Link {
		l := link(relation, target)
		l.Citation = target
		return l
	}
	for _, tt := range []struct {
		name, fields string
		status       evidence.Ternary
		notice       string
		links        []evidence.Link
	}{
		{"a notice retracts another paper",
			`"update-to":[{"DOI":"10.5555/p","type":"retraction","source":"publisher"}]`, "", "",
			[]evidence.Link{cited(evidence.Retracts, "10.5555/p")}},
		{"a paper that a notice retracts",
			`"updated-by":[{"DOI":"10.5555/n","type":"retraction","source":"retraction-watch"}]`,
			evidence.Yes, "10.5555/n", []evidence.Link{cited(evidence.RetractedBy, "10.5555/n")}},
		{"a paper that is retracted in its place", `"update-to":[{"DOI":"10.5555/W","type":"withdrawal"}]`, evidence.Yes, "", nil},
		{"a notice that nobody can find", `"updated-by":[{"DOI":"","type":"removal"}]`, evidence.Yes, "", nil},
		{"a correction and a concern, whoever writes them",
			`"updated-by":[{"DOI":"10.5555/c","type":"Corrigendum"},{"DOI":"10.5555/e",` +
				`"type":"Expression of Concern"}]`, "", "",
			[]evidence.Link{cited(evidence.ErratumIn, "10.5555/c"), cited(evidence.ConcernIn, "10.5555/e")}},
		{"a part that is retracted", `"updated-by":[{"DOI":"10.5555/c","type":"partial_retraction"}]`, "", "",
			[]evidence.Link{cited(evidence.ErratumIn, "10.5555/c")}},
		{"a correction in its place", `"update-to":[{"DOI":"10.5555/w","type":"correction"}]`, "", "", nil},
		{"a new version is no notice", `"update-to":[{"DOI":"10.5555/v1","type":"new_version"}]`, "", "", nil},
		{"a preprint of an article",
			`"relation":{"is-preprint-of":[{"id-type":"doi","id":"10.5555/A","asserted-by":"subject"}],` +
				`"has-review":[{"id-type":"doi","id":"10.5555/r"}],"has-version":[{"id-type":"doi","id":"10.5555/w"}]}`, "", "",
			[]evidence.Link{link(evidence.PreprintOf, "10.5555/a")}},
		{"an article with a preprint and a version", `"relation":{"is-version-of":[{"id-type":"doi","id":"10.5555/v"}],` +
			`"has-preprint":[{"id-type":"uri","id":"https://example.org"},{"id-type":"doi","id":"10.5555/q"}]}`, "", "",
			[]evidence.Link{link(evidence.PublishedFrom, "10.5555/q"), link(evidence.OtherRelationship, "10.5555/v")}},
		{"relations of no shape",
			`"relation":[1],"update-to":{"DOI":7},"updated-by":"x","institution":"y"`, "", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Work(json.RawMessage(`{"DOI":"10.5555/w","title":["Paper"],`+tt.fields+`}`), "crossref")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.links, r.Links); diff != "" || r.Retraction.Status != tt.status ||
				r.Retraction.Notice.Value != tt.notice {
				t.Errorf("%q by %v; links (-want +got):\n%s", r.Retraction.Status, r.Retraction.Notice, diff)
			}
		})
	}
}

func TestWorkIsReadWhole(t *testing.T) {
	raw := `{"DOI":"10.5555/W","type":"posted-content","subtype":"preprint","title":["A <i>KRAS</i> paper"],"subtitle":["a trial"],
		"institution":[{"name":"medRxiv"}],"is-referenced-by-count":7,"posted":{"date-parts":[[2024,5,6]]},"issued":{"date-parts":[[null]]},
		"author":[{"given":"Ann","family":"Ash","ORCID":"https://orcid.org/0000-0002-1825-0097","affiliation":[{"name":"An Invented Ward"},
		{"place":["x"]}]},{"name":"The Invented Group","sequence":"additional"}],"article-number":"e12","volume":3,"ISSN":["1234-567x"]}`
	r, err := Work(json.RawMessage(raw), "crossref")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(r.Title, "; ", people(&r), "; ", strings.Join(r.Authors[0].Affiliations, ","), " ", r.Authors[0].ORCID, "; ",
		r.Journal.Title, " ", r.Journal.Volume, " ", r.Journal.Pages, " ", r.Journal.ISSN, "; ", r.Date, " ", r.CitedBy, " ", r.Preprint)
	want := "A KRAS paper: a trial; Ash A; The Invented Group; An Invented Ward 0000-0002-1825-0097; medRxiv 3 e12 [1234-567X]; " +
		"2024-05-06 7 true"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for name, tt := range map[string]struct {
		kind string
		want bool
	}{
		"posted, and no more is said":     {`"type":"posted-content"`, true},
		"posted as something else":        {`"type":"posted-content","subtype":"report"`, false},
		"a journal's article":             {`"type":"journal-article"`, false},
		"an article, and a strange place": {`"type":"journal-article","subtype":"preprint"`, false},
	} {
		if r, err := Work(json.RawMessage(`{"title":["A"],`+tt.kind+`}`), "crossref"); err != nil || r.Preprint != tt.want {
			t.Errorf("%s: preprint %v, %v", name, r.Preprint, err)
		}
	}
	if _, err := Work(json.RawMessage(`[1]`), "crossref"); err == nil {
		t.Error("a list is read as a work")
	}
}

func FuzzWork(f *testing.F) {
	f.Add(`{"DOI":"10.5555/w","title":["A"],"update-to":[{"DOI":"10.5555/p","type":"retraction"}],"relation":{"has-preprint":[{"id":"10.5555/q",` +
		`"id-type":"doi"}]},"author":[{"family":"x","affiliation":[{"name":"y"}]}],"is-referenced-by-count":"8"}`)
	f.Add(`{"relation":{"is-preprint-of":{"id":7}},"updated-by":[[]],"institution":[{"name":{}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Work(json.RawMessage(text), "crossref")
		if err != nil {
			return
		}
		for _, l := range r.Links {
			if l.Source != "crossref" || l.Target.IsZero() && l.Citation == "" {
				t.Errorf("a link says nothing: %+v", l)
			}
		}
		if r.CitedBy < 0 || len(r.Authors) > maxList || len(r.Title) > maxTitle+maxTitle {
			t.Errorf("out of bounds: cited by %d, %d authors, a title of %d bytes", r.CitedBy, len(r.Authors), len(r.Title))
		}
	})
}
