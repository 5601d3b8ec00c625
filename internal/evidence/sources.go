package evidence

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dossier/internal/text"
)

// SourceName is a source's name in topics, output and configuration.
type SourceName = string

// The sources. An imported file's records have the source "import:FILE".
const (
	SourcePubMed         SourceName = "pubmed"
	SourceEuropePMC      SourceName = "europepmc"
	SourceOpenAlex       SourceName = "openalex"
	SourceCrossref       SourceName = "crossref"
	SourceBioRxiv        SourceName = "biorxiv"
	SourceMedRxiv        SourceName = "medrxiv"
	SourceClinicalTrials SourceName = "clinicaltrials"
	SourceLocal          SourceName = "local"
	SourceImport         SourceName = "import"

	SourceRetractionWatch SourceName = "retractionwatch" // its table, read from a file
	SourceFullText        SourceName = "fulltext"        // of the texts that are kept beside the store
)

// Source is the program's data on a source of records. Its folder below internal/source has the client.
type Source struct {
	Name      SourceName
	Address   string  // of the public service; empty: there is none
	Key       string  // the variable of the environment that holds its key; empty: it takes none
	Registry  bool    // it holds trials, not papers
	Optional  bool    // asked only if configured
	Lookup    bool    // it searches nothing: it is asked about papers that others have found
	Authority int     // its place in the order in which sources are believed, from 1
	Gives     []OwnID // the identifiers that it is the authority for
	Sweep     Sweepable
}

// OwnID is a kind of identifier that a source itself gives. Its own id is the value behind the prefix.
type OwnID struct {
	Kind   IDKind
	Prefix string
}

// Sweepable is what a source is asked every night about the store's own papers: by which identifiers, how many at once,
// and how many at most. The last bounds the requests, with an eye to what each source grants a day, and what one
// chunk's answer holds in memory. A source that takes a request for each paper rests between two rounds, and is asked
// meanwhile about those alone of which another source has brought something.
type Sweepable struct {
	IDs   func(*Record) []Identifier // ids by which the source knows a paper; nil: it is not asked
	Chunk int
	Most  int
	Rest  time.Duration
}

// Sources are those that give records, in the order in which their results are shown.
var Sources = []Source{
	{Name: SourcePubMed, Address: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", Key: "NCBI_API_KEY", Authority: 1,
		Gives: []OwnID{{Kind: PMID}},
		Sweep: Sweepable{pmidsOf, 2000, 100_000, 0}}, // one request for 2,000 papers, and one for 200 that changed
	{Name: SourceEuropePMC, Address: "https://www.ebi.ac.uk/europepmc/webservices/rest", Authority: 3,
		Gives: []OwnID{{PMID, "MED/"}, {PMCID, "PMC/"}, {PPR, "PPR/"}, {PAT, "PAT/"}},
		Sweep: Sweepable{unpublishedOf, 500, 10_000, 0}}, // a request for 100, as those below
	{Name: SourceOpenAlex, Address: "https://api.openalex.org", Key: "OPENALEX_API_KEY", Authority: 7,
		Gives: []OwnID{{Kind: OpenAlex}},
		Sweep: Sweepable{outsidePubMedOf, 500, 10_000, 0}},
	// A DOI is the publisher's, and Crossref's only to pass on: it is the authority for none.
	{Name: SourceCrossref, Address: "https://api.crossref.org", Optional: true, Authority: 4,
		Sweep: Sweepable{doiOutsidePubMedOf, 500, 3_000, 0}}, // a request a second, for 50
	{Name: SourceBioRxiv, Address: "https://api.biorxiv.org", Optional: true, Lookup: true, Authority: 5,
		Sweep: Sweepable{preprintsBut("medrxiv"), 50, 500, 7 * 24 * time.Hour}}, // a request a second, for each
	{Name: SourceMedRxiv, Address: "https://api.biorxiv.org", Optional: true, Lookup: true, Authority: 6,
		Sweep: Sweepable{preprintsBut("biorxiv"), 50, 500, 7 * 24 * time.Hour}},
	{Name: SourceClinicalTrials, Address: "https://clinicaltrials.gov/api/v2", Registry: true, Authority: 8,
		Gives: []OwnID{{Kind: NCT}},
		Sweep: Sweepable{trialOf, 200, 5_000, 0}},
	{Name: SourceLocal, Authority: 2}, // the store, whose records were believed before
	{Name: SourceRetractionWatch, Authority: 9},
}

// SourceNames lists the sources that a topic may name, in the order in which results are shown.
var SourceNames = namesOf(func(s Source) bool { return s.Address != "" && !s.Lookup || s.Name == SourceLocal })

// Services lists those of them that are asked over the network.
var Services = namesOf(func(s Source) bool { return s.Address != "" })

func namesOf(of func(Source) bool) []SourceName {
	var names []SourceName
	for _, s := range Sources {
		if of(s) {
			names = append(names, s.Name)
		}
	}
	return names
}

// SourceOf is the source of a name; the zero Source where there is none.
func SourceOf(name SourceName) Source {
	if i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name }); i >= 0 {
		return Sources[i]
	}
	return Source{}
}

// IsRegistry reports whether a source holds trials.
func IsRegistry(name SourceName) bool { return SourceOf(name).Registry }

// Authorities are the names of the sources in the order in which they are believed. Others, such as imports, come
// after.
func Authorities() []SourceName {
	ordered := slices.SortedFunc(slices.Values(Sources), func(a, b Source) int {
		return cmp.Compare(a.Authority, b.Authority)
	})

	names := make([]SourceName, len(ordered))
	for i, s := range ordered {
		names[i] = s.Name
	}
	return names
}

// OwnIdentifier is the identifier that a source itself gives by an id of its own; zero where it gives none.
func (s Source) OwnIdentifier(id string) Identifier {
	for _, own := range s.Gives {
		if value, ok := strings.CutPrefix(id, own.Prefix); ok {
			return Identifier{Kind: own.Kind, Value: value}
		}
	}
	return Identifier{}
}

// FetchedBy returns the source that has a record by an identifier, and the record's id there: the most trusted one that
// assigns such identifiers. There is none for a DOI.
func FetchedBy(id Identifier) (name SourceName, at string) {
	best := Source{}
	for _, s := range Sources {
		i := slices.IndexFunc(s.Gives, func(own OwnID) bool { return own.Kind == id.Kind })
		if i >= 0 && (best.Name == "" || s.Authority < best.Authority) {
			best, at = s, s.Gives[i].Prefix+id.Value
		}
	}
	return best.Name, at
}

func pmidsOf(r *Record) []Identifier { return ofKind(r, PMID) }

// unpublishedOf gives a preprint that is not known to PubMed: it may be withdrawn, or become an article.
func unpublishedOf(r *Record) []Identifier {
	if _, published := r.Identifier(PMID); published {
		return nil
	}
	return ofKind(r, PPR)
}

// outsidePubMedOf returns the ids of a paper without data from PubMed itself: OpenAlex knows from Retraction Watch
// whether it is retracted, and how often it is cited.
func outsidePubMedOf(r *Record) []Identifier {
	if pmids := pmidsOf(r); len(pmids) > 0 && isOutsidePubMed(r) {
		return pmids
	}
	return doiOutsidePubMedOf(r)
}

// doiOutsidePubMedOf returns such a paper's DOI: Crossref has its publisher's data.
func doiOutsidePubMedOf(r *Record) []Identifier {
	if !isOutsidePubMed(r) {
		return nil
	}
	return ofKind(r, DOI)
}

func isOutsidePubMed(r *Record) bool {
	isPubMed := func(o Origin) bool { return o.Source == SourcePubMed }
	return r.Trial == nil && !slices.ContainsFunc(r.Origins, isPubMed)
}

// serversDOI is one of bioRxiv's or medRxiv's, which share their series.
var serversDOI = text.LazyRegexp(`^10\.(?:1101|64898)/(?:\d{6}$|20\d\d\.)`)

// preprintsBut gives a preprint of the two servers by its DOI, unless it is known to be on the other one, or its
// article is known.
func preprintsBut(other string) func(*Record) []Identifier {
	return func(r *Record) []Identifier {
		isPublished := func(l Link) bool { return l.Relation == PreprintOf && !l.Target.IsZero() }
		if strings.HasPrefix(strings.ToLower(r.Journal.Name()), other) || slices.ContainsFunc(r.Links, isPublished) {
			return nil
		}
		return slices.DeleteFunc(ofKind(r, DOI), func(id Identifier) bool { return !serversDOI().MatchString(id.Value) })
	}
}

func trialOf(r *Record) []Identifier {
	if r.Trial == nil {
		return nil
	}
	return ofKind(r, NCT)
}

func ofKind(r *Record, kind IDKind) []Identifier {
	var ids []Identifier
	for _, id := range r.Identifiers {
		if id.Kind == kind {
			ids = append(ids, id)
		}
	}
	return ids
}
