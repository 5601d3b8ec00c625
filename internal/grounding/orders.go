package grounding

import (
	"regexp"
	"slices"
	"strings"

	"dossier/internal/lazy"
	"dossier/internal/lexicon"
	plaintext "dossier/internal/text"
)

// order says how a sentence tells the reader what to do.
type order int

const (
	noOrder   order = iota
	reported        // "the guideline recommends osimertinib", "osimertinib is recommended": somebody's advice
	directive       // "patients should receive osimertinib", "osimertinib must be stopped"
	command         // "Stop osimertinib.", "We recommend …", "You should …": the report would be speaking
)

// orderWords are the forms of one language, by kind; noOrder has none.
type orderWords [command + 1]func() *regexp.Regexp

// englishOrders need more care than the others, since most statements are English: see englishOrder.
var englishOrders = orderWords{
	command: lazy.Regexp(`(?i)\b(?:we|I)\s+(?:(?:strongly|therefore|would|also|thus|now)\s+)*(?:recommend|` +
		`advise|urge)\b|\b(?:we|I)\s+(?:(?:therefore|would|also)\s+)?(?:suggest|propose)\s+(?:to\s+)?` +
		`(?:treat|giv|start|stop|us|switch|add|discontinu|withhold|administer|offer)\w*|\byou\s+(?:should|must|` +
		`need\s+to|have\s+to|ought\s+to|may\s+want)\b|\byour\s+patients?\b|` +
		`\b(?:my|our)\s+(?:advice|recommendation)\b`),
	directive: lazy.Regexp(`(?i)\b(?:should|must|ought\s+to|shall|needs?\s+to\s+be|(?:is|are|has|` +
		`have)\s+to\s+be|had\s+better)\s+` +
		`(?:(?:not|never|always|also|now|therefore|thus|preferably|promptly|immediately|urgently|routinely|` +
		`generally|only|first|either|then|be)\s+)*` +
		`(receiv(?:e|ing)|treat(?:ed)?|giv(?:e|en)|offer(?:ed)?|start(?:ed)?|stop(?:ped)?|administer(?:ed)?|` +
		`prescribed?|discontinued?|withh(?:old|eld)|initiated?|continued?|avoid(?:ed)?|used?|consider(?:ed)?|` +
		`prefer(?:red)?|combined|added|switch(?:ed)?|interrupt(?:ed)?|reduced|omit(?:ted)?|resumed?|begin|begun|` +
		`undergo|take|taken|get|replaced|escalated|de-escalated|held|put\s+on|tapered|withdrawn|halted|ceased?)\b`),
	reported: lazy.Regexp(`(?i)\b(?:is|are|was|were|be|been|being)\s+(?:(?:not|strongly|also|generally|` +
		`therefore|now|currently|no\s+longer|only|routinely|clearly)\s+)*(?:recommended|advised|advisable|` +
		`mandatory|contraindicated|indicated)\b|` +
		`\b(?:recommends?|advises?|endorses?|advocates?)\b|\brecommended\s+(?:against|using|giving|stopping|` +
		`treatment|therapy|option|regimen|first-line|second-line)\b|\b(?:treatment|therapy|drug|` +
		`regimen)\s+of\s+choice\b`),
}

// foreignOrders are the forms of the other languages that the dictionary reads: German, French, Spanish, Italian,
// Portuguese and Chinese.
var foreignOrders = []orderWords{
	{
		command: lazy.Regexp(`(?i)(?:^|[.:;,]\s+)(?:bitte\s+)?(?:geben|verabreichen|behandeln|setzen|stoppen|` +
			`beenden|beginnen|verordnen|vermeiden|erwägen|brechen|stellen)\s+sie\b|\bwir\s+(?:empfehlen|raten)\b`),
		directive: lazy.Regexp(`(?i)\b(?:soll(?:te|ten|en)?|muss|müssen|darf|` +
			`dürfen)\b[^.;]{0,120}\b(?:behandelt|gegeben|verabreicht|erhalten|bekommen|abgesetzt|beendet|` +
			`gestoppt|begonnen|eingeleitet|vermieden|angeboten|` +
			`fortgesetzt|umgestellt|eingesetzt|pausiert|verordnet|abgebrochen)\b|\b(?:ist|sind)\s+(?:sofort\s+|` +
			`umgehend\s+)?(?:abzusetzen|zu\s+(?:geben|verabreichen|behandeln|beenden|vermeiden|stoppen))`),
		reported: lazy.Regexp(`(?i)\b(?:wird|werden)\b[^.;]{0,80}\bempfohlen\b|\bempf(?:iehlt|ehlen)\b|\b(?:ist|` +
			`sind)\s+(?:nicht\s+)?(?:indiziert|angezeigt|kontraindiziert)\b`),
	},
	{
		command: lazy.Regexp(`(?i)(?:^|[.:;,]\s+)(?:donnez|administrez|traitez|arrêtez|débutez|commencez|` +
			`prescrivez|évitez|proposez|poursuivez|veuillez)\b|\bnous\s+(?:recommandons|conseillons)\b`),
		directive: lazy.Regexp(`(?i)(?:\bdoi(?:t|vent)|\bdevrai(?:t|ent)|\bil\s+faut)\s[^.;]{0,60}?(?:recevoir|` +
			`être\s+(?:traité|donné|administré|arrêté|interrompu|débuté|évité|proposé|poursuivi|utilisé|prescrit)|` +
			`arrêter|débuter|donner|administrer|traiter|éviter|interrompre)`),
		reported: lazy.Regexp(`(?i)\b(?:est|sont)\s+(?:fortement\s+|pas\s+|vivement\s+)?(?:recommandé|conseillé|` +
			`indiqué|contre-indiqué)|\brecommande(?:nt)?\s`),
	},
	{
		command: lazy.Regexp(`(?i)(?:^|[.:;,¡]\s*)(?:por\s+favor,?\s+)?(?:administre|trate|suspenda|inicie|` +
			`evite|prescriba|continúe|cambie|interrumpa)\s|\b(?:recomendamos|aconsejamos)\b`),
		directive: lazy.Regexp(`(?i)\b(?:deben?|debería[n]?|hay\s+que|tienen?\s+que)\s[^.;]{0,60}?(?:recibir|` +
			`ser\s+(?:tratad|administrad|suspendid|iniciad|evitad)|tratar|administrar|suspender|iniciar|evitar|` +
			`interrumpir)`),
		reported: lazy.Regexp(`(?i)\bse\s+(?:recomienda|aconseja)|\brecomienda[n]?\b|` +
			`\bestá[n]?\s+(?:contra)?indicad[oa]s?|\b(?:es|son)\s+recomendad`),
	},
	{
		command: lazy.Regexp(`(?i)(?:^|[.:;,]\s+)(?:somministrare|somministri|tratti|sospenda|sospendere|` +
			`iniziare|interrompere|interrompa|eviti|evitare|prescriva)\s|\b(?:raccomandiamo|consigliamo)\b`),
		directive: lazy.Regexp(`(?i)\b(?:deve|devono|dovrebbe(?:ro)?|bisogna|occorre)\s[^.;]{0,60}?(?:ricevere|` +
			`essere\s+(?:trattat|somministrat|sospes|interrott|iniziat|evitat)|sospendere|iniziare|` +
			`somministrare|trattare|interrompere)`),
		reported: lazy.Regexp(`(?i)\bsi\s+(?:raccomanda|consiglia)|\b(?:raccomanda|raccomandano)\b|(?:^|` +
			`\s)(?:è|sono)\s+(?:fortemente\s+)?(?:raccomandat|consigliat|indicat|controindicat)`),
	},
	{
		command: lazy.Regexp(`(?i)(?:^|[.:;,]\s+)(?:por\s+favor,?\s+)?(?:administre|trate|suspenda|inicie|` +
			`interrompa|evite|prescreva)\s|\b(?:recomendamos|aconselhamos)\b`),
		directive: lazy.Regexp(`(?i)\b(?:devem?|deveria[m]?|é\s+preciso|têm?\s+que)\s[^.;]{0,60}?(?:receber|` +
			`ser\s+(?:tratad|administrad|suspens|interrompid|iniciad|evitad)|suspender|iniciar|administrar|` +
			`tratar|interromper)`),
		reported: lazy.Regexp(`(?i)\b(?:recomenda|aconselha)(?:-se|m)?\b|(?:^|\s)(?:é|são)\s+recomendad|` +
			`\best(?:á|ão)\s+(?:contra)?indicad`),
	},
	{
		command:   lazy.Regexp(`(?:^|[。；：，])\s*请?(?:立即|尽快)?(?:停用|停止|停药|给予|使用|开始|换用|改用|避免)|我们(?:建议|推荐)`),
		directive: lazy.Regexp(`(?:应该|应当|必须|务必|应(?:立即|尽快|优先|避免|给予|使用|接受|停))[^。；]{0,20}`),
		reported:  lazy.Regexp(`(?:推荐|建议)(?:使用|给予|采用|停用|用于|作为)|指南(?:推荐|建议)|(?:被|不)推荐`),
	},
}

var (
	// An order begins a sentence or stands behind what it depends on: "If it progresses, stop osimertinib."
	imperativeRE = lazy.Regexp(`(?i)^(?:(?:please|therefore|thus|hence|so|then|first|next|finally|instead|` +
		`otherwise),?\s+|(?:if|when|in|for|after|upon|once|at|with|on)\b[^,]{2,120},\s+)*(?:(?:do\s+not|` +
		`don[’']t|never|always|immediately|promptly|now)\s+)*` +
		`(?:(give|administer|treat|prescribe|initiate|discontinue|withhold|avoid|consider|continue|resume|omit|` +
		`restart|recommend)|(stop|start|switch|hold|use|add|offer|choose|prefer|replace|taper|reduce|escalate|` +
		`combine|test))\s+(\S+)`)
	finiteRE = lazy.Regexp(`(?i)\b(?:was|were|is|are|has|had|have|led|leads|improved|improves|resulted|` +
		`results|showed|shows|occurred|prolonged|increased|did|does|may|might|can|could|remains?|gave|appeared|` +
		`appears|met)\b`)
	askedRE = lazy.Regexp(`(?i)\b(?:whether|if|which|how|who|what)\b[^,;]*$`)
	aboutRE = lazy.Regexp(`(?i)\b(?:results?|findings?|data|evidence|conclusions?|stud(?:y|ies)|analys[ei]s|` +
		`estimates?|comparisons?|trials?|models?|figures?|research|efforts?|cohorts?|endpoints?|care|caution|` +
		`account|factors?)\s*(?:\S+\s+){0,3}$`)
	laterRE = lazy.Regexp(`(?i)^\s*(?:(?:further|additional|more|special|closer?|as|with|an?|` +
		`to)\s+)*(?:attention|stud(?:y|ies)|consideration|investigation|evaluation|caution|preliminary|` +
		`exploratory|hypothesis|care(?:ful)?)\b|^\s*(?:seriously|carefully|` +
		`in(?:to)?\s+(?:the\s+)?(?:differential|consideration|account|interpret\w*|mind)|when\s+(?:interpret|` +
		`compar)\w+|as\s+the\s+(?:main\s+)?reasons?)\b`)
	treatingRE = lazy.Regexp(`(?i)\b(?:treat(?:ment|ed|ing)?s?|therap(?:y|ies)|chemotherapy|radiotherapy|` +
		`surgery|inhibit(?:or|ors|ion)|antibod(?:y|ies)|drugs?|dos(?:e|es|ing|age)|regimens?|combinations?|` +
		`patients?|women|men|adults|children|monotherapy|` +
		`single[- ]agent|infusions?|immunotherapy|immunosuppressants?|steroids?|maintenance|cycles?|persons?|` +
		`people|individuals|clinicians?|physicians?|oncologists?|they|he|she)\b`)
	adviceRE = lazy.Regexp(`(?i)recommend|should|must|\badvis|prefer|\boptions?\b|indicated|\bendorse|` +
		`empf[eoi]|\bsollte|recommand|conseill|recomend|recomiend|raccomand|consigl|推荐|建议|应`)
	opposedRE = lazy.Regexp(`(?i)\b(?:not|never|against|avoid\w*|stop\w*|discontinu\w*|withh\w+|` +
		`contraindicat\w*|no\s+longer|cannot|nicht|pas|não|no\s+se)\b|\bnon\s|不|停|避免`)
	spokenRE = lazy.Regexp(`(?i)\b(?:guidelines?|guidance|consensus|panels?|societ(?:y|ies)|experts?|authors?|` +
		`investigators?|labels?|labelling|committees?|boards?|statements?|reviews?|[A-Z]{3,6})\b[^.;]{0,100}` +
		`\b(?:recommend|advis|suggest|stat|conclud|propos|support|endors|prefer|sa(?:y|id)|advocat|not|writ|` +
		`argu|favou?r|consider|list|warn|hold)\w*|\baccording\s+to\b|\brecommended\s+by\b`)
)

// IsOrder says that a text tells the reader to treat or to stop, which a report never does. What a cited record
// recommends is a finding: as somebody's advice, where a cited record gives it, or in the words of a guideline.
func (g *Checker) IsOrder(text string, sources []*Source, verbatim bool) bool {
	text = quoteRE().ReplaceAllString(text, `“”`) // a quotation is somebody's words, and is checked as one
	for _, sentence := range plaintext.Sentences(text) {
		switch g.orderIn(sentence) {
		case command:
			return true
		case directive:
			own := verbatim && slices.ContainsFunc(sources, func(s *Source) bool { return s.guideline })
			if !own && !(spokenRE().MatchString(sentence) && g.isRecommended(sentence, sources)) {
				return true
			}
		case reported:
			if !verbatim && !g.isRecommended(sentence, sources) {
				return true
			}
		case noOrder:
		}
	}
	return false
}

// orderIn finds the strongest form of an order in a sentence.
func (g *Checker) orderIn(sentence string) order {
	found := g.englishOrder(sentence)
	for _, words := range foreignOrders {
		for kind := command; kind > found; kind-- {
			if words[kind]().MatchString(sentence) {
				found = kind
			}
		}
	}
	return found
}

func (g *Checker) englishOrder(sentence string) order {
	if englishOrders[command]().MatchString(sentence) || isImperative(sentence) {
		return command
	}
	for _, m := range englishOrders[directive]().FindAllStringSubmatchIndex(sentence, -1) {
		before, after := sentence[:m[0]], sentence[m[1]:]
		if askedRE().MatchString(before) || aboutRE().MatchString(before) || laterRE().MatchString(after) {
			continue
		}
		if g.isOnTreatment(sentence) {
			return directive
		}
	}
	m := englishOrders[reported]().FindStringIndex(sentence)
	if m != nil && !askedRE().MatchString(sentence[:m[0]]) && g.isOnTreatment(sentence) {
		return reported
	}
	return noOrder
}

// isImperative tells "Stop osimertinib" from "Stop codons were found" and "Use of osimertinib was rare": a word that
// is a noun too is an order only where no other verb makes a sentence of it.
func isImperative(sentence string) bool {
	m := imperativeRE().FindStringSubmatchIndex(sentence)
	if m == nil || strings.EqualFold(sentence[m[6]:m[7]], "of") {
		return false
	}
	return m[2] >= 0 || !finiteRE().MatchString(sentence[m[6]:])
}

// isOnTreatment says that a sentence speaks of drugs, of another treatment or of those who give or get it. A test may
// be recommended: that treats nobody.
func (g *Checker) isOnTreatment(sentence string) bool {
	return treatingRE().MatchString(sentence) || len(g.words.Read(sentence).Drugs) > 0
}

// isRecommended says that a cited record gives the advice: of its sentences that advise, one that has the most words
// in common with the statement advises in the same sense, for or against.
func (g *Checker) isRecommended(sentence string, sources []*Source) bool {
	told := g.tellingWords(sentence)
	against := opposedRE().MatchString(sentence)
	most, agrees := 1, false // one word may be chance
	for _, s := range sources {
		for _, r := range s.sentences {
			if !adviceRE().MatchString(r.text) {
				continue
			}
			common := 0
			for w := range g.tellingWords(r.text) {
				if told[w] {
					common++
				}
			}
			same := opposedRE().MatchString(r.text) == against
			if common > most {
				most, agrees = common, same
			} else if common == most && most > 1 {
				agrees = agrees || same
			}
		}
	}
	return agrees
}

// tellingWords are a sentence's words but for the common ones, with drugs under the name that all their names have.
func (g *Checker) tellingWords(sentence string) map[string]bool {
	out := map[string]bool{}
	for _, w := range plaintext.Tokens(sentence) {
		if !StopWords[w] && !adviceRE().MatchString(w) {
			out[strings.TrimSuffix(w, "s")] = true
		}
	}
	for _, d := range g.words.Read(sentence).Drugs {
		if d.Entry == nil || d.Entry.Kind != lexicon.KindTreatment {
			out[strings.ToLower(d.Name)] = true
		}
	}
	return out
}
