package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

// TestWhatOthersGetOfAQuestion: what was understood, and of the other words those that medicine knows; in a store whose
// papers know "reflexology", "brown" and "durvazumel".
func TestWhatOthersGetOfAQuestion(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	papers := map[string]guard.WordUse{
		"reflexology": {Texts: 30}, "brown": {Texts: 8, Authors: 5}, "durvazumel": {Texts: 5}, "wei": {Texts: 2},
		"12345": {Texts: 9}, "rose": {Texts: 90, Authors: 40}, "hill": {Texts: 30, Authors: 110}, "anna": {Texts: 20},
		"young": {Texts: 900, Authors: 80}, "olga": {Texts: 4}, "box": {Texts: 60, Authors: 2}, "014": {Texts: 9},
		"0032": {Texts: 9}, "okonkwo": {Texts: 3}, "chidi": {Texts: 3}, "de": {Texts: 900, Authors: 70}, "wood": {Texts: 50}, "turvazul": {Texts: 3}, "vries": {Texts: 9, Authors: 40}, "emilia": {Texts: 5, Authors: 9},
		"7": {Texts: 900}, "045": {Texts: 9}, "randomisation": {Texts: 900}, "45": {Texts: 900}, "12": {Texts: 900},
		"1801": {Texts: 9}, "003": {Texts: 9}, "trial": {Texts: 900}, "show": {Texts: 900}, "xenomelanoma": {Texts: 3}, "xenogliom": {Texts: 3}, "9981": {Texts: 9}, "773": {Texts: 9},
		"1877": {Texts: 9}, "2019": {Texts: 9}, "300": {Texts: 9}, "400": {Texts: 9}, "bn": {Texts: 9}, "96": {Texts: 9}, "95": {Texts: 9}, "5": {Texts: 900}, "15": {Texts: 900}, "pmid": {Texts: 9}, "bladder": {Texts: 9},
		"imaging": {Texts: 900}, "china": {Texts: 900}, "may": {Texts: 900}, "will": {Texts: 900},
		"jkl": {Texts: 90}, "123": {Texts: 9},
		"grace": {Texts: 30}, "black": {Texts: 60}, "cord": {Texts: 90}, "paola": {Texts: 9}, "laura": {Texts: 9},
		"field": {Texts: 300}, "long": {Texts: 700}, "bw": {Texts: 40}, "dose": {Texts: 800}, "rossi": {Texts: 3}, "malgorzata": {Texts: 3}, "taj": {Texts: 9}, "3": {Texts: 900},
		"10": {Texts: 900}, "mg": {Texts: 900}, "js": {Texts: 9}, "1eg4": {Texts: 3}, "te5": {Texts: 3}, "mk73": {Texts: 3},
		"김철수": {Texts: 9}, "1": {Texts: 900},
		"turvazin": {Texts: 3, Titles: 3}, "turvazumab": {Texts: 3}, "captain": {Texts: 3}, "ship": {Texts: 3}, "dentist": {Texts: 90},
		"training": {Texts: 900}, "site": {Texts: 900}, "kl": {Texts: 3}, "ms": {Texts: 900}, "arm": {Texts: 900}, "r": {Texts: 900}, "cancerization": {Texts: 12}, "f": {Texts: 900}, "b": {Texts: 900}, "first": {Texts: 900}, "stone": {Texts: 40},
	}
	vocabulary := func(ctx context.Context, word string) (guard.WordUse, error) {
		standing := papers[strings.ToLower(word)]
		standing.Papers = 20_000
		return standing, ctx.Err()
	}
	for _, tc := range []struct {
		name, question, sent string
		found                bool
	}{
		{name: "all of it is understood", question: "KRAS G12C colorectal cancer sotorasib", sent: "KRAS G12C colorectal cancer sotorasib"},
		{name: "a word of the papers", question: "reflexology in breast cancer", sent: "reflexology in breast cancer"},
		{name: "a word of fewer papers than three", question: "melanoma nivolumab wei", sent: "melanoma nivolumab […]"},
		{name: "a surname that no sign marks", question: "rechallenge with cetuximab in Kowalski, RAS wild-type",
			sent: "rechallenge with cetuximab in […], RAS wild-type"},
		{name: "a surname that papers know, with a capital in a sentence", question: "melanoma in Brown, treated with nivolumab",
			sent: "melanoma in […], treated with nivolumab"},
		{name: "a drug by the look of its name, which papers know", question: "melanoma durvazumel", sent: "melanoma durvazumel"},
		{name: "a drug by the look of its name, which nothing knows", question: "melanoma katarzynamab", sent: "melanoma […]"},
		{name: "a long number, whatever the papers have", question: "melanoma nivolumab 12345", sent: "melanoma nivolumab […]"},
		{name: "a slip of the pen goes as what it was read as", question: "melanoma pembrolizumb", sent: "melanoma pembrolizumab"},
		{name: "nothing that was not understood, where a patient was found", question: "reflexology in breast cancer",
			sent: "[…] in breast cancer", found: true},
		{name: "two authors' names in small letters", question: "melanoma, rose brown, nivolumab",
			sent: "melanoma, […] […], nivolumab"},
		{name: "a word that papers know as an author before they know it as a word", question: "melanoma nivolumab hill",
			sent: "melanoma nivolumab […]"},
		{name: "a name's everyday word beside its family's", question: "young hill melanoma nivolumab",
			sent: "[…] […] melanoma nivolumab"},
		{name: "what goes before a family's name", question: "melanoma nivolumab anna hill",
			sent: "melanoma nivolumab […] […]"},
		{name: "a name beside a word that is none", question: "box reflexology melanoma", sent: "[…] reflexology melanoma"},
		{name: "a name in capitals beside one that is written as names are", question: "OKONKWO Chidi melanoma in children",
			sent: "[…] […] melanoma in children"},
		{name: "a name of two words that papers know, and not as authors", question: "for grace black: osimertinib melanoma",
			sent: "for […] […]: osimertinib melanoma"},
		{name: "the letter of a bed", question: "bed C, melanoma nivolumab", sent: "[…] […], melanoma nivolumab"},
		{name: "one that is an article elsewhere", question: "bed A, melanoma nivolumab", sent: "[…] […], melanoma nivolumab"},
		{name: "a bed's number in Chinese, which stands before it", question: "17床,melanoma nivolumab", sent: "[…][…],melanoma nivolumab"},
		{name: "the letter of a group", question: "melanoma nivolumab arm B", sent: "melanoma nivolumab arm […]"},
		{name: "one of them alone", question: "melanoma nivolumab stone", sent: "melanoma nivolumab […]"},
		{name: "its genitive", question: "melanoma, graces nivolumab", sent: "melanoma, […] nivolumab"},
		{name: "a name that was understood, beside what stays", question: "crc qxwern, stent then FOLFOX",
			sent: "crc […], […] then FOLFOX"},
		{name: "a surname that is everyday prose", question: "field cancerization melanoma", sent: "field cancerization melanoma"},
		{name: "the same behind a word for the patient", question: "pt first, melanoma nivolumab",
			sent: "pt […], melanoma nivolumab"},
		{name: "and beside a given name", question: "melanoma, faith field, nivolumab",
			sent: "melanoma, […] […], nivolumab"},
		{name: "a name that was read as what ails", question: "dolores rossi melanoma nivolumab",
			sent: "[…] […] melanoma nivolumab"},
		{name: "a gene beside a name", question: "melanoma rossi MET nivolumab", sent: "melanoma […] MET nivolumab"},
		{name: "a trial that is called so", question: "PAOLA-1 olaparib ovarian cancer", sent: "PAOLA-1 olaparib ovarian cancer"},
		{name: "a trial's name alone", question: "LAURA osimertinib NSCLC", sent: "[…] osimertinib NSCLC"},
		{name: "initials", question: "R. T. melanoma; BW (initials) 44yo", sent: "[…]. […]. melanoma; […] ([…]) 44yo"},
		{name: "initials behind a word for the patient", question: "pt JS melanoma nivolumab; patient J S",
			sent: "pt […] melanoma nivolumab; patient […] […]"},
		{name: "a name that few papers know, beside one", question: "rossi malgorzata melanoma", sent: "[…] […] melanoma"},
		{name: "a number in groups, and what stands with it", question: "TAJ 123 456 788 melanoma", sent: "[…] melanoma"},
		{name: "doses", question: "melanoma ipilimumab 3 10 mg", sent: "melanoma ipilimumab 3 10 mg"},
		{name: "a number whose parts have letters", question: "melanoma 1EG4 TE5 MK73", sent: "melanoma […] […] […]"},
		{name: "a name in Hangul", question: "김철수 melanoma", sent: "[…] melanoma"},
		{name: "a gene before an age", question: "MET 61 yo NSCLC", sent: "MET 61 yo NSCLC"},
		{name: "an old age behind a word for a man", question: "varón 94 a, mieloma lenalidomida", sent: "varón […] a, mieloma lenalidomida"},
		{name: "an old age by a sign", question: "melanoma 93岁 nivolumab, f/94", sent: "melanoma […] nivolumab, […]/[…]"},
		{name: "a bound of ages", question: "melanoma ≥90岁 nivolumab", sent: "melanoma ≥90岁 nivolumab"},
		{name: "a birth year", question: "melanoma, b. 1932", sent: "melanoma, […]. […]"},
		{name: "a field of a message", question: "PatientID=4711 melanoma nivolumab", sent: "[…]=[…] melanoma nivolumab"},
		{name: "a number with letters in each piece", question: "melanoma 1EG4-TE5-MK73", sent: "melanoma […]"},
		{name: "a number in pieces", question: "melanoma nivolumab DE-014-0032", sent: "melanoma nivolumab […]"},
		{name: "two development codes", question: "melanoma MK-3475/LY3484356", sent: "melanoma MK-3475/LY3484356"},
		{name: "a register's number", question: "melanoma nivolumab NCT03456789", sent: "melanoma nivolumab NCT03456789"},
		{name: "signs of a name between others, each by itself", question: "田中花子さん胃癌", sent: "[…]中[…][…][…]胃癌"},
		{name: "an organ's name behind a title", question: "Frau Lunge hat ein Mammakarzinom", sent: "[…] […] hat ein Mammakarzinom"},
		{name: "and with a comma behind it", question: "sig. Fegato, carcinoma polmonare", sent: "[…]. […], carcinoma polmonare"},
		{name: "but none of a method", question: "MR Cancerization Melanom", sent: "MR Cancerization Melanom"},
		{name: "a disease's name behind a word for a patient", question: "our patient Ewing has GIST",
			sent: "our patient […] has GIST"},
		{name: "and where no other is named", question: "our patient Ewing: trabectedin", sent: "our patient […]: trabectedin"},
		{name: "the disease there", question: "our patient Ewing sarcoma trabectedin", sent: "our patient Ewing sarcoma trabectedin"},
		{name: "and with its stage", question: "Patient Hodgkin IIB", sent: "Patient Hodgkin IIB"},
		{name: "and behind morbus", question: "M. Hodgkin Brentuximab", sent: "[…]. Hodgkin Brentuximab"},
		{name: "what nothing knows behind a word for a patient", question: "Patient Durvazumel: Melanom", sent: "Patient […]: Melanom"},
		{name: "an everyday word before what a person does", question: "Long has melanoma", sent: "[…] has melanoma"},
		{name: "and before what none does", question: "Long term survival melanoma", sent: "Long term survival melanoma"},
		{name: "what was understood and is a name, with a capital in a sentence", question: "melanoma Price nivolumab versus ipilimumab",
			sent: "melanoma […] nivolumab versus ipilimumab"},
		{name: "a country so", question: "melanoma in Sweden, nivolumab versus ipilimumab",
			sent: "melanoma in Sweden, nivolumab versus ipilimumab"},
		{name: "and what was understood with a word beside it", question: "nivolumab in Young adults with melanoma",
			sent: "nivolumab in Young adults with melanoma"},
		{name: "before an age", question: "TNBC Black 61F", sent: "TNBC […] 61F"},
		{name: "behind an initial and before an age", question: "C Will 45", sent: "[…] […] […]"},
		{name: "before an initial", question: "Lynch,S. colon cancer", sent: "[…],[…]. colon cancer"},
		{name: "before a given name", question: "Ewing, Grace; colon cancer", sent: "[…], […]; colon cancer"},
		{name: "behind one", question: "Grace Ewing; colon cancer", sent: "[…] […]; colon cancer"},
		{name: "initials with particles and small letters between", question: "R. v. d. B., melanoma; M. de la F. nivolumab",
			sent: "[…]. […]. […]. […]., melanoma; […]. […] […] […]. nivolumab"},
		{name: "one initial behind a title", question: "Mr B melanoma; cohort B nivolumab", sent: "[…] […] melanoma; cohort […] nivolumab"},
		{name: "a word of too few papers in small letters", question: "melanoma in turvazul", sent: "melanoma in […]"},
		{name: "one that papers are about", question: "melanoma turvazin", sent: "melanoma turvazin"},
		{name: "one that looks like a drug, in as few", question: "melanoma turvazumab", sent: "melanoma turvazumab"},
		{name: "an everyday word that is a gene's name, too", question: "captain of a ship, melanoma", sent: "[…] of a […], melanoma"},
		{name: "a symptom before what a person does, in a question without small words", question: "Auch Dolores hat Melanom",
			sent: "Auch […] hat Melanom"},
		{name: "a profession where a question begins with its patient", question: "my dentist with melanoma; dentist has GIST",
			sent: "my […] with melanoma; […] has GIST"},
		{name: "and before an age", question: "dentist 61 yo melanoma", sent: "[…] 61 yo melanoma"},
		{name: "and between signs", question: "melanoma, dentist; nivolumab", sent: "melanoma, […]; nivolumab"},
		{name: "and elsewhere", question: "dentist training in melanoma", sent: "dentist training in melanoma"},
		{name: "a birthday in words", question: "born on the first of May, melanoma",
			sent: "[…] […] […] […] […], melanoma"},
		{name: "initials in brackets behind a name that stays", question: "melanoma okonkwo (BW) nivolumab",
			sent: "melanoma […] ([…]) nivolumab"},
		{name: "a car's plate", question: "MS-KL 4402, melanoma", sent: "MS-[…], melanoma"},
		{name: "a study's site, and its patient", question: "site 3, Patient 7, melanoma nivolumab",
			sent: "[…] […], Patient […], melanoma nivolumab"},
		{name: "a name that begins with a particle", question: "melanoma de vries nivolumab", sent: "melanoma de […] nivolumab"},
		{name: "few figures behind a word for a record", question: "Case 12: melanoma", sent: "Case […]: melanoma"},
		{name: "a subject's number before a grade", question: "US1007-003 G3 melanoma", sent: "[…] G3 melanoma"},
		{name: "a marker's value where a name stays", question: "prostate cancer PSA 45, grace black",
			sent: "prostate cancer PSA 45, […] […]"},
		{name: "a trial's number", question: "trial 1801 nivolumab", sent: "trial 1801 nivolumab"},
		{name: "and a piece behind it", question: "trial 1801-2 nivolumab", sent: "trial 1801-[…] nivolumab"},
		{name: "a room", question: "bed 7 melanoma nivolumab 3 mg", sent: "[…] […] melanoma nivolumab 3 mg"},
		{name: "a record's number of few figures", question: "case 471, randomisation R-045, melanoma",
			sent: "case […], randomisation […]-[…], melanoma"},
		{name: "a rare word, where a name stays", question: "melanoma in turvazul, grace black", sent: "melanoma in […], […] […]"},
		{name: "a name that is a drug's short name", question: "Ibarguren Soto, melanoma nivolumab",
			sent: "[…] […], melanoma nivolumab"},
		{name: "a drug's short name", question: "melanoma, soto after nivolumab",
			sent: "melanoma, soto after nivolumab"},
		{name: "a trial's name there", question: "TURVAZUL-1 melanoma, grace black", sent: "TURVAZUL-1 melanoma, […] […]"},
		{name: "a profession and its place", question: "field of Okonkwo with melanoma", sent: "[…] of […] with melanoma"},
		{name: "a date of figures in two", question: "3-5-49 male melanoma", sent: "[…] male melanoma"},
		{name: "a month of birth", question: "DOB 12/1961 melanoma", sent: "[…] […] melanoma"},
		{name: "an age at a day", question: "62 years 4 months 12 days, melanoma", sent: "62 years […], melanoma"},
		{name: "letters apart", question: "c o l e s melanoma", sent: "[…] melanoma"},
		{name: "an account", question: "@field1 melanoma", sent: "[…] melanoma"},
		{name: "a machine's address", question: "10.1.14.22 melanoma", sent: "[…] melanoma"},
		{name: "a trial's name beside its word", question: "essai LAURA osimertinib; what the EMILIA trial did show",
			sent: "essai LAURA osimertinib; what the EMILIA trial did show"},
		{name: "two names in capitals there", question: "study LAURA OKONKWO osimertinib", sent: "study […] […] osimertinib"},
		{name: "all in capitals", question: "THE LAURA STUDY OSIMERTINIB", sent: "THE […] STUDY OSIMERTINIB"},
		{name: "criteria that are called by a name", question: "Wood criteria melanoma", sent: "Wood criteria melanoma"},
		{name: "a register's number behind its name", question: "melanoma PMID 99004417 PMID: 99004418", sent: "melanoma PMID 99004417 PMID: 99004418"},
		{name: "alone between signs", question: "PMID: 99004418, melanoma", sent: "PMID: 99004418, melanoma"},
		{name: "a change of a protein, and doses", question: "EGFR E746_A750del osimertinib 5-10-15 mg/kg",
			sent: "EGFR E746_A750del osimertinib 5-10-15 mg/kg"},
		{name: "a stage before a drug's short name, and a postcode", question: "M1 5FU melanoma AB12 3CD", sent: "M1 5FU melanoma […] […]"},
		{name: "a number that counts nothing", question: "melanoma (9981) #773, BN 1877", sent: "melanoma ([…]) #[…], […]"},
		{name: "numbers that do", question: "melanoma 400 to 800 mg, 2019, first 300 patients", sent: "melanoma 400 to 800 mg, 2019, first 300 patients"},
		{name: "an age behind a word for a man, and behind at", question: "man of 95 with melanoma at 96", sent: "man of […] with melanoma at […]"},
		{name: "a long word that ends as a disease", question: "Xenomelanoma mit Nivolumab", sent: "Xenomelanoma mit Nivolumab"},
		{name: "as one of five letters", question: "Xenogliom mit Nivolumab", sent: "Xenogliom mit Nivolumab"},
		{name: "initials behind a word for a patient", question: "patient JKL melanoma", sent: "patient […] melanoma"},
		{name: "a number behind three letters that may be anyone's", question: "melanoma ARM-123", sent: "melanoma […]"},
		{name: "an organ beside a given name", question: "Ansgar Herz, RET-Fusion NSCLC", sent: "[…] […], RET-Fusion NSCLC"},
		{name: "one that was read with the tumour behind it", question: "Paul Skin AML gilteritinib",
			sent: "[…] […] AML gilteritinib"},
		{name: "and in small letters", question: "art bone osteosarcoma regorafenib", sent: "[…] […] osteosarcoma regorafenib"},
		{name: "but not where another tumour would be asked for", question: "grace lung adenocarcinoma",
			sent: "[…] lung adenocarcinoma"},
		{name: "nor a gene in capitals beside a name in small letters", question: "grace MET NSCLC tepotinib",
			sent: "[…] MET NSCLC tepotinib"},
		{name: "nor in others", question: "Grace MET NSCLC tepotinib", sent: "[…] MET NSCLC tepotinib"},
		{name: "an organ behind a word for a patient", question: "Patientin Lunge: TNBC", sent: "Patientin […]: TNBC"},
		{name: "a stage there", question: "Patient Stage IV melanoma", sent: "Patient Stage IV melanoma"},
		{name: "a disease's name before a lone age", question: "Ewing, 52, GIST imatinib", sent: "[…], […], GIST imatinib"},
		{name: "but not the one disease", question: "Ewing, 52, trabectedin", sent: "Ewing, […], trabectedin"},
		{name: "one before what a person does", question: "Ewing has GIST, imatinib", sent: "[…] has GIST, imatinib"},
		{name: "a drug's short name before a surname with its letter", question: "Dara O'Okonkwo, myeloma",
			sent: "[…] […]'[…], myeloma"},
		{name: "a symptom behind a short form that nothing knows", question: "Dña. Dolores after nivolumab, melanoma",
			sent: "[…]. […] after nivolumab, melanoma"},
		{name: "behind a longer one", question: "Turvazul. Dolores after nivolumab, melanoma",
			sent: "[…]. Dolores after nivolumab, melanoma"},
		{name: "behind one in small letters", question: "wei. Dolores after nivolumab, melanoma",
			sent: "[…]. Dolores after nivolumab, melanoma"},
		{name: "and before one", question: "Dolores. Dña, melanoma", sent: "Dolores. […], melanoma"},
		{name: "nor before a number that is no age", question: "Ewing 4, trabectedin", sent: "Ewing 4, trabectedin"},
		{name: "a syndrome before a tumour", question: "Lynch syndrome colon cancer olaparib",
			sent: "Lynch syndrome colon cancer olaparib"},
		{name: "its name alone", question: "Lynch colon cancer olaparib", sent: "[…] colon cancer olaparib"},
		{name: "a disease's name beside another disease", question: "GIST in merkel, avapritinib",
			sent: "GIST in […], avapritinib"},
		{name: "and where it is the only one", question: "merkel relapse avelumab", sent: "merkel relapse avelumab"},
		{name: "one that is no name of the censuses", question: "pt krukenberg gastric cancer ramucirumab",
			sent: "pt […] gastric cancer ramucirumab"},
		{name: "one that was read with the tumour behind it as one", question: "Richter Pankreaskarzinom Olaparib",
			sent: "[…] Pankreaskarzinom Olaparib"},
		{name: "one that ends as a genitive does", question: "wilms NSCLC adagrasib", sent: "[…] NSCLC adagrasib"},
		{name: "but with the noun that is its own", question: "Burkitt Lymphom Magen Rituximab",
			sent: "Burkitt Lymphom Magen Rituximab"},
		{name: "a ward's short name of a drug", question: "melanoma ola, nivolumab", sent: "melanoma […], nivolumab"},
		{name: "joined to another drug", question: "ovarian cancer, bev + ola", sent: "ovarian cancer, bev + ola"},
		{name: "by a word for somebody", question: "melanoma nivolumab for eve", sent: "melanoma nivolumab for […]"},
		{name: "with a disease between", question: "ven melanoma nivolumab", sent: "[…] melanoma nivolumab"},
		{name: "beside its target", question: "soto KRAS G12C NSCLC", sent: "soto KRAS G12C NSCLC"},
		{name: "and beside a name", question: "anna soto KRAS G12C NSCLC", sent: "[…] […] KRAS G12C NSCLC"},
		{name: "beside another drug, and not joined to it", question: "melanoma dara nivolumab", sent: "melanoma […] nivolumab"},
		{name: "and by more than two words", question: "melanoma: dara was given the nivolumab",
			sent: "melanoma: […] was given the nivolumab"},
		{name: "a short form of a circumstance", question: "nivolumab mono in melanoma", sent: "nivolumab mono in melanoma"},
		{name: "a short form of the only tumour", question: "gist imatinib", sent: "gist imatinib"},
		{name: "read twice", question: "ven melanoma nivolumab ven", sent: "[…] melanoma nivolumab […]"},
		{name: "a short form that is not written as one", question: "ida after gastrectomy, gastric cancer",
			sent: "[…] after gastrectomy, gastric cancer"},
		{name: "and one that is", question: "IDA after gastrectomy, gastric cancer", sent: "IDA after gastrectomy, gastric cancer"},
		{name: "where all is in capitals", question: "IDA AFTER GASTRECTOMY, GASTRIC CANCER",
			sent: "[…] AFTER GASTRECTOMY, GASTRIC CANCER"},
		{name: "a gene written as a name is", question: "melanoma nivolumab Merlin", sent: "melanoma nivolumab […]"},
		{name: "and as a gene is", question: "KIT, melanoma imatinib", sent: "KIT, melanoma imatinib"},
		{name: "in small letters before a sign where a question begins", question: "merlin, melanoma nivolumab; kras, braf",
			sent: "[…], melanoma nivolumab; kras, braf"},
		{name: "a country where no place is named", question: "Jordan: melanoma nivolumab", sent: "[…]: melanoma nivolumab"},
		{name: "and where one is", question: "melanoma nivolumab in Jordan", sent: "melanoma nivolumab in Jordan"},
		{name: "behind a name in small letters", question: "v. osimertinib: grace, China", sent: "[…]. osimertinib: […], China"},
		{name: "before people", question: "Black women, melanoma nivolumab", sent: "Black women, melanoma nivolumab"},
		{name: "one that everybody writes of", question: "melanoma China", sent: "melanoma China"},
		{name: "what a question turns on before its disease", question: "Price NSCLC nivolumab", sent: "[…] NSCLC nivolumab"},
		{name: "alone", question: "melanoma. Cost", sent: "melanoma. Cost"},
		{name: "before a drug", question: "Price nivolumab melanoma", sent: "Price nivolumab melanoma"},
		{name: "before a sign", question: "Cream: melanoma; Will, nivolumab", sent: "[…]: melanoma; […], nivolumab"},
		{name: "between signs", question: "melanoma, stroke, nivolumab", sent: "melanoma, […], nivolumab"},
		{name: "at the end", question: "melanoma nivolumab, cost", sent: "melanoma nivolumab, cost"},
		{name: "an everyday word of sex or age", question: "Young, melanoma", sent: "Young, melanoma"},
		{name: "a disease's genitive", question: "Crohn's disease, melanoma nivolumab", sent: "Crohn's disease, melanoma nivolumab"},
		{name: "a genitive", question: "May's dose of nivolumab, melanoma", sent: "[…]'[…] dose of nivolumab, melanoma"},
		{name: "one beside what was taken out", question: "Ewing, […], GIST imatinib", sent: "[…], […], GIST imatinib"},
		{name: "and behind that", question: "[…] Ewing GIST imatinib", sent: "[…] […] GIST imatinib"},
		{name: "one before another disease", question: "Richters Melanom ist BRAF-mutiert",
			sent: "[…] Melanom ist BRAF-mutiert"},
		{name: "a class of drugs as a name", question: "Chemo Lopez: sarcoma trabectedin",
			sent: "[…] […]: sarcoma trabectedin"},
		{name: "a drug beside a name", question: "Osimertinib Kowalska NSCLC", sent: "Osimertinib […] NSCLC"},
		{name: "a drug's short name before a lone age", question: "Soto, 64, melanoma nivolumab",
			sent: "[…], […], melanoma nivolumab"},
		{name: "all that was not understood beside somebody", question: "reflexology in melanoma for grace black",
			sent: "[…] in melanoma for […] […]"},
		{name: "but trials and papers", question: "TURVAZUL-1 and PMID 99004417 in melanoma for grace black",
			sent: "TURVAZUL-1 and PMID 99004417 in melanoma for […] […]"},
		{name: "a small number that counts nothing", question: "melanoma 45 nivolumab", sent: "melanoma […] nivolumab"},
		{name: "small numbers that do", question: "5, 10 or 15 mg nivolumab, HR 0.62 (0.49-0.78), 12 weeks, melanoma",
			sent: "5, 10 or 15 mg nivolumab, HR 0.62 (0.49-0.78), 12 weeks, melanoma"},
		{name: "a letter that begins a question", question: "B: melanoma; A trial in melanoma",
			sent: "[…]: melanoma; A trial in melanoma"},
		{name: "a birthday in words and figures", question: "DOB 3rd of May '61, melanoma", sent: "[…] […] […] […] '[…], melanoma"},
		{name: "what papers are about, with a capital in a sentence", question: "melanoma treated at Turvazin, nivolumab",
			sent: "melanoma treated at […], nivolumab"},
		{name: "Chinese", question: "王小明 肺腺癌 EGFR 奥希替尼", sent: "[…] 肺腺癌 EGFR 奥希替尼"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked := words.Understand(tc.question)
			outgoing := guard.Outgoing{Lexicon: words, Vocabulary: vocabulary}
			sent, err := outgoing.Of(t.Context(), &asked, tc.found)
			if err != nil || sent.Text != tc.sent {
				t.Errorf("%q, %v; want %q", sent.Text, err, tc.sent)
			}
		})
	}
	t.Run("a person said so", func(t *testing.T) {
		asked := words.Understand("melanoma nivolumab wei")
		sent, err := (&guard.Outgoing{Lexicon: words, SendUnknown: true}).Of(t.Context(), &asked, false)
		if err != nil || sent.Text != "melanoma nivolumab wei" || len(sent.Withheld) > 0 {
			t.Errorf("%+v, %v", sent, err)
		}
	})
	t.Run("the store can't be read", func(t *testing.T) {
		asked := words.Understand("melanoma nivolumab wei")
		broken := func(context.Context, string) (guard.WordUse, error) {
			return guard.WordUse{}, errors.New("no disk")
		}
		_, err := (&guard.Outgoing{Lexicon: words, Vocabulary: broken}).Of(t.Context(), &asked, false)
		if err == nil || !strings.Contains(err.Error(), "no disk") {
			t.Errorf("%v", err)
		}
	})
}

// TestHowPapersKnowAWord: in how many papers a word has to stand before it goes out, as a surname and as another word.
func TestHowPapersKnowAWord(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, word string
		use        guard.WordUse
		goes       bool
	}{
		{"a surname in one paper of a hundred", "field", guard.WordUse{Texts: 3, Papers: 300}, true},
		{"in fewer", "field", guard.WordUse{Texts: 3, Papers: 301}, false},
		{"in two papers", "field", guard.WordUse{Texts: 2, Papers: 100}, false},
		{"of as many authors", "field", guard.WordUse{Texts: 3, Authors: 3, Papers: 300}, true},
		{"of more", "field", guard.WordUse{Texts: 3, Authors: 4, Papers: 300}, false},
		{"another word in one paper of 5,000", "reflexology", guard.WordUse{Texts: 3, Papers: 15_000}, true},
		{"in fewer papers", "reflexology", guard.WordUse{Texts: 3, Papers: 15_001}, false},
		{"in two of few", "reflexology", guard.WordUse{Texts: 2, Papers: 100}, false},
		{"in one title of 50,000", "reflexology", guard.WordUse{Texts: 3, Titles: 3, Papers: 149_000}, true},
		{"in fewer titles", "reflexology", guard.WordUse{Texts: 3, Titles: 3, Papers: 151_000}, false},
		{"in two titles", "reflexology", guard.WordUse{Texts: 3, Titles: 2, Papers: 100_000}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			vocabulary := func(context.Context, string) (guard.WordUse, error) { return tc.use, nil }
			asked := words.Understand("melanoma nivolumab " + tc.word)
			sent, err := (&guard.Outgoing{Lexicon: words, Vocabulary: vocabulary}).Of(t.Context(), &asked, false)
			if err != nil || strings.HasSuffix(sent.Text, tc.word) != tc.goes {
				t.Errorf("%q, %v; want that it goes: %v", sent.Text, err, tc.goes)
			}
		})
	}
}

// TestNoPatientGoesOut: of what is marked in testdata/patients.tsv nothing that tells who somebody is goes out, whether
// it is found or not: no word of a name, no number of five figures or more.
func TestNoPatientGoesOut(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range linesOf(t, "testdata/patients.tsv") {
		fields := strings.Split(line, "\t")
		if fields[1] == string(guard.Age) {
			continue // which is understood
		}
		text, places := unmark(fields[2])
		asked := words.Understand(text)
		sent, err := (&guard.Outgoing{Lexicon: words}).Of(t.Context(), &asked, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			for word := range strings.FieldsSeq(text[p[0]:p[1]]) {
				word = strings.Trim(word, ".,:;()")
				if len(word) > 3 && !words.Knows(word) && strings.Contains(sent.Text, word) {
					t.Errorf("%q is sent as %q, with %q", text, sent.Text, word)
				}
			}
		}
	}
}

// FuzzOutgoing: what stays here stands in its place in the question.
func FuzzOutgoing(f *testing.F) {
	words, err := lexicon.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("melanoma, rose brown, DE-014-0032 \xff İ 王小明 OKONKWO, Chidi […]", false)
	f.Fuzz(func(t *testing.T, question string, patientFound bool) {
		asked := words.Understand(question)
		vocabulary := func(_ context.Context, word string) (guard.WordUse, error) {
			return guard.WordUse{Texts: len(word), Authors: len(word) % 5}, nil
		}
		sent, err := (&guard.Outgoing{Lexicon: words, Vocabulary: vocabulary}).Of(t.Context(), &asked, patientFound)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range sent.Withheld {
			if part.End <= part.Start || part.End > len(asked.Text) || asked.Text[part.Start:part.End] != part.Text {
				t.Fatalf("%q: %+v", asked.Text, part)
			}
		}
	})
}

// Words of grammar tell of nobody, where no store knows them, too.
func TestGrammarGoesOutWithoutAStore(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	outgoing := guard.Outgoing{Lexicon: words}
	for question, want := range map[string]string{
		"osimertinib after gefitinib, or instead of it, in lung cancer": "osimertinib after gefitinib, or instead of it, in lung cancer",
		"osimertinib after gefitinib in lung cancer, kowalska":          "osimertinib after gefitinib in lung cancer, " + guard.Mark,
	} {
		asked := words.Understand(question)
		sent, err := outgoing.Of(t.Context(), &asked, false)
		if err != nil || sent.Text != want {
			t.Errorf("%q goes as %q, %v", question, sent.Text, err)
		}
	}
}
