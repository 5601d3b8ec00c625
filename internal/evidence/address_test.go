package evidence

import "testing"

func TestDOIInAPublishersAddress(t *testing.T) {
	for raw, want := range map[string]string{
		"https://ascopubs.example/doi/full/10.5555/JCO.24.001":                    "10.5555/jco.24.001",
		"https://ascopubs.example/doi/abs/10.5555/JCO.2019.37.15_suppl.3000":      "10.5555/jco.2019.37.15_suppl.3000",
		"https://wiley.example/doi/10.5555/ijc.33588/full":                        "10.5555/ijc.33588",
		"https://wiley.example/doi/10.5555/ijc.33588?af=R":                        "10.5555/ijc.33588",
		"https://wiley.example/doi/epdf/10.5555%2Fijc.33588":                      "10.5555/ijc.33588",
		"https://sage.example/doi/pdf/10.5555/1234.pdf":                           "10.5555/1234",
		"https://nejm.example/doi/suppl/10.5555/NEJMoa1/suppl_file/nejmoa1_a.pdf": "10.5555/nejmoa1",
		"https://springer.example/article/10.5555/s00432-020-1/fulltext.html":     "10.5555/s00432-020-1",
		"https://springer.example/content/pdf/10.5555/s00432-020-1.pdf":           "10.5555/s00432-020-1",
		"https://springer.example/chapter/10.5555/978-3_4":                        "10.5555/978-3_4",
		"https://frontiers.example/articles/10.5555/fonc.2020.1/full":             "10.5555/fonc.2020.1",
		"https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf":    "10.1101/2020.01.01.123456",
		"https://www.medrxiv.org/content/10.1101/2020.01.01.123456v1":             "10.1101/2020.01.01.123456",
		"https://journal.example/show?doi=10.5555/abc.1":                          "10.5555/abc.1",
		"https://springer.example/book/10.5555/978-3":                             "",
		"https://site.example/10.5555/abc":                                        "",
		"https://site.example/version/10.1234/notes":                              "",
		"https://site.example/doi/full/10.5555":                                   "",
		"https://site.example/article/S0140-6736(20)1":                            "",
		"javascript://doi/full/10.5555/abc":                                       "",
		"doi/full/10.5555/abc":                                                    "",
		"https://doi.org/10.5555/abc":                                             "",
		"https://site.example/doi/full/10.5555/%1babc":                            "",
	} {
		id, ok := DOIInAddress(raw)
		if ok != (want != "") || ok && id != (Identifier{DOI, want}) {
			t.Errorf("%s: %v, %v; want %q", raw, id, ok, want)
		}
	}
}
