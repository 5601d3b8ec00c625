package jobs

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// variantFields are what a column of variants can hold.
var variantFields = []string{"gene", "protein", "coding", "effect", "sample"}

// variant is one row of a table of variants.
type variant struct {
	gene    string
	protein string // HGVS, of one or three letters, with or without "p."
	coding  string
	effect  string // in the words of MAF or the Sequence Ontology
	tumour  string
	row     int // from 1
}

// name is the variant as people write it.
func (v *variant) name() string {
	return strings.TrimSpace(v.gene + " " + firstOf(v.protein, v.coding, v.effect))
}

func firstOf(texts ...string) string {
	i := slices.IndexFunc(texts, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return texts[i]
}

// variants reads MAF's and cBioPortal's tables.
func (r *CaseReader) variants(t *table, at map[string]int) (*CaseList, error) {
	delete(at, "stage") // of a panel's columns only these are read

	if err := r.checkColumns(t, map[string]int{"case": at["sample"]}); err != nil {
		return nil, err
	}

	var read []variant
	for i := t.first + 1; i < len(t.rows); i++ {
		c := caseRow{r, t, at, i}
		if isEmpty(t.rows[i]) {
			continue
		}

		v := variant{gene: c.cell("gene"), protein: c.cell("protein"), coding: c.cell("coding"), effect: c.cell("effect"),
			tumour: c.cell("tumour"), row: i + 1}
		if v.gene == "" {
			return nil, c.errorf("gene", "is empty; a variant needs its gene")
		}
		read = append(read, v)
	}
	list := &CaseList{File: t.file, Notes: append(t.notes, t.columnNote(at))}
	return list, r.ask(list, read)
}

// ask makes a topic of each gene and tumour that a treatment is chosen by, and lists the other variants with the
// reason.
func (r *CaseReader) ask(list *CaseList, read []variant) error {
	type key struct{ gene, tumour string }
	asked := map[key][]variant{}

	var order []key
	for _, v := range read {
		v.tumour = firstOf(v.tumour, r.Tumour)

		why, err := r.whyNot(list.File, &v)
		if err != nil {
			return err
		}

		if why != "" {
			list.NotAsked = append(list.NotAsked, NotAsked{v.name(), why})
			continue
		}

		k := key{v.gene, v.tumour}
		if asked[k] == nil {
			order = append(order, k)
		}
		asked[k] = append(asked[k], v)
	}

	for _, k := range order {
		list.Topics = append(list.Topics, r.variantTopic(k.gene, k.tumour, asked[k]))
	}
	return nil
}

// whyNot says why a variant is not asked; empty where it is. The error is a tumour or gene that can't be asked of.
func (r *CaseReader) whyNot(file string, v *variant) (string, error) {
	gene, known := r.Lexicon.Lookup(lexicon.KindGene, v.gene)
	switch {
	case !known:
		return "the dictionary does not know the gene", nil
	case v.effect != "" && !changesProtein(v.effect):
		return fmt.Sprintf("it does not change the protein (%s)", v.effect), nil
	case v.protein == "" && v.coding == "" && v.effect == "":
		return "no change is told", nil
	case actsOn()[gene.Name] == "" && !r.isTarget(gene.Name):
		return "no drug that the dictionary knows is chosen by it", nil
	case v.tumour == "":
		return "", &CaseError{File: file, Row: v.row, Text: "names no tumour; say with --tumour which it is"}
	case len(r.Lexicon.Understand(v.tumour).Tumours) == 0:
		return "", &CaseError{File: file, Row: v.row, Text: fmt.Sprintf("%q is no tumour that the dictionary knows; say with "+
			"--tumour which it is", text.Line(v.tumour))}
	}
	v.gene = gene.Name
	return "", nil
}

// variantTopic asks of all changes of a gene in one tumour.
func (r *CaseReader) variantTopic(gene, tumour string, of []variant) CaseTopic {
	var changes []string
	for _, v := range of {
		if change := r.change(&v); !slices.Contains(changes, change) {
			changes = append(changes, change)
		}
	}
	return CaseTopic{
		ID: slug(gene + "-" + strings.Join(changes, "-") + "-" + tumour), Row: of[0].row,
		Question: fmt.Sprintf("%s %s %s treatment", gene, strings.Join(changes, " and "), tumour),
		Tags:     []string{"molecular"},
	}
}

var proteinChange = text.LazyRegexp(`^(?:.*:)?p\.\(?([^)]*)\)?$`)

// change is a variant's protein change where the dictionary reads it as one, else that the gene is mutated. So it is
// where the frame shifts: hardly two patients share such a change, and studies are on the gene.
func (r *CaseReader) change(v *variant) string {
	change := v.protein
	if m := proteinChange().FindStringSubmatch(change); m != nil {
		change = m[1]
	}

	for _, a := range r.Lexicon.Understand(v.gene + " " + change).Alterations {
		if a.Gene == v.gene && a.Kind == lexicon.NamedChange && !strings.Contains(a.Change, "fs") {
			return a.Change
		}
	}
	return "mutation"
}

// isTarget reports whether a drug or a class of drugs acts on a gene.
func (r *CaseReader) isTarget(gene string) bool {
	return slices.ContainsFunc(r.Lexicon.Entries(), func(e lexicon.Entry) bool {
		return slices.ContainsFunc(e.Targets, func(target string) bool {
			name, _, _ := strings.Cut(target, " ")
			return name == gene
		})
	})
}

//go:embed actionable.tsv
var actionableTable string

// actsOn are treatments by the genes whose alteration calls for them.
var actsOn = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for row := range text.Rows(actionableTable) {
		out[row[0]] = row[1]
	}
	return out
})

// changesProtein reports whether an effect, of MAF or the Sequence Ontology, is one on the protein. What joins several
// with an ampersand has one that is.
func changesProtein(effect string) bool {
	effects := strings.FieldsFunc(effect, func(r rune) bool { return r == '&' || r == ',' })
	ontology := strings.NewReplacer(" ", "_", "-", "_")
	return slices.ContainsFunc(effects, func(one string) bool {
		return onProtein(strings.ToLower(ontology.Replace(strings.TrimSpace(one))))
	})
}

var onProtein = text.Set(`missense_mutation missense_variant missense nonsense_mutation nonsense stop_gained frame_shift_del
	frame_shift_ins frameshift_variant frameshift in_frame_del in_frame_ins inframe_deletion inframe_insertion
	disruptive_inframe_deletion disruptive_inframe_insertion conservative_inframe_deletion conservative_inframe_insertion
	splice_site splice_acceptor_variant splice_donor_variant start_lost stop_lost nonstop_mutation
	translation_start_site protein_altering_variant exon_loss_variant fusion gene_fusion bidirectional_gene_fusion
	amplification amp deletion homdel deep_deletion transcript_ablation`)
