package lexicon

import "testing"

// TestRelate compares the first value of one kind that an asked and a named text have.
func TestRelate(t *testing.T) {
	l := mustDefault(t)
	markers := func(a, n *Question) relation {
		return relate(&l.assertionsOf(a)[0], &l.assertionsOf(n)[0])
	}
	tumours := func(a, n *Question) relation { return l.relateConcepts(&a.Tumours[0], &n.Tumours[0]) }
	treatments := func(a, n *Question) relation { return l.relateDrugs(&a.Drugs[0], &n.Drugs[0]) }
	settings := func(a, n *Question) relation { return l.relateSettings(&a.Setting[0], &n.Setting[0]) }
	for _, c := range []struct {
		name, asked, named string
		by                 func(asked, named *Question) relation
		want               relation
	}{
		{"the same change", "KRAS G12C", "KRAS p.Gly12Cys", markers, equal},
		{"one of the mutations", "KRAS mutation", "KRAS G12C", markers, narrower},
		{"the mutation alone", "KRAS G12C", "KRAS mutation", markers, broader},
		{"the gene alone", "KRAS G12C", "KRAS", markers, broader},
		{"another change", "KRAS G12C", "KRAS G12D", markers, opposite},
		{"any change of the residue", "KRAS G12C", "KRAS G12X", markers, broader},
		{"an exon whose number begins alike", "KIT exon 1 mutation", "KIT exon 11 mutation", markers, opposite},
		{"any mutation, by what it is not", "BRAF mutation", "BRAF not wild-type", markers, equal},
		{"a change, by what it is not", "BRAF V600E", "BRAF not wild-type", markers, broader},
		{"wild-type, by what it is not", "BRAF wild-type", "BRAF not wild-type", markers, opposite},
		{"the change is absent", "KRAS G12C", "KRAS wild-type", markers, opposite},
		{"another word for too much", "HER2 amplification", "HER2 overexpression", markers, near},
		{"a member of the family", "RAS mutation", "KRAS G12C", markers, narrower},
		{"the family", "KRAS G12C", "RAS mutation", markers, broader},
		{"another origin", "germline BRCA1 mutation", "somatic BRCA1 mutation", markers, opposite},
		{"an origin that is not named", "germline BRCA1 mutation", "BRCA1 mutation", markers, equal},
		{"another gene", "KRAS G12C", "BRAF V600E", markers, unrelated},
		{"a level within", "PD-L1 ≥1%", "PD-L1 ≥50%", markers, narrower},
		{"a level that overlaps", "PD-L1 ≥50%", "PD-L1 ≥1%", markers, near},
		{"a level apart", "PD-L1 ≥50%", "PD-L1 <1%", markers, opposite},
		{"no level", "PD-L1 ≥50%", "PD-L1-positive", markers, broader},
		{"another test", "MSI-high", "dMMR", markers, equal},
		{"another test's opposite", "MSI-high", "pMMR", markers, opposite},
		{"a kind of a site", "visceral metastases", "liver metastases", markers, narrower},
		{"a narrower tumour", "lung cancer", "NSCLC", tumours, narrower},
		{"a broader tumour", "NSCLC", "lung cancer", tumours, broader},
		{"another tumour", "NSCLC", "breast cancer", tumours, unrelated},
		{"of the organ's usual type", "urothelial carcinoma", "bladder cancer", tumours, narrower},
		{"a member of a class", "PARP inhibitor", "olaparib", treatments, narrower},
		{"another one of its class", "olaparib", "niraparib", treatments, near},
		{"another drug", "olaparib", "docetaxel", treatments, unrelated},
		{"a kind of a setting", "survival", "overall survival", settings, narrower},
		{"another line", "first-line", "second-line", settings, opposite},
		{"another aspect", "first-line", "overall survival", settings, unrelated},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked, named := l.Read(c.asked), l.Read(c.named)
			if got := c.by(&asked, &named); got != c.want {
				t.Errorf("%q is %d of %q; want %d", c.named, got, c.asked, c.want)
			}
		})
	}
}
