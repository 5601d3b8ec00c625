package pipeline

import "dossier/internal/evidence"

// cue is a group of phrases that tell the same, and what they weigh for a design, in the title and in the abstract; a
// negative weight speaks against every design of its kind. However many of its phrases a text has, a cue counts once in
// the title and once in the abstract.
//
// Phrases are parted by semicolons, in lower case, without hyphens. A word that ends in * stands for all that begin so,
// # for a number in digits or words, ~ for up to three words of one sentence, and | for the beginning or end of a
// sentence, a heading, the title, or a part of it between colons.
type cue struct {
	design  evidence.Design
	title   float64
	text    float64
	phrases string
}

// lackCue weighs where an abstract of some length has none of the phrases.
type lackCue struct {
	design  evidence.Design
	text    float64
	phrases string
}

// wordsToLack is how many words an abstract must have for what it lacks to tell anything.
const wordsToLack = 40

// lackCues know the reviews that do not call themselves one: they tell how things are, not what was done.
var lackCues = []lackCue{
	{evidence.DesignNarrative, 2.5, toldAsDone},
	{evidence.DesignObservational, -2.5, toldAsDone},
	{evidence.DesignPreclinical, -1.5, toldAsDone},
	{evidence.DesignTrial, -2, toldAsDone},
}

const toldAsDone = "were; was; had; did; here we; we found; we show; we demonstrate; we identified; we report; results |; our results; our data; underwent; randomized; randomised"

// designCues are set by hand (docs/METHOD.md, "Design").
var designCues = []cue{
	// Guidelines and consensus
	{evidence.DesignGuideline, 5, 1,
		"practice guideline*; guideline* for; guideline* on; | guideline*; guideline* |; guidance for; guidance on; standards of care"},
	{evidence.DesignGuideline, 3, 3,
		"this guideline; these guidelines; guidelines were developed; guideline development; evidence based guideline*; evidence based recommendations; recommendations are made; recommendations were developed; developing recommendations"},
	{evidence.DesignConsensus, 6, 2.5,
		"consensus statement*; consensus recommendation*; consensus guideline*; expert consensus; consensus report; consensus conference; consensus document; consensus process; consensus meeting; position statement*; position paper*; delphi; scientific statement; expert opinion"},
	{evidence.DesignConsensus, 3.5, 0.5,
		"recommendations for; recommendations on; recommendations of; recommendations from; recommendations |; statement from; statement of; consensus"},
	{evidence.DesignConsensus, 1.5, 1.5, "working group; task force; expert panel; panel of experts; workshop; committee"},
	{evidence.DesignGuideline, -7, -3,
		"adherence; compliance; according to ~ guideline*; following ~ guideline*; impact of ~ guideline*; guideline concordan*; with ~ guidelines; implementation of; implementing"},

	// Trials
	{evidence.DesignRandomised, 5, 0.5,
		"randomized; randomised; randomization; randomisation; randomly assigned; randomly allocated"},
	{evidence.DesignRandomised, 0, 8,
		"randomly divided; randomized controlled |; were randomized; were randomised; was randomized; was randomised; randomly assigned; randomly allocated; randomized to; randomised to; randomized into; in a randomized; in a randomised; a randomized ~ study; a randomised ~ study; this randomized; this randomised; in randomized sequence; prospective randomized; we randomized; we randomised; participants randomized; participants randomised; | randomized; patients ~ randomized; patients ~ randomised"},
	{evidence.DesignPhase3, 5, 1.5, "phase iii; phase 3; phase iiib; phase 3b; phase iiia; phase 3a"},
	{evidence.DesignEarlyPhase, 5, 1.5,
		"phase i; phase 1; phase ii; phase 2; phase ib; phase 1b; phase ia; phase 1a; phase iia; phase 2a; phase iib; phase 2b; first in human; dose escalation; dose finding"},
	{evidence.DesignEarlyPhase, 0, 2.5,
		"this phase; in a phase; a phase; maximum tolerated dose; dose limiting toxicit*; recommended phase"},
	{evidence.DesignSingleArm, 5, 4,
		"single arm ~ trial; single arm ~ study; single arm phase; single group trial; single group study; noncomparative trial; non comparative trial; uncontrolled trial"},
	{evidence.DesignTrial, 4, 3,
		"placebo controlled; double blind; double blinded; single blind; crossover; cross over study; cross over trial; open label; intention to treat"},
	{evidence.DesignTrial, 5, 3,
		"a trial of; controlled trial; pilot trial; clinical trial |; trial |; this trial; prospective trial; multicenter trial; multicentre trial; open trial; controlled study; controlled clinical study; open study; open multicenter study"},
	{evidence.DesignTrial, 1.5, 1.5, "placebo; healthy volunteers; healthy subjects; healthy male volunteers"},
	{evidence.DesignTrial, 1, 0.7,
		"efficacy and safety; safety and efficacy; efficacy of; versus; comparison of; safety and tolerability; pharmacokinetics"},
	{evidence.DesignTrial, 0, 1,
		"mg daily; mg twice; mg once; mg m2; mg day; b i d; eligible patients; patients receiving; patients received; were enrolled; received either; patients were treated with"},
	{evidence.DesignTrial, 0, 0.7,
		"control group; treatment group; intervention group; treatment arm; primary endpoint; primary end point; primary outcome"},
	{evidence.DesignTrial, -9, -9,
		"rats ~ randomized; rats ~ randomised; mice ~ randomized; mice ~ randomised; animals ~ randomized; animals ~ randomised; rats ~ randomly; mice ~ randomly; animals ~ randomly; pigs ~ randomly; dogs ~ randomly; rabbits ~ randomly; heifers ~ randomly; piglets ~ randomly"},
	{evidence.DesignTrial, -4, -3,
		"rat; rats; mice; mouse; rabbits; dogs; pigs; piglets; sheep; animals; heifers; cows; calves; broilers; hens; horses"},
	{evidence.DesignTrial, -9, -6, "systematic review; systematic literature review; meta analysis; scoping review"},
	{evidence.DesignTrial, -3, -2,
		"a retrospective; retrospectively; this retrospective; | retrospective; trials |; trials were; clinical trials; controlled trials; this review; we review; is reviewed; are reviewed; we discuss"},

	// Systematic reviews and meta-analyses
	{evidence.DesignMetaAnalysis, 6, 1.5,
		"meta analysis; meta analyses; metaanalysis; metaanalyses; meta analytic; pooled analysis of"},
	{evidence.DesignMetaAnalysis, 0, 3,
		"this meta analysis; this network meta analysis; conducted ~ meta analysis; performed ~ meta analysis; a meta analysis of"},
	{evidence.DesignSystematic, 6, 1.5,
		"systematic review; systematic literature review; systematic ~ review; systematically review*; systematic overview; evidence synthesis; umbrella review"},
	{evidence.DesignSystematic, 0, 3,
		"systematic review was; this systematic review; this systematic ~ review; systematic literature search; systematic search; systematically search*; we systematically review*; conducted ~ systematic review; performed ~ systematic review; systematic literature review of; systematic approach"},
	{evidence.DesignScoping, 6.5, 4, "scoping review"},
	{evidence.DesignSystematic, 0, 2.5, "pubmed; medline; embase; cochrane; web of science; scopus; electronic databases"},
	{evidence.DesignSystematic, 0, 2.5,
		"were searched; was searched; we searched; database* ~ search*; literature search; search strategy; search was; structured search"},
	{evidence.DesignSystematic, 0, 1.7,
		"prisma; included studies; studies were included; articles were included; study selection; | data sources |; data extraction; risk of bias; studies met; articles met; studies included; heterogeneity i; identify ~ studies; review of published studies"},
	{evidence.DesignSystematic, 0, -2, "this narrative review; case report"},

	// Narrative reviews
	{evidence.DesignNarrative, 4.5, 0,
		"| review; review |; a review; review of; an overview; overview of; literature review; review and; reviewed"},
	{evidence.DesignNarrative, 3, 1,
		"an update; update on; update |; current concepts; current status; current state; recent advances; advances in; recent developments; new developments; perspectives; future directions; state of the art; past present; current and future; new insights; insights into; new horizons; what is; primer; current management; current approaches; current trends; challenges"},
	{evidence.DesignNarrative, 1.5, 0,
		"the role of; role of; therapeutic target*; implications; emerging; mechanisms of; opportunities; strategies; approach to; approaches to; management of; new; novel; history; pathogenesis; pathophysiology; diseases"},
	{evidence.DesignNarrative, 0, 5,
		"this review; in this review; the present review; we review; is reviewed; are reviewed; review article; article reviews; paper reviews; chapter reviews; author reviews; authors review; narrative review; we aim to review; reviews the; we briefly review; this mini review; this minireview; review summari*; this overview"},
	{evidence.DesignNarrative, 0, 2,
		"this article; this chapter; we discuss; is discussed; are discussed; be discussed; article discusses; we summari*; we highlight; we outline; this paper discusses; this paper describes; authors discuss; author discusses; this commentary; this issue"},
	{evidence.DesignNarrative, 0, 0.8,
		"understanding of; current understanding; our understanding; better understanding; recent advances; recent years; in the past; growing; recent evidence; increasing evidence; accumulating evidence; emerging"},
	{evidence.DesignNarrative, 0, 0.8,
		"such as; including; can be; is often; may be; should be; must be; it is important; will be; still; need for"},
	{evidence.DesignNarrative, 0, 0.7,
		"strategies; therapeutic options; management of; treatment options; mechanisms; diseases; medicine; future; approaches"},
	{evidence.DesignNarrative, 0, 0.7, "has been; have been; there is; there are; it is; are available; is a"},
	{evidence.DesignNarrative, 0, -1.5,
		"| results |; | patients and methods |; | materials and methods |; | methods |; p 0; we found; were measured; were performed; was performed; were studied; was studied; was investigated; were investigated; # patients"},
	{evidence.DesignNarrative, -3, -2, "case report; report of #; a case of; year old; a rare case"},

	// Observational studies
	{evidence.DesignRetrospective, 5, 0.5, "retrospective"},
	{evidence.DesignRetrospective, 5, 3.5,
		"a retrospective; | retrospective; this retrospective; our retrospective; retrospective review; retrospective analysis; retrospective cohort; retrospective study; retrospectively; chart review; medical records were; records of ~ patients; records were reviewed; were reviewed"},
	{evidence.DesignProspective, 4, 2.5,
		"prospective cohort; prospective observational; prospective ~ study; prospectively enrolled; prospectively collected; prospectively followed; prospective analysis; prospective evaluation; prospective multicent*; prospective registry"},
	{evidence.DesignCohort, 4, 2.5,
		"cohort study; cohort analysis; cohort of; cohort; cohorts; real world; registry; registries; longitudinal study; population based; nationwide; follow up study"},
	{evidence.DesignCaseControl, 5, 4, "case control; matched controls; matched pair; matched cohort"},
	{evidence.DesignCrossSectional, 5, 4, "cross sectional; prevalence of; prevalence study; survey of"},
	{evidence.DesignCrossSectional, 2, 1.2,
		"questionnaire; questionnaires; survey; surveys; interviews; interviewed; respondents; self reported"},
	{evidence.DesignObservational, 4, 3,
		"observational study; observational; comparative study; multicenter study; multicentre study; descriptive study; epidemiologic* study"},
	{evidence.DesignObservational, 1.5, 1.5,
		"consecutive patients; consecutive; # patients; patients underwent; patients who underwent; patients treated; # children; # women; # men; # participants; # subjects; # cases; # consecutive"},
	{evidence.DesignObservational, 1.5, 1,
		"in patients; patients with; in children with; in women; in men; in adults; of patients; in adult; among; patients"},
	{evidence.DesignObservational, 1.5, 1,
		"follow up; long term; term results; minimum; year results; survival; outcomes; outcome; recurrence"},
	{evidence.DesignObservational, 1.5, 1,
		"risk factor*; risk of; predictor*; predict*; prognos*; incidence; prevalence; mortality; epidemiolog*; correlat*; associated with; association*"},
	{evidence.DesignObservational, 1.5, 0.7,
		"quality of life; scores; score; radiographic; clinical significance; clinical ~ evaluation; evaluation of; assessment of; experience with; comparison of; effectiveness; impact of; results of"},
	{evidence.DesignObservational, 0, 1.2,
		"odds ratio; odds ratios; hazard ratio; multivariate; multivariable; logistic regression; 95 ci; 95 confidence; regression; kaplan; univariate; relative risk; sensitivity and specificity"},
	{evidence.DesignObservational, 0, 1.2,
		"mean age; median age; average age; aged #; age range; years range; ages of; males; females; mean follow; average follow; age was; older"},
	{evidence.DesignObservational, 0, 1,
		"p 0; p 001; statistically significant; significantly; significant difference*; # #"},
	{evidence.DesignObservational, 0, 0.8,
		"preoperative*; postoperative*; underwent; were assessed; were compared; were evaluated; groups; we compared; were collected; were analyzed; were analysed; were included"},
	{evidence.DesignObservational, -3, -3,
		"this review; we review; is reviewed; are reviewed; review article; article reviews; this article; we discuss; be discussed; is discussed; are discussed; | review; review |; an overview"},
	{evidence.DesignObservational, -4, -4,
		"were randomized; were randomised; randomly assigned; randomly allocated; randomly divided; placebo; double blind; randomized ~ trial; randomised ~ trial; randomized controlled"},
	{evidence.DesignObservational, -4, -1.5,
		"trial |; prospective trial; open study; open multicenter study; a trial of; this trial; phase i; phase ii; phase iii; phase 1; phase 2; phase 3; open label; single arm; healthy volunteers"},
	{evidence.DesignObservational, -3, -3,
		"systematic review; systematic literature review; meta analysis; electronic databases; databases were searched; database was searched; we searched; library were searched; scoping review"},
	{evidence.DesignObservational, -2, -1,
		"year old; case report; a case of; this review; we review; cell line; cell lines; rats; mice"},

	// Case reports and series
	{evidence.DesignCaseReport, 6, 3,
		"case report; case reports; a case; case of; report of a; report of one; | case; case study; first case; unusual case; rare case; autopsy case; an unusual cause"},
	{evidence.DesignCaseSeries, 6.5, 1.5,
		"case series; two cases; three cases; four cases; five cases; # cases; report of two; report of three; report of #; cases of; # patients; case reports and; two patients"},
	{evidence.DesignCaseReport, 0, 2.5,
		"we report ~ case; we present ~ case; we describe ~ case; report a case; describe a case; present a case; this case; the case of; | case |; | case report |; | case presentation |; report of a case; case is reported; case is presented; case is described; report the case; in our case; report a patient; describe a patient; the present case; cases are reported; cases are presented; report two cases; report two patients; report # cases"},
	{evidence.DesignCaseReport, 0, 3, "year old; month old; day old; yr old; week old; years old"},
	{evidence.DesignCaseReport, 0, 1,
		"the patient; this patient; a patient; our patient; the child; the infant; patient was; patient who"},
	{evidence.DesignCaseReport, 0, 1, "he; she; his; her; man; woman; boy; girl"},
	{evidence.DesignCaseReport, 0, 0.8,
		"presented with; presenting with; was admitted; who presented; developed; revealed; was diagnosed; resolved; recovered; died"},
	{evidence.DesignCaseReport, 1.5, 0.7, "rare; unusual; uncommon; unexpected; first reported; exceptional"},
	{evidence.DesignCaseReport, 2.5, 0,
		"complication of; complicating; complicated by; masquerading; mimicking; presenting as; presenting with; caused by; due to; secondary to; in a patient; in a child; in a ~ year; a patient with; in a woman; in a man; in a ~ patient; in an infant; a complication; an unusual; successful treatment; associated with; during; following"},
	{evidence.DesignCaseReport, 0, 1,
		"we report; we describe; is reported; are reported; is described; are described; to our knowledge; reported here; we present; the authors report; the authors describe; the authors present"},
	{evidence.DesignCaseReport, 0, -1.5,
		"p 0; p 001; retrospective; retrospectively; consecutive; mean age; odds ratio; hazard ratio; patients were; this review; # patients"},
	{evidence.DesignCaseReport, -2, -2, "rat; rats; mice; mouse; cell line; cell lines; in vitro"},

	// Laboratory and animal work
	{evidence.DesignPreclinical, 4, 2,
		"in vitro; cell line; cell lines; xenograft*; mouse model*; animal model*; rat model; rabbit model; preclinical; pre clinical; cell culture*; cultured; knockout; knock out; knockdown; transgenic; transfected; ex vivo"},
	{evidence.DesignPreclinical, 4, 2.5,
		"rat; rats; mice; mouse; murine; rabbit; rabbits; dog; dogs; canine; pigs; piglets; swine; porcine; guinea pig; guinea pigs; sheep; hamster*; monkey*; zebrafish; drosophila; chick; chicken*; rodent*; animals; yeast; xenopus; bovine; newt; frog; frogs; caenorhabditis; saccharomyces; larvae; larval; plants; arabidopsis; pigeon*; quail; horses; cattle; cows; heifers; calves; broilers; hens; goats"},
	{evidence.DesignPreclinical, 2, 1,
		"cells; fibroblast*; macrophage*; monocytes; neurons; hepatocytes; lymphocytes; astrocytes; organoid*; stem cell; keratinocytes; platelets; microsomes; mitochondria*"},
	{evidence.DesignPreclinical, 1.5, 1,
		"expression; mrna; messenger rna; messenger ribonucleic; transcription*; promoter; gene; genes; genome; dna; rna"},
	{evidence.DesignPreclinical, 1.5, 1,
		"kinase*; phosphorylat*; receptor; receptors; signaling; signalling; pathway*; apoptosis; proliferation; differentiation; interleukin; tumor necrosis factor; protein; proteins"},
	{evidence.DesignPreclinical, 1, 1,
		"binding; inhibitor*; inhibits; inhibited; inhibition; agonist*; antagonist*; stimulation; stimulated; secretion; release; activation; regulat*; attenuated"},
	{evidence.DesignPreclinical, 1.5, 1,
		"enzyme*; amino; purified; isolated; synthesis; synthesi*ed; membrane*; molecul*; compound; compounds; mutant*; mutants; wild type; substrate; peptide*; derivatives; extract; extracts; antibacterial activity; metabolite*; crystal; structure of; concentrations of"},
	{evidence.DesignPreclinical, 1, 0.8,
		"western blot*; pcr; immunohistochem*; immunofluorescen*; immunocytochem*; flow cytometry; assay; assays; electrophoresis; chromatography; nmr; spectr*; nuclear magnetic; electron microscop*; hplc; kinetic*; immunoreactiv*"},
	{evidence.DesignPreclinical, 1, 0.7,
		"effect of; effects of; induced; induces; dose dependent*; concentration dependent; micrograms; evoked; mediated; microm; mm; nm; ml"},
	{evidence.DesignPreclinical, 0, 0.7,
		"we show that; suggest that; we demonstrate; experiments; in contrast; these results; these data; these findings; response to; in vivo"},
	{evidence.DesignPreclinical, 2, 1.5,
		"cadaver*; finite element; biomechanic*; phantom; mathematical model; computer simulation; molecular dynamics; nanoparticle*; scaffold*"},
	{evidence.DesignPreclinical, -2.5, -2,
		"patient; patients; year old; children; participants; volunteers; questionnaire; women; men; clinical trials"},
	{evidence.DesignPreclinical, -5, -3.5,
		"this review; we review; review of; a review; | review; review |; article reviews; are reviewed; is reviewed; review article; reviews the; this article; review summari*; systematic review; this chapter; paper reviews"},
	{evidence.DesignPreclinical, 0, -1, "clinical; treatment of; therapies; diagnosis; disease management"},
}

// headingCue is a MeSH heading, or the beginning of several ("Mice" stands for "Mice, Nude" too), and what it weighs.
type headingCue struct {
	prefix string
	design evidence.Design
	weight float64
}

// headingCues give how patients were studied more weight than that cells or animals were used as well.
var headingCues = []headingCue{
	{"retrospective studies", evidence.DesignRetrospective, 6},
	{"case control studies", evidence.DesignCaseControl, 6},
	{"cross sectional studies", evidence.DesignCrossSectional, 6},
	{"prospective studies", evidence.DesignProspective, 5},
	{"cohort studies", evidence.DesignCohort, 5},
	{"longitudinal studies", evidence.DesignCohort, 5},
	{"follow up studies", evidence.DesignCohort, 4},
	{"registries", evidence.DesignCohort, 4},
	{"xenograft model antitumor assays", evidence.DesignPreclinical, 3},
	{"disease models, animal", evidence.DesignPreclinical, 3},
	{"cell line", evidence.DesignPreclinical, 3},
	{"tumor cells, cultured", evidence.DesignPreclinical, 3},
	{"cells, cultured", evidence.DesignPreclinical, 3},
	{"mice", evidence.DesignPreclinical, 3},
	{"rats", evidence.DesignPreclinical, 3},
	{"zebrafish", evidence.DesignPreclinical, 3},
}
