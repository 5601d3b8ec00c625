package jobs

import (
	"encoding/json"
	"fmt"
)

// The codes of LOINC and SNOMED that HL7's guide on genomics reporting has for what is read here.
const (
	geneStudied    = "48018-6"
	proteinHGVS    = "48005-3"
	codingHGVS     = "48004-6"
	proteinEffect  = "48006-1" // amino acid change type
	copyNumber     = "82155-3" // genomic structural variant copy number
	structuralType = "48019-4" // DNA change type
)

// fhirCoded is a text with its codes.
type fhirCoded struct {
	Text   string `json:"text"`
	Coding []struct {
		Code    string `json:"code"`
		Display string `json:"display"`
	} `json:"coding"`
}

func (c *fhirCoded) has(code string) bool {
	for _, coding := range c.Coding {
		if coding.Code == code {
			return true
		}
	}
	return false
}

// words are what people call it: a code where nothing else is told, as HGVS is one.
func (c *fhirCoded) words() string {
	for _, coding := range c.Coding {
		if s := firstOf(coding.Display, coding.Code); s != "" {
			return s
		}
	}
	return c.Text
}

type fhirValue struct {
	Code      fhirCoded   `json:"code"`
	Concept   fhirCoded   `json:"valueCodeableConcept"`
	String    string      `json:"valueString"`
	Component []fhirValue `json:"component"`
}

func (v *fhirValue) words() string { return firstOf(v.Concept.words(), v.String) }

type fhirResource struct {
	Type string `json:"resourceType"`
	fhirValue
	Entry []struct {
		Resource fhirResource `json:"resource"`
	} `json:"entry"`
	Contained []fhirResource `json:"contained"`
}

// fhir reads a bundle of a genomic report: variants from its observations, the tumour from its condition. Of the
// patient nothing is read.
func (r *CaseReader) fhir(path string, data []byte) (*CaseList, error) {
	var bundle fhirResource
	if err := json.Unmarshal(data, &bundle); err != nil {
		return nil, &CaseError{File: path, Text: fmt.Sprintf("can't be read as JSON: %v", err)}
	}

	if bundle.Type == "" {
		return nil, &CaseError{File: path, Text: "is no FHIR resource: it has no resourceType"}
	}
	var read []variant

	tumour := ""
	for _, resource := range bundle.all() {
		switch resource.Type {
		case "Condition":
			if words := firstOf(resource.Code.Text, resource.Code.words()); len(r.Lexicon.Understand(words).Tumours) > 0 {
				tumour = firstOf(tumour, words)
			}
		case "Observation":
			if v := resource.variant(); v.gene != "" {
				v.row = len(read) + 1
				read = append(read, v)
			}
		}
	}

	if len(read) == 0 {
		return nil, &CaseError{File: path, Text: "has no observation of a variant with its gene (LOINC 48018-6)"}
	}

	for i := range read {
		read[i].tumour = tumour
	}
	list := &CaseList{File: path, Notes: []string{path + ": variants and tumour are read; of the patient nothing is"}}
	return list, r.ask(list, read)
}

// all is the resource with those in it.
func (f *fhirResource) all() []*fhirResource {
	out := []*fhirResource{f}
	for i := range f.Entry {
		out = append(out, f.Entry[i].Resource.all()...)
	}

	for i := range f.Contained {
		out = append(out, f.Contained[i].all()...)
	}
	return out
}

// variant is what an observation's components tell of one.
func (f *fhirResource) variant() (v variant) {
	for i := range f.Component {
		c := &f.Component[i]
		switch words := c.words(); {
		case c.Code.has(geneStudied):
			v.gene = firstOf(v.gene, words)
		case c.Code.has(proteinHGVS):
			v.protein = firstOf(v.protein, words)
		case c.Code.has(codingHGVS):
			v.coding = firstOf(v.coding, words)
		case c.Code.has(proteinEffect), c.Code.has(structuralType):
			v.effect = firstOf(v.effect, words)
		case c.Code.has(copyNumber):
			v.effect = firstOf(v.effect, "amplification")
		}
	}
	return v
}
