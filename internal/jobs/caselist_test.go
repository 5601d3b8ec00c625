package jobs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"dossier/internal/lexicon"
)

func reader(t testing.TB) *CaseReader {
	t.Helper()
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &CaseReader{Lexicon: words}
}

// read reads content as a file of that name.
func read(t *testing.T, r *CaseReader, name string, content []byte) (*CaseList, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := r.Read(path)
	if err != nil {
		return nil, &hidden{strings.ReplaceAll(err.Error(), path, name)}
	}
	return list, nil
}

// hidden is an error without the folder that it was met in.
type hidden struct{ text string }

func (h *hidden) Error() string { return h.text }

// sheet is a spreadsheet of rows, changed by what the caller does with it.
func sheet(t *testing.T, rows [][]string, change func(*excelize.File)) []byte {
	t.Helper()
	file := excelize.NewFile()
	for i, row := range rows {
		for j, cell := range row {
			at, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if err := file.SetCellStr("Sheet1", at, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	if change != nil {
		change(file)
	}
	var out bytes.Buffer
	if err := file.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func questions(list *CaseList) (out []string) {
	for _, t := range list.Topics {
		out = append(out, strings.Join(append([]string{t.ID, t.Question}, t.Tags...), " | "))
	}
	return out
}

// Lists as hospitals write them: three languages, four formats, columns in any order and under their own names.
func TestLists(t *testing.T) {
	latin := func(s string) []byte {
		out, err := charmap.Windows1252.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return []byte(out)
	}
	header := []string{"Case no.", "Diagnosis", "Stage", "Molecular findings", "Prior therapy", "Question", "Board", "Meeting date"}
	tests := []struct {
		name, file string
		content    []byte
		change     func(*CaseReader)
		want       []string
	}{
		{"English, commas", "cases.csv", []byte("case,tumour,alterations,question,board\n" +
			"12,NSCLC,\"EGFR L858R, T790M\",osimertinib?,lung\n"), nil,
			[]string{"case-12 | EGFR L858R and T790M NSCLC: osimertinib? | lung"}},
		{"a question that says all is left as it is", "cases.csv", []byte("case,tumour,alterations,prior therapy,question\n" +
			"12,CRC,KRAS G12C,FOLFOX,sotorasib in KRAS G12C colorectal cancer after FOLFOX\n"), nil,
			[]string{"case-12 | sotorasib in KRAS G12C colorectal cancer after FOLFOX"}},
		{"no question: what the patient has is asked about", "cases.tsv",
			[]byte("case\ttumour\tstage\talterations\tprior treatment\n7\tcolorectal cancer\tIV\tKRAS G12C\tFOLFOX and bevacizumab\n"), nil,
			[]string{"case-7 | KRAS G12C colorectal cancer, stage IV, after FOLFOX and bevacizumab"}},
		{"German, semicolons, Windows-1252, a title above, decimal commas", "fälle.csv",
			latin("Tumorboard für Donnerstag;;;;;\nFall;Entität;Stadium;Molekularpathologie;Frage;Datum\n" +
				"L-1;Lungenadenokarzinom;IIIA;PD-L1 12,5%;Durvalumab nach Radiochemotherapie?;03.12.2026\n"), nil,
			[]string{"case-l-1 | PD-L1 12.5% Lungenadenokarzinom, stage IIIA: Durvalumab nach Radiochemotherapie? | 2026-w49"}},
		{"French, empty rows between", "rcp.csv", []byte("Cas;Tumeur;Altérations;Traitements antérieurs;RCP\n" +
			";;;;\nA1;cancer du sein;PIK3CA H1047R;fulvestrant;sein\n;;;;\n"), nil,
			[]string{"case-a1 | PIK3CA H1047R cancer du sein, after fulvestrant | sein"}},
		{"Spanish, another column of the same sort named", "casos.csv",
			[]byte("Caso,Diagnóstico,Diagnóstico previo,Pregunta\n3,melanoma,nevo,BRAF V600E dabrafenib trametinib\n"),
			func(r *CaseReader) { r.Columns = map[string]string{"tumour": "B"} },
			[]string{"case-3 | melanoma: BRAF V600E dabrafenib trametinib"}},
		{"a spreadsheet with a title over all columns", "cases.xlsx", sheet(t, [][]string{{"Thursday"}, header,
			{"GI-4", "pancreatic cancer", "", "BRCA2 mutation", "FOLFIRINOX", "olaparib maintenance?", "GI", "2026-12-03"}},
			func(f *excelize.File) { _ = f.MergeCell("Sheet1", "A1", "H1") }), nil,
			[]string{"case-gi-4 | BRCA2 mutation pancreatic cancer, after FOLFIRINOX: olaparib maintenance? | GI | 2026-w49"}},
		{"the first sheet with anything in it", "cases.xlsx", sheet(t, nil, func(f *excelize.File) {
			_, _ = f.NewSheet("Liste")
			for cell, value := range map[string]string{"A1": "case", "B1": "tumour", "A2": "1", "B2": "uveal melanoma"} {
				_ = f.SetCellStr("Liste", cell, value)
			}
		}), nil, []string{"case-1 | uveal melanoma"}},
		{"columns under names of their own", "list.csv", []byte("Kürzel,Krankheit\nX,GIST\n"),
			func(r *CaseReader) { r.Columns = map[string]string{"case": "Kürzel", "tumour": "krankheit"} },
			[]string{"case-x | GIST"}},
		{"two questions of one case", "cases.csv", []byte("case,tumour,question\n12-1,GIST,imatinib\n12-2,GIST,sunitinib\n"), nil,
			[]string{"case-12-1 | GIST: imatinib", "case-12-2 | GIST: sunitinib"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reader(t)
			if tt.change != nil {
				tt.change(r)
			}
			list, err := read(t, r, tt.file, tt.content)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, questions(list)); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
		})
	}
}

// What is wrong with a list is told by row and column, and nothing of it is used.
func TestListsThatAreRefused(t *testing.T) {
	rows := [][]string{{"case", "tumour", "alterations"}, {"1", "NSCLC", "EGFR L858R"}, {"2", "", "KRAS G12C"}}
	tests := []struct {
		name, file string
		content    []byte
		want       string
	}{
		{"a column with names", "a.csv", []byte("case,tumour,Patient name\n1,GIST,\n2,GIST,Rosalind Trevelyan\n"),
			"a.csv, row 3, column C (Patient name): tells who a patient is (name)"},
		{"a column with birth dates", "a.csv", []byte("case,tumour,Geburtsdatum\n1,GIST,03.04.1956\n"),
			"a.csv, row 2, column C (Geburtsdatum): tells who a patient is (date)"},
		{"a patient's name in a question", "a.csv", []byte("case,tumour,question\n1,GIST,Mrs Trevelyan: imatinib?\n"),
			"a.csv, row 2, column C (question): tells who a patient is (name)"},
		{"a number of the hospital in place of a pseudonym", "a.csv", []byte("case,tumour\n20240815,GIST\n"),
			"a.csv, row 2, column A (case): tells who a patient is"},
		{"two rows of headers", "a.csv", []byte("case,tumour,question\ncase no,diagnosis,question\n1,GIST,imatinib\n"),
			"a.csv, row 2: names columns like the row above it; keep one row of headers"},
		{"no header", "a.csv", []byte("1,GIST,imatinib\n"), "a.csv: has no row that names its columns"},
		{"merged cells", "a.xlsx", sheet(t, rows, func(f *excelize.File) { _ = f.MergeCell("Sheet1", "B2", "B3") }),
			"a.xlsx, row 2, column B: the cells B2 to B3 are merged"},
		{"a formula in a spreadsheet", "a.xlsx", sheet(t, rows, func(f *excelize.File) { _ = f.SetCellFormula("Sheet1", "C2", "B2") }),
			"a.xlsx, row 2, column C: is a formula"},
		{"a formula in a text", "a.csv", []byte("case,tumour\n1,\"=HYPERLINK(\"\"x\"\")\"\n"), "a.csv, row 2, column B: is a formula"},
		{"macros", "a.xlsm", sheet(t, rows, nil), "a.xlsm: may hold macros, which are not opened; save it as .xlsx"},
		{"an old spreadsheet", "a.xls", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "save it as .xlsx or CSV"},
		{"a broken spreadsheet", "a.xlsx", []byte("PK\x03\x04 and no more"), "can't be read as a spreadsheet"},
		{"no tumour", "a.csv", []byte("case,tumour,alterations\n1,NSCLC,EGFR L858R\n2,,KRAS G12C\n"),
			"a.csv, row 3, column B (tumour): names no tumour that the dictionary knows"},
		{"a gene that does not exist", "a.csv", []byte("case,tumour,alterations\n1,NSCLC,EGFX9 L858R\n"),
			`a.csv, row 2, column C (alterations): "EGFX9" is no gene that the dictionary knows`},
		{"no case number", "a.csv", []byte("case,tumour\n,NSCLC\n"), "a.csv, row 2, column A (case): is empty; give each case a pseudonym"},
		{"no column of case numbers", "a.csv", []byte("tumour,question\nNSCLC,osimertinib\n"), "has no case number"},
		{"one case twice", "a.csv", []byte("case,tumour\n1,NSCLC\n1,GIST\n"), "row 3, column A (case): is the case of row 2, too"},
		{"two columns for one thing", "a.csv", []byte("case,tumour,diagnosis\n1,NSCLC,x\n"),
			"column C (diagnosis): looks like the tumour, as column B (tumour) does; say with --columns tumour="},
		{"no date", "a.csv", []byte("case,tumour,date\n1,NSCLC,Thursday\n"), "a.csv, row 2, column C (date): is no date"},
		{"a column that is not there", "a.csv", []byte("case,tumour\n1,NSCLC\n"), ""},
		{"5,000 rows", "a.csv", []byte("case,tumour\n" + strings.Repeat("x,GIST\n", 5000)), "and 4979 faults more"},
		{"5,000 cases", "a.csv", manyCases(5000), "at most 1000 are read: is this a meeting's list?"},
		{"nothing below the header", "a.csv", []byte("case,tumour\n"), "no case stands below the header"},
		{"nothing at all", "a.csv", nil, "a.csv: is empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reader(t)
			if tt.want == "" {
				r.Columns, tt.want = map[string]string{"question": "Frage"}, `has no column "Frage", which --columns names for question`
			}
			if _, err := read(t, r, tt.file, tt.content); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func manyCases(n int) []byte {
	var b bytes.Buffer
	b.WriteString("case,tumour\n")
	for i := range n {
		b.WriteString("c" + strings.Repeat("i", i%7) + "-" + string(rune('a'+i%26)) + strings.Repeat("x", i/182) + ",GIST\n")
	}
	return b.Bytes()
}

// Of a table of variants those are asked that a treatment is chosen by, and the others are named with the reason.
func TestVariants(t *testing.T) {
	const vepHeader = `##fileformat=VCFv4.2
##reference=file:///ref/hg19.fa
##INFO=<ID=CSQ,Number=.,Type=String,Description="Consequence annotations from Ensembl VEP. Format: Allele|Consequence|SYMBOL|HGVSc|HGVSp">
#CHROM	POS	ID	REF	ALT	QUAL	FILTER	INFO
`
	tests := []struct {
		name, file, content, tumour string
		want                        []string
		notAsked                    []NotAsked
		note                        string
	}{
		{"MAF", "a.maf", "#version 2.4\nHugo_Symbol\tVariant_Classification\tHGVSp_Short\tTumor_Sample_Barcode\n" +
			"KRAS\tMissense_Mutation\tp.G12C\tS1\nKRAS\tSilent\tp.T58=\tS1\nAPC\tMissense_Mutation\tp.A1B\tS1\nXYZ9\tMissense_Mutation\tp.A1V\tS1\n",
			"colorectal cancer", []string{"kras-g12c-colorectal-cancer | KRAS G12C colorectal cancer treatment | molecular"},
			[]NotAsked{{"KRAS p.T58=", "it does not change the protein (Silent)"},
				{"APC p.A1B", "no drug that the dictionary knows is chosen by it"}, {"XYZ9 p.A1V", "the dictionary does not know the gene"}},
			"row 2 names the columns: A (Hugo_Symbol) is gene"},
		{"cBioPortal, with its tumours", "a.tsv", "Sample ID\tCancer Type Detailed\tGene\tProtein Change\tMutation Type\n" +
			"S1\tLung Adenocarcinoma\tEGFR\tL858R\tMissense_Mutation\nS1\tLung Adenocarcinoma\tEGFR\tT790M\tMissense_Mutation\n", "",
			[]string{"egfr-l858r-t790m-lung-adenocarcinoma | EGFR L858R and T790M Lung Adenocarcinoma treatment | molecular"}, nil, "is tumour"},
		{"VCF of VEP", "a.vcf", vepHeader +
			"7\t1\t.\tT\tG\t.\tPASS\tDP=9;CSQ=G|intron_variant|EGFR||,G|missense_variant|EGFR|c.2573T>G|ENSP1:p.Leu858Arg\n" +
			"13\t1\t.\tT\tG\t.\tPASS\tCSQ=G|frameshift_variant|BRCA2||ENSP2:p.Ser1982ArgfsTer22\n" +
			"1\t5\t.\tT\tG\t.\tPASS\tDP=1\n", "lung adenocarcinoma",
			[]string{"egfr-l858r-lung-adenocarcinoma | EGFR L858R lung adenocarcinoma treatment | molecular",
				"brca2-mutation-lung-adenocarcinoma | BRCA2 mutation lung adenocarcinoma treatment | molecular"},
			[]NotAsked{{"1:5 no annotation", "the dictionary does not know the gene"}}, "the genome's build (GRCh37) makes no difference"},
		{"VCF of SnpEff", "a.vcf", "##fileformat=VCFv4.2\n##INFO=<ID=ANN,Number=.,Type=String,Description=\"Functional annotations: " +
			"'Allele | Annotation | Annotation_Impact | Gene_Name | HGVS.c | HGVS.p'\">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n" +
			"7\t1\t.\tA\tT\t.\tPASS\tANN=T|missense_variant|MODERATE|BRAF|c.1799T>A|p.Val600Glu\n", "melanoma",
			[]string{"braf-v600e-melanoma | BRAF V600E melanoma treatment | molecular"}, nil, "(not told)"},
		{"FHIR's bundle, with its tumour and without its patient", "a.json", `{"resourceType":"Bundle","entry":[
			{"resource":{"resourceType":"Patient","name":[{"family":"Trevelyan"}]}},
			{"resource":{"resourceType":"Condition","code":{"text":"Malignant melanoma of skin"}}},
			{"resource":{"resourceType":"Observation","component":[
				{"code":{"coding":[{"code":"48018-6"}]},"valueCodeableConcept":{"coding":[{"code":"HGNC:1097","display":"BRAF"}]}},
				{"code":{"coding":[{"code":"48005-3"}]},"valueCodeableConcept":{"coding":[{"code":"p.Val600Glu"}]}}]}}]}`, "",
			[]string{"braf-v600e-malignant-melanoma-of-skin | BRAF V600E Malignant melanoma of skin treatment | molecular"}, nil,
			"of the patient nothing is"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reader(t)
			r.Tumour = tt.tumour
			list, err := read(t, r, tt.file, []byte(tt.content))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, questions(list)); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.notAsked, list.NotAsked); diff != "" {
				t.Errorf("not asked (-want +got):\n%s", diff)
			}
			if notes := strings.Join(list.Notes, "\n"); !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want one with %q", notes, tt.note)
			}
		})
	}
	for name, refused := range map[string]struct{ file, content, want string }{
		"no tumour":                {"a.tsv", "gene\tprotein change\nKRAS\tG12C\n", "row 2: names no tumour; say with --tumour which it is"},
		"a VCF without annotation": {"a.vcf", "##fileformat=VCFv4.2\n#CHROM\n7\t1\t.\tT\tG\t.\tPASS\tDP=9\n", "has no annotation of VEP (CSQ) or SnpEff (ANN)"},
		"a VCF without variants":   {"a.vcf", vepHeader, "has no variant"},
		"a VCF that is cut":        {"a.vcf", vepHeader + "7\t1\n", "row 5: has 2 columns"},
		"JSON that is cut":         {"a.json", `{"resourceType":"Bundle","entry":[`, "can't be read as JSON"},
		"JSON of something else":   {"a.json", `{"a":1}`, "is no FHIR resource"},
		"a bundle without variants": {"a.json", `{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient"}}]}`,
			"has no observation of a variant"},
		"an empty gene": {"a.tsv", "gene\tprotein change\n\tG12C\n", "row 2, column A (gene): is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(t, reader(t), refused.file, []byte(refused.content))
			if err == nil || !strings.Contains(err.Error(), refused.want) {
				t.Errorf("error %v, want one with %q", err, refused.want)
			}
		})
	}
}

// Of the same list only what changed is made anew: what a person wrote into the topic file stays.
func TestTheSameListAgain(t *testing.T) {
	list := func(rows string) *CaseList {
		l, err := read(t, reader(t), "a.csv", []byte("case,tumour,question\n"+rows))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first, changes, err := list("1,GIST,imatinib\n2,melanoma,nivolumab\n3,NSCLC,osimertinib\n").TopicFile(nil)
	if err != nil || len(changes.New) != 3 {
		t.Fatalf("the first file: %v, %+v", err, changes)
	}
	edited := bytes.Replace(first, []byte("question: 'GIST: imatinib'"),
		[]byte("question: 'imatinib in resected GIST' # asked by the surgeon\n    year_window: 5"), 1)
	if bytes.Equal(edited, first) {
		t.Fatalf("nothing was edited in\n%s", first)
	}
	second, changes, err := list("4,uveal melanoma,tebentafusp\n1,GIST,imatinib\n2,melanoma,ipilimumab\n").TopicFile(edited)
	if err != nil {
		t.Fatal(err)
	}
	want := Changes{New: []string{"case-4"}, Changed: []string{"case-2"}, Gone: []string{"case-3"}, Kept: 1}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	for _, text := range []string{"imatinib in resected GIST", "# asked by the surgeon", "year_window: 5", "melanoma: ipilimumab", "case-4"} {
		if !bytes.Contains(second, []byte(text)) {
			t.Errorf("%q is not in\n%s", text, second)
		}
	}
	if third, changes, err := list("4,uveal melanoma,tebentafusp\n1,GIST,imatinib\n2,melanoma,ipilimumab\n").TopicFile(second); err != nil ||
		!bytes.Equal(third, second) || changes.Kept != 3 {
		t.Errorf("a third time %v, %+v:\n%s", err, changes, third)
	}
	if _, _, err := list("1,GIST,imatinib\n").TopicFile([]byte("topics: [")); err == nil {
		t.Error("a broken file of before is overwritten")
	}
}

// Whatever a file holds, it is a list or an error that names the file.
func FuzzReadCases(f *testing.F) {
	for _, seed := range []string{"case,tumour\n1,GIST\n", "##fileformat=VCFv4.2\n##INFO=<ID=CSQ,:a|b\n7\t1", `{"resourceType":"Bundle"}`,
		"PK\x03\x04", "gene\tprotein change\nKRAS\tG12C\n", "\xff\xfec\x00"} {
		f.Add([]byte(seed))
	}
	words, err := lexicon.Load()
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "list")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r := CaseReader{Lexicon: words, Tumour: "melanoma"}
		list, err := r.Read(path)
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		if _, _, err := list.TopicFile(nil); err != nil {
			t.Errorf("no topic file: %v", err)
		}
	})
}
