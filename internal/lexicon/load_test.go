package lexicon

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/strictyaml"
)

func mustLoad(t *testing.T, name, text string) *Lexicon {
	t.Helper()
	l, err := Load(File{Name: name, Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// found lists the diseases, genes and drugs that a question names, as "concept name".
func found(l *Lexicon, question string) []string {
	q := l.Understand(question)
	var out []string
	for _, c := range slices.Concat(q.Tumours, q.Conditions) {
		out = append(out, "disease "+c.Name)
	}
	for _, a := range q.Alterations {
		out = append(out, "gene "+a.canonical())
	}
	for _, d := range q.Drugs {
		out = append(out, "drug "+d.Name)
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
shorthand:
  - [wrdm, wardamab]
  - [QZX, ward antibody, German]
`)
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"Wardbrand", []string{"drug sotorasib"}},
		{"XY77001 works", []string{"drug sotorasib"}},
		{"AMG 510", []string{"drug sotorasib"}},
		{"ward antibody please", []string{"drug wardamab"}},
		{"shpgene", []string{"gene PTPN11"}},
		{"WTX", []string{"disease ward tumour"}},
		{"wrdm works", []string{"drug wardamab"}},
		{"QZX oder", []string{"drug wardamab"}},
		{"QZX or", nil},
	} {
		if diff := cmp.Diff(tt.want, found(l, tt.question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.question, diff)
		}
	}
	if e, ok := l.Lookup(KindDrug, "sotorasib"); !ok || !slices.Contains(e.Brands, "Wardbrand") {
		t.Errorf("sotorasib lacks the new brand: %+v", e)
	}
	if q := l.Understand("please"); len(q.Dropped) != 1 {
		t.Errorf("a filler of the file was not taken: %+v", q)
	}
}

func TestLoadYAMLKeepsAnAmbiguousNameWithItsFirstHolder(t *testing.T) {
	l := mustLoad(t, "a.yaml",
		"genes:\n  - {name: NEWGENE, synonyms: [HER2]}\n  - {name: OTHER1, synonyms: [SHARED7]}\n  - {name: OTHER2, synonyms: [SHARED7]}\n")
	for question, want := range map[string]string{"HER2": "gene ERBB2", "NEWGENE": "gene NEWGENE",
		"SHARED7": "gene OTHER1", "OTHER2": "gene OTHER2"} {
		if diff := cmp.Diff([]string{want}, found(l, question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", question, diff)
		}
	}
}

func TestLoadReadsEveryKeyOfAnEntry(t *testing.T) {
	l := mustLoad(t, "ours.yaml", `
tumours:
  - {name: ward tumour, mesh: Ward Neoplasms, synonyms: [" ward cancer "], abbreviations: [WTX], guarded: [WARD], brands: [B], codes: [C-1],
     targets: [KRAS], class: c, stems: [-wardol], except: [awardol], broader: [cancer], site: lung, type: adenocarcinoma, qualifiers: [low-grade], usually: kidney, defined_by: [NPM1],
     implies: [HER2-negative], aspect: age, common: true, broad: true, de: [Stationstumor], fr: [tumeur], es: [t1], it: [t2], pt: [t3], zh: [病房癌], exact: [ward cancer]}
`)
	got, ok := l.Lookup(KindTumour, "ward cancer")
	want := &Entry{Kind: KindTumour, File: "ours.yaml", Name: "ward tumour", MeSH: "Ward Neoplasms",
		Synonyms:      []string{"ward cancer"},
		Abbreviations: []string{"WTX"}, Guarded: []string{"WARD"}, Brands: []string{"B"}, Codes: []string{"C-1"},
		Targets: []string{"KRAS"}, Class: "c", Stems: []string{"-wardol"}, Except: []string{"awardol"},
		Broader: []string{"cancer"}, Site: "lung", Type: "adenocarcinoma", Qualifiers: []string{"low-grade"},
		Usually: "kidney", DefinedBy: []string{"NPM1"},
		Implies: []string{"HER2-negative"}, Aspect: "age", Common: true, Broad: true, Foreign: []string{"Stationstumor",
			"tumeur", "t1", "t2", "t3", "病房癌"},
		Exact: []string{"ward cancer", "Stationstumor", "tumeur", "t1", "t2", "t3", "病房癌"}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The tables that ship with the program are shared by all dictionaries of a process: no file may change them.
func TestLoadLeavesTheBuiltInTablesAsTheyAre(t *testing.T) {
	plain := mustDefault(t)
	known, ok := plain.Lookup(KindGene, "KRAS")
	if !ok {
		t.Fatal("KRAS is not in the dictionary")
	}
	before := *known
	key, claims := plain.key("nsclc"), slices.Clone(plain.claims)
	l := mustLoad(t, "ours.yaml",
		"genes:\n  - {name: KRAS, mesh: Genes, synonyms: [wardras], broader: [x]}\n  - {name: NEWGENE, synonyms: [HER2]}\nenglish: [nsclc]\n")
	if diff := cmp.Diff(before, *known); diff != "" {
		t.Errorf("the entry of KRAS has changed (-before +after):\n%s", diff)
	}
	if plain.key("nsclc") != key || !slices.Equal(claims, plain.claims) || plain.first("wardras") != noClaim {
		t.Error("the names that ship with the program have changed")
	}
	if e, ok := l.Lookup(KindGene, "wardras"); !ok || e.Name != "KRAS" || e.MeSH != "Genes" || !slices.Contains(e.Broader,
		"x") {
		t.Errorf("the file did not extend KRAS: %+v", e)
	}
	if !l.isEnglish("nsclc") || l.first("nsclc") != key.first || l.wordList("nsclc") != key.list {
		t.Errorf("NSCLC has become %+v; it was %+v", l.key("nsclc"), key)
	}
}

func TestLoadAddsItsWordsToThoseThatTypingErrorsAreComparedWith(t *testing.T) {
	l := mustLoad(t, "ours.yaml", "drugs:\n  - {name: wardostatib, codes: [wardcode]}\nfillers: [stationwise]\n")
	for slip, want := range map[string][]string{"wardostaib": {"wardostatib"}, "wardcod": {},
		"statoinwise": {"stationwise"}, "melanmoa": {"melanoma"}} {
		if diff := cmp.Diff(want, l.slips(slip), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", slip, diff)
		}
	}
	if got := mustLoad(t, "f", hgnc).slips("zztpo"); len(got) > 0 {
		t.Errorf("a name of a public list was offered for a typing error: %v", got)
	}
}

func TestLoadErrorsNameFileAndLine(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown section", "genes:\n  - name: x\nproteins:\n  - name: y\n",
			"f:3: proteins: unknown key; known here are tumours, conditions, genes"},
		{"misspelt section", "tumors:\n  - name: y\n", `f:1: tumors: unknown key; did you mean "tumours"?`},
		{"unknown key", "genes:\n  - name: x\n    nickname: [y]\n",
			"f:3: genes[0].nickname: unknown key; known here are name, mesh"},
		{"misspelt key", "genes:\n  - name: x\n    synonym: [y]\n",
			`f:3: genes[0].synonym: unknown key; did you mean "synonyms"?`},
		{"list for text", "genes:\n  - name: [x]\n", "f:2: genes[0].name: must be a single value"},
		{"text for list", "genes:\n  - name: x\n    synonyms: y\n", "f:3: genes[0].synonyms: must be a list"},
		{"text for entry", "genes:\n  - x\n", "f:2: genes[0]: must be a group of keys: name, mesh"},
		{"text for flag", "tumours:\n  - {name: x, broad: maybe}\n", "f:2: tumours[0].broad: must be true or false"},
		{"no name", "genes:\n  - {synonyms: [x]}\n", "f:2: genes[0]: has no name; write {name:"},
		{"null for a name", "genes:\n  - name:\n", "f:2: genes[0]: has no name"},
		{"null for an entry", "genes:\n  - name: x\n  - ~\n", "f:3: genes[1]: is empty"},
		{"null in a list", "genes:\n  - {name: x, broader: [y, ~]}\n", "f:2: genes[0].broader[1]: is empty"},
		{"null in a list of words", "fillers: [a,\n  ~]\n", "f:2: fillers[1]: is empty"},
		{"empty name", "genes:\n  - {name: \"\"}\n", "f:2: genes[0].name: is empty; write a text"},
		{"only marks", "fillers: [a, --]\n", `f:1: fillers[1]: has no letter or digit: "--"`},
		{"key twice", "genes:\n  - name: x\n    name: y\n", "f:3: genes[0].name: is given twice, first in line 2"},
		{"section twice", "genes: [{name: x}]\ngenes: [{name: y}]\n", "f:2: genes: is given twice"},
		{"anchor", "genes:\n  - &a {name: x}\n  - *a\n", "f:2: genes[0]: uses an anchor"},
		{"two documents", "genes: []\n---\ngenes: []\n", "f: holds a second document"},
		{"top is a list", "- a\n", "f:1: must be a group of keys: tumours, conditions"},
		{"no YAML", "genes: [\n", "is no valid YAML"},
		{"tabs", "genes:\n\t- name: x\n", "f:2: is no valid YAML"},
		{"long name", "genes:\n  - name: " + strings.Repeat("x", 300) + "\n",
			"f:2: genes[0].name: has 300 bytes; at most 200 are allowed"},
		{"shorthand of nothing", "shorthand:\n  - [hx]\n", "f:2: shorthand[0]: is no pair"},
		{"shorthand of no language", "shorthand:\n  - [hx, history, Latin]\n", "f:2: shorthand[0]: is no pair"},
		{"shorthand of more words than letters", "shorthand:\n  - [hx, out of time]\n",
			"f:2: shorthand[0]: stands for more words than it has letters"},
		{"HGNC short row", "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\nHGNC:1\tA1\tx\n", "f:2: has 3 columns"},
		{"gene list short row", "GeneID\ttype\tsymbol\n1\tsymbol\tA1BG\n1\tsynonym\n", "f:3: want GeneID, type and symbol"},
		{"gene list type", "GeneID\ttype\tsymbol\n1\tnickname\tA1BG\n", `f:2: type is "nickname"`},
		{"DrugBank columns", "DrugBank ID,CAS\nDB1,2\n", "f:1: looks like DrugBank's vocabulary"},
		{"DrugBank short row", "Column1;Column2;Column3\nDrugBank ID;Common name;Synonyms\nDB1;x\n", "f:3: has 2 columns"},
		{"DrugBank quotes", "DrugBank ID,Common name,Synonyms\nDB1,\"x\n", "f:2: is no valid table"},
		{"packed", "\x1f\x8bxx", "f: unpacking it: unexpected EOF; the file is damaged, or none of ours: fetch it again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(File{Name: "f", Data: []byte(tt.text)})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v; want %q in it", err, tt.want)
			}
			if fault := new(strictyaml.Error); !errors.As(err, &fault) || fault.File != "f" {
				t.Errorf("%v is no *strictyaml.Error of the file", err)
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
	for name, table := range map[string]string{"HGNC": hgnc, "NCBI list": geneList, "NCBI gene_info": geneInfo,
		"with CRLF": strings.ReplaceAll(hgnc, "\n", "\r\n")} {
		t.Run(name, func(t *testing.T) {
			l := mustLoad(t, "genes.tsv", table)
			for question, want := range map[string][]string{
				"OLDKRAS4 in sarcoma":                 {"disease sarcoma", "gene KRAS"},
				"ZZTOP1 in sarcoma":                   {"disease sarcoma", "gene ZZTOP1"},
				"zztop1 in sarcoma":                   {"disease sarcoma"},
				"IMPACT of age in sarcoma":            {"disease sarcoma"},
				"OS in sarcoma":                       {"disease sarcoma"},
				"CAT scan in sarcoma":                 {"disease sarcoma"},
				"KRAS G12C in sarcoma":                {"disease sarcoma", "gene KRAS G12C"},
				"the ZTP7 mutation drives a sarcoma ": {"disease sarcoma", "gene ZZTOP1 mutation"},
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
	if diff := cmp.Diff([]string{"gene ZZTOP1"}, found(l, "QQRAS9")); diff != "" {
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
				"wardostatum for melanoma":  {"disease melanoma", "drug Wardostat"},
				"ward acid for melanoma":    {"disease melanoma", "drug Wardostat"},
				"water for melanoma":        {"disease melanoma"},
				"sotorasibum or Lumakras":   {"drug sotorasib"},
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

// The public lists hold a hundred thousand short names. With them loaded, the questions of the board must read as
// without.
func TestPublicListsDoNotWreckRecognition(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "data", "lexicons")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recorded lists are not here: %v", err)
	}
	loaded, err := LoadPaths(filepath.Join(dir, "drugbank_vocabulary.csv.gz"),
		filepath.Join(dir, "entrez_gene_symbols_human.tsv.gz"))
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
	if q := loaded.Understand("BTN3A1 in ovarian cancer"); len(q.Alterations) != 1 || q.Alterations[0].Entry == nil {
		t.Errorf("BTN3A1 is in the list, and was read as %s", q.String())
	}
}
