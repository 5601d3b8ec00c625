package identity

import (
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/evidence"
)

func FuzzTitleKey(f *testing.F) {
	for _, s := range []string{
		"", "Editorial", "[Paroxysmal nocturnal hemoglobinuria]. [French]", "Retraction: x",
		"TGF-β &amp;lt;i&amp;gt;in vivo&lt;/i&gt;", "结直肠癌", "a [Review] [45 refs] [", "\xff\xfe(", strings.Repeat("(", 500),
		"Erratum: Severe deficiency (The Journal of Pediatrics (M",
		"More on eculizumab... N Engl J Med. 2009 Jan 29;360(5):544-6",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rec := evidence.Record{Title: s}
		key := TitleKey(&rec)
		if !utf8.ValidString(key) || utf8.RuneCountInString(key) > prefixLength+2 {
			t.Errorf("%q gives the key %q", s, key)
		}
		x := newTitle(s)
		if x.compact != strings.Join(x.words, "") || strings.Contains(x.compact, " ") {
			t.Errorf("%q gives %+v", s, x)
		}
		if x.compact != "" && x.compare(x) != equal {
			t.Errorf("%q is not like itself", s)
		}
		if upper := newTitle(x.compact); upper.compact != "" && utf8.RuneCountInString(upper.compact) > 4*max(x.runes, 1) {
			t.Errorf("%q grows to %q", x.compact, upper.compact)
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add("Doe, J. and Roe, R.", "", "Doe", "J")
	f.Add("van der Berg", "J", "Berg", "Jan van der")
	f.Add("DOE J", "", "J. Doe", "")
	f.Add("\xff", ",", ";", " and ")
	f.Fuzz(func(t *testing.T, familyA, givenA, familyB, givenB string) {
		a, b := newName(evidence.Author{Family: familyA, Given: givenA}),
			newName(evidence.Author{Family: familyB, Given: givenB})
		if a.compare(b) != b.compare(a) {
			t.Errorf("%+v and %+v compare differently in turn", a, b)
		}
		if len(a.family) > 0 && a.compare(a) != same {
			t.Errorf("%+v is not itself", a)
		}
		for _, w := range append(a.family, a.given...) {
			if w == "" || strings.ContainsAny(w, " ,") {
				t.Errorf("%q, %q give the word %q", familyA, givenA, w)
			}
		}
	})
}

func FuzzVenues(f *testing.F) {
	f.Add("Pediatric Nephrology.Conference: 44th", "26", "9", "1746-9", "Pediatr Nephrol", "", "26", "9")
	f.Add("BMJ", "337", "", "a1754", "British Medical Journal", "337", "", "969-72")
	f.Fuzz(func(t *testing.T, ta, va, ia, pa, tb, vb, ib, pb string) {
		a, b := newVenue(evidence.Journal{Title: ta, Volume: va, Issue: ia, Pages: pa}),
			newVenue(evidence.Journal{Title: tb, Volume: vb, Issue: ib, Pages: pb})
		if a.comparePlaces(b) != b.comparePlaces(a) || a.exact(b) != b.exact(a) || a.nearby(b) != b.nearby(a) {
			t.Errorf("%+v and %+v compare differently in turn", a, b)
		}
		if a.comparePlaces(a) == contradicts {
			t.Errorf("%+v contradicts itself", a)
		}
	})
}

// FuzzAgree: the title rule is symmetric, and survives whatever an export holds.
func FuzzAgree(f *testing.F) {
	long := strings.Repeat("結直腸癌 treatment ", 20)
	f.Add(long, "Doe, J", "12", "123-9", long[:200], "Doe J", "12", "123-129")
	f.Add("Part I", "Doe", "1", "5", "Part II", "Doe", "1", "5")
	f.Add("Interferon- (IFN-): a marker", "Song", "108", "543-8", "Interferon-gamma (IFN-gamma): a marker", "Song", "108",
		"543-548")
	f.Fuzz(func(t *testing.T, ta, aa, va, pa, tb, ab, vb, pb string) {
		x := paper("import:a.ris|1", "", titled(ta), by(aa, "Roe, R"), in("Lancet", va, "", pa))
		y := paper("import:b.ris|1", "", titled(tb), by(ab, "Roe, R"), in("Lancet", vb, "", pb))
		a, b := newProfile(&x), newProfile(&y)
		if agree(a, b) != agree(b, a) {
			t.Errorf("%q and %q agree differently in turn", ta, tb)
		}
		if a.title.compare(b.title) != b.title.compare(a.title) {
			t.Errorf("%q and %q compare differently in turn", ta, tb)
		}
	})
}
