package pipeline

import (
	"strings"

	"dossier/internal/evidence"
)

// typeClass is what one publication type says of a record: a bucket with its design, or a design that is no evidence.
type typeClass struct {
	bucket evidence.Bucket
	design evidence.Design
}

// classOf looks a publication type up by its id first, since NLM renames types, and else by its name in any case.
func classOf(t evidence.PublicationType) (typeClass, bool) {
	if class, ok := classByUI[strings.ToUpper(strings.TrimSpace(t.UI))]; ok {
		return class, true
	}
	class, ok := classByName[typeKey(t.Name)]
	return class, ok
}

// typeKey makes one spelling of "Case Reports", "CASE REPORTS" and Europe PMC's "case-report".
func typeKey(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), "-", " ")), " ")
}

var (
	classGuideline  = typeClass{evidence.Guideline, evidence.DesignGuideline}
	classConsensus  = typeClass{evidence.Guideline, evidence.DesignConsensus}
	classRandomised = typeClass{evidence.RCT, evidence.DesignRandomised}
	classPhase3     = typeClass{evidence.RCT, evidence.DesignPhase3}
	classEarlyPhase = typeClass{evidence.RCT, evidence.DesignEarlyPhase}
	classTrial      = typeClass{evidence.RCT, evidence.DesignTrial}
	classMeta       = typeClass{evidence.SystematicReview, evidence.DesignMetaAnalysis}
	classSystematic = typeClass{evidence.SystematicReview, evidence.DesignSystematic}
	classScoping    = typeClass{evidence.SystematicReview, evidence.DesignScoping}
	classNarrative  = typeClass{evidence.SystematicReview, evidence.DesignNarrative}
	classObserved   = typeClass{evidence.Observational, evidence.DesignObservational}
	classCase       = typeClass{evidence.CaseReport, evidence.DesignCaseReport}
	classErratum    = typeClass{design: evidence.DesignErratum}
	classNotice     = typeClass{design: evidence.DesignRetraction}
	classConcern    = typeClass{design: evidence.DesignConcern}
	classComment    = typeClass{design: evidence.DesignComment}
	classEditorial  = typeClass{design: evidence.DesignEditorial}
	classLetter     = typeClass{design: evidence.DesignLetter}
	classNews       = typeClass{design: evidence.DesignNews}
	classProtocol   = typeClass{design: evidence.DesignProtocol}
	classPatent     = typeClass{design: evidence.DesignPatent}
)

// classByUI holds NLM's ids of the types in docs/METHOD.md, "Design".
var classByUI = map[string]typeClass{
	"D017065":    classGuideline,  // Practice Guideline
	"D016431":    classGuideline,  // Guideline
	"D016446":    classConsensus,  // Consensus Development Conference, since 2026 Consensus Statement
	"D016447":    classConsensus,  // Consensus Development Conference, NIH
	"D016449":    classRandomised, // Randomized Controlled Trial
	"D017428":    classPhase3,     // Clinical Trial, Phase III
	"D017426":    classEarlyPhase, // Clinical Trial, Phase I
	"D017427":    classEarlyPhase, // Clinical Trial, Phase II
	"D017429":    classTrial,      // Clinical Trial, Phase IV
	"D016430":    classTrial,      // Clinical Trial
	"D018848":    classTrial,      // Controlled Clinical Trial
	"D065007":    classTrial,      // Pragmatic Clinical Trial
	"D017418":    classMeta,       // Meta-Analysis
	"D000078182": classSystematic,
	"D016454":    classNarrative, // Review
	"D064888":    classObserved,  // Observational Study
	"D016448":    classObserved,  // Multicenter Study
	"D003160":    classObserved,  // Comparative Study
	"D002363":    classCase,      // Case Reports
	"D016425":    classErratum,   // Published Erratum
	"D016440":    classNotice,    // Retraction of Publication, since 2026 Retraction Notice
	"D016420":    classComment,
	"D016421":    classEditorial,
	"D016422":    classLetter,
	"D016433":    classNews,
	"D018431":    classNews, // Newspaper Article
	"D000078325": classProtocol,
}

// classByName holds the names: NLM's old and new ones, and those of Europe PMC, OpenAlex and file exports.
var classByName = map[string]typeClass{
	"practice guideline":                    classGuideline,
	"guideline":                             classGuideline,
	"consensus development conference":      classConsensus,
	"consensus development conference, nih": classConsensus,
	"consensus statement":                   classConsensus,
	"randomized controlled trial":           classRandomised,
	"clinical trial":                        classTrial,
	"clinical trial, phase i":               classEarlyPhase,
	"clinical trial, phase ii":              classEarlyPhase,
	"clinical trial, phase iii":             classPhase3,
	"clinical trial, phase iv":              classTrial,
	"controlled clinical trial":             classTrial,
	"pragmatic clinical trial":              classTrial,
	"adaptive clinical trial":               classTrial,
	"equivalence trial":                     classTrial,
	"systematic review":                     classSystematic,
	"evidence synthesis":                    classSystematic,
	"meta analysis":                         classMeta,
	"network meta analysis":                 classMeta,
	"scoping review":                        classScoping,
	"review":                                classNarrative,
	"review article":                        classNarrative,
	"observational study":                   classObserved,
	"multicenter study":                     classObserved,
	"comparative study":                     classObserved,
	"case reports":                          classCase,
	"case report":                           classCase,
	"published erratum":                     classErratum,
	"erratum":                               classErratum,
	"correction":                            classErratum,
	"corrigendum":                           classErratum,
	"retraction notice":                     classNotice,
	"retraction of publication":             classNotice,
	"retraction":                            classNotice,
	"expression of concern":                 classConcern,
	"comment":                               classComment,
	"commentary":                            classComment,
	"article commentary":                    classComment,
	"peer review":                           classComment, // OpenAlex: a referee's report
	"editorial":                             classEditorial,
	"letter":                                classLetter,
	"news":                                  classNews,
	"newspaper article":                     classNews,
	"clinical trial protocol":               classProtocol,
	"protocol":                              classProtocol,
	"patent":                                classPatent, // a claim of invention, whatever its text reports
}

// designRank orders the designs from the one that a board trusts most to the one that it trusts least.
var designRank = func() map[evidence.Design]int {
	ranks := map[evidence.Design]int{}
	for i, d := range []evidence.Design{
		evidence.DesignGuideline, evidence.DesignConsensus, evidence.DesignRandomised, evidence.DesignPhase3,
		evidence.DesignEarlyPhase, evidence.DesignSingleArm, evidence.DesignTrial, evidence.DesignMetaAnalysis,
		evidence.DesignSystematic,
		evidence.DesignScoping, evidence.DesignNarrative, evidence.DesignProspective, evidence.DesignCohort,
		evidence.DesignCaseControl, evidence.DesignCrossSectional, evidence.DesignRetrospective, evidence.DesignObservational,
		evidence.DesignNotStated, evidence.DesignCaseSeries, evidence.DesignCaseReport, evidence.DesignPreclinical,
	} {
		ranks[d] = i
	}
	return ranks
}()
