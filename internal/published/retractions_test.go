package published

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

const retractionHeader = "Record ID,Title,Journal,Author,RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate," +
	"OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature\n"

func TestReadRetractions(t *testing.T) {
	tests := []struct {
		name, rows string
		want       []string // id, identifiers, status, notice, links
		problems   []string
		leftOut    int
	}{
		{"a retraction with its notice", "1,T,J,Ann Bee;C. Dee,1/31/2023 0:00,10.5555/n,99000002,3/1/2020 0:00,10.5555/P,99000001,Retraction\n",
			[]string{"1 DOI:10.5555/p PMID:99000001 yes 2023-01-31 DOI:10.5555/n Bee Ann, Dee C. 2020-03-01"}, nil, 0},
		{"the paper's own DOI is not its notice", "1,T,J,,1/31/2023 0:00,10.5555/p,0,,10.5555/p,0,Retraction\n",
			[]string{"1 DOI:10.5555/p yes 2023-01-31"}, nil, 0},
		{"no identifier but a title", "1,T,J,,1/31/2023 0:00,unavailable,0,,Unavailable,0,Retraction\n",
			[]string{"1 yes 2023-01-31"}, nil, 0},
		{"a concern", "1,T,J,,1/31/2023 0:00,10.5555/n,0,,10.5555/p,0,Expression of concern\n",
			[]string{"1 DOI:10.5555/p 2023-01-31 ExpressionOfConcernIn DOI:10.5555/n"}, nil, 0},
		{"a concern, and a retraction after it",
			"1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Expression of concern\n2,T,J,,1/31/2023 0:00,10.5555/m,0,,10.5555/p,0,Retraction\n",
			[]string{"2 DOI:10.5555/p yes 2023-01-31 DOI:10.5555/m"}, nil, 0},
		{"a retraction, and a reinstatement after it",
			"1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Retraction\n2,T,J,,1/31/2023 0:00,10.5555/m,0,,10.5555/p,0,Reinstatement\n",
			nil, nil, 1},
		{"a concern after a retraction takes nothing back",
			"1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Retraction\n2,T,J,,1/31/2023 0:00,10.5555/m,0,,10.5555/p,0,Expression of concern\n",
			[]string{"1 DOI:10.5555/p yes 2022-01-31 DOI:10.5555/n"}, nil, 0},
		{"a concern after a reinstatement, whatever the order of rows",
			"3,T,J,,1/31/2024 0:00,10.5555/o,0,,10.5555/p,0,Expression of concern\n1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Retraction\n" +
				"2,T,J,,1/31/2023 0:00,10.5555/m,0,,10.5555/p,0,Reinstatement\n",
			[]string{"3 DOI:10.5555/p 2024-01-31 ExpressionOfConcernIn DOI:10.5555/o"}, nil, 0},
		{"a correction after a retraction takes nothing back",
			"1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Retraction\n2,T,J,,1/31/2023 0:00,10.5555/m,0,,10.5555/p,0,Correction\n",
			[]string{"1 DOI:10.5555/p yes 2022-01-31 DOI:10.5555/n"}, nil, 1},
		{"a retraction, a reinstatement, and a retraction again",
			"1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Retraction\n2,T,J,,1/31/2023 0:00,10.5555/m,0,,10.5555/p,0,Reinstatement\n" +
				"3,T,J,,1/31/2024 0:00,10.5555/o,0,,10.5555/p,0,Retraction\n",
			[]string{"3 DOI:10.5555/p yes 2024-01-31 DOI:10.5555/o"}, nil, 0},
		{"a correction", "1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Correction\n", nil, nil, 1},
		{"a nature that nobody knows", "1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0,Sneezed\n", nil,
			[]string{`line 2 RetractionNature is "sneezed"`}, 0},
		{"a row without an id, one without a paper, one that is short",
			",T,J,,,,0,,10.5555/p,0,Retraction\n1,,J,,,,0,,,0,Retraction\n2,T\n", nil,
			[]string{"line 2 has no Record ID", "line 3 names its paper neither", `line 4 RetractionNature is ""`}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := ReadRetractions(strings.NewReader(retractionHeader + tt.rows))
			if err != nil {
				t.Fatal(err)
			}
			var got, problems []string
			for i := range table.Records {
				got = append(got, line(&table.Records[i]))
			}
			for _, p := range table.Problems {
				problems = append(problems, p.ID+" "+p.Reason)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if len(problems) != len(tt.problems) || table.LeftOut != tt.leftOut {
				t.Fatalf("problems %q, left out %d", problems, table.LeftOut)
			}
			for i := range problems {
				if !strings.HasPrefix(problems[i], tt.problems[i]) {
					t.Errorf("problem %q, want %q", problems[i], tt.problems[i])
				}
			}
		})
	}
	for name, text := range map[string]string{"no table": "TY  - JOUR\n", "nothing": "", "another table": "a,b\n1,2\n"} {
		if _, err := ReadRetractions(strings.NewReader(text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// TestReasons: they stand with a retraction, without the marks of the table.
func TestReasons(t *testing.T) {
	for _, tt := range []struct{ name, nature, cell, want string }{
		{"with signs", "Retraction", "+Falsification/Fabrication of Data;+Investigation by Journal/Publisher;",
			"Falsification/Fabrication of Data; Investigation by Journal/Publisher"},
		{"without", "Retraction", "Error in Data; Unreliable Results", "Error in Data; Unreliable Results"},
		{"twice", "Retraction", "+Error in Data;+Error in Data;", "Error in Data"},
		{"none", "Retraction", " ;;", ""},
		{"of a concern", "Expression of concern", "+Concerns/Issues About Data;", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := ReadRetractions(strings.NewReader(strings.TrimSuffix(retractionHeader, "\n") + ",Reason\n" +
				"1,T,J,,1/31/2022 0:00,10.5555/n,0,,10.5555/p,0," + tt.nature + "," + tt.cell + "\n"))
			if err != nil || len(table.Records) != 1 {
				t.Fatal(table, err)
			}
			if got := table.Records[0].Retraction.Reason; got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func line(r *evidence.Record) string {
	words := []string{r.Origins[0].ID}
	for _, id := range r.Identifiers {
		words = append(words, id.String())
	}
	if r.Retraction.Status == evidence.Yes {
		words = append(words, "yes")
	}
	words = append(words, string(r.Retraction.Checked))
	if !r.Retraction.Notice.IsZero() {
		words = append(words, r.Retraction.Notice.String())
	}
	for _, l := range r.Links {
		words = append(words, string(l.Relation), l.Target.String())
	}
	var names []string
	for _, a := range r.Authors {
		names = append(names, a.Family+" "+a.Given)
	}
	if len(names) > 0 {
		words = append(words, strings.Join(names, ", "))
	}
	if r.Date != "" {
		words = append(words, string(r.Date))
	}
	return strings.Join(words, " ")
}

// Every row is a record, a problem, or left out with a reason.
func FuzzReadRetractions(f *testing.F) {
	f.Add(retractionHeader + "1,T,J,A B,1/31/2023 0:00,10.5555/n,0,3/1/2020,10.5555/p,1,Retraction\n")
	f.Add(retractionHeader + "\"1\n,,,")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ReadRetractions(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(table.Records)+table.LeftOut+len(table.Problems) > table.Rows {
			t.Errorf("%d rows became %d records, %d left out, %d problems", table.Rows, len(table.Records), table.LeftOut,
				len(table.Problems))
		}
		for i := range table.Records {
			r := &table.Records[i]
			if len(r.Origins) != 1 || r.Retraction.Status != evidence.Yes && len(r.Links) == 0 {
				t.Errorf("a record says nothing: %+v", r)
			}
		}
	})
}
