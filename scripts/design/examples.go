package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/scripts/recorded"
)

// example is a record with the class that it is of.
type example struct {
	record   evidence.Record // as it is told: with neither types nor headings
	document pipeline.ModelText
	class    string
	stated   bool // by types or title, not by the labels
}

// classOfTruth are the labelled set's names of the classes.
var classOfTruth = map[string]evidence.Design{
	"guideline": evidence.DesignGuideline, "rct": evidence.DesignTrial, "sr": evidence.DesignSystematic,
	"review": evidence.DesignNarrative, "observational": evidence.DesignObservational,
	"case_report": evidence.DesignCaseReport, "preclinical": evidence.DesignPreclinical,
}

// readExamples reads the labelled records, and of the recorded ones those that are not among them and state a design.
// Both are in the order of their ids.
func readExamples(shared string) (labelled, stated []example, err error) {
	truth, err := readTruth(filepath.Join(shared, "bench", "design", "truth.tsv"))
	if err != nil {
		return nil, nil, err
	}

	file, err := os.Open(filepath.Join(shared, "bench", "design", "records.ris"))
	if err != nil {
		return nil, nil, err
	}
	defer file.Close() // only read

	err = cite.Read(file, "records.ris", func(item cite.Item) error {
		if item.Record != nil {
			if class := truth[item.Record.Origins[0].ID]; class != "" {
				labelled = append(labelled, exampleOf(*item.Record, class))
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}

	records, err := recorded.Read(filepath.Join(shared, "data"))
	if err != nil {
		return nil, nil, err
	}

	seen := map[*evidence.Record]bool{}
	for _, id := range slices.Sorted(maps.Keys(records)) {
		r := records[id]
		if pmid, _ := r.Identifier(evidence.PMID); truth[pmid.Value] != "" || seen[r] {
			continue
		}

		seen[r] = true
		if class := statedClass(r); class != "" {
			e := exampleOf(*r, class)
			e.stated = true
			stated = append(stated, e)
		}
	}
	return labelled, stated, nil
}

func readTruth(name string) (map[string]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read
	truth := map[string]string{}

	lines := bufio.NewScanner(file)
	for lines.Scan() {
		id, label, _ := strings.Cut(lines.Text(), "\t")
		if class := classOfTruth[label]; class != "" {
			truth[id] = string(class)
		}
	}

	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return truth, nil
}

func exampleOf(r evidence.Record, class string) example {
	r.PublicationTypes, r.MeSH = nil, nil
	document, _ := pipeline.DesignText(&r)
	return example{record: r, document: document, class: class}
}

// statedClass is the class that a record's types state, or, for the kinds that are seldom typed, its title by itself;
// empty where neither does, of a registered trial, and where the model could not read the record.
func statedClass(r *evidence.Record) string {
	if _, readable := pipeline.DesignText(r); !readable || r.Trial != nil {
		return ""
	}

	byTypes := pipeline.KindOf(&evidence.Record{PublicationTypes: r.PublicationTypes})
	if byTypes.Design != "" {
		return pipeline.DesignClass(byTypes.Design)
	}

	class := pipeline.DesignClass(pipeline.KindByText(&evidence.Record{Title: r.Title}, nil).Design)
	switch evidence.Design(class) {
	case evidence.DesignGuideline, evidence.DesignTrial, evidence.DesignSystematic:
		return class
	}
	return ""
}
