package privacy

import (
	"strings"
	"sync"
)

// language is what one of the languages has in front of, behind or in what tells who a patient is: phrases in
// small letters without accents and signs, separated by commas. A phrase that also means something else stands in
// the field with Weak in its name, and counts only with a colon or the word "number" behind it, or with more
// figures.
type language struct {
	name                             string
	records, recordsWeak             string // what a record's number stands behind
	insurances                       string
	births                           string
	ages                             string // "aged", which an age stands behind
	years                            string // "years old", which stands behind an age
	older                            string // "over": an age behind it is no one's
	names, namesWeak                 string // what a name stands behind
	titles, titlesWeak               string // Weak ones are words or signs of another meaning, too
	phones, addresses, postcodes     string
	streets, streetTypes, streetFrom string // "12 Elm Street", "rue" in "12 rue …", "calle" in "calle … 12"
	streetEndings                    string // "weg" in "Lindenweg 12"
	months                           string // in order, the short forms of each behind a slash
}

// languages are the tables. What is a number's word ("no", "Nr.") or a name's particle ("von", "de") is in all at
// once.
var languages = []language{
	{
		name: "English",
		records: `mrn, medical record number, medical record no, medical record, record number, record no, patient id,
			patient identifier, patient number, patient no, pat no, pat id, hospital number, hospital no,
			hospital id, chart number, chart no, accession number, accession no, case id, case number, case no,
			admission number, encounter number, visit number, specimen number, study id`,
		recordsWeak: "record, chart, case, patient, pt",
		insurances: `ssn, social security number, social security no, social security, nhs number, nhs no, nhs, insurance
			number, insurance no, insurance id, policy number, member id, medicare number, medicaid number,
			medicaid id, passport number, passport no, national id, id card number, health card number`,
		births: "dob, d o b, date of birth, birth date, birthdate, birthday, born, born on, born in",
		ages:   "age, aged, ages",
		years:  "year old, years old, year olds, yo, y o, yr old, yrs old, yr, yrs, years, years of age, years age",
		older:  "over, above, than, least, beyond, until, under, below, upto, up to, exceeding, past, between",
		names: `patient name, patients name, patient s name, patient named, full name, first name, last name,
			surname, family name, maiden name, given name`,
		namesWeak:  "name, patient, pt, named",
		titles:     "mr, mrs, dr, prof, professor, rev",
		titlesWeak: "ms, miss, mx, doctor",
		phones: `phone, phone number, telephone, telephone number, tel, mobile, mobile number, cell phone, fax, call,
			contact number`,
		addresses: "address, home address, lives at, living at, residing at, resident at, resides at",
		postcodes: "postcode, post code, postal code, zip code, zip",
		streets:   "street, road, avenue, lane, boulevard, drive, crescent, rd, ave, blvd",
		months: `january/jan, february/feb, march/mar, april/apr, may, june/jun, july/jul, august/aug,
			september/sep/sept, october/oct, november/nov, december/dec`,
	},
	{
		name: "German",
		records: `fallnummer, fallnr, fall nr, fall nummer, fall id, patientennummer, patientennr, patienten nr,
			patienten nummer, patienten id, patientenid, patient nr, pat nr, pat id, pid, aufnahmenummer,
			aufnahme nr, aktenzeichen, krankenaktennummer, aktennummer, akten nr, befundnummer, befund nr,
			eingangsnummer, kis nummer, kis nr, tumorboardnummer, journalnummer`,
		recordsWeak: "fall, akte, patientin, pat",
		insurances: `versichertennummer, versicherten nr, versichertennr, versicherungsnummer, versicherungs nr,
			krankenversichertennummer, krankenversicherungsnummer, kvnr, kv nr, sozialversicherungsnummer,
			sozialversicherungs nr, svnr, sv nr, rentenversicherungsnummer, ahv nummer, ahv nr, ahv,
			ausweisnummer, personalausweisnummer, reisepassnummer`,
		births: "geb, geb am, geboren, geboren am, geburtsdatum, geburtstag, gebdat, geb datum, jahrgang",
		ages:   "alter, alter von, im alter von",
		years:  "jahre alt, jahr alt, jahrig, jahrige, jahriger, jahrigen, jahriges, jahre, jahren, j",
		older:  "uber, ab, mindestens, bis, unter, als, oberhalb, zwischen",
		names: `name des patienten, name der patientin, patientenname, nachname, vorname, familienname, geburtsname,
			zuname`,
		namesWeak:  "patientin",
		titles:     "herrn, hr, fr, frl, dr med, prof dr, prof dr med, priv doz",
		titlesWeak: "herr, frau, fraulein",
		phones: `telefon, telefonnummer, tel nr, telefon nr, handy, handynummer, mobil, mobilnummer, ruckruf,
			rufnummer`,
		addresses:     "adresse, anschrift, wohnhaft, wohnhaft in, wohnt in, wohnort",
		postcodes:     "plz, postleitzahl",
		streetEndings: "strasse, str, weg, gasse, platz, allee, damm, ufer, chaussee",
		months: `januar/janner, februar/feber, marz, april, mai, juni, juli, august, september, oktober/okt,
			november, dezember/dez`,
	},
	{
		name: "French",
		records: `n dossier, no dossier, numero de dossier, numero dossier, dossier n, dossier no, dossier numero,
			dossier medical n, n patient, numero patient, numero de patient, n de patient, identifiant patient,
			ipp n`,
		recordsWeak: "dossier, ipp, nip, iep, nda",
		insurances: `numero de securite sociale, n de securite sociale, n securite sociale, numero de secu, n de secu, n
			secu, nir, numero d assure, carte vitale, numero ins, matricule ins`,
		births:      "ne le, nee le, date de naissance, ddn, naissance",
		ages:        "age de, agee de, age, agee",
		years:       "ans",
		older:       "plus de, moins de, de plus de, superieur a, au moins, jusqu a, entre, des",
		names:       "nom du patient, nom de la patiente, nom de famille, nom de naissance, nom et prenom, prenom",
		namesWeak:   "nom, patiente",
		titles:      "mme, mlle, pr",
		titlesWeak:  "m, monsieur, madame, mademoiselle, docteur",
		phones:      "telephone, tel, portable, mobile, numero de telephone, gsm",
		addresses:   "adresse, domicile, domicilie, domiciliee, habite, demeurant, residant",
		postcodes:   "code postal, cp",
		streetTypes: "rue, avenue, boulevard, bd, chemin, impasse, allee, place, quai, cours, route, square, passage",
		months: `janvier/janv, fevrier/fevr, mars, avril/avr, mai, juin, juillet/juil, aout, septembre, octobre,
			novembre, decembre`,
	},
	{
		name: "Spanish",
		records: `n historia, n de historia, no de historia, numero de historia, numero de historia clinica, n
			historia clinica, nhc, n expediente, n de expediente, n o de expediente, numero de expediente, n o
			de historia, n o de historia clinica, numero de paciente, n paciente, cipa`,
		recordsWeak: "historia clinica, expediente, hc, paciente",
		insurances: `dni, nie, nif, nuss, numero de la seguridad social, numero de seguridad social, n seguridad social,
			seguridad social, tarjeta sanitaria, cip, curp, cedula, numero de afiliacion, pasaporte`,
		births:     "nacido el, nacida el, nacido en, nacida en, fecha de nacimiento, f nacimiento, fnac",
		ages:       "edad, edad de",
		years:      "anos, anos de edad",
		older:      "mas de, mayor de, mayores de, menores de, menos de, hasta, entre, superior a, los",
		names:      "nombre del paciente, nombre de la paciente, apellido, apellidos, nombre y apellidos, nombre completo",
		namesWeak:  "nombre, paciente",
		titles:     "sra, srta, dra",
		titlesWeak: "sr, senor, senora, senorita, don, dona, doctora",
		phones:     "telefono, tlf, tfno, movil, celular, numero de telefono",
		addresses:  "domicilio, direccion, residente en, vive en, domiciliado en, domiciliada en",
		postcodes:  "codigo postal",
		streetFrom: "calle, c, avenida, avda, plaza, paseo, camino, ronda, travesia",
		months: `enero/ene, febrero, marzo, abril/abr, mayo, junio, julio, agosto/ago, septiembre/setiembre, octubre,
			noviembre, diciembre/dic`,
	},
	{
		name: "Italian",
		records: `cartella clinica n, cartella n, numero di cartella, numero di cartella clinica, numero cartella, n
			cartella, numero nosologico, nosologico, numero paziente, codice paziente, id paziente, numero di
			ricovero`,
		recordsWeak: "cartella clinica, cartella, paziente",
		insurances: `codice fiscale, cf, tessera sanitaria, codice sanitario, numero tessera, carta d identita,
			passaporto`,
		births:     "nato il, nata il, nato a, nata a, data di nascita",
		ages:       "eta, eta di, dell eta di",
		years:      "anni, anni di eta, enne",
		older:      "oltre, oltre i, piu di, sopra i, ai, almeno, tra, fino a, superiore a, gli",
		names:      "nome del paziente, nome della paziente, cognome, nome e cognome, cognome e nome",
		namesWeak:  "nome, paziente",
		titles:     "sig ra, sigra, sig na, dott, dott ssa, dottssa, prof ssa",
		titlesWeak: "sig, signor, signora, signorina, dottor, dottoressa",
		phones:     "telefono, cellulare, cell, numero di telefono, recapito",
		addresses:  "indirizzo, residente in, residente a, abita in, domiciliato in, domiciliata in",
		postcodes:  "cap, codice postale",
		streetFrom: "via, viale, piazza, corso, vicolo, largo, piazzale",
		months: `gennaio/genn, febbraio/febbr, marzo, aprile, maggio/magg, giugno/giu, luglio/lugl, agosto,
			settembre/sett, ottobre/ott, novembre, dicembre`,
	},
	{
		name: "Portuguese",
		records: `processo n, processo n o, n o de processo, n de processo, numero do processo, numero de processo,
			processo clinico, prontuario, n prontuario, numero do prontuario, registro hospitalar, numero de
			registro, numero do paciente, numero do doente, n doente`,
		recordsWeak: "processo, registro, doente",
		insurances: `numero de utente, n o de utente, n utente, n de utente, utente, sns, nif, niss, cpf, cns, cartao de
			cidadao, cartao nacional de saude, cartao sus, rg, bilhete de identidade, numero de contribuinte`,
		births: "nascido em, nascida em, nascido a, nascida a, data de nascimento, nascimento",
		ages:   "idade, idade de, com idade de",
		years:  "anos, anos de idade",
		older:  "mais de, maior de, maiores de, acima de, com mais de, menos de, pelo menos, ate, os",
		names: `nome do paciente, nome da paciente, nome do doente, nome da doente, nome completo, sobrenome,
			apelido`,
		namesWeak:  "nome, doente, utente",
		titles:     "exmo, exma, sra, dra",
		titlesWeak: "sr, senhor, senhora, dona, dom, doutor, doutora",
		phones:     "telefone, telemovel, celular, tlm, numero de telefone",
		addresses:  "morada, endereco, residente em, reside em, mora em",
		postcodes:  "codigo de enderecamento postal, cep",
		streetFrom: "rua, avenida, av, travessa, praca, alameda, estrada, largo",
		months: `janeiro, fevereiro/fev, marco, abril, maio, junho, julho, agosto, setembro/set, outubro/out,
			novembro, dezembro`,
	},
}

// Words that all languages share.
const (
	numberWords = `number, no, nr, n, num, numero, nummer, numer, id, o, is, ist, est, es, e, of, de, der, the, from, vom,
		du, del, in, #`
	copulas   = "is, ist, est, es, in"
	particles = `von, van, vom, zu, zum, zur, de, da, do, dos, das, di, del, della, dello, dei, le, la, du, d, des, bin,
		ben, el, al, st, o, mc, y, e, i, lo, los, las`
	// between stands between the bounds of a range: "75 to 95".
	between = "to, bis, a, ate, hasta, and, und, et, y, e, or, oder, ou, o"
	// eponyms are names that medicine has; behind "M." they are a disease.
	eponyms = `hodgkin, waldenstrom, paget, bowen, crohn, parkinson, alzheimer, cushing, addison, basedow, kaposi,
		castleman, gaucher, osler, recklinghausen, wilms, ewing, menetrier, behcet, still, whipple, meniere,
		bechterew, scheuermann`
	// notNames are what stands behind a short form that is a title, too: MR and MS are methods.
	notNames = `spectroscopy, spectrometry, spectrum, enterography, imaging, elastography, linac, angiography, guided,
		urography, cholangiography, cholangiopancreatography, perfusion, mammography, analysis, data, rate,
		rates, distance, proteomics, fingerprinting, arthrography, colonography, simulation, based, with,
		without, who, in, on, under, after, before, of, and, or, mit, ohne, nach, vor, unter, und, oder, im, am,
		bei, der, die, das, avec, sans, sous, apres, avant, ayant, qui, et, en, con, sin, que, tras, bajo,
		mayor, joven, senza, dopo, sotto, che, com, sem, sob, apos, antes, em, na, no, idosa, anziana, agee, age`
	// notStreets end as a street does.
	notStreets = `signalweg, stoffwechselweg, signalwege, ausweg, umweg, atemweg, gallenweg, harnweg, infektionsweg,
		rettungsweg, arbeitsplatz, stellplatz, knorpelplatz`
)

// label is what a phrase says of what stands behind it.
type label struct {
	kind Kind
	weak bool
}

// vocabulary is the tables of all languages, made ready for lookup.
type vocabulary struct {
	labels                               map[string]label
	titles                               map[string]bool // true: weak
	ages, years, older                   map[string]bool
	postcodes                            map[string]bool
	streets, streetTypes, streetFrom     map[string]bool
	streetEndings                        []string
	months                               map[string]int
	numbers, copulas, particles, between map[string]bool
	eponyms, notNames, notStreet         map[string]bool
}

// tables makes the vocabulary at its first use.
var tables = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		labels: map[string]label{}, titles: map[string]bool{}, ages: map[string]bool{}, years: map[string]bool{},
		older: map[string]bool{}, postcodes: map[string]bool{}, streets: map[string]bool{}, streetTypes: map[string]bool{},
		streetFrom: map[string]bool{}, months: map[string]int{},
		numbers: setOf(numberWords), copulas: setOf(copulas), particles: setOf(particles), between: setOf(between),
		eponyms: setOf(eponyms), notNames: setOf(notNames), notStreet: setOf(notStreets),
	}
	for _, l := range languages {
		for _, group := range []struct {
			phrases string
			as      label
		}{
			{l.namesWeak, label{Name, true}}, {l.recordsWeak, label{Record, true}}, {l.names, label{Name, false}},
			{l.records, label{Record, false}}, {l.insurances, label{Insurance, false}}, {l.births, label{Birth, false}},
			{l.phones, label{Phone, false}}, {l.addresses, label{Address, false}},
		} {
			for phrase := range setOf(group.phrases) {
				if had, ok := v.labels[phrase]; !ok || had.weak {
					v.labels[phrase] = group.as
				}
			}
		}
		for into, phrases := range map[*map[string]bool]string{
			&v.ages: l.ages, &v.years: l.years, &v.older: l.older, &v.postcodes: l.postcodes,
			&v.streets: l.streets, &v.streetTypes: l.streetTypes, &v.streetFrom: l.streetFrom,
		} {
			for phrase := range setOf(phrases) {
				(*into)[phrase] = true
			}
		}
		v.addTitles(&l)
		for i, names := range split(l.months) {
			for name := range strings.SplitSeq(names, "/") {
				v.months[name] = i + 1
			}
		}
		v.streetEndings = append(v.streetEndings, split(l.streetEndings)...)
	}
	return v
})

// addTitles adds a language's titles; one that is weak in any language is weak.
func (v *vocabulary) addTitles(l *language) {
	for title := range setOf(l.titles) {
		if _, had := v.titles[title]; !had {
			v.titles[title] = false
		}
	}
	for title := range setOf(l.titlesWeak) {
		v.titles[title] = true
	}
}

func split(phrases string) []string {
	if phrases == "" {
		return nil
	}
	return strings.Split(strings.Join(strings.Fields(phrases), " "), ", ")
}

func setOf(phrases string) map[string]bool {
	out := map[string]bool{}
	for _, phrase := range split(phrases) {
		out[phrase] = true
	}
	return out
}
