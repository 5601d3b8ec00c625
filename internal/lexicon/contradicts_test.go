package lexicon

import "testing"

// contradiction is a question with titles of papers that are not on it, and of papers that are, or may be.
type contradiction struct {
	name, question string
	other, own     []string
}

// TestContradicts holds each title against the question: a paper on the opposite, or on others' patients, is none for
// it; one on both, or one that is silent, may be.
func TestContradicts(t *testing.T) {
	l := mustDefault(t)
	for _, cases := range [][]contradiction{onAge} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				q := l.Understand(c.question)
				for _, title := range c.other {
					if l.Contradicts(&q, title) == "" {
						t.Errorf("%q passes for %s", title, q.String())
					}
				}
				for _, title := range c.own {
					if why := l.Contradicts(&q, title); why != "" {
						t.Errorf("%q is refused: %s", title, why)
					}
				}
			})
		}
	}
}

var onAge = []contradiction{
	{"adults, children", "adults acute lymphoblastic leukemia blinatumomab",
		[]string{"Blinatumomab in children with ALL", "Blinatumomab in childhood acute lymphoblastic leukaemia",
			"Blinatumomab in paediatric B-cell ALL: a phase 1/2 study", "Blinatumomab in children and adolescents with ALL",
			"Acute lymphoblastic leukaemia in a 4-year-old boy treated with blinatumomab",
			"Blinatumomab added to chemotherapy in infant lymphoblastic leukemia",
			"Blinatumomab in patients under 18 years of age with ALL"},
		[]string{"Blinatumomab versus chemotherapy for advanced acute lymphoblastic leukemia",
			"Blinatumomab in children and adults with ALL", "Blinatumomab in adult and pediatric patients with ALL",
			"Blinatumomab in adolescents and young adults with ALL", "Blinatumomab in older adults with ALL",
			"Blinatumomab in patients aged 1 to 30 years with ALL", "Paediatric-inspired chemotherapy and blinatumomab in ALL",
			"Blinatumomab in ALL: a report of the Children's Oncology Group", "10-year follow-up of blinatumomab in ALL",
			"Blinatumomab in long-term survivors of childhood ALL"}},
	{"children, adults", "children acute lymphoblastic leukemia inotuzumab ozogamicin",
		[]string{"Inotuzumab ozogamicin in adults with ALL", "Inotuzumab ozogamicin in elderly patients with ALL",
			"Inotuzumab ozogamicin with mini-hyper-CVD in patients 60 years or older with ALL",
			"Inotuzumab ozogamicin in patients aged 21 to 30 years with ALL"},
		[]string{"Inotuzumab ozogamicin in ALL", "Inotuzumab ozogamicin in older children with ALL",
			"Inotuzumab ozogamicin in children and young adults with ALL", "Inotuzumab ozogamicin in infants with ALL"}},
	{"elderly, children", "elderly Hodgkin lymphoma brentuximab vedotin",
		[]string{"Brentuximab vedotin in adolescents with Hodgkin lymphoma",
			"Brentuximab vedotin in children with Hodgkin lymphoma"},
		[]string{"Brentuximab vedotin in adults with Hodgkin lymphoma",
			"Brentuximab vedotin in Hodgkin lymphoma: patients aged 12 years and older",
			"Brentuximab vedotin in children, adults and older patients with Hodgkin lymphoma"}},
	{"a number, children", "72-year-old acute myeloid leukemia venetoclax", []string{"Venetoclax in children with AML"},
		[]string{"Venetoclax in older patients with AML"}},
	{"newborns, adults", "newborns neuroblastoma chemotherapy", []string{"Chemotherapy for neuroblastoma in adults"},
		[]string{"Chemotherapy for neuroblastoma in infants"}},
	{"an organ's score is no child", "adults hepatocellular carcinoma sorafenib", nil,
		[]string{"Sorafenib in Child-Pugh B hepatocellular carcinoma"}},
}
