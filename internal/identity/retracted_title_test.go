package identity

import "testing"

func TestHasRetractedTitle(t *testing.T) {
	for _, tc := range []struct {
		title string
		want  bool
	}{
		{"RETRACTED: Vemurafenib in melanoma", true},
		{"Retracted: Vemurafenib in melanoma", true},
		{"RETRACTED ARTICLE: Vemurafenib in melanoma", true},
		{"RETRACTED CHAPTER: Vemurafenib in melanoma", true},
		{"Retracted and republished: Vemurafenib in melanoma", true},
		{"[Retracted] Vemurafenib in melanoma", true},
		{"【Retracted】 Vemurafenib in melanoma", true},
		{"(Retracted article) Vemurafenib in melanoma", true},
		{"WITHDRAWN: Vemurafenib in melanoma", true},
		{"Removed: Vemurafenib in melanoma", true},
		{"TEMPORARY REMOVAL: Vemurafenib in melanoma", true},
		{"Temporarily withdrawn: Vemurafenib in melanoma", true},
		{"Vemurafenib in melanoma (Retracted article. See vol. 12, pg 34, 2024)", true},
		{"Vemurafenib in melanoma (Retracted Article)", true},
		{"Vemurafenib in melanoma (Retracted article. See vol. 12, pg 34 (2024))", true},
		{"Vemurafenib in melanoma [Retracted].", true},
		{"Vemurafenib in melanoma (retracted)", true},
		{"Vemurafenib in melanoma (Withdrawn)", true},
		{"Vemurafenib in melanoma (This article has been retracted)", true},
		{"Vemurafenib in melanoma RETRACTED", true},
		{"Vemurafenib in melanoma. RETRACTED ARTICLE", true},
		{"Vemurafenib in melanoma (Retracted article. See vol. 12, pg 3", true}, // cut off by an export

		{"This article has been retracted: Vemurafenib in melanoma", true},
		{"*RETRACTED* Vemurafenib in melanoma", true},
		{"RETRACTED Vemurafenib in melanoma", true},

		{"ＲＥＴＲＡＣＴＥＤ： Vemurafenib in melanoma", true},
		{"Zurückgezogen: Vemurafenib beim Melanom", true},
		{"Rétracté : le vémurafénib dans le mélanome", true},
		{"Retractado: vemurafenib en el melanoma", true},
		{"Retratado: vemurafenibe no melanoma", true},
		{"[Ritrattato] Vemurafenib nel melanoma", true},
		{"撤回：维莫非尼治疗黑色素瘤", true},
		{"【撤稿】维莫非尼治疗黑色素瘤", true},

		{"Vemurafenib in melanoma", false},
		{"Zurückgezogene Arzneimittel: eine Übersicht", false},
		{"Rétractation : le vémurafénib dans le mélanome", false},
		{"Vemurafenib retractado por el fabricante", false},
		{"撤回率：一项研究", false},
		{"撤稿声明：维莫非尼治疗黑色素瘤", false},
		{"RETRACTED PAPERS IN ONCOLOGY", false},
		{"WITHDRAWN patients in trials of vemurafenib", false},
		{"This article has been cited: vemurafenib in melanoma", false},
		{"Retracted* nipples and breast cancer", false},
		{"Retraction: Vemurafenib in melanoma", false},
		{"Statement of Retraction: Vemurafenib in melanoma", false},
		{"Retraction Note to: Vemurafenib in melanoma", false},
		{"Retracted publications in oncology: a survey", false},
		{"Retracted articles in oncology", false},
		{"Retracted-flap closure after mastectomy", false},
		{"The retracted nipple and breast cancer", false},
		{"Closure of a defect (retracted flap technique)", false},
		{"Outcome of patients who were withdrawn", false},
		{"Outcome of patients (withdrawn from treatment)", false},
		{"Withdrawn patients in trials of vemurafenib", false},
		{"Removed lymph nodes in gastric cancer: how many?", false},
		{"Survival by number of lymph nodes (removed)", false},
		{"Removal of the port after chemotherapy", false},
		{"Port removal: a survey", false},
		{"PAPERS THAT WERE RETRACTED", false},
		{"", false},
	} {
		t.Run(tc.title, func(t *testing.T) {
			if got := HasRetractedTitle(tc.title); got != tc.want {
				t.Errorf("HasRetractedTitle is %t", got)
			}
		})
	}
}

// What says that a paper is retracted is no part of its title, which copies without it have.
func TestRetractedMarksArePartOfNoTitle(t *testing.T) {
	for _, title := range []string{
		"RETRACTED Vemurafenib in melanoma", "Vemurafenib in melanoma - RETRACTED", "*RETRACTED* Vemurafenib in melanoma",
		"This article has been retracted: Vemurafenib in melanoma",
	} {
		if rest, _ := stripNotes(title); rest != "Vemurafenib in melanoma" {
			t.Errorf("of %q there is left %q", title, rest)
		}
	}
}
