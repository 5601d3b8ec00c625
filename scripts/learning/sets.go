package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/text"
	"dossier/scripts/recorded"
)

// set is one question's labelled records.
type set struct {
	name, question string
	records        []evidence.Record
	included       []bool
}

// readSets reads a folder of one of two kinds: records.ris, queries.tsv (id and text) and qrels.txt (query, 0,
// record, grade), where every graded record is included; or *-questions.tsv and *-labels.tsv (question, record,
// label), where what is labelled direct is, and the records are among the recorded answers of the services.
func readSets(folder, recordedAnswers string) ([]set, error) {
	if _, err := os.Stat(filepath.Join(folder, "qrels.txt")); err == nil {
		return readGraded(folder)
	}
	return readLabelled(folder, recordedAnswers)
}

func readGraded(folder string) (sets []set, err error) {
	file, err := os.Open(filepath.Join(folder, "records.ris"))
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read
	var records []evidence.Record

	err = cite.Read(file, "records.ris", func(item cite.Item) error {
		if item.Record != nil {
			r := *item.Record
			r.ID = r.Origins[0].ID
			records = append(records, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	graded := map[[2]string]bool{}

	grades, err := rowsOf(filepath.Join(folder, "qrels.txt"), strings.Fields)
	if err != nil {
		return nil, err
	}

	for _, row := range grades {
		if len(row) == 4 && row[3] != "0" {
			graded[[2]string{row[0], row[2]}] = true
		}
	}

	questions, err := rowsOf(filepath.Join(folder, "queries.tsv"), byTabs)
	for _, row := range questions {
		sets = append(sets, set{row[0], row[1], records, text.Each(records, func(r evidence.Record) bool {
			return graded[[2]string{row[0], r.ID}]
		})})
	}
	return sets, err
}

func readLabelled(folder, recordedAnswers string) (sets []set, err error) {
	all, err := recorded.Read(recordedAnswers)
	if err != nil {
		return nil, err
	}

	names, err := filepath.Glob(filepath.Join(folder, "dev*-questions.tsv"))
	if err != nil {
		return nil, err
	}

	for _, name := range names {
		questions, err := rowsOf(name, byTabs)
		if err != nil {
			return nil, err
		}

		labels, err := rowsOf(strings.Replace(name, "-questions", "-labels", 1), byTabs)
		if err != nil {
			return nil, err
		}

		for _, q := range questions {
			s := set{name: q[0], question: q[1]}
			for _, l := range labels {
				if l[0] != q[0] {
					continue
				}

				r := all[l[1]]
				if r == nil {
					return nil, fmt.Errorf("%s: %s is not among the recorded answers of %s", name, l[1], recordedAnswers)
				}
				one := *r
				one.ID = l[1]
				s.records, s.included = append(s.records, one), append(s.included, l[2] == "direct")
			}
			sets = append(sets, s)
		}
	}
	return sets, nil
}

func byTabs(line string) []string { return strings.Split(line, "\t") }

// rowsOf reads a table without its comments.
func rowsOf(name string, cells func(string) []string) (rows [][]string, err error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}

	for line := range strings.Lines(string(content)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, cells(line))
		}
	}
	return rows, nil
}

// count is how many records are included.
func (s *set) count() (n int) {
	for _, is := range s.included {
		if is {
			n++
		}
	}
	return n
}

// tells reports whether anything can be measured on a set: at least so many records of each kind.
func (s *set) tells(least int) bool { return s.count() >= least && len(s.records)-s.count() >= least }

// inOrder is the set with its records in another order.
func (s *set) inOrder(order []int) set {
	out := set{name: s.name, question: s.question}
	for _, i := range order {
		out.records, out.included = append(out.records, s.records[i]), append(out.included, s.included[i])
	}
	return out
}

func identity(n int) []int {
	return slices.Collect(func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	})
}
