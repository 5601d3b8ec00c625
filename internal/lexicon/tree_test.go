package lexicon

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// rootTumour is what every tumour leads to.
const rootTumour = "cancer"

// dictionaryTree is the dictionary's tumours with the sites and the qualifiers that compose them, by name.
type dictionaryTree struct {
	tumours    []Entry
	byName     map[string]*Entry
	sites      map[string]*Entry
	qualifiers map[string]bool
}

func readTree(t *testing.T) *dictionaryTree {
	t.Helper()
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	out := &dictionaryTree{byName: map[string]*Entry{}, sites: map[string]*Entry{}, qualifiers: map[string]bool{}}
	for _, e := range l.Entries() {
		switch e.Kind {
		case KindTumour:
			out.tumours = append(out.tumours, e)
		case KindSite:
			out.sites[e.Name] = &e
		case KindQualifier:
			out.qualifiers[e.Name] = true
		}
	}
	for i := range out.tumours {
		out.byName[out.tumours[i].Name] = &out.tumours[i]
	}
	if len(out.tumours) < 800 || len(out.sites) < 80 || len(out.qualifiers) < 100 {
		t.Fatalf("the dictionary has %d tumours, %d sites and %d qualifiers", len(out.tumours), len(out.sites),
			len(out.qualifiers))
	}
	return out
}

func TestATumourNamesWhatThereIs(t *testing.T) {
	dictionaryTree := readTree(t)
	for _, e := range dictionaryTree.tumours {
		for _, fault := range dictionaryTree.faults(&e) {
			t.Errorf("%s: %s", e.Name, fault)
		}
	}
	for name, site := range dictionaryTree.sites {
		for _, broader := range site.Broader {
			if dictionaryTree.sites[broader] == nil {
				t.Errorf("site %s: broader %q is no site", name, broader)
			}
		}
	}
}

func (tr *dictionaryTree) faults(e *Entry) []string {
	var out []string
	fault := func(wrong bool, format string, args ...any) {
		if wrong {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	fault(e.Site != "" && e.Type == "", "has a site and no type")
	fault(len(e.Qualifiers) > 0 && e.Type == "", "has qualifiers and no type")
	fault(e.Site != "" && tr.sites[e.Site] == nil, "site %q is no site", e.Site)
	fault(e.Type != "" && e.Site == "" && len(e.Qualifiers) == 0, "is its type %q and nothing more", e.Type)
	if e.Type != "" {
		histology := tr.byName[e.Type]
		fault(histology == nil, "type %q is no tumour", e.Type)
		fault(histology != nil && histology.Type != "", "type %q is composed itself", e.Type)
	}
	for _, q := range e.Qualifiers {
		fault(!tr.qualifiers[q], "qualifier %q is none", q)
	}
	for _, b := range e.Broader {
		fault(tr.byName[b] == nil, "broader %q is no tumour", b)
	}
	fault(e.Usually != "" && (e.Site != "" || tr.sites[e.Usually] == nil),
		"is usually of %q, which is no site, or it has one", e.Usually)
	fault(len(e.DefinedBy) > 0 && e.Type == "", "is defined by changes of no type")
	fault(e.Type == "" && len(e.Broader) == 0 && e.Name != rootTumour, "is a type with nothing broader")
	return out
}

func TestNoTwoTumoursAreComposedOfTheSame(t *testing.T) {
	holder := map[string]string{}
	for _, e := range readTree(t).tumours {
		if e.Type == "" {
			continue
		}
		qualifiers := slices.Sorted(slices.Values(e.Qualifiers))
		key := e.Site + "|" + e.Type + "|" + strings.Join(qualifiers, "|")
		if other, ok := holder[key]; ok {
			t.Errorf("%s and %s are both %s", other, e.Name, key)
		}
		holder[key] = e.Name
	}
}

func TestANameStandsForOneTumourSiteOrQualifier(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	holder := map[string]string{}
	for _, e := range l.Entries() {
		if e.Kind != KindTumour && e.Kind != KindSite && e.Kind != KindQualifier {
			continue
		}
		for _, name := range slices.Concat([]string{e.Name}, e.Synonyms, e.Abbreviations, e.Guarded, e.Foreign) {
			key := fold(name)
			if key == "" { // a name without Latin letters
				key = name
			}
			if other, ok := holder[key]; ok && other != e.Name {
				t.Errorf("%q is %s and %s", name, other, e.Name)
			}
			holder[key] = e.Name
		}
	}
}

// TestBroaderTumoursLeadToCancer follows what entries name, and the entries of the same type, at a site that holds
// theirs, with fewer qualifiers.
func TestBroaderTumoursLeadToCancer(t *testing.T) {
	dictionaryTree := readTree(t)
	for _, e := range dictionaryTree.tumours {
		above := dictionaryTree.above(e.Name)
		if above[e.Name] {
			t.Errorf("%s is broader than itself", e.Name)
		}
		if e.Name != rootTumour && !above[rootTumour] {
			t.Errorf("%s does not lead to %s", e.Name, rootTumour)
		}
	}
}

func TestBroaderSitesHaveNoCycle(t *testing.T) {
	sites := readTree(t).sites
	for name := range sites {
		if holds(sites, name, name) {
			t.Errorf("%s is broader than itself", name)
		}
	}
}

// above collects the names of all that is broader than the tumour; the tumour itself where there is a cycle.
func (tr *dictionaryTree) above(name string) map[string]bool {
	out := map[string]bool{}
	queue := tr.broader(tr.byName[name])
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !out[next] && tr.byName[next] != nil {
			out[next] = true
			queue = append(queue, tr.broader(tr.byName[next])...)
		}
	}
	return out
}

func (tr *dictionaryTree) broader(e *Entry) []string {
	out := slices.Clone(e.Broader)
	if e.Type == "" {
		return out
	}
	out = append(out, e.Type)
	for i := range tr.tumours {
		o := &tr.tumours[i]
		fewer := !slices.ContainsFunc(o.Qualifiers, func(q string) bool { return !slices.Contains(e.Qualifiers, q) })
		site := o.Site == "" || o.Site == e.Site || holds(tr.sites, o.Site, e.Site)
		if o.Name != e.Name && o.Type == e.Type && fewer && site {
			out = append(out, o.Name)
		}
	}
	return out
}

// holds reports whether site is above the narrower one. Of a site in a cycle, so is the site itself.
func holds(sites map[string]*Entry, site, narrower string) bool {
	seen := map[string]bool{}
	queue := []string{narrower}
	for len(queue) > 0 {
		e := sites[queue[0]]
		queue = queue[1:]
		if e == nil || seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		if slices.Contains(e.Broader, site) {
			return true
		}
		queue = append(queue, e.Broader...)
	}
	return false
}

func TestTheTreeKnowsWhatIsBroader(t *testing.T) {
	dictionaryTree := readTree(t)
	cases := []struct{ tumour, broader string }{
		{"lung adenocarcinoma", "non-small cell lung cancer"},
		{"lung adenocarcinoma", "adenocarcinoma"},
		{"non-small cell lung cancer", "lung cancer"},
		{"small cell lung cancer", "neuroendocrine carcinoma"},
		{"colon cancer", "colorectal cancer"},
		{"duodenal cancer", "small bowel cancer"},
		{"high-grade serous ovarian cancer", "serous ovarian cancer"},
		{"high-grade serous ovarian cancer", "epithelial ovarian cancer"},
		{"intrahepatic cholangiocarcinoma", "cholangiocarcinoma"},
		{"intrahepatic cholangiocarcinoma", "liver cancer"},
		{"perihilar cholangiocarcinoma", "biliary tract cancer"},
		{"triple-negative breast cancer", "breast cancer"},
		{"castration-resistant prostate cancer", "prostate cancer"},
		{"papillary thyroid carcinoma", "differentiated thyroid cancer"},
		{"papillary renal cell carcinoma", "non-clear cell renal cell carcinoma"},
		{"seminoma", "germ cell tumor"},
		{"glioblastoma", "high-grade glioma"},
		{"pilocytic astrocytoma", "low-grade glioma"},
		{"leiomyosarcoma", "soft tissue sarcoma"},
		{"uterine leiomyosarcoma", "leiomyosarcoma"},
		{"diffuse large B-cell lymphoma", "non-Hodgkin lymphoma"},
		{"mycosis fungoides", "T-cell lymphoma"},
		{"acute promyelocytic leukemia", "acute myeloid leukemia"},
		{"chronic lymphocytic leukemia", "hematologic malignancy"},
	}
	for _, c := range cases {
		if !dictionaryTree.above(c.tumour)[c.broader] {
			t.Errorf("%s is not below %s", c.tumour, c.broader)
		}
		if dictionaryTree.above(c.broader)[c.tumour] {
			t.Errorf("%s is above %s", c.tumour, c.broader)
		}
	}
}

func TestTheTreeKeepsApartWhatIsNotTheSame(t *testing.T) {
	dictionaryTree := readTree(t)
	cases := []struct{ one, other string }{
		{"high-grade glioma", "low-grade glioma"},
		{"adult-type diffuse glioma", "pediatric-type diffuse high-grade glioma"},
		{"small cell lung cancer", "non-small cell lung cancer"},
		{"uveal melanoma", "cutaneous melanoma"},
		{"colon cancer", "rectal cancer"},
		{"multiple myeloma", "smoldering multiple myeloma"},
		{"Hodgkin lymphoma", "non-Hodgkin lymphoma"},
		{"hormone-sensitive prostate cancer", "castration-resistant prostate cancer"},
	}
	for _, c := range cases {
		one, other := dictionaryTree.byName[c.one], dictionaryTree.byName[c.other]
		if one == nil || other == nil {
			t.Errorf("%s or %s is no tumour", c.one, c.other)
			continue
		}
		if dictionaryTree.above(c.one)[c.other] && c.one != "smoldering multiple myeloma" || slices.Contains(one.Synonyms,
			c.other) {
			t.Errorf("%s is below %s", c.one, c.other)
		}
	}
}

// commonTumours are the ones that most questions are about.
var commonTumours = []string{
	"cancer", "solid tumor", "cancer of unknown primary", "lung cancer", "non-small cell lung cancer",
	"small cell lung cancer",
	"lung adenocarcinoma", "lung squamous cell carcinoma", "pleural mesothelioma", "thymoma", "breast cancer",
	"triple-negative breast cancer", "colorectal cancer", "colon cancer", "rectal cancer", "anal cancer", "gastric cancer",
	"esophageal cancer", "pancreatic cancer", "pancreatic ductal adenocarcinoma", "hepatocellular carcinoma",
	"liver cancer",
	"biliary tract cancer", "cholangiocarcinoma", "gallbladder cancer", "gastrointestinal stromal tumor",
	"neuroendocrine tumor",
	"ovarian cancer", "endometrial cancer", "cervical cancer", "prostate cancer", "castration-resistant prostate cancer",
	"bladder cancer", "urothelial carcinoma", "kidney cancer", "renal cell carcinoma", "clear cell renal cell carcinoma",
	"germ cell tumor", "penile cancer", "head and neck cancer", "head and neck squamous cell carcinoma",
	"nasopharyngeal carcinoma", "salivary gland cancer", "adenoid cystic carcinoma", "thyroid cancer",
	"papillary thyroid carcinoma",
	"medullary thyroid carcinoma", "adrenocortical carcinoma", "melanoma", "uveal melanoma",
	"cutaneous squamous cell carcinoma",
	"basal cell carcinoma", "Merkel cell carcinoma", "brain tumor", "glioma", "glioblastoma", "medulloblastoma",
	"neuroblastoma",
	"soft tissue sarcoma", "sarcoma", "osteosarcoma", "Ewing sarcoma", "liposarcoma", "rhabdomyosarcoma", "leukemia",
	"acute myeloid leukemia", "acute lymphoblastic leukemia", "chronic myeloid leukemia", "chronic lymphocytic leukemia",
	"lymphoma", "Hodgkin lymphoma", "non-Hodgkin lymphoma", "diffuse large B-cell lymphoma", "follicular lymphoma",
	"mantle cell lymphoma", "multiple myeloma", "myelodysplastic syndrome",
}

// TestCommonTumoursAreNamedInSixLanguages reads the file itself, since an entry does not keep its names by language. A
// name that is written as in English, Romance languages' "glioma" beside it, is said in one of them.
func TestCommonTumoursAreNamedInSixLanguages(t *testing.T) {
	data, err := os.ReadFile("data/tumours.yaml")
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for _, text := range strings.Split(string(data), "\n  - {name: ")[1:] {
		end := strings.IndexAny(text, ",}")
		entries[text[:end]] = text
	}
	for _, name := range commonTumours {
		text, ok := entries[name]
		if !ok {
			t.Errorf("%s is no entry", name)
		}
		for _, language := range []string{"de", "fr", "es", "it", "pt", "zh"} {
			if ok && !strings.Contains(text, " "+language+": [") {
				t.Errorf("%s has no name in %q", name, language)
			}
		}
	}
}

func TestTripleNegativeSaysWhichReceptorsAreMissing(t *testing.T) {
	e := readTree(t).byName["triple-negative breast cancer"]
	if want := []string{"ER-negative", "PR-negative", "HER2-negative"}; !slices.Equal(e.Implies, want) {
		t.Errorf("implies %q, want %q", e.Implies, want)
	}
}
