package pubmed

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

func TestTitlesKeepTheirWords(t *testing.T) {
	for _, tc := range []struct{ name, xml, want string }{
		{"inline markup", "Effect of <i>H. pylori</i> on <b>gastric <u>cancer</u></b>.",
			"Effect of H. pylori on gastric cancer."},
		{"exponents are raised", "2 × 10<sup>8</sup> of <sup>177</sup>Lu, CD8<sup>+</sup>", "2 × 10⁸ of ¹⁷⁷Lu, CD8+"},
		{"sup and sub are joined", "CO<sub>2</sub> and 10<sup>-6</sup> M", "CO2 and 10⁻⁶ M"},
		{"MathML with > in an attribute",
			`for <mml:math alttext="a > b"><mml:mi>a</mml:mi><mml:mo stretchy='false'>&gt;</mml:mo><mml:mi>b</mml:mi></mml:math>`, "for a>b"},
		{"a pretty-printer's breaks within markup", "<i>Lmna</i><sup>\n     <i>-/-</i>\n   </sup> mice", "Lmna-/- mice"},
		{"words on lines of their own", "\n  Rheumatoid\n  Arthritis:\n\tGuideline\r\n", "Rheumatoid Arthritis: Guideline"},
		{"entities", "p &lt; 0.05 &amp; &quot;x&quot; &apos;y&apos; &gt; z", `p < 0.05 & "x" 'y' > z`},
		{"numeric characters", "&#946;-catenin &#x3b1; 5&#xa0;mg", "β-catenin α 5 mg"},
		{"an escaped entity stays one", "a &amp;lt; b", "a &lt; b"},
		{"an entity that nobody declared", "a &nbsp; b & c", "a &nbsp; b & c"},
		{"characters that cannot be", "a&#0;b&#xD800;c&#x110000;d&#xzz;e", "a\ufffdb\ufffdc\ufffdd\ufffde"},
		{"CDATA", "<![CDATA[a < b & <i>c</i>]]> d", "a < b & <i>c</i> d"},
		{"comments", "a<!-- <i> -- -->b", "ab"},
		{"an instruction", "a<?x <i> ?>b", "ab"},
		{"an empty tag", "a<br/>b<i/>", "ab"},
		{"control characters and marks of direction", "a\x07b\u202ec\u00add", "abcd"},
		{"bytes that are no UTF-8", "caf\xe9", "caf\ufffd"},
		{"spaces of all kinds", "a\u2009b\u3000c", "a b c"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := citation(t, "", "<ArticleTitle>"+tc.xml+"</ArticleTitle>", "").Title; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTitleStandsInForAnother(t *testing.T) {
	for _, tc := range []struct{ name, title, vernacular, want string }{
		{"both", "[Low back pain].", "Lumbago.", "[Low back pain]."},
		{"none in English", "", "Signalementen.", "Signalementen."},
		{"not available", "[Not Available].", "Signalementen.", "Signalementen."},
		{"none at all", "[Not Available].", "", ""},
	} {
		got := citation(t, "", "<ArticleTitle>"+tc.title+"</ArticleTitle><VernacularTitle>"+tc.vernacular+
			"</VernacularTitle>", "")
		if got.Title != tc.want || got.VernacularTitle != tc.vernacular {
			t.Errorf("%s: got %q and %q", tc.name, got.Title, got.VernacularTitle)
		}
	}
}

func TestDates(t *testing.T) {
	online := "<ArticleDate DateType=\"Electronic\"><Year>2023</Year><Month>11</Month><Day>05</Day></ArticleDate>"
	for _, tc := range []struct {
		name, issue, online string
		want                evidence.Date
	}{
		{"a day", "<Year>2024</Year><Month>Mar</Month><Day>5</Day>", "", "2024-03-05"},
		{"a month by its number", "<Year>2024</Year><Month>\n 02\n</Month>", "", "2024-02"},
		{"a month in full", "<Year>1999</Year><Month>March</Month>", "", "1999-03"},
		{"two months", "<Year>2024</Year><Month>Jul-Aug</Month>", "", "2024-07"},
		{"a year", "<Year>2024</Year>", "", "2024"},
		{"a season", "<Year>2001</Year><Season>Spring</Season>", "", "2001"},
		{"a season that is months", "<Year>2001</Year><Season>Apr-Jun</Season>", "", "2001-04"},
		{"a day that does not exist", "<Year>2023</Year><Month>Feb</Month><Day>30</Day>", "", "2023-02"},
		{"words over two years", "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "", "1998-12"},
		{"words with a season", "<MedlineDate>2000 Spring</MedlineDate>", "", "2000"},
		{"words with a season first", "<MedlineDate>Spring-Summer 1987</MedlineDate>", "", "1987"},
		{"words with months", "<MedlineDate>1979 Nov-Dec</MedlineDate>", "", "1979-11"},
		{"words with days", "<MedlineDate>2002 Dec 15-31</MedlineDate>", "", "2002-12-15"},
		{"words with two years", "<MedlineDate>1999-2000</MedlineDate>", "", "1999"},
		{"words that are no date", "<MedlineDate>in press</MedlineDate>", "", "2020-01-02"},
		{"an impossible year", "<Year>20240</Year>", "", "2020-01-02"},
		{"online before the issue", "<Year>2024</Year><Month>Mar</Month>", online, "2024-03"},
		{"online within the issue's year", "<Year>2023</Year>", online, "2023-11-05"},
		{"online within the issue's month", "<Year>2023</Year><Month>Nov</Month>", online, "2023-11-05"},
		{"online only", "", online, "2023-11-05"},
		{"the day it came to PubMed", "", "", "2020-01-02"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			history := `<History><PubMedPubDate PubStatus="received"><Year>2019</Year></PubMedPubDate><PubMedPubDate PubStatus="pubmed"><Year>2020</Year><Month>1</Month><Day>2</Day></PubMedPubDate></History>`
			got := citation(t, "", "<Journal><JournalIssue><PubDate>"+tc.issue+"</PubDate></JournalIssue></Journal>"+tc.online,
				history)
			if got.Date != tc.want {
				t.Errorf("got %q, want %q", got.Date, tc.want)
			}
		})
	}
}

func TestIdentifiers(t *testing.T) {
	id := func(kind evidence.IDKind, value string) evidence.Identifier {
		return evidence.Identifier{Kind: kind, Value: value}
	}
	got := citation(t,
		`<CommentsCorrectionsList><CommentsCorrections RefType="CommentIn"><PMID>77</PMID></CommentsCorrections></CommentsCorrectionsList><DataBankList><DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList><AccessionNumber>NCT01234567</AccessionNumber></AccessionNumberList></DataBank></DataBankList>`,
		`<ELocationID EIdType="pii">S0140</ELocationID><ELocationID EIdType="doi" ValidYN="Y">10.1000/other</ELocationID>`,
		`<ArticleIdList><ArticleId IdType="pubmed">32</ArticleId><ArticleId IdType="pii">S0140</ArticleId><ArticleId IdType="doi">https://doi.org/10.1016/S0140-6736(24)1.</ArticleId><ArticleId IdType="pmc">PMC0055</ArticleId></ArticleIdList>
<ReferenceList><Reference><ArticleIdList><ArticleId IdType="pubmed">99</ArticleId><ArticleId IdType="doi">10.1000/cited</ArticleId></ArticleIdList></Reference><ReferenceList><Reference/></ReferenceList></ReferenceList>`)
	want := []evidence.Identifier{id(evidence.PMID, "31"), id(evidence.DOI, "10.1016/s0140-6736(24)1"),
		id(evidence.PMCID, "PMC55")}
	if diff := cmp.Diff(want, got.Identifiers); diff != "" {
		t.Errorf("only what names this paper counts (-want +got):\n%s", diff)
	}

	got = citation(t, "",
		`<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID><ELocationID EIdType="doi">10.1000/online</ELocationID><ELocationID EIdType="doi">e22.00556</ELocationID>`, "")
	want = []evidence.Identifier{id(evidence.PMID, "31"), id(evidence.DOI, "10.1000/online")}
	if diff := cmp.Diff(want, got.Identifiers); diff != "" {
		t.Errorf("without a list, the electronic location counts (-want +got):\n%s", diff)
	}

	const two = `<ArticleIdList><ArticleId IdType="doi">10.1000/a</ArticleId><ArticleId IdType="doi">10.1000/b</ArticleId></ArticleIdList>`
	for place, own := range map[string]string{
		"": "10.1000/a", `<ELocationID EIdType="doi">10.1000/b</ELocationID>`: "10.1000/b",
		`<ELocationID EIdType="doi">10.1000/c</ELocationID>`: "10.1000/a",
	} {
		got := citation(t, "", place, two)
		if doi, _ := got.Identifier(evidence.DOI); doi.Value != own {
			t.Errorf("of two in the list, at %q: %s, want %s", place, doi, own)
		}
	}
}

func TestAuthors(t *testing.T) {
	got := citation(t, "<InvestigatorList><Investigator><LastName>Nobody</LastName></Investigator></InvestigatorList>",
		`<Affiliation>Old style.</Affiliation><AuthorList>
<Author><LastName>Müller</LastName><ForeName>Anna B</ForeName><Initials>AB</Initials><Suffix>Jr</Suffix><Identifier Source="ORCID">http://orcid.org/000000021825009X</Identifier></Author>
<Author ValidYN="N"><LastName>Muller</LastName></Author>
<Author><LastName>Li</LastName><Identifier Source="ISNI">0000000121032683</Identifier><AffiliationInfo><Affiliation>Dept of A, X.</Affiliation><Identifier Source="GRID">grid.1</Identifier></AffiliationInfo><AffiliationInfo><Affiliation>Dept of B, Y.</Affiliation></AffiliationInfo></Author>
<Author><CollectiveName>The <i>RAS</i> Group</CollectiveName></Author>
<Author><ForeName>Plato</ForeName></Author>
<Author/></AuthorList>`, "").Authors
	want := []evidence.Author{
		{Family: "Müller", Given: "Anna B", Initials: "AB", Suffix: "Jr", ORCID: "0000-0002-1825-009X",
			Affiliations: []string{"Old style."}},
		{Family: "Li", Affiliations: []string{"Dept of A, X.", "Dept of B, Y."}},
		{Collective: "The RAS Group"},
		{Family: "Plato"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAbstracts(t *testing.T) {
	got := citation(t,
		`<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>Simply said.</AbstractText></OtherAbstract><OtherAbstract Type="Publisher" Language="fre"><CopyrightInformation>(c)</CopyrightInformation></OtherAbstract>`,
		`<Abstract><AbstractText Label="BACKGROUND &amp; AIMS" NlmCategory="OBJECTIVE">Why.</AbstractText><AbstractText
 NlmCategory='UNASSIGNED'
 Label='UNLABELLED'>And <i>how</i>.</AbstractText><AbstractText Label="EMPTY"/><CopyrightInformation>Copyright.</CopyrightInformation></Abstract>`, "")
	want := []evidence.Section{{Label: "BACKGROUND & AIMS", Category: "OBJECTIVE", Text: "Why."},
		{Category: "UNASSIGNED", Text: "And how."}}
	if diff := cmp.Diff(want, got.Abstract); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	other := []evidence.OtherAbstract{{Kind: "plain-language-summary", Language: "eng",
		Sections: []evidence.Section{{Text: "Simply said."}}}}
	if diff := cmp.Diff(other, got.OtherAbstracts); diff != "" {
		t.Errorf("other abstracts (-want +got):\n%s", diff)
	}
}

func TestSubjects(t *testing.T) {
	got := citation(t,
		`<ChemicalList><Chemical><RegistryNumber>0</RegistryNumber><NameOfSubstance UI="D1">Formates</NameOfSubstance></Chemical><Chemical><RegistryNumber>EC 1.2.-</RegistryNumber><NameOfSubstance>Enzyme</NameOfSubstance></Chemical></ChemicalList>
<MeshHeadingList><MeshHeading><DescriptorName UI="D008175" MajorTopicYN="N">Lung Neoplasms</DescriptorName><QualifierName UI="Q000188" MajorTopicYN="Y">drug therapy</QualifierName></MeshHeading><MeshHeading><DescriptorName MajorTopicYN="Y">Humans</DescriptorName></MeshHeading></MeshHeadingList>
<SupplMeshList><SupplMeshName Type="Protocol" UI="C040721">FOLFOX protocol</SupplMeshName></SupplMeshList>
<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N"><i>KRAS</i> G12C</Keyword><Keyword>China</Keyword></KeywordList><KeywordList Owner="NASA"><Keyword>China</Keyword><Keyword> </Keyword></KeywordList>`,
		`<Language>eng</Language><Language>chi</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType><PublicationType>REVIEW</PublicationType></PublicationTypeList>`, "")
	want := evidence.Record{
		Substances: []evidence.Substance{{Name: "Formates", UI: "D1"}, {Name: "Enzyme", Registry: "EC 1.2.-"}},
		MeSH: []evidence.Heading{
			{Name: "Lung Neoplasms", UI: "D008175", Qualifiers: []evidence.Qualifier{{Name: "drug therapy", UI: "Q000188",
				Major: true}}},
			{Name: "Humans", Major: true},
			{Name: "FOLFOX protocol", UI: "C040721"},
		},
		Keywords:         []string{"KRAS G12C", "China"},
		Languages:        []string{"eng", "chi"},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article", UI: "D016428"}, {Name: "REVIEW"}},
	}
	have := evidence.Record{Substances: got.Substances, MeSH: got.MeSH, Keywords: got.Keywords, Languages: got.Languages,
		PublicationTypes: got.PublicationTypes}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJournal(t *testing.T) {
	got := citation(t,
		`<MedlineJournalInfo><Country>England</Country><MedlineTA>Lancet</MedlineTA><ISSNLinking>0140-6736</ISSNLinking></MedlineJournalInfo>`,
		`<Journal><ISSN IssnType="Electronic">1474-547X</ISSN><JournalIssue><Volume>403</Volume><Issue>10</Issue></JournalIssue><Title>Lancet (London, England)</Title></Journal><Pagination><StartPage>117</StartPage><EndPage>126</EndPage><MedlinePgn>117-26</MedlinePgn></Pagination>`, "").Journal
	want := evidence.Journal{Title: "Lancet (London, England)", Abbreviation: "Lancet", ISSN: []string{"1474-547X",
		"0140-6736"}, Volume: "403", Issue: "10", Pages: "117-26", Country: "England"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if pages := citation(t, "", "<Pagination><StartPage>e5</StartPage><EndPage>e5</EndPage></Pagination>",
		"").Journal.Pages; pages != "e5" {
		t.Errorf("one page is %q", pages)
	}
}

func TestLinks(t *testing.T) {
	for refType, want := range map[string]evidence.Relation{
		"RetractionIn": "RetractionIn", "RetractionOf": "RetractionOf", "ExpressionOfConcernIn": "ExpressionOfConcernIn",
		"ExpressionOfConcernFor": "ExpressionOfConcernFor", "ErratumIn": "ErratumIn", "ErratumFor": "ErratumFor",
		"CorrectedandRepublishedIn": "RepublishedIn", "RetractedandRepublishedIn": "RetractedandRepublishedIn",
		"RepublishedIn":               "RepublishedIn",
		"CorrectedandRepublishedFrom": "RepublishedFrom", "RetractedandRepublishedFrom": "RetractedandRepublishedFrom",
		"RepublishedFrom": "RepublishedFrom",
		"UpdateIn":        "UpdateIn", "UpdateOf": "UpdateOf", "CommentIn": "CommentIn", "CommentOn": "CommentOn",
		"SummaryForPatientsIn": "Other", "AssociatedDataset": "Other", "Cites": "", "": "",
	} {
		got := citation(t, `<CommentsCorrectionsList><CommentsCorrections RefType="`+refType+
			`"><RefSource>Lancet. 2024</RefSource><PMID Version="1">77</PMID><Note>x</Note></CommentsCorrections></CommentsCorrectionsList>`, "", "").Links
		var links []evidence.Link
		if want != "" {
			links = []evidence.Link{{Relation: want, Target: evidence.Identifier{Kind: evidence.PMID, Value: "77"},
				Citation: "Lancet. 2024", Source: "pubmed"}}
		}
		if diff := cmp.Diff(links, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", refType, diff)
		}
	}
	got := citation(t,
		`<CommentsCorrections><ErratumIn><RefSource>Am J Med 1992</RefSource></ErratumIn></CommentsCorrections>`,
		`<DataBankList><DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList><AccessionNumber>nct01234567</AccessionNumber></AccessionNumberList></DataBank><DataBank><DataBankName>GENBANK</DataBankName><AccessionNumberList><AccessionNumber>U12345</AccessionNumber></AccessionNumberList></DataBank></DataBankList>`, "").Links
	want := []evidence.Link{
		{Relation: evidence.ErratumIn, Citation: "Am J Med 1992", Source: "pubmed"},
		{Relation: evidence.ReportsTrial, Target: evidence.Identifier{Kind: evidence.NCT, Value: "NCT01234567"},
			Source: "pubmed"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the old form and trials (-want +got):\n%s", diff)
	}
}

func TestRetractionAndPreprint(t *testing.T) {
	revised := "<DateRevised><Year>2025</Year><Month>01</Month><Day>09</Day></DateRevised>"
	types := func(attr, name string) string {
		return "<PublicationTypeList><PublicationType UI=\"D016428\">Journal Article</PublicationType><PublicationType" +
			attr + ">" + name + "</PublicationType></PublicationTypeList>"
	}
	for _, tc := range []struct {
		name, medline, article string
		status                 evidence.Ternary
		notice                 string
		preprint               bool
	}{
		{"a paper", "", types("", "Review"), evidence.No, "", false},
		{"by its type's id, whatever its name", "", types(` UI="D016441"`, "Something new"), evidence.Yes, "", false},
		{"by its type's name", "", types("", "RETRACTED PUBLICATION"), evidence.Yes, "", false},
		{"by its type's name, whatever its id", "", types(` UI="D000001"`, "Retracted Publication"), evidence.Yes, "", false},
		{"by a link",
			`<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><PMID>77</PMID></CommentsCorrections></CommentsCorrectionsList>`, "", evidence.Yes, "77", false},
		{"by a link to something without a PMID",
			`<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><RefSource>X 2024</RefSource></CommentsCorrections></CommentsCorrectionsList>`, "", evidence.Yes, "", false},
		{"the notice itself",
			`<CommentsCorrectionsList><CommentsCorrections RefType="RetractionOf"><PMID>77</PMID></CommentsCorrections></CommentsCorrectionsList>`, types(` UI="D016440"`, "Retraction Notice"), evidence.No, "", false},
		{"a preprint", "", types(` UI="D000076942"`, "Preprint"), evidence.No, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := citation(t, revised+tc.medline, tc.article, "")
			want := evidence.Retraction{Status: tc.status, Source: "pubmed", Checked: "2025-01-09"}
			if tc.notice != "" {
				want.Notice = evidence.Identifier{Kind: evidence.PMID, Value: tc.notice}
			}
			if diff := cmp.Diff(want, got.Retraction); diff != "" || got.Preprint != tc.preprint {
				t.Errorf("preprint %v (-want +got):\n%s", got.Preprint, diff)
			}
		})
	}
}

func TestOriginAndStamp(t *testing.T) {
	got := citation(t, "<DateRevised><Year>2025</Year><Month>01</Month><Day>09</Day></DateRevised>", "", "")
	want := []evidence.Origin{{Source: "pubmed", ID: "31", Revised: "2025-01-09", Version: 2}}
	if diff := cmp.Diff(want, got.Origins); diff != "" || got.ID != "" {
		t.Errorf("id %q (-want +got):\n%s", got.ID, diff)
	}
	at := time.Date(2026, 3, 2, 23, 30, 0, 0, time.FixedZone("", -3*3600))
	source.Stamp(&got, at)
	want[0].Fetched = at
	if diff := cmp.Diff(want, got.Origins); diff != "" || got.Retraction.Checked != "2026-03-03" {
		t.Errorf("checked %s (-want +got):\n%s", got.Retraction.Checked, diff)
	}
}

func TestBooks(t *testing.T) {
	names := func(kind, family string) string {
		return `<AuthorList Type="` + kind + `"><Author><LastName>` + family + `</LastName></Author></AuthorList>`
	}
	for _, tc := range []struct {
		name, xml string
		want      evidence.Record
	}{
		{"a chapter",
			`<ArticleIdList><ArticleId IdType="bookaccession">NBK1116</ArticleId></ArticleIdList><Book><Publisher><PublisherName>University of Washington</PublisherName><PublisherLocation>Seattle (WA)</PublisherLocation></Publisher><BookTitle book="gene">GeneReviews<sup>®</sup></BookTitle><PubDate><Year>1993</Year></PubDate>` + names("editors", "Adam") + `<Medium>Internet</Medium></Book><ArticleTitle book="gene">Ataxia</ArticleTitle><Language>eng</Language>` + names("authors", "Opal") + `<PublicationType UI="D016454">Review</PublicationType><Abstract><AbstractText>A.</AbstractText></Abstract><Sections><Section><SectionTitle>no title</SectionTitle></Section></Sections><KeywordList><Keyword>ATXN1</Keyword></KeywordList><ContributionDate><Year>1998</Year><Month>10</Month><Day>1</Day></ContributionDate><DateRevised><Year>2023</Year></DateRevised>`,
			evidence.Record{
				Title: "Ataxia", Authors: []evidence.Author{{Family: "Opal"}}, Date: "1998-10-01", Languages: []string{"eng"},
				Keywords:         []string{"ATXN1"},
				Journal:          evidence.Journal{Title: "GeneReviews®", Publisher: "University of Washington"},
				Abstract:         []evidence.Section{{Text: "A."}},
				PublicationTypes: []evidence.PublicationType{{Name: "Review", UI: "D016454"}},
				Origins:          []evidence.Origin{{Source: "pubmed", ID: "9", Revised: "2023"}},
				Retraction:       evidence.Retraction{Checked: "2023"},
			}},
		{"a book on its own, its authors before its editors",
			`<Book><BookTitle>Rheumatoid Arthritis</BookTitle><PubDate><Year>2009</Year><Month>02</Month></PubDate>` +
				names("authors", "Committee") + names("editors", "Editor") +
				`<CollectionTitle>NICE Guidance</CollectionTitle></Book>`,
			evidence.Record{
				Title: "Rheumatoid Arthritis", Authors: []evidence.Author{{Family: "Committee"}}, Date: "2009-02",
				Journal: evidence.Journal{Title: "NICE Guidance"},
				Origins: []evidence.Origin{{Source: "pubmed", ID: "9"}},
			}},
		{"a book that has editors only", `<Book><BookTitle>B</BookTitle>` + names("editors", "Editor") + `</Book>`,
			evidence.Record{Title: "B", Authors: []evidence.Author{{Family: "Editor"}},
				Origins: []evidence.Origin{{Source: "pubmed", ID: "9"}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := parsed(t, set("<PubmedBookArticle><BookDocument><PMID>9</PMID>"+tc.xml+
				"</BookDocument><PubmedBookData><ArticleIdList><ArticleId IdType=\"pubmed\">9</ArticleId></ArticleIdList></PubmedBookData></PubmedBookArticle>"))
			want := tc.want
			want.Identifiers = []evidence.Identifier{{Kind: evidence.PMID, Value: "9"}}
			want.Retraction.Status, want.Retraction.Source = evidence.No, "pubmed"
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPartsAreBounded(t *testing.T) {
	got := citation(t, "<KeywordList>"+strings.Repeat("<Keyword>same</Keyword>", 10)+"</KeywordList>",
		"<ArticleTitle>"+strings.Repeat("é", maxText)+"</ArticleTitle><AuthorList>"+
			strings.Repeat("<Author><LastName>A</LastName></Author>", maxList+10)+"</AuthorList>", "")
	if len(got.Title) > maxText+len("…") || !strings.HasSuffix(got.Title, "é…") {
		t.Errorf("the title has %d bytes", len(got.Title))
	}
	if len(got.Authors) != maxList || len(got.Keywords) != 1 {
		t.Errorf("%d authors, %d keywords", len(got.Authors), len(got.Keywords))
	}
}
