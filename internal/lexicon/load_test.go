package lexicon

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
)

func mustLoad(t *testing.T, name, text string) *Lexicon {
	t.Helper()
	l, err := Load(File{Name: name, Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// found lists what a question mentions, as "concept name".
func found(l *Lexicon, question string) []string {
	var out []string
	for _, m := range l.Recognise(question).Mentions {
		out = append(out, string(m.Concept)+" "+m.Name)
	}
	return out
}

func TestLoadYAMLExtendsAndAdds(t *testing.T) {
	l := mustLoad(t, "ours.yaml", `
drugs:
  - name: sotorasib
    brands: [Wardbrand]
    codes: [XY-77001]
  - {name: wardamab, synonyms: [ward antibody], class: test}
genes:
  - {name: SHP2, synonyms: [shpgene]}
tumours:
  - {name: ward tumour, abbreviations: [WTX]}
fillers: [please]
`)
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"Wardbrand", []string{"drug sotorasib"}},
		{"XY77001 works", []string{"drug sotorasib"}},
		{"AMG 510", []string{"drug sotorasib"}},
		{"ward antibody please", []string{"drug wardamab"}},
		{"shpgene", []string{"gene_variant PTPN11"}},
		{"WTX", []string{"disease ward tumour"}},
	} {
		if diff := cmp.Diff(tt.want, found(l, tt.question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.question, diff)
		}
	}
	if got := l.Synonyms("sotorasib"); !strings.Contains(strings.Join(got, ","), "Wardbrand") {
		t.Errorf("sotorasib's names %v lack the new brand", got)
	}
	if c := l.Recognise("please"); len(c.Fillers) != 1 {
		t.Errorf("a filler of the file was not taken: %+v", c)
	}
}

func TestLoadYAMLKeepsAnAmbiguousNameWithItsFirstHolder(t *testing.T) {
	l := mustLoad(t, "a.yaml", "genes:\n  - {name: NEWGENE, synonyms: [HER2]}\n  - {name: OTHER1, synonyms: [SHARED7]}\n  - {name: OTHER2, synonyms: [SHARED7]}\n")
	for question, want := range map[string]string{"HER2": "gene_variant ERBB2", "NEWGENE": "gene_variant NEWGENE", "SHARED7": "gene_variant OTHER1", "OTHER2": "gene_variant OTHER2"} {
		if diff := cmp.Diff([]string{want}, found(l, question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", question, diff)
		}
	}
}

func TestLoadErrorsNameFileAndLine(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown section", "genes:\n  - name: x\nproteins:\n  - name: y\n", `dictionary f:3: unknown key "proteins"; a dictionary has tumours, genes`},
		{"unknown key", "genes:\n  - name: x\n    alias: [y]\n", `dictionary f:3: unknown key "alias"`},
		{"list for text", "genes:\n  - name: [x]\n", "dictionary f:2: name is a list; write one text"},
		{"text for list", "genes:\n  - name: x\n    synonyms: y\n", "dictionary f:3: synonyms is a text; write a list"},
		{"null", "genes:\n  - name:\n", "dictionary f:2: name is empty"},
		{"key twice", "genes:\n  - name: x\n    name: y\n", `dictionary f:3: key "name" stands twice`},
		{"anchor", "genes:\n  - &a {name: x}\n  - *a\n", "dictionary f:2: has a YAML anchor"},
		{"two documents", "genes: []\n---\ngenes: []\n", "more than one YAML document"},
		{"top is a list", "- a\n", "dictionary f:1: holds a list"},
		{"no YAML", "genes: [\n", "not valid YAML"},
		{"tabs", "genes:\n\t- name: x\n", "dictionary f:2: not valid YAML"},
		{"long name", "genes:\n  - name: " + strings.Repeat("x", 300) + "\n", "dictionary f:2: name has 300 bytes"},
		{"HGNC short row", "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\nHGNC:1\tA1\tx\n", "dictionary f:2: has 3 columns"},
		{"gene list short row", "GeneID\ttype\tsymbol\n1\tsymbol\tA1BG\n1\tsynonym\n", "dictionary f:3: want GeneID, type and symbol"},
		{"gene list type", "GeneID\ttype\tsymbol\n1\tnickname\tA1BG\n", `dictionary f:2: type is "nickname"`},
		{"DrugBank columns", "DrugBank ID,CAS\nDB1,2\n", "dictionary f:1: looks like DrugBank's vocabulary"},
		{"DrugBank short row", "Column1;Column2;Column3\nDrugBank ID;Common name;Synonyms\nDB1;x\n", "dictionary f:3: has 2 columns"},
		{"DrugBank quotes", "DrugBank ID,Common name,Synonyms\nDB1,\"x\n", "dictionary f:2:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(File{Name: "f", Data: []byte(tt.text)})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v; want %q in it", err, tt.want)
			}
			if fault := new(FileError); !errors.As(err, &fault) || fault.File != "f" {
				t.Errorf("%v is no *FileError of the file", err)
			}
		})
	}
}

const hgnc = "hgnc_id\tsymbol\tname\tlocus_group\tstatus\talias_symbol\talias_name\tprev_symbol\n" +
	"HGNC:6407\tKRAS\tKRAS proto-oncogene, GTPase\tprotein-coding gene\tApproved\t\"KRAS1|QQRAS9\"\t\tOLDKRAS4\n" +
	"HGNC:1\tZZTOP1\tzztop family member one\tprotein-coding gene\tApproved\tZTP7\t\t\n" +
	"HGNC:2\tIMPACT\timpact RWD domain protein\tprotein-coding gene\tApproved\t\t\t\n" +
	"HGNC:3\tGONE1\tgone\tprotein-coding gene\tEntry Withdrawn\t\t\t\n"

const geneList = "GeneID\ttype\tsymbol\n1\tsynonym\tQQRAS9\n3845\tsynonym\tQQRAS9\n3845\tsymbol\tKRAS\n3845\tsynonym\tOLDKRAS4\n3845\tsynonym\tOS\n" +
	"1\tsymbol\tZZTOP1\n1\tsynonym\tZTP7\n847\tsymbol\tCAT\n9\tsymbol\tIMPACT\n"

const geneInfo = "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\n9606\t3845\tKRAS\t-\tQQRAS9|OLDKRAS4\n9606\t1\tZZTOP1\t-\tZTP7\n10090\t2\tMouse1\t-\tMMM1\n9606\t5\tNOSYN\t-\t-\n9606\t9\tIMPACT\t-\t-\n"

func TestLoadGeneTables(t *testing.T) {
	for name, table := range map[string]string{"HGNC": hgnc, "NCBI list": geneList, "NCBI gene_info": geneInfo, "with CRLF": strings.ReplaceAll(hgnc, "\n", "\r\n")} {
		t.Run(name, func(t *testing.T) {
			l := mustLoad(t, "genes.tsv", table)
			for question, want := range map[string][]string{
				"OLDKRAS4 in sarcoma":                 {"gene_variant KRAS", "disease soft tissue sarcoma"},
				"ZZTOP1 in sarcoma":                   {"gene_variant ZZTOP1", "disease soft tissue sarcoma"},
				"zztop1 in sarcoma":                   {"disease soft tissue sarcoma"},
				"IMPACT of age in sarcoma":            {"disease soft tissue sarcoma"},
				"OS in sarcoma":                       {"mechanism_outcome overall survival", "disease soft tissue sarcoma"},
				"CAT scan in sarcoma":                 {"disease soft tissue sarcoma"},
				"KRAS G12C in sarcoma":                {"gene_variant KRAS G12C", "disease soft tissue sarcoma"},
				"the ZTP7 mutation drives a sarcoma ": {"gene_variant ZZTOP1", "disease soft tissue sarcoma"},
			} {
				if diff := cmp.Diff(want, found(l, question)); diff != "" {
					t.Errorf("%q (-want +got):\n%s", question, diff)
				}
			}
		})
	}
}

func TestAWithdrawnSymbolIsNotLoaded(t *testing.T) {
	if _, ok := mustLoad(t, "f", hgnc).Lookup(KindGene, "GONE1"); ok {
		t.Error("GONE1 was withdrawn, and was loaded")
	}
}

func TestAnAliasOfTwoGenesStaysWithOne(t *testing.T) {
	l := mustLoad(t, "f", geneList)
	a, okA := l.Lookup(KindGene, "ZZTOP1")
	b, okB := l.Lookup(KindGene, "KRAS")
	if !okA || !okB || a == b {
		t.Fatalf("the genes that share QQRAS9 were merged, or one is lost: %v %v", a, b)
	}
	// The gene that stands first in the list has the alias, whatever the order of its own lines.
	if diff := cmp.Diff([]string{"gene_variant ZZTOP1"}, found(l, "QQRAS9")); diff != "" {
		t.Errorf("QQRAS9 (-want +got):\n%s", diff)
	}
}

func TestLoadDrugBank(t *testing.T) {
	for name, table := range map[string]string{
		"with a line of columns": "Column1;Column2;Column3;Column4\nDrugBank ID;Accession Numbers;Common name;Synonyms\nDB1;x;Wardostat;Wardostatum | Ward acid\nDB2;y;Water;Aqua pura\nDB3;z;Sotorasib;Sotorasibum\n",
		"as published":           "DrugBank ID,Accession Numbers,Common name,Synonyms\nDB1,x,Wardostat,\"Wardostatum | Ward acid\"\nDB2,y,Water,Aqua pura\nDB3,z,Sotorasib,Sotorasibum\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := mustLoad(t, "drugs.csv", table)
			for question, want := range map[string][]string{
				"wardostatum for melanoma":  {"drug Wardostat", "disease melanoma"},
				"ward acid for melanoma":    {"drug Wardostat", "disease melanoma"},
				"water for melanoma":        {"disease melanoma"},
				"sotorasibum or Lumakras":   {"drug sotorasib", "drug sotorasib"},
				"Is a ward or acid of use?": nil,
			} {
				if diff := cmp.Diff(want, found(l, question)); diff != "" {
					t.Errorf("%q (-want +got):\n%s", question, diff)
				}
			}
		})
	}
}

func TestLoadPathsReadsGzip(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(hgnc))
	w.Close()
	path := filepath.Join(t.TempDir(), "hgnc.txt.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := LoadPaths(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := l.Lookup(KindGene, "ZZTOP1"); !ok {
		t.Error("the packed table was not read")
	}
	if err := os.WriteFile(path, packed.Bytes()[:packed.Len()/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadPaths(path); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("half a packed table: error %v; want one that says damaged", err)
	}
	if _, err := LoadPaths(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// The public lists hold a hundred thousand short names. With them loaded, the questions of the board must read as without.
func TestPublicListsDoNotWreckRecognition(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "data", "lexicons")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recorded lists are not here: %v", err)
	}
	loaded, err := LoadPaths(filepath.Join(dir, "drugbank_vocabulary.csv.gz"), filepath.Join(dir, "entrez_gene_symbols_human.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	plain := mustDefault(t)
	for _, q := range boardQuestions {
		if diff := cmp.Diff(found(plain, q.question), found(loaded, q.question)); diff != "" {
			t.Errorf("%q with the lists (+) and without (-):\n%s", q.question, diff)
		}
	}
	for _, q := range falseFriends {
		if diff := cmp.Diff(q.want, found(loaded, q.question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", q.question, diff)
		}
	}
	if got := loaded.Recognise("BTN3A1 in ovarian cancer").Of(boolean.GeneVariant); len(got) != 1 || got[0].Entry == nil {
		t.Errorf("BTN3A1 is in the list, and was read as %+v", got)
	}
}
