package pipeline

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

// The rules of step 5: what MeSH headings and the paper's own words say where its publication types say nothing.

var (
	classProspective    = typeClass{evidence.Observational, evidence.DesignProspective}
	classRetrospective  = typeClass{evidence.Observational, evidence.DesignRetrospective}
	classCohort         = typeClass{evidence.Observational, evidence.DesignCohort}
	classCaseControl    = typeClass{evidence.Observational, evidence.DesignCaseControl}
	classCrossSectional = typeClass{evidence.Observational, evidence.DesignCrossSectional}
	classSeries         = typeClass{evidence.CaseReport, evidence.DesignCaseSeries}
	classLab            = typeClass{evidence.Preclinical, evidence.DesignPreclinical}
)

// headingRule matches a MeSH heading that starts with Prefix: "Mice" stands for "Mice, Nude" too.
type headingRule struct {
	prefix string
	class  typeClass
}

// headingRules are in order: how patients were studied says more than that cells were used as well.
var headingRules = []headingRule{
	{"retrospective studies", classRetrospective},
	{"case control studies", classCaseControl},
	{"cross sectional studies", classCrossSectional},
	{"prospective studies", classProspective},
	{"cohort studies", classCohort},
	{"longitudinal studies", classCohort},
	{"follow up studies", classCohort},
	{"registries", classCohort},
	{"xenograft model antitumor assays", classLab},
	{"disease models, animal", classLab},
	{"cell line", classLab},
	{"tumor cells, cultured", classLab},
	{"cells, cultured", classLab},
	{"mice", classLab},
	{"rats", classLab},
	{"zebrafish", classLab},
}

// textRule matches words in title and abstract as plain gives them; a title rule looks at the title alone. Most texts have
// none of the words in which a match must hold one, and searching for those is a hundred times cheaper than the expression.
type textRule struct {
	title bool
	needs []string
	re    lazy.Pattern
	class typeClass
}

// textRules are in order: a review says "randomized" of the trials it reviews, so its own name is looked for first.
var textRules = []textRule{
	{true, []string{"meta analys"}, lazy.Regexp(`\bmeta analys[ei]s\b`), classMeta},
	{true, []string{"systematic"}, lazy.Regexp(`\bsystematic (literature )?review\b`), classSystematic},
	{true, []string{"scoping"}, lazy.Regexp(`\bscoping review\b`), classScoping},
	{true, []string{"review"}, lazy.Regexp(`: (an? )?(narrative |comprehensive |critical |literature )?(updated )?review\b|\b(narrative|literature|comprehensive) review\b`), classNarrative},
	{true, []string{"consensus", "position"}, lazy.Regexp(`\bconsensus (statement|recommendations?|guidelines?)\b|\bexpert consensus\b|\bposition (statement|paper)\b`), classConsensus},
	{true, []string{"guideline"}, lazy.Regexp(`\bclinical practice guidelines? (for|on)\b|\bguidelines? for (the )?(diagnosis|management|treatment)\b|\bclinical practice guidelines? $`), classGuideline},
	{false, []string{"randomi", "randomly assigned"}, lazy.Regexp(`\b(patients|participants|women|men|subjects|individuals|adults|children)( [a-z0-9,]+){0,6} (randomi[sz]ed|randomly assigned)\b|\brandomly assigned( [a-z0-9,]+){0,3} (patients|participants|women|men|subjects|adults|children)\b`), classRandomised},
	{true, []string{"randomi"}, lazy.Regexp(`\brandomi[sz]ed\b.*\b(trial|study)\b`), classRandomised},
	{true, []string{"phase iii", "phase 3"}, lazy.Regexp(`\bphase (iii|3)[ab]?\b`), classPhase3},
	{true, []string{"phase", "first in human", "dose escalation", "single arm"}, lazy.Regexp(`\bphase (i|1|ii|2|i/ii|1/2)[ab]?\b|\bfirst in human\b|\bdose escalation\b|\bsingle arm\b.*\b(trial|study)\b`), classEarlyPhase},
	{false, []string{"phase"}, lazy.Regexp(`\bthis (open label|single arm|multicent(er|re))[a-z, ]* phase (i|1|ii|2|i/ii|1/2)[ab]?\b`), classEarlyPhase},
	{true, []string{"case series"}, lazy.Regexp(`\bcase series\b`), classSeries},
	{true, []string{"case"}, lazy.Regexp(`\bcase report\b|\ba case of\b|\breport of (a|one|two|three) cases?\b`), classCase},
	{false, []string{"we report", "we present", "we describe"}, lazy.Regexp(`\bwe (report|present|describe) (a|the|an|one) (\w+ )?(case|patient)\b`), classCase},
	{false, []string{"case control stud"}, lazy.Regexp(`\bcase control stud`), classCaseControl},
	{false, []string{"cross sectional"}, lazy.Regexp(`\bcross sectional (study|survey|analysis)\b`), classCrossSectional},
	{false, []string{"retrospective"}, lazy.Regexp(`\bretrospective(ly)?\b`), classRetrospective},
	{false, []string{"prospective"}, lazy.Regexp(`\bprospective(ly)? (cohort|observational|registry|enrolled|collected|multicent)`), classProspective},
	{false, []string{"cohort", "real world"}, lazy.Regexp(`\bcohort (study|analysis)\b|\breal world (data|evidence|study|cohort)\b`), classCohort},
	{false, []string{"in mice", "murine", "organoid", "knock", "in vivo"}, lazy.Regexp(`\b(in mice|murine|organoids?|knock ?(down|out)|in vivo and|in vivo models?)\b`), classLab},
}

func (rule textRule) matches(text string) bool {
	return slices.ContainsFunc(rule.needs, func(word string) bool { return strings.Contains(text, word) }) && rule.re().MatchString(text)
}

// onAnimals says that NLM indexed the paper as one on animals and not on people.
func onAnimals(headings []evidence.Heading) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(headings, func(h evidence.Heading) bool { return strings.EqualFold(h.Name, name) })
	}
	return has("Animals") && !has("Humans")
}

// rulesFor lists all that headings and words say of r, the most telling first.
func rulesFor(r *evidence.Record) []typeClass {
	if onAnimals(r.MeSH) {
		return []typeClass{classLab}
	}
	var found []typeClass
	for _, rule := range headingRules {
		if slices.ContainsFunc(r.MeSH, func(h evidence.Heading) bool { return strings.HasPrefix(typeKey(h.Name), rule.prefix) }) {
			found = append(found, rule.class)
		}
	}
	title, text := plain(r.Title), plainText(r)
	for _, rule := range textRules {
		where := text
		if rule.title {
			where = title
		}
		if rule.matches(where) {
			found = append(found, rule.class)
		}
	}
	return found
}

// kindByRules takes the best bucket of what the paper's own words name, but lets a study of patients win over the cells
// that it used, and a review's own name over the trials that it reviews.
func kindByRules(r *evidence.Record) (typeClass, bool) {
	found := rulesFor(r)
	if len(found) == 0 {
		return typeClass{}, false
	}
	if slices.ContainsFunc(found, func(c typeClass) bool { return c.bucket == evidence.SystematicReview }) {
		found = slices.DeleteFunc(found, func(c typeClass) bool { return c.bucket != evidence.SystematicReview })
	}
	best := found[0]
	for _, class := range found[1:] {
		if bucketRank(class.bucket) < bucketRank(best.bucket) {
			best = class
		}
	}
	return best, true
}
