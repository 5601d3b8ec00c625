package lexicon

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var wordTable string

// wordLines are the lists of words.txt by their names.
var wordLines = sync.OnceValue(func() map[string]string {
	all, name := map[string]string{}, ""
	for line := range strings.Lines(wordTable) {
		if list, words, isFirst := strings.Cut(line, ": "); isFirst && line[0] != '#' && line[0] != '\t' {
			name, line = list, words
		}

		if line[0] != '#' && name != "" {
			all[name] += line
		}
	}
	return all
})

// wordSet returns what tells whether a word is in a list of words.txt, which is read when it is first asked for.
func wordSet(list string) func(word string) bool {
	read := sync.OnceValue(func() map[string]bool {
		all, set := strings.Fields(wordLines()[list]), map[string]bool{}
		if strings.Contains(wordLines()[list], ",") { // phrases
			all = wordRows(list)()[0]
		}

		for _, word := range all {
			set[word] = true
		}

		if len(set) == 0 {
			panic("words.txt has no list " + list)
		}
		return set
	})
	return func(word string) bool { return read()[word] }
}

// wordMap returns a table of words.txt whose rows, "a = b, c", map words to another.
func wordMap(table string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for _, row := range wordRows(table)() {
			to, first, _ := strings.Cut(row[0], " = ")
			for _, word := range append([]string{first}, row[1:]...) {
				all[word] = to
			}
		}
		return all
	})
}

// wordings maps a kind of change to the ways in which papers write it.
var wordings = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, row := range wordRows("wordings")() {
		of, first, _ := strings.Cut(row[0], " = ")
		all[of] = append([]string{first}, row[1:]...)
	}
	return all
})

// wordRows returns the rows of a table of words.txt.
func wordRows(table string) func() [][]string {
	return sync.OnceValue(func() [][]string {
		var all [][]string
		for row := range strings.SplitSeq(strings.Join(strings.Fields(wordLines()[table]), " "), "; ") {
			all = append(all, strings.Split(row, ", "))
		}
		return all
	})
}

// The lists, by their names in words.txt, which says what they are for.
var (
	drivers          = wordSet("drivers")
	fusionGenes      = wordSet("fusionGenes")
	mutatedGenes     = wordSet("mutatedGenes")
	functionWords    = wordSet("functionWords")
	coordinating     = wordSet("coordinating")
	joinsDrugs       = wordSet("joinsDrugs")
	sequenceWords    = wordSet("sequenceWords")
	under            = wordSet("under")
	onWhat           = wordSet("onWhat")
	within           = wordSet("within")
	addedTo          = wordSet("addedTo")
	adds             = wordSet("adds")
	takenFor         = wordSet("takenFor")
	hasEnded         = wordSet("hasEnded")
	goesOn           = wordSet("goesOn")
	whether          = wordSet("whether")
	ahead            = wordSet("ahead")
	asksHow          = wordSet("asksHow")
	ageWords         = wordSet("ageWords")
	people           = wordSet("people")
	linkingWords     = wordSet("linkingWords")
	stressed         = wordSet("stressed")
	joiningWords     = wordSet("joiningWords")
	listWords        = wordSet("listWords")
	bridgeWords      = wordSet("bridgeWords")
	leading          = wordSet("leading")
	relatives        = wordSet("relatives")
	geneticWords     = wordSet("geneticWords")
	actions          = wordSet("actions")
	meantOtherwise   = wordSet("meantOtherwise")
	awaitsDrug       = wordSet("awaitsDrug")
	joinsExcluded    = wordSet("joinsExcluded")
	isStatus         = wordSet("isStatus")
	nots             = wordSet("nots")
	askedOfTreatment = wordSet("askedOfTreatment")
	treating         = wordSet("treating")
	preventing       = wordSet("preventing")
	which            = wordSet("which")
	putting          = wordSet("putting")
	asking           = wordSet("asking")
	scales           = wordSet("scales")
	lasting          = wordSet("lasting")
	timed            = wordSet("timed")
	isMeasured       = wordSet("isMeasured")
	isScore          = wordSet("isScore")
	prepositions     = wordSet("prepositions")
	opensBefore      = wordSet("opensBefore")
	connectors       = wordSet("connectors")
	copulas          = wordSet("copulas")
	listsBefore      = wordSet("listsBefore")
	howOften         = wordSet("howOften")
	ands             = wordSet("ands")
	asksWhat         = wordSet("asksWhat")
	combinations     = wordSet("combinations")
	ofWords          = wordSet("ofWords")
	joinsOnly        = wordSet("joinsOnly")
	isBetween        = wordSet("isBetween")
	joinsValues      = wordSet("joinsValues")
	isChoice         = wordSet("isChoice")
	standsBehind     = wordSet("standsBehind")
	standsBefore     = wordSet("standsBefore")
	priorBehind      = wordSet("priorBehind")
	givenWith        = wordSet("givenWith")
	progressed       = wordSet("progressed")
	failed           = wordSet("failed")
	causal           = wordSet("causal")
	dueTo            = wordSet("dueTo")
	behindCausal     = wordSet("behindCausal")
	settledAspects   = wordSet("settledAspects")
	naives           = wordSet("naives")
	pronouns         = wordSet("pronouns")
	auxiliary        = wordSet("auxiliary")
	measured         = wordSet("measured")
	alone            = wordSet("alone")
	presence         = wordSet("presence")
	isOr             = wordSet("isOr")
	lettered         = wordSet("lettered")
	inhibitors       = wordSet("inhibitors")
	isAntigen        = wordSet("isAntigen")
	medullary        = wordSet("medullary")
	prefixes         = wordSet("prefixes")
	ledTo            = wordSet("ledTo")
	onlyThere        = wordSet("onlyThere")
	metastases       = wordSet("metastases")
	nows             = wordSet("nows")
	whenWords        = wordSet("whenWords")

	akin            = wordRows("akin")
	codonExons      = wordMap("codonExons")
	twofold         = wordRows("twofold")
	units           = wordMap("units")
	relationWords   = wordMap("relationWords")
	scaleNames      = wordMap("scaleNames")
	usualType       = wordMap("usualType")
	geneticChanges  = wordSet("geneticChanges")
	forward         = wordSet("forward")
	endingSettings  = wordSet("endingSettings")
	replacing       = wordSet("replacing")
	phases          = wordSet("phases")
	howGiven        = wordSet("howGiven")
	optionalAspects = wordSet("optionalAspects")
	spareAspects    = wordSet("spareAspects")
	asideAspects    = wordSet("asideAspects")
	tellingAspects  = wordSet("tellingAspects")
	counterparts    = wordRows("counterparts")
	changeSuffixes  = wordRows("changeSuffixes")
	stagePrefixes   = wordRows("stagePrefixes")
	antimyeloma     = wordRows("antimyeloma")
	romanceEndings  = wordRows("romanceEndings")
	numberWords     = wordMap("numberWords")
	recistAnswers   = wordMap("recistAnswers")
	opposites       = wordMap("opposites")
	kindOfChange    = wordMap("kindOfChange")
)
