package identity

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/results"
	"dossier/internal/text"
)

//go:embed paper_forms.txt
var paperForms string

// paperForm gives an expression of formTable by its name.
var paperForm = text.Forms(paperForms)

// Studies says for each record which study it reports: the place of the first record in the list that reports the same
// one, which is its own where none before it does. drugsIn names the drugs of a text.
//
// Records report one study where one is the other's preprint, republication or update; where both name one registered
// trial, and no other; and, sharing a drug in their titles, where both have the name of one trial there, or the same
// first author and number of patients. What is on several studies, such as a review, is a study of its own.
func Studies(records []*evidence.Record, drugsIn func(text string) []string) []int {
	g := groups{parent: make([]int, len(records))}

	first := map[string]int{} // key → place
	for i, r := range records {
		g.parent[i] = i
		for _, key := range keys(r, drugsIn) {
			if j, known := first[key]; known {
				g.join(i, j)
			} else {
				first[key] = i
			}
		}
	}

	out := make([]int, len(records))
	for i := range records {
		out[i] = g.find(i)
	}
	return out
}

// groups is a forest: a record's root is the first of its study.
type groups struct{ parent []int }

func (g *groups) find(i int) int {
	for g.parent[i] != i {
		i = g.parent[i]
	}
	return i
}

func (g *groups) join(i, j int) {
	a, b := g.find(i), g.find(j)
	g.parent[max(a, b)] = min(a, b)
}

// keys are what a record's study is known by; records that share one report the same.
func keys(r *evidence.Record, drugsIn func(text string) []string) []string {
	out := versions(r)
	if r.Bucket == evidence.SystematicReview || r.Bucket == evidence.Guideline ||
		paperForm("of many").MatchString(r.Title) {
		return out
	}

	if trial := registered(r); trial != "" {
		out = append(out, "trial "+trial)
	}
	drugs := drugsIn(r.Title)
	slices.Sort(drugs)

	for _, drug := range slices.Compact(drugs) {
		for _, name := range trialNames(r.Title) {
			out = append(out, fmt.Sprintf("name %s on %s", name, drug))
		}

		if n, _ := results.Patients(r, r.Bucket, r.Design); n >= fewPatients && len(r.Authors) > 0 {
			a := r.Authors[0]
			out = append(out, fmt.Sprintf("author %s of %d on %s", text.Letters(a.Family+a.Initials), n, drug))
		}
	}
	return out
}

// fewPatients is the least number that, with the first author and a drug, tells a study: small ones are common.
const fewPatients = 20

// versions are a paper's own identifiers, and those of what is the same paper at another stage.
func versions(r *evidence.Record) []string {
	var out []string
	for _, id := range r.Identifiers {
		out = append(out, id.String())
	}

	for _, l := range r.Links {
		switch l.Relation {
		case evidence.PreprintOf, evidence.PublishedFrom, evidence.RepublishedFrom, evidence.RepublishedIn,
			evidence.UpdateOf, evidence.UpdateIn:
			out = append(out, l.Target.String())
		}
	}
	return out
}

// registered is the one registered trial that a record names, as an identifier, in a link or in its text; empty where
// it names none, or several.
func registered(r *evidence.Record) string {
	var all []string
	for _, id := range r.Identifiers {
		if id.Kind == evidence.NCT {
			all = append(all, id.Value)
		}
	}

	for _, l := range r.Links {
		if l.Target.Kind == evidence.NCT {
			all = append(all, l.Target.Value)
		}
	}
	all = append(all, paperForm("nct").FindAllString(r.Title+"\n"+r.AbstractText(), -1)...)
	slices.Sort(all)

	if all = slices.Compact(all); len(all) == 1 {
		return all[0]
	}
	return ""
}

// trialNames are the names of trials in a title: five letters and a number that a sign parts ("KEYNOTE-177",
// "CheckMate 227"), which no gene has, else what stands beside the word trial or study, or in brackets at the end of
// the title of a trial.
func trialNames(title string) []string {
	var out []string
	for _, m := range paperForm("numbered").FindAllStringSubmatch(title, -1) {
		if len(m[1]) >= longName && m[2] != "" {
			out = append(out, strings.ToUpper(m[1]+m[3]))
		}
	}

	for _, m := range paperForm("named").FindAllStringSubmatch(title, -1) {
		if name := m[1] + m[2]; len(name) >= shortName && (m[1] != "" || paperForm("of a trial").MatchString(title)) {
			out = append(out, strings.ToUpper(strings.ReplaceAll(name, "-", "")))
		}
	}
	return out
}

const (
	longName  = 5
	shortName = 4
)
