package lexicon

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"dossier/internal/strictyaml"
)

// dictionary holds one file in YAML: entries and lists of words, before they are added to the known ones.
type dictionary struct {
	entries []Entry
	words   map[string][]string // by the names of wordLists

	combinations [][]string // treatments known to be given together, by the names of entries
	shorthand    [][]string // short forms, each with the word that it stands for
}

// The lists of words that a dictionary file may hold beside its entries. They are also the reasons in oldDropped.Why.
const (
	wordsAbsence     = "absence"     // "without", "negative"
	wordsLacking     = "lacking"     // "not detected", "excluded": behind an absent value, or before it
	wordsNaive       = "naive"       // "never received"
	wordsSoFar       = "so_far"      // "yet", beside a word of absence
	wordsOpen        = "open"        // "with or without"
	wordsComparison  = "comparison"  // "versus"
	wordsPrior       = "prior"       // "after progression on"
	wordsEnded       = "ended"       // "stopped for", behind what was given
	wordsBackground  = "background"  // "while on"
	wordsWithheld    = "withheld"    // "omission of"
	wordsResistant   = "resistant"   // "refractory to"
	wordsIntolerant  = "intolerant"  // "intolerant of"
	wordsExcluded    = "excluded"    // "contraindicated", "allergic to"
	wordsSequence    = "sequence"    // "followed by"
	wordsAlternative = "alternative" // "or"
	wordsPrivate     = "private"     // words that personal data follow
	wordsPlaces      = "places"      // countries, regions, centres
	wordsStaging     = "staging"     // extent of disease, line of treatment
	wordsMinor       = "minor"       // who, how and how much
	wordsSubtypes    = "subtypes"    // biomarker subtypes: MSS, TMB-H
	wordsFillers     = "fillers"     // question words, and words without meaning for the topic
	wordsEnglish     = "english"     // everyday words that gene and drug lists have as names
	wordsAmbiguous   = "ambiguous"   // names that two entries share on purpose; the first has it
)

// wordLists are the lists in the order in which they claim a word that two of them share.
var wordLists = []string{wordsAbsence, wordsLacking, wordsNaive, wordsOpen, wordsComparison, wordsPrior, wordsResistant,
	wordsEnded, wordsBackground, wordsWithheld, wordsIntolerant, wordsExcluded, wordsSequence, wordsAlternative,
	wordsPrivate, wordsPlaces, wordsStaging, wordsMinor, wordsSubtypes, wordsSoFar, wordsFillers, wordsEnglish,
	wordsAmbiguous}

// maxNameLength bounds the bytes of a text of a dictionary, so that a stranger's file can't make us hold a longer name.
const maxNameLength = 200

// dictionaryYAML is a dictionary file as written.
type dictionaryYAML struct {
	Tumours     []entryYAML `yaml:"tumours"`
	Conditions  []entryYAML `yaml:"conditions"`
	Genes       []entryYAML `yaml:"genes"`
	Biomarkers  []entryYAML `yaml:"biomarkers"`
	Drugs       []entryYAML `yaml:"drugs"`
	Classes     []entryYAML `yaml:"classes"`
	Treatments  []entryYAML `yaml:"treatments"`
	Sites       []entryYAML `yaml:"sites"`
	Qualifiers  []entryYAML `yaml:"qualifiers"`
	Changes     []entryYAML `yaml:"changes"`
	Settings    []entryYAML `yaml:"settings"`
	Mechanisms  []entryYAML `yaml:"mechanisms"`
	Absence     []textYAML  `yaml:"absence"`
	Lacking     []textYAML  `yaml:"lacking"`
	Naive       []textYAML  `yaml:"naive"`
	SoFar       []textYAML  `yaml:"so_far"`
	Open        []textYAML  `yaml:"open"`
	Comparison  []textYAML  `yaml:"comparison"`
	Prior       []textYAML  `yaml:"prior"`
	Ended       []textYAML  `yaml:"ended"`
	Background  []textYAML  `yaml:"background"`
	Withheld    []textYAML  `yaml:"withheld"`
	Resistant   []textYAML  `yaml:"resistant"`
	Intolerant  []textYAML  `yaml:"intolerant"`
	Excluded    []textYAML  `yaml:"excluded"`
	Sequence    []textYAML  `yaml:"sequence"`
	Alternative []textYAML  `yaml:"alternative"`
	Private     []textYAML  `yaml:"private"`
	Places      []textYAML  `yaml:"places"`
	Staging     []textYAML  `yaml:"staging"`
	Minor       []textYAML  `yaml:"minor"`
	Subtypes    []textYAML  `yaml:"subtypes"`
	Fillers     []textYAML  `yaml:"fillers"`
	English     []textYAML  `yaml:"english"`
	Ambiguous   []textYAML  `yaml:"ambiguous"`

	Combinations [][]textYAML `yaml:"combinations"`
	Shorthand    [][]textYAML `yaml:"shorthand"`
}

func (d *dictionaryYAML) entries() map[Kind][]entryYAML {
	return map[Kind][]entryYAML{KindTumour: d.Tumours, KindCondition: d.Conditions, KindGene: d.Genes,
		KindBiomarker: d.Biomarkers, KindDrug: d.Drugs, KindClass: d.Classes, KindTreatment: d.Treatments, KindSite: d.Sites,
		KindQualifier: d.Qualifiers, KindChange: d.Changes, KindSetting: d.Settings, KindMechanism: d.Mechanisms}
}

func (d *dictionaryYAML) words() map[string][]textYAML {
	return map[string][]textYAML{wordsAbsence: d.Absence, wordsLacking: d.Lacking, wordsNaive: d.Naive,
		wordsSoFar: d.SoFar, wordsOpen: d.Open,
		wordsComparison: d.Comparison, wordsPrior: d.Prior, wordsEnded: d.Ended, wordsBackground: d.Background,
		wordsWithheld:  d.Withheld,
		wordsResistant: d.Resistant, wordsIntolerant: d.Intolerant, wordsExcluded: d.Excluded,
		wordsSequence: d.Sequence, wordsAlternative: d.Alternative, wordsPrivate: d.Private, wordsPlaces: d.Places,
		wordsStaging: d.Staging,
		wordsMinor:   d.Minor, wordsSubtypes: d.Subtypes, wordsFillers: d.Fillers, wordsEnglish: d.English,
		wordsAmbiguous: d.Ambiguous}
}

// entryYAML is an entry as written; see [Entry].
type entryYAML struct {
	Name          textYAML   `yaml:"name"`
	MeSH          textYAML   `yaml:"mesh"`
	Synonyms      []textYAML `yaml:"synonyms"`
	Abbreviations []textYAML `yaml:"abbreviations"`
	Guarded       []textYAML `yaml:"guarded"`
	Brands        []textYAML `yaml:"brands"`
	Codes         []textYAML `yaml:"codes"`
	Targets       []textYAML `yaml:"targets"`
	Class         textYAML   `yaml:"class"`
	Stems         []textYAML `yaml:"stems"`
	Except        []textYAML `yaml:"except"`
	Broader       []textYAML `yaml:"broader"`
	Site          textYAML   `yaml:"site"`
	Type          textYAML   `yaml:"type"`
	Qualifiers    []textYAML `yaml:"qualifiers"`
	Usually       textYAML   `yaml:"usually"`
	DefinedBy     []textYAML `yaml:"defined_by"`
	Implies       []textYAML `yaml:"implies"`
	Aspect        textYAML   `yaml:"aspect"`
	Common        bool       `yaml:"common"`
	Broad         bool       `yaml:"broad"`
	Telling       bool       `yaml:"telling"`
	German        []textYAML `yaml:"de"`
	French        []textYAML `yaml:"fr"`
	Spanish       []textYAML `yaml:"es"`
	Italian       []textYAML `yaml:"it"`
	Portuguese    []textYAML `yaml:"pt"`
	Chinese       []textYAML `yaml:"zh"`
	Unsearched    []textYAML `yaml:"unsearched"`
	Spoken        []textYAML `yaml:"spoken"`
	Exact         []textYAML `yaml:"exact"`
}

func (e *entryYAML) entry(kind Kind, file string) Entry {
	return Entry{
		Kind: kind, File: file, Name: string(e.Name), MeSH: string(e.MeSH), Class: string(e.Class), Site: string(e.Site),
		Type: string(e.Type), Aspect: string(e.Aspect), Common: e.Common, Broad: e.Broad, Telling: e.Telling,
		Synonyms: plain(e.Synonyms), Abbreviations: plain(e.Abbreviations), Guarded: plain(e.Guarded),
		Brands: plain(e.Brands), Codes: plain(e.Codes), Targets: plain(e.Targets), Broader: plain(e.Broader),
		Qualifiers: plain(e.Qualifiers), Usually: string(e.Usually), DefinedBy: plain(e.DefinedBy), Implies: plain(e.Implies),
		Stems: plain(e.Stems), Except: plain(e.Except),
		Foreign: plain(e.German, e.French, e.Spanish, e.Italian, e.Portuguese, e.Chinese,
			e.Unsearched),
		Spoken: plain(e.Spoken),
		Exact:  append(plain(e.Exact), firstOfEach(e.German, e.French, e.Spanish, e.Italian, e.Portuguese, e.Chinese)...),
	}
}

// firstOfEach returns the first name of each list: a language's first name is the translation.
func firstOfEach(lists ...[]textYAML) []string {
	var out []string
	for _, list := range lists {
		if len(list) > 0 {
			out = append(out, string(list[0]))
		}
	}
	return out
}

// textYAML is a name or a word of a dictionary file, without the white space around it.
type textYAML string

// UnmarshalText takes a text with a letter or a digit in it, of bounded length.
func (t *textYAML) UnmarshalText(data []byte) error {
	text := strings.TrimSpace(string(data))
	switch {
	case text == "":
		return errors.New("is empty; write a text, or leave the key out")
	case len(text) > maxNameLength:
		return fmt.Errorf("has %d bytes; at most %d are allowed", len(text), maxNameLength)
	case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return fmt.Errorf("has no letter or digit: %q", text)
	}
	*t = textYAML(text)
	return nil
}

// plain joins lists of texts in order; nil if there are none.
func plain(lists ...[]textYAML) []string {
	var out []string
	for _, list := range lists {
		for _, t := range list {
			out = append(out, string(t))
		}
	}
	return out
}

// spelledOut returns the phrases that a phrase with choices stands for: "(on|under) (treatment|) with" is "on treatment
// with", "under with" and so on. A phrase without choices stands for itself.
func spelledOut(phrase string) []string {
	before, rest, _ := strings.Cut(phrase, "(")

	choices, after, isChoice := strings.Cut(rest, ")")
	if !isChoice {
		return []string{phrase}
	}
	space := after[:len(after)-len(strings.TrimLeft(after, " "))]

	var out []string
	for _, choice := range strings.Split(choices, "|") {
		for _, end := range spelledOut(after) {
			out = append(out, strings.Join(strings.Fields(before+choice+space+end), " "))
		}
	}
	return out
}

// readDictionary reads a dictionary file in YAML strictly. Entries come by kind, in the file's order within each. The
// error is a *strictyaml.Error, or joins several.
func readDictionary(file string, data []byte) (*dictionary, error) {
	var written dictionaryYAML

	doc, err := strictyaml.Decode(file, data, &written)
	if err != nil {
		return nil, err
	}
	d := &dictionary{words: map[string][]string{}}

	entries, words := written.entries(), written.words()
	for _, kind := range kinds {
		for i := range entries[kind] {
			e := entries[kind][i].entry(kind, file)
			if e.Name == "" {
				return nil, doc.Errorf(fmt.Sprintf("%s[%d]", kind, i), "has no name; write {name: …, synonyms: […]}")
			}
			d.entries = append(d.entries, e)
		}
	}

	for _, list := range wordLists {
		for _, phrase := range plain(words[list]) {
			d.words[list] = append(d.words[list], spelledOut(phrase)...)
		}
	}

	for i, c := range written.Combinations {
		if len(c) < 2 {
			return nil, doc.Errorf(fmt.Sprintf("combinations[%d]", i), "names fewer than two; write [dabrafenib, trametinib]")
		}
		d.combinations = append(d.combinations, plain(c))
	}

	for i, pair := range written.Shorthand {
		row := plain(pair)
		if len(row) != 2 && (len(row) != 3 || languageNames[row[2]] == 0) {
			return nil, doc.Errorf(fmt.Sprintf("shorthand[%d]", i),
				"is no pair, and no pair with its language; write [hx, history] or [n., nach, German]")
		}

		if len(row[0]) < max(len(tokenize(row[1])), 1) {
			return nil, doc.Errorf(fmt.Sprintf("shorthand[%d]", i), "stands for more words than it has letters")
		}
		d.shorthand = append(d.shorthand, row)
	}
	return d, nil
}
