package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// organs decides what an organ alone means. Beside an alteration, a biomarker, a treatment, a tumour's extent or a
// hereditary syndrome it means the organ's tumours, if no other tumour is named; else it stays a word. In texts that
// are no questions, markers and treatments are not enough without a word for tumours: a fusion of the spine is no
// cancer.
func (l *Lexicon) organs(q *Question, typed bool) {
	bare := func(c Concept) bool {
		return c.Type == "" && c.Entry != nil && c.Entry.Kind == KindTumour || c.Type == "" && c.Entry == nil
	}
	named := slices.ContainsFunc(q.Tumours, func(c Concept) bool { return !bare(c) && !l.isBroad(&c) })
	isMeant := typed || slices.ContainsFunc(q.Tumours, func(c Concept) bool { return l.isBroad(&c) })
	oncologic := isMeant && len(q.Alterations)+len(q.Biomarkers)+len(q.Drugs) > 0 ||
		slices.ContainsFunc(q.Setting, isExtent) || slices.ContainsFunc(q.Conditions, func(c Concept) bool {
		return l.within(KindCondition, c.Name, "hereditary cancer syndrome")
	})

	var tumours []Concept
	for _, c := range q.Tumours {
		switch {
		case !bare(c):
			tumours = append(tumours, c)
		case oncologic && !named && !q.isBefore(c.End):
			c.Type = anyTumour
			tumours = append(tumours, c)
		default:
			q.Words = append(q.Words, Word{Part: c.Part, Key: fold(c.Text)})
			if len(q.Tumours) == 1 {
				q.Warnings = append(q.Warnings, fmt.Sprintf(
					"%q is an organ, and the question does not say which disease of it is meant.", c.Text))
			}
		}
	}
	q.Tumours = tumours
	slices.SortStableFunc(q.Words, func(a, b Word) int { return a.Start - b.Start })
}

// isExtent reports whether a setting is a stage, a part of the TNM classification, a dose of radiotherapy or a Gleason
// score.
func isExtent(c Circumstance) bool {
	switch c.Aspect {
	case "stage":
		return strings.HasPrefix(c.Value, "stage ") || strings.HasPrefix(c.Value, "grade group ") ||
			forms("classification").MatchString(c.Value)
	case aspectMeasure:
		return strings.HasSuffix(c.Value, " gy")
	case "performance":
		return strings.HasPrefix(c.Value, "GLEASON") || strings.HasPrefix(c.Value, "ISUP")
	}
	return false
}

// isBefore reports whether an unknown word stands right behind a place: "hepatic xyz" is no liver cancer. It skips
// words all in capitals in a text with small letters, which name a trial or a scale.
func (q *Question) isBefore(end int) bool {
	return slices.ContainsFunc(q.Words, func(w Word) bool {
		return w.Start > end && w.Start-end == 1 && q.Text[end] == ' ' && (hasLower(w.Text) || !hasLower(q.Text))
	})
}

func (l *Lexicon) isBroad(c *Concept) bool { return c.Entry != nil && c.Entry.Broad && c.Site == "" }

// shorten leaves out parts that another part of the question states too: a broader tumour beside a narrower one, facts
// that a tumour's name implies, and repetitions.
func (l *Lexicon) shorten(q *Question) {
	l.joinSetting(q)
	q.Tumours = l.narrowestOf(q, q.Tumours)
	q.Conditions = l.narrowestOf(q, q.Conditions)
	l.absorb(q)
	q.Alterations = distinct(q, q.Alterations, func(a Alteration) (string, Part) { return a.canonical(), a.Part })
	q.Alterations = withoutBareGenes(q)
	q.Biomarkers = distinct(q, q.Biomarkers, func(b Biomarker) (string, Part) { return b.canonical(), b.Part })
	q.withoutPromoter()
	l.relate(q)
	q.Drugs = distinct(q, q.Drugs, func(d Drug) (string, Part) { return d.canonical(), d.Part })
	q.Setting = distinct(q, q.Setting, func(c Circumstance) (string, Part) { return c.canonical(), c.Part })
	slices.SortStableFunc(q.Dropped, func(a, b Dropped) int { return a.Start - b.Start })
}

// joinSetting joins the question's only tumour with a setting that makes it another disease of the same organ, wherever
// the setting stands: "prostate cancer, enzalutamide, castration-resistant".
func (l *Lexicon) joinSetting(q *Question) {
	if len(q.Tumours) != 1 || q.Tumours[0].Status != Present || q.Tumours[0].Site == "" {
		return
	}

	c := &q.Tumours[0]
	for i, s := range q.Setting {
		e, ok := l.Lookup(KindTumour, s.Value+" "+c.Name)

		isSameOrgan := ok && e.Site == c.Site && e.Type == c.Type
		if isSameOrgan && s.Status == Present && e.Name == s.Value+" "+c.Name {
			c.Name, c.Entry, c.Site, c.Type, c.Qualifiers = e.Name, e, e.Site, e.Type, e.Qualifiers
			q.drop(s.Part, saidAlready+e.Name)
			q.Setting = slices.Delete(q.Setting, i, i+1)
			return
		}
	}
}

// withoutPromoter drops the promoter beside a methylation, which is always of a promoter: "MGMT promoter methylation".
func (q *Question) withoutPromoter() {
	of := slices.IndexFunc(q.Alterations, func(a Alteration) bool { return a.Kind == Methylation })
	if of < 0 {
		return
	}
	q.Setting = slices.DeleteFunc(q.Setting, func(c Circumstance) bool {
		if c.Value != "promoter" || fold(c.Text) != "promoter" {
			return false
		}
		q.drop(c.Part, saidAlready+q.Alterations[of].Text)
		return true
	})
}

func (l *Lexicon) narrowestOf(q *Question, all []Concept) []Concept {
	var out []Concept
	for i, c := range all {
		by := slices.IndexFunc(all, func(o Concept) bool {
			return o.Status == c.Status && (o.Name != c.Name && l.Holds(&c, &o) || o.Name == c.Name && o.Start < c.Start)
		})
		if by >= 0 && by != i {
			q.drop(c.Part, saidAlready+all[by].Text)
			continue
		}
		out = append(out, c)
	}
	return out
}

// distinct keeps the first of equal items, and lists the others as dropped.
func distinct[T any](q *Question, all []T, of func(T) (string, Part)) []T {
	var out []T

	seen := map[string]Part{}
	for _, item := range all {
		key, part := of(item)
		if first, ok := seen[key]; ok {
			if first != part {
				q.drop(part, saidAlready+first.Text)
			}
			continue
		}
		seen[key] = part
		out = append(out, item)
	}
	return out
}

// withoutBareGenes drops a gene alone beside its change, and a mutation beside a named one: "EGFR" beside "EGFR T790M".
func withoutBareGenes(q *Question) []Alteration {
	var out []Alteration
	for _, a := range q.Alterations {
		by := slices.IndexFunc(q.Alterations, func(o Alteration) bool {
			isPlain := a.Kind == AnyAlteration && a.Status == Present || a.Kind == Mutation && a.Gene != ""
			return isPlain && o.Gene == a.Gene && o.Status == a.Status && relateChanges(&a, &o) == narrower
		})
		if by >= 0 {
			q.drop(a.Part, saidAlready+q.Alterations[by].Text)
			continue
		}
		out = append(out, a)
	}
	return out
}

// absorb joins a tumour and the markers that its name implies: "TNBC" implies ER-, PR- and HER2-, and these three
// beside "breast cancer" mean TNBC.
func (l *Lexicon) absorb(q *Question) {
	for i := range q.Tumours {
		c := &q.Tumours[i]
		if e := l.impliedBy(q, c); e != nil {
			f := facetsOf(e)
			c.Name, c.Entry, c.Site, c.Type, c.Qualifiers = e.Name, e, f.site, f.kind, f.qualifiers
		}

		if c.Entry == nil || len(c.Entry.Implies) == 0 {
			continue
		}
		implied := l.impliedFacts(c.Entry)
		keep := func(canonical string, part Part) bool {
			if !slices.Contains(implied, canonical) {
				return true
			}
			q.drop(part, saidAlready+c.Entry.Name)
			return false
		}
		q.Alterations = slices.DeleteFunc(q.Alterations, func(a Alteration) bool { return !keep(a.canonical(), a.Part) })
		q.Biomarkers = slices.DeleteFunc(q.Biomarkers, func(b Biomarker) bool { return !keep(b.canonical(), b.Part) })
	}
}

// impliedBy finds the narrower tumour than c whose name implies only markers that the question states; nil if there is
// none.
func (l *Lexicon) impliedBy(q *Question, c *Concept) *Entry {
	if len(q.Alterations)+len(q.Biomarkers) == 0 {
		return nil
	}

	for _, e := range l.grown().implying {
		if e.Site != c.Site || e.Type != c.Type || len(c.Qualifiers) > 0 {
			continue
		}

		stated := q.markers()

		isStated := func(canonical string) bool {
			return slices.ContainsFunc(stated, func(m assertion) bool { return m.canonical() == canonical && m.either == 0 })
		}
		if !slices.ContainsFunc(l.impliedFacts(e), func(f string) bool { return !isStated(f) }) {
			return e
		}
	}
	return nil
}

// impliedFacts returns the canonical forms of the markers that a tumour's name implies.
func (l *Lexicon) impliedFacts(e *Entry) []string {
	var out []string
	for _, text := range e.Implies {
		implied := l.implied(text)
		for _, m := range implied.markers() {
			out = append(out, m.canonical())
		}
	}
	return out
}
