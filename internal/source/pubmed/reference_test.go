package pubmed

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// element is a document as encoding/xml sees it: the plain and slow reading that the scanner is compared with.
type element struct {
	name  string
	attrs map[string]string
	nodes []node
}

// node is a child element or, where child is nil, a piece of text.
type node struct {
	child *element
	text  string
}

// decodeTree reads one document by encoding/xml's tokens.
func decodeTree(r io.Reader) (*element, error) {
	decoder := xml.NewDecoder(r)
	var stack []*element
	var root *element
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			if root == nil || len(stack) > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: rawName(t.Name), attrs: map[string]string{}}
			for _, a := range t.Attr {
				if _, twice := e.attrs[rawName(a.Name)]; !twice {
					e.attrs[rawName(a.Name)] = squash(a.Value)
				}
			}
			if len(stack) > 0 {
				top := stack[len(stack)-1]
				top.nodes = append(top.nodes, node{child: e})
			} else if root != nil {
				return nil, fmt.Errorf("two roots")
			} else {
				root = e
			}
			stack = append(stack, e)
		case xml.EndElement:
			if len(stack) == 0 || stack[len(stack)-1].name != rawName(t.Name) {
				return nil, fmt.Errorf("</%s> closes nothing", rawName(t.Name))
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) > 0 {
				top := stack[len(stack)-1]
				top.nodes = append(top.nodes, node{text: string(t)})
			}
		}
	}
}

func rawName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

// squash is tidy in other words.
func squash(s string) string {
	s = strings.Map(func(r rune) rune {
		if text.Invisible(r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

func (e *element) words() string {
	var out []byte
	e.write(&out, &text.Scripts{}, 0)
	return squash(string(out))
}

func (e *element) write(out *[]byte, scripts *text.Scripts, depth int) {
	for _, n := range e.nodes {
		if n.child != nil {
			name := n.child.name[strings.IndexByte(n.child.name, ':')+1:]
			scripts.Start(name, len(*out))
			n.child.write(out, scripts, depth+1)
			*out = scripts.End(name, *out)
			continue
		}
		words := n.text
		if depth > 0 {
			words = withoutIndent(words)
		}
		*out = append(*out, words...)
	}
}

func withoutIndent(s string) string {
	left := strings.TrimLeft(s, " \n\t\r")
	if strings.Contains(s[:len(s)-len(left)], "\n") {
		s = left
	}
	right := strings.TrimRight(s, " \n\t\r")
	if strings.Contains(s[len(right):], "\n") {
		s = right
	}
	return s
}

// all lists the children with a name; path goes several levels down.
func (e *element) all(path ...string) []*element {
	found := []*element{e}
	for _, name := range path {
		var next []*element
		for _, parent := range found {
			if parent == nil {
				continue
			}
			for _, n := range parent.nodes {
				if n.child != nil && (name == "*" || n.child.name == name) {
					next = append(next, n.child)
				}
			}
		}
		found = next
	}
	return found
}

// last is the last child at path, or an empty element.
func (e *element) last(path ...string) *element {
	if all := e.all(path...); len(all) > 0 {
		return all[len(all)-1]
	}
	return &element{attrs: map[string]string{}}
}

func (e *element) get(path ...string) string { return e.last(path...).words() }

// referenceRecord builds a record from the tree, without the scanner's code but for the rules that it is not about:
// dates in words, ORCIDs, and what finish decides.
func referenceRecord(e *element) (evidence.Record, error) {
	d := &draft{}
	if e.name == "PubmedBookArticle" {
		referenceBook(d, e.last("BookDocument"), len(e.all("BookDocument")) > 0)
		referenceData(d, e.all("PubmedBookData"))
	} else {
		for _, c := range e.all("MedlineCitation") {
			referenceCitation(d, c)
		}
		referenceData(d, e.all("PubmedData"))
	}
	return d.finish()
}

func referenceCitation(d *draft, c *element) {
	for _, p := range c.all("PMID") {
		d.identify(evidence.PMID, p.words())
		if n := evidence.DateNumber(p.attrs["Version"]); n > 1 {
			d.version = n
		}
	}
	d.revised = refDate(c.last("DateRevised"))
	a := c.last("Article")
	j := a.last("Journal")
	for _, x := range j.all("ISSN") {
		d.addISSN(x.words())
	}
	d.linkingISSN = c.get("MedlineJournalInfo", "ISSNLinking")
	d.Journal.Title, d.Journal.Abbreviation = j.get("Title"), j.get("ISOAbbreviation")
	if d.Journal.Abbreviation == "" {
		d.Journal.Abbreviation = c.get("MedlineJournalInfo", "MedlineTA")
	}
	d.Journal.Country = c.get("MedlineJournalInfo", "Country")
	d.Journal.Volume, d.Journal.Issue = j.get("JournalIssue", "Volume"), j.get("JournalIssue", "Issue")
	d.issueDate = refDate(j.last("JournalIssue", "PubDate"))
	for _, x := range a.all("ArticleDate") {
		d.onlineDate = evidence.Earlier(d.onlineDate, refDate(x))
	}
	d.Title, d.VernacularTitle = a.get("ArticleTitle"), a.get("VernacularTitle")
	d.Journal.Pages = refPages(a.last("Pagination"))
	for _, x := range a.all("ELocationID") {
		if x.attrs["EIdType"] == "doi" && x.attrs["ValidYN"] != "N" {
			d.onlineDOIs = withIdentifier(d.onlineDOIs, evidence.DOI, x.words())
		}
	}
	d.Abstract = refSections(a.last("Abstract"))
	d.Authors = refAuthors(a.last("AuthorList"))
	d.affiliation = a.get("Affiliation")
	for _, x := range a.all("Language") {
		d.Languages = append(d.Languages, x.words())
	}
	refTypes(d, a.all("PublicationTypeList", "PublicationType"))
	refSubjects(d, c)
	refLinks(d, c, a)
}

func refSubjects(d *draft, c *element) {
	for _, x := range c.all("ChemicalList", "Chemical") {
		s := evidence.Substance{Name: x.get("NameOfSubstance"), UI: x.last("NameOfSubstance").attrs["UI"],
			Registry: strings.TrimPrefix(x.get("RegistryNumber"), "0")}
		if r := x.get("RegistryNumber"); r != "0" {
			s.Registry = r
		}
		if s.Name != "" {
			d.Substances = append(d.Substances, s)
		}
	}
	for _, list := range c.all("*") {
		switch list.name {
		case "MeshHeadingList":
			for _, x := range list.all("MeshHeading") {
				n := x.last("DescriptorName")
				h := evidence.Heading{Name: n.words(), UI: n.attrs["UI"], Major: n.attrs["MajorTopicYN"] == "Y"}
				for _, q := range x.all("QualifierName") {
					h.Qualifiers = append(h.Qualifiers, evidence.Qualifier{Name: q.words(), UI: q.attrs["UI"],
						Major: q.attrs["MajorTopicYN"] == "Y"})
				}
				d.MeSH = append(d.MeSH, h)
			}
		case "SupplMeshList":
			for _, x := range list.all("*") {
				d.MeSH = append(d.MeSH, evidence.Heading{Name: x.words(), UI: x.attrs["UI"]})
			}
		case "KeywordList":
			refKeywords(d, list)
		case "OtherAbstract":
			if s := refSections(list); len(s) > 0 {
				d.OtherAbstracts = append(d.OtherAbstracts, evidence.OtherAbstract{Kind: list.attrs["Type"],
					Language: list.attrs["Language"], Sections: s})
			}
		}
	}
}

func refKeywords(d *draft, list *element) {
	for _, x := range list.all("*") {
		word := x.words()
		known := word == ""
		for _, k := range d.Keywords {
			known = known || k == word
		}
		if !known {
			d.Keywords = append(d.Keywords, word)
		}
	}
}

// refLinks walks the two parents in document order, since links keep it.
func refLinks(d *draft, c, a *element) {
	banks := func(list *element) {
		for _, x := range list.all("DataBank", "AccessionNumberList", "AccessionNumber") {
			if id, ok := evidence.NewIdentifier(evidence.NCT, x.words()); ok {
				d.addLink(evidence.Link{Relation: evidence.ReportsTrial, Target: id, Source: "pubmed"})
			}
		}
	}
	correction := func(refType string, x *element) {
		if relation := evidence.RelationNamed(refType); relation != "" {
			var target evidence.Identifier
			if id, ok := evidence.NewIdentifier(evidence.PMID, x.get("PMID")); ok {
				target = id
			}
			d.addLink(evidence.Link{Relation: relation, Target: target, Citation: x.get("RefSource"), Source: "pubmed"})
		}
	}
	for _, child := range c.all("*") {
		switch child.name {
		case "Article":
			for _, list := range a.all("DataBankList") {
				banks(list)
			}
		case "DataBankList":
			banks(child)
		case "CommentsCorrectionsList":
			for _, x := range child.all("*") {
				correction(x.attrs["RefType"], x)
			}
		case "CommentsCorrections":
			for _, x := range child.all("*") {
				correction(x.name, x)
			}
		}
	}
}

func referenceBook(d *draft, b *element, ok bool) {
	if !ok {
		return
	}
	for _, p := range b.all("PMID") {
		d.identify(evidence.PMID, p.words())
	}
	refArticleIDs(d, b.all("ArticleIdList", "ArticleId"))
	book := b.last("Book")
	d.Journal.Publisher, d.Journal.Volume = book.get("Publisher", "PublisherName"), book.get("Volume")
	d.bookTitle, d.collection = book.get("BookTitle"), book.get("CollectionTitle")
	d.issueDate = refDate(book.last("PubDate"))
	d.Authors, d.bookAuthors = refBookAuthors(b), refBookAuthors(book)
	for _, x := range book.all("ELocationID") {
		if x.attrs["EIdType"] == "doi" && x.attrs["ValidYN"] != "N" {
			d.onlineDOIs = withIdentifier(d.onlineDOIs, evidence.DOI, x.words())
		}
	}
	d.Title, d.VernacularTitle = b.get("ArticleTitle"), b.get("VernacularTitle")
	d.Journal.Pages = refPages(b.last("Pagination"))
	for _, x := range b.all("Language") {
		d.Languages = append(d.Languages, x.words())
	}
	refTypes(d, b.all("PublicationType"))
	d.Abstract = refSections(b.last("Abstract"))
	for _, list := range b.all("KeywordList") {
		refKeywords(d, list)
	}
	d.revised = refDate(b.last("DateRevised"))
	if date := refDate(b.last("ContributionDate")); date != "" {
		d.onlineDate, d.issueDate = date, date
	}
}

func refBookAuthors(e *element) []evidence.Author {
	var out []evidence.Author
	for _, list := range e.all("AuthorList") {
		if names := refAuthors(list); len(names) > 0 && (list.attrs["Type"] != "editors" || len(out) == 0) {
			out = names
		}
	}
	return out
}

func referenceData(d *draft, all []*element) {
	for _, e := range all {
		refArticleIDs(d, e.all("ArticleIdList", "*"))
		for _, x := range e.all("History", "*") {
			if s := x.attrs["PubStatus"]; s == "pubmed" || s == "entrez" {
				d.enteredDate = evidence.Earlier(d.enteredDate, refDate(x))
			}
		}
	}
}

func refArticleIDs(d *draft, ids []*element) {
	for _, x := range ids {
		switch x.attrs["IdType"] {
		case "doi":
			d.articleDOIs = withIdentifier(d.articleDOIs, evidence.DOI, x.words())
		case "pmc", "pmcid":
			d.identify(evidence.PMCID, x.words())
		}
	}
}

func refTypes(d *draft, types []*element) {
	for _, x := range types {
		if name := x.words(); name != "" {
			d.PublicationTypes = append(d.PublicationTypes, evidence.PublicationType{Name: name, UI: x.attrs["UI"]})
		}
	}
}

func refDate(e *element) evidence.Date {
	return dateParts{year: e.get("Year"), month: e.get("Month"), day: e.get("Day"), season: e.get("Season"),
		words: e.get("MedlineDate")}.date()
}

func refPages(e *element) string {
	start, end := e.get("StartPage"), e.get("EndPage")
	if m := e.get("MedlinePgn"); m != "" {
		return m
	}
	if end != "" && end != start {
		return start + "-" + end
	}
	return start
}

func refSections(e *element) []evidence.Section {
	var out []evidence.Section
	for _, x := range e.all("AbstractText") {
		s := evidence.Section{Label: x.attrs["Label"], Category: x.attrs["NlmCategory"], Text: x.words()}
		if strings.EqualFold(s.Label, "unlabelled") {
			s.Label = ""
		}
		if s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

func refAuthors(list *element) []evidence.Author {
	var out []evidence.Author
	for _, x := range list.all("Author") {
		if x.attrs["ValidYN"] == "N" {
			continue
		}
		a := evidence.Author{Family: x.get("LastName"), Initials: x.get("Initials"), Suffix: x.get("Suffix"),
			Collective: x.get("CollectiveName")}
		for _, n := range x.all("*") {
			switch {
			case n.name == "ForeName" || n.name == "FirstName":
				a.Given = n.words()
			case n.name == "Identifier" && n.attrs["Source"] == "ORCID":
				a.ORCID = source.ORCID(n.words())
			case n.name == "Affiliation":
				a.Affiliations = append(a.Affiliations, n.words())
			case n.name == "AffiliationInfo":
				for _, f := range n.all("Affiliation") {
					if f.words() != "" {
						a.Affiliations = append(a.Affiliations, f.words())
					}
				}
			}
		}
		if a = settledName(a); a.Family != "" || a.Collective != "" {
			out = append(out, a)
		}
	}
	return out
}

// referenceRecords is what the plain reading makes of a document.
func referenceRecords(t testing.TB, r io.Reader) []evidence.Record {
	t.Helper()
	root, err := decodeTree(r)
	if err != nil {
		t.Fatalf("encoding/xml: %v", err)
	}
	var out []evidence.Record
	for _, e := range root.all("*") {
		if e.name != "PubmedArticle" && e.name != "PubmedBookArticle" {
			continue
		}
		record, err := referenceRecord(e)
		if err != nil {
			t.Fatalf("plain reading: %v", err)
		}
		out = append(out, record)
	}
	return out
}
