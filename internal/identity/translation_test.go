package identity

import (
	"testing"

	"dossier/internal/evidence"
)

// TestTranslationsAndSpellings: one paper under titles and names that differ, with agreeing author, journal, year and
// pages.
func TestTranslationsAndSpellings(t *testing.T) {
	const english, german = "Treatment of colorectal cancer in elderly patients",
		"Behandlung des kolorektalen Karzinoms bei alten Menschen"
	at := in("Deutsche Medizinische Wochenschrift", "130", "5", "211-216")
	with := func(changes ...func(*evidence.Record)) func(*evidence.Record) {
		return func(r *evidence.Record) {
			at(r)
			for _, c := range changes {
				c(r)
			}
		}
	}
	vernacular := func(s string) func(*evidence.Record) {
		return func(r *evidence.Record) { r.VernacularTitle = s }
	}
	for _, c := range []struct {
		name string
		a, b func(*evidence.Record)
		one  bool
	}{
		{"a title in brackets and the vernacular one", with(titled("[" + english + "]")), with(titled(german)), true},
		{"a title without brackets and the vernacular one", with(titled(english)), with(titled(german)), true},
		{"a title in Cyrillic", with(titled("[" + english + "].")),
			with(titled("Лечение колоректального рака у пожилых больных")), true},
		{"two translations in brackets", with(titled("[" + english + "]")),
			with(titled("[Therapy for cancers of the large bowel in old age]")), true},
		{"a vernacular title beside the translation", with(titled("["+english+"]"), vernacular(german)),
			with(titled(german), in("Dtsch Med Wochenschr", "130", "", "211")), true},
		{"both titles in one field", with(titled(german + " = " + english)),
			with(titled(english), in("Dtsch Med Wochenschr", "130", "", "211")), true},
		{"the vernacular title in brackets behind", with(titled(english + " [" + german + "]")), with(titled("["+english+"]"),
			in("Dtsch Med Wochenschr", "130", "", "211")), true},
		{"a translation, other pages", with(titled("[" + english + "]")),
			with(titled(german), in("Dtsch Med Wochenschr", "130", "5", "217-220")), false},
		{"a translation, another year", with(titled("[" + english + "]")), with(titled(german), dated("2021")), false},
		{"a translation, another author", with(titled("[" + english + "]")), with(titled(german), by("Ryan, M")), false},
		{"a translation, another journal", with(titled("[" + english + "]")),
			with(titled(german), in("Der Internist", "130", "5", "211-216")), false},
		{"two foreign titles on one page", with(titled("["+english+"]"), in("Dtsch Med Wochenschr", "130", "5", "211")),
			with(titled(german), in("Dtsch Med Wochenschr", "130", "5", "211")), false},
		{"two English titles on the same pages", with(titled(english)), with(titled(otherTitle)), false},

		{"a subtitle in one copy only", with(titled(english)), with(titled(english + ": a survey of practice")), true},
		{"a subtitle behind a long title in one copy only, the volume lost",
			with(titled(english + " after resection of the primary tumour")),
			with(titled(english+" after resection of the primary tumour: a survey of practice"), in("Dtsch Med Wochenschr", "",
				"", "211-216")), true},
		{"a subtitle in one copy only, other pages", with(titled(english)), with(titled(english+": a survey of practice"),
			in("Dtsch Med Wochenschr", "130", "5", "300-306")), false},

		{"a name romanised in two ways", with(by("Vishnevskii, A V", "Misale, S")), with(by("Vishnevski, A", "Misale, S")),
			true},
		{"the same, place unknown", by("Vishnevskii, A V", "Misale, S"), by("Vishnevski, A", "Misale, S"), true},
		{"the same, place unknown, of an only author", by("Vishnevskii, A V"), by("Vishnevski, A"), false},
		{"an umlaut spelled out", with(by("Böhm, K")), with(by("Boehm, K")), true},
		{"a hyphen and a particle", with(by("von Minckwitz-Haas, G")), with(by("Minckwitz Haas, G von")), true},
		{"other names that begin alike", with(by("Vishnevskii, A V")), with(by("Vishnyakov, A"), in("Dtsch Med Wochenschr",
			"130", "5", "211")), false},
	} {
		t.Run(c.name, func(t *testing.T) { checkPair(t, c.a, c.b, c.one) })
	}
}

func TestRomanisedNames(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       authorMatch
	}{
		{"-skii and -ski", "Vishnevskii", "Vishnevski", similarAuthor},
		{"-sky and -skij", "Petrovsky", "Petrovskij", similarAuthor},
		{"kh and h, ts and tz", "Khamatsev", "Hamatzev", similarAuthor},
		{"zh and z, yu and iu", "Zhuravlyuk", "Zuravliuk", similarAuthor},
		{"-ov and -off", "Smirnov", "Smirnoff", similarAuthor},
		{"x and ks", "Alexeev", "Alekseev", similarAuthor},
		{"an umlaut spelled out, four letters", "Böhm", "Boehm", similarAuthor},
		{"an umlaut lost", "Müller", "Muller", same},
		{"a short name", "Li", "Lee", differentAuthor},
		{"another name", "Petrov", "Pavlov", differentAuthor},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := newName(evidence.Author{Family: c.a, Given: "A"}), newName(evidence.Author{Family: c.b, Given: "A"})
			if got := a.compare(b); got != c.want || b.compare(a) != c.want {
				t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
			}
		})
	}
}
