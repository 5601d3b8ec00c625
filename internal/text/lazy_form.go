package text

import (
	"regexp"
	"sync"
)

// Form is a regular expression that is made ready when it is first asked for, and is tried only on texts that hold
// what every match of it has (see needs): most texts lack that, and looking for it costs a small part of trying. It
// finds what the expression finds; goroutines may use it at once.
type Form struct {
	expr     func() string
	needs    func() *needs
	compiled func() *regexp.Regexp
}

func newForm(expr func() string) *Form {
	f := &Form{expr: sync.OnceValue(expr)}
	f.needs = sync.OnceValue(func() *needs { return needsOf(f.String()) })
	f.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(f.String()) })
	return f
}

// String is the expression as it is written, which need not be one.
func (f *Form) String() string { return f.expr() }

// among gives the expression where the text may hold a match of it; nil where it holds none.
func (f *Form) among(s string) *regexp.Regexp {
	if !f.needs().may(s) {
		return nil
	}
	return f.compiled()
}

// MatchString is that of regexp.Regexp, as all that follows are.
func (f *Form) MatchString(s string) bool {
	re := f.among(s)
	return re != nil && re.MatchString(s)
}

// FindAllIndex is for bytes.
func (f *Form) FindAllIndex(b []byte, n int) [][]int { return f.compiled().FindAllIndex(b, n) }

// FindString finds the first match.
func (f *Form) FindString(s string) string {
	if re := f.among(s); re != nil {
		return re.FindString(s)
	}
	return ""
}

// FindStringIndex finds the place of the first match.
func (f *Form) FindStringIndex(s string) []int {
	if re := f.among(s); re != nil {
		return re.FindStringIndex(s)
	}
	return nil
}

// FindStringSubmatch finds the first match and its groups.
func (f *Form) FindStringSubmatch(s string) []string {
	if re := f.among(s); re != nil {
		return re.FindStringSubmatch(s)
	}
	return nil
}

// FindStringSubmatchIndex finds the places of the first match and its groups.
func (f *Form) FindStringSubmatchIndex(s string) []int {
	if re := f.among(s); re != nil {
		return re.FindStringSubmatchIndex(s)
	}
	return nil
}

// FindAllString finds the matches.
func (f *Form) FindAllString(s string, n int) []string {
	if re := f.among(s); re != nil {
		return re.FindAllString(s, n)
	}
	return nil
}

// FindAllStringIndex finds the places of the matches.
func (f *Form) FindAllStringIndex(s string, n int) [][]int {
	if re := f.among(s); re != nil {
		return re.FindAllStringIndex(s, n)
	}
	return nil
}

// FindAllStringSubmatch finds the matches and their groups.
func (f *Form) FindAllStringSubmatch(s string, n int) [][]string {
	if re := f.among(s); re != nil {
		return re.FindAllStringSubmatch(s, n)
	}
	return nil
}

// FindAllStringSubmatchIndex finds the places of the matches and their groups.
func (f *Form) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if re := f.among(s); re != nil {
		return re.FindAllStringSubmatchIndex(s, n)
	}
	return nil
}

// ReplaceAllString replaces the matches.
func (f *Form) ReplaceAllString(s, with string) string {
	if re := f.among(s); re != nil {
		return re.ReplaceAllString(s, with)
	}
	return s
}

// ReplaceAllStringFunc replaces the matches by what a function makes of each.
func (f *Form) ReplaceAllStringFunc(s string, with func(string) string) string {
	if re := f.among(s); re != nil {
		return re.ReplaceAllStringFunc(s, with)
	}
	return s
}

// Split cuts a text where the matches are.
func (f *Form) Split(s string, n int) []string { return f.compiled().Split(s, n) }
