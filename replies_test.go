package dossier_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

const plannedQuery = `{"groups":[{"concept":"disease","terms":[{"text":"colorectal cancer","field":"tiab"}]},` +
	`{"concept":"gene_variant","terms":[{"text":"KRAS G12C","field":"tiab"}]}]}`

// examined are the papers of a judge's examination that are not on its question, which is asked about first.
var examined = []string{"PMID:99990002", "PMID:99990004"}

// all is how many papers of the sample the test's topic screens.
const all = 20

// replyShapes are the ways in which models and servers answer. judged is how many of the papers get their score from
// the model; the others get the rules'. Whatever the shape, none is lost. One of the papers passes by the
// model alone, and costs a call more.
var replyShapes = []struct {
	name   string
	answer func(screeningCall) said
	judged int
	calls  int
	exit   int
	says   string // in what is printed
}{
	{"good", each(judgement), all, 5, 0, ""},

	{"0 to 1, for ever", alike("0.8"), 0, 4, 3, "scores of another scale (they are from 0 to 1)"},
	{"0 to 1, till the scale is said", untold(alike("0.8")), all, 6, 0, ""},
	{"1 for all that is relevant", alike("1"), 0, 4, 3, "low for what it calls relevant"},
	{"relevant with 2, for ever", alike("2"), 0, 4, 3, "low for what it calls relevant"},
	{"relevant with 2, till the scale is said", untold(alike("2")), all, 6, 0, ""},
	{"1 to 3", alike("3"), 0, 4, 3, "below 5 for all that it calls relevant"},
	{"0 to 5", alike("4"), 0, 4, 3, "below 5 for all that it calls relevant"},
	{"0 to 100, for ever", alike("85"), 0, 4, 3, "they are from 0 to 100"},
	{"0 to 100, till the scale is said", untold(alike("85")), all, 6, 0, ""},
	{"0 to 1000", alike("850"), 0, 4, 3, "beyond 10, up to 850"},
	{"8/10", withScore(`"8/10"`), all, 5, 0, ""},
	{"8 out of 10", withScore(`"8 out of 10"`), all, 5, 0, ""},
	{"4/5, for ever", alike(`"4/5"`), 0, 4, 3, "written as parts of a whole"},
	{"4/5, till the scale is said", untold(alike(`"4/5"`)), all, 6, 0, ""},
	{"80%", alike(`"80%"`), 0, 4, 3, "written as parts of a whole"},
	{"not relevant with 9", replaced("true", "false", ": 7", ": 9"), 0, 4, 3, "high for what it does not"},
	{"nothing is relevant", replaced("true", "false", ": 7", ": 0"), 0, 2, 3, "it gives every paper 0"},
	{"everything is relevant", alike("7"), 0, 2, 3, "it gives every paper 7"},
	{"everything is the best", alike("10"), 0, 2, 3, "it gives every paper 10"},
	{"ids that are mixed up", rotated, 0, 2, 3, "it mixes papers up"},
	{"indirect, and not relevant", replaced("true", "false", ": 7", ": 3"), all, 5, 0, ""},
	{"relevant cells with 4", replaced(": 7", ": 4", `"rct"`, `"preclinical"`), all, 5, 0, ""},
	{"scores in words", alike(`"high"`), 0, 4, 3, "no score from 0 to 10"},
	{"no scores", alike("null"), 0, 4, 3, "no score from 0 to 10"},
	{"scores below 0", alike("-7"), 0, 4, 3, "no score from 0 to 10"},
	{"scores in strings", withScore(`"7"`), all, 5, 0, ""},
	{"scores with a fraction", withScore("7.25"), all, 5, 0, ""},
	{"one score beyond the scale", once(first(func(item string) string {
		return strings.Replace(item, ": 7", ": 11", 1)
	})), all, 6, 0, ""},
	{"one score missing", once(first(func(item string) string {
		return strings.Replace(item, `"relevance_score": 7,`, "", 1)
	})), all, 6, 0, ""},
	{"one relevant with 0", once(first(func(item string) string { return strings.Replace(item, ": 7", ": 0", 1) })), all,
		6, 0, ""},

	{"an unknown study type", replaced(`"rct"`, `"cohort study"`), all, 5, 0, ""},
	{"a study type in capitals", replaced(`"rct"`, `"RCT"`), all, 5, 0, ""},
	{"a list of study types", replaced(`"rct"`, `["rct", "guideline"]`), all, 5, 0, ""},
	{"no study type", replaced(`"study_type": "rct", `, ""), all, 5, 0, ""},
	{"no criteria and no findings", replaced(`, "matched_criteria": ["KRAS G12C"], "key_findings": "It worked."`, ""), all,
		5, 0, ""},
	{"criteria of another kind", replaced(`["KRAS G12C"]`, `{"gene": 1}`), all, 5, 0, ""},
	{"relevance in words", replaced("true", `"Yes"`), all, 5, 0, ""},
	{"relevance in other words", replaced("true", `"perhaps"`, "false", `"perhaps"`), 0, 4, 3, "neither relevant nor not"},
	{"relevance missing", replaced(`"is_relevant": true, `, "", `"is_relevant": false, `, ""), 0, 4, 3, "neither relevant nor not"},
	{"names in camel case", replaced("is_relevant", "isRelevant", "relevance_score", "relevanceScore", "study_type",
		"studyType"), all, 5, 0, ""},
	{"names with spaces", replaced("is_relevant", "Is Relevant", "relevance_score", "Relevance Score"), all, 5, 0, ""},
	{"short names", replaced("is_relevant", "relevant", "relevance_score", "score"), all, 5, 0, ""},

	{"pmid for id", replaced(`"id"`, `"pmid"`), all, 5, 0, ""},
	{"bare ids", replaced("PMID:", ""), all, 5, 0, ""},
	{"ids as numbers", changed(func(text string) string {
		return regexp.MustCompile(`"PMID:(\d+)"`).ReplaceAllString(text, "$1")
	}), all, 5, 0, ""},
	{"ids in small letters", replaced("PMID:", "pmid:"), all, 5, 0, ""},
	{"ids with a space", replaced("PMID:", "PMID: "), all, 5, 0, ""},
	{"ids of other papers", replaced("PMID:9", "PMID:8"), 0, 4, 3, "an id that was not asked about"},
	{"no ids", replaced(`"id": `, `"paper": `), 0, 4, 3, "no object, or without an id"},
	{"one id twice, differently", once(func(c screeningCall) said {
		return said{text: listOf(append(itemsOf(c, judgement), scored(c.ids[0], "2.5")))}
	}), all, 6, 0, ""},
	{"half of the papers left out", once(func(c screeningCall) said {
		return said{text: listOf(itemsOf(c, judgement)[len(c.ids)/2:])}
	}), all, 6, 0, ""},

	{"fenced", changed(func(text string) string { return "Here you are:\n```json\n" + text + "\n```\nI hope it helps." }),
		all, 5, 0, ""},
	{"behind thoughts", changed(func(text string) string { return "<think>{\"assessments\": []}? No.</think>" + text }),
		all, 5, 0, ""},
	{"comments to the line's end", replaced("[{", "[ // the papers\n{", "}, {", "}, // good, {or} not\n{"), all, 5, 0, ""},
	{"comments in between", replaced("[{", `[/* "all" of them */{`), all, 5, 0, ""},
	{"JSON lines", func(c screeningCall) said { return said{text: strings.Join(itemsOf(c, judgement), "\n")} }, all, 5,
		0, ""},
	{"the bare list", func(c screeningCall) said {
		return said{text: "[" + strings.Join(itemsOf(c, judgement), ",") + "]"}
	}, all, 5, 0, ""},
	{"the list under another name", replaced("assessments", "results"), all, 5, 0, ""},
	{"Python", replaced(`"`, `'`, "true", "True"), all, 5, 0, ""},
	{"doubled braces", replaced("{", "{{", "}", "}}"), all, 5, 0, ""},
	{"commas too many", replaced("}", ",}", "]", ",]"), all, 5, 0, ""},
	{"cut, and then not", once(func(c screeningCall) said {
		text := listOf(itemsOf(c, judgement))
		return said{text: text[:len(text)/2], finish: "length"}
	}), all, 6, 0, ""}, // the half that is missing, in smaller batches
	{"cut before anything, for ever", always(said{text: `{"assessments": [{"id": "PMID:99`, finish: "length"}), 0, 4, 3,
		"reply cut"},
	{"looping in a list till it is cut", always(
		said{text: `{"assessments": [{"id": "PMID:99000021", "matched_criteria": [` + strings.Repeat(`"KRAS", `, 2000),
			finish: "length"}), 0, 4, 3, "reply cut"},
	{"words", always(said{text: "I am sorry, but I can't help with that."}), 0, 4, 3, "can't help with that"},
	{"nothing", always(said{text: ""}), 0, 4, 3, "empty reply"},
	{"an empty list", always(said{text: `{"assessments": []}`}), 0, 4, 3, "it judges none of the articles"},
	{"another document", always(said{text: `{"answer": 42}`}), 0, 4, 3, "no JSON in the reply"},
	{"a refusal", always(said{raw: `{"choices":[{"message":{"refusal":"I won't."}}]}`}), 0, 4, 3, "the model declined"},
	{"what would steer a terminal", replaced("It worked.", `It \u001b[2Jworked.`), all, 5, 0, ""},

	{"a server that can't read its model", always(refusal(500,
		"The model produced output that does not match the expected format")), 0, 4, 3,
		"the server could not read what the model wrote"},
	{"a refused key", always(refusal(401, "no such key")), 0, 1, 3, "DOSSIER_LLM_API_KEY"},
	{"no credit", always(refusal(402, "pay first")), 0, 1, 3, "top up the account"},
	{"429, and then a reply", once(always(refusal(429, "slow down"))), all, 6, 0, ""},
	{"a web page, and then a reply", once(always(said{raw: "<html>"})), all, 6, 0, ""},
	{"a context of 2048, said so", func(c screeningCall) said {
		if c.tokens > 2048 {
			return refusal(400,
				fmt.Sprintf("This model's maximum context length is 2048 tokens. However, you requested %d tokens.", c.tokens))
		}
		return each(judgement)(c)
	}, all, -1, 0, ""},
	{"a context of 2048, not said", func(c screeningCall) said {
		if c.tokens > 2048 {
			return refusal(400, "the prompt is too long")
		}
		return each(judgement)(c)
	}, all, -1, 0, ""},
	{"a context of 2048, cut in silence", func(c screeningCall) said {
		reply := each(judgement)(c)
		reply.tokens = min(c.prompt, 2048)
		return reply
	}, all, -1, 0, "OLLAMA_CONTEXT_LENGTH"},
	{"a context of 600", func(c screeningCall) said {
		if c.tokens > 600 {
			return refusal(400, fmt.Sprintf("maximum context length is 600 tokens, not %d", c.tokens))
		}
		return each(judgement)(c)
	}, 0, 1, 3, "llm.context_tokens"},
}

// TestReplyShapes runs a night on the sample's papers with a model that answers in each of the ways.
func TestReplyShapes(t *testing.T) {
	template := newTemplate(t)
	for _, tc := range replyShapes {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			night := newNight(t, template, tc.answer)
			out, code := night.run("indexer", "run", "--jobs", "topics.yaml")
			if code != tc.exit || !strings.Contains(strings.Join(strings.Fields(out), " "), tc.says) {
				t.Errorf("exit code %d, want %d with %q:\n%s", code, tc.exit, tc.says, out)
			}
			if want := fmt.Sprintf("screened %d by model, %d by rules", tc.judged, all-tc.judged); !strings.Contains(out, want) {
				t.Errorf("want %q:\n%s", want, out)
			}
			if tc.calls >= 0 && night.model.asked() != tc.calls {
				t.Errorf("%d calls, want %d", night.model.asked(), tc.calls)
			}
			if strings.ContainsRune(out, '\x1b') {
				t.Errorf("a control character: %q", out)
			}
			out, _ = night.run("query", "kras", "--offline", "--format", "json")
			var answer struct {
				Sample []struct {
					Source string `json:"score_source"`
				}
			}
			if err := json.NewDecoder(strings.NewReader(out)).Decode(&answer); err != nil ||
				len(answer.Sample) == 0 && tc.exit != 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, r := range answer.Sample {
				if want := map[bool]string{true: "llm", false: "rules"}[tc.judged == all]; r.Source != want {
					t.Errorf("a score by %s, want %s", r.Source, want)
				}
			}
		})
	}
}

// newTemplate is a folder with the sample's papers in a store, and a topic of their own.
func newTemplate(t *testing.T) string {
	t.Helper()
	template := t.TempDir()
	if out, err := exec.Command(filepath.Join(binaries, "indexer"), "import-pubmed", "--offline", "--data",
		filepath.Join(template, "data"),
		filepath.Join("sample", "pubmed.xml")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	topic := "topics:\n  - {id: kras, question: KRAS G12C colorectal cancer, sources: [local], year_window: 60}\n"
	if err := os.WriteFile(filepath.Join(template, "topics.yaml"), []byte(topic), 0o600); err != nil {
		t.Fatal(err)
	}
	return template
}

// night is a copy of a store beside a model server, and the programs run against both.
type night struct {
	t     *testing.T
	dir   string
	model *modelServer
	env   []string
}

func newNight(t *testing.T, template string, answer func(screeningCall) said) *night {
	t.Helper()
	n := &night{t: t, dir: t.TempDir(), model: &modelServer{t: t, answer: answer}}
	if err := os.CopyFS(n.dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(n.model)
	t.Cleanup(server.Close)
	n.env = append(os.Environ(), "HOME="+n.dir, "COLUMNS=100", "DOSSIER_LLM_BASE_URL="+server.URL+"/v1",
		"DOSSIER_DEFAULTS_ENOUGH=1", // what is judged is the first layer, whatever the rules think of it
		"DOSSIER_LLM_MODEL=test-model",
		"DOSSIER_SOURCES_PUBMED_BASE_URL="+server.URL, "DOSSIER_SOURCES_EUROPEPMC_BASE_URL="+server.URL,
		"DOSSIER_SOURCES_OPENALEX_BASE_URL="+server.URL, "DOSSIER_SOURCES_CLINICALTRIALS_BASE_URL="+server.URL)
	return n
}

// TestRejudge: what was judged is asked about again only after it was forgotten on purpose.
func TestRejudge(t *testing.T) {
	n := newNight(t, newTemplate(t), each(judgement))
	for _, step := range []struct {
		name  string
		args  string
		exit  int
		says  string
		calls int // so far
	}{
		{"before any model judged", "indexer rejudge --all", 4, "no model has judged anything", 0},
		{"no topic yet", "indexer rejudge kras", 2, `no topic "kras" in the store`, 0},
		{"the first night", "indexer run --jobs topics.yaml", 0, "screened 20 by model", 5},
		{"the second night pays for nothing", "indexer run --jobs topics.yaml", 0, "screened 20 by model", 5},
		{"neither topic nor all", "indexer rejudge", 2, "or give --all", 5},
		{"both", "indexer rejudge kras --all", 2, "or give --all", 5},
		{"an empty model", "indexer rejudge --all --model=", 2, "--model: is empty", 5},
		{"another model", "indexer rejudge --all --model other-model", 4, "in the store are judgements by test-model", 5},
		{"another topic", "indexer rejudge lung", 2, `no topic "lung" in the store`, 5},
		{"nothing was forgotten so far", "indexer run --jobs topics.yaml", 0, "screened 20 by model", 5},
		{"the topic", "indexer rejudge kras --model test-model", 0, "20 judgements forgotten: 20 by test-model.", 5},
		{"the answer stays till the next run", "query kras --offline", 0, "kras", 5},
		{"the next run asks again", "indexer run --jobs topics.yaml", 0, "screened 20 by model", 8},
		{"everything", "indexer rejudge --all", 0, "20 judgements forgotten", 8},
		{"again", "indexer rejudge --all", 4, "no model has judged anything", 8},
		{"the store is whole", "indexer verify", 0, "", 8},
	} {
		out, code := n.run(strings.Fields(step.args)...)
		if code != step.exit || !strings.Contains(out, step.says) || n.model.asked() != step.calls {
			t.Fatalf("%s: exit code %d, want %d with %q; %d calls, want %d:\n%s", step.name, code, step.exit, step.says,
				n.model.asked(), step.calls, out)
		}
	}
	n.dir = t.TempDir()
	if out, code := n.run("indexer", "rejudge", "--all"); code != 7 {
		t.Errorf("without a store: exit code %d:\n%s", code, out)
	}
}

// TestTheDryRunCountsWhatTheLastRunTook: that a model was asked in vain is told, and what the last run took; what the
// judge's examination took is no topic's.
func TestTheDryRunCountsWhatTheLastRunTook(t *testing.T) {
	n := newNight(t, newTemplate(t), withScore("0.8"))
	for _, step := range []struct {
		name, args string
		exit       int
		says       string
	}{
		{"never run", "indexer run --jobs topics.yaml --dry-run", 0, "kras: at most 64 records to judge, 12 model calls"},
		{"a night in vain", "indexer run --jobs topics.yaml", 3, "they cost 4 calls"},
		{"the next one", "indexer run --jobs topics.yaml --dry-run", 0, "kras: 20 records to judge, 3 model calls"},
		{"what it took", "indexer run --jobs topics.yaml --dry-run", 0, "; the last run took 1 model call"},
		{"the examination, on top", "indexer run --jobs topics.yaml --dry-run", 0, "the judge's examination: 2 model calls"},
		{"and for what", "indexer run --jobs topics.yaml --dry-run", 0, "and the model judged none of them"},
	} {
		out, code := n.run(strings.Fields(step.args)...)
		if code != step.exit || !strings.Contains(strings.Join(strings.Fields(out), " "), step.says) {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", step.name, code, step.exit, step.says, out)
		}
	}
	n.env = append(n.env, "DOSSIER_LLM_MODEL=other-model")
	if out, _ := n.run("indexer", "run", "--jobs", "topics.yaml", "--dry-run"); !strings.Contains(out,
		"kras: 20 records to judge, 3 model calls,") {
		t.Errorf("another model is asked once, and about some again:\n%s", out)
	}
}

// TestAModelThatIsOff: what it judged before counts; where it is required, a night without it fails and changes
// nothing.
func TestAModelThatIsOff(t *testing.T) {
	var working atomic.Bool
	n := newNight(t, newTemplate(t), func(c screeningCall) said {
		if working.Load() {
			return each(judgement)(c)
		}
		return refusal(401, "no such key")
	})
	required := append(n.env[:len(n.env):len(n.env)], "DOSSIER_LLM_REQUIRED=true")
	plain := n.env
	for _, step := range []struct {
		name    string
		works   bool
		env     []string
		args    string
		exit    int
		says    string
		unasked bool
	}{
		{"required, and no model is asked", true, required, "indexer run --jobs topics.yaml --offline", 2,
			"llm.required is true", true},
		{"required, and there", true, required, "indexer run --jobs topics.yaml", 0, "screened 20 by model", false},
		{"off: what was paid for counts", false, plain, "indexer run --jobs topics.yaml --offline", 0, "screened 20 by model",
			true},
		{"forgotten", false, plain, "indexer rejudge --all", 0, "20 judgements forgotten", true},
		{"required, and refused: the topic fails", false, required, "indexer run --jobs topics.yaml", 1,
			"llm.required is true: 20 of 20 by rules: ", false},
		{"and its last answer stands", false, plain, "query kras --offline --format json", 0,
			`"screening": "test-model screening-2"`, true},
		{"not required: the rules screen", false, plain, "indexer run --jobs topics.yaml", 3,
			"screened 0 by model, 20 by rules", false},
		{"off, and nothing was paid for", false, plain, "indexer run --jobs topics.yaml --offline", 0,
			"screened 0 by model, 20 by rules", true},
		{"which the answer says", false, plain, "query kras --offline --format json", 0, `"screening": "rules"`, true},
	} {
		working.Store(step.works)
		n.env = step.env
		before := n.model.asked()
		out, code := n.run(strings.Fields(step.args)...)
		if code != step.exit || !strings.Contains(strings.Join(strings.Fields(out), " "), step.says) {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", step.name, code, step.exit, step.says, out)
		}
		if unasked := n.model.asked() == before; unasked != step.unasked {
			t.Errorf("%s: %d calls", step.name, n.model.asked()-before)
		}
	}
}

// TestAModelThatFailsInMidTopic: how many the rules scored, and why, is told wherever the answer is.
func TestAModelThatFailsInMidTopic(t *testing.T) {
	t.Parallel()
	var batches atomic.Int32
	n := newNight(t, newTemplate(t), func(c screeningCall) said {
		if c.n <= 4 || len(c.ids) == 5 && batches.Add(1) <= 2 { // the examination's four, and two batches
			return each(judgement)(c)
		}
		return refusal(503, "overloaded")
	})
	n.env = append(n.env, "DOSSIER_LLM_BATCH_SIZE=5")
	// Batches of five go out at once, of which two are answered. A paper whose score is to be heard again, without a
	// sentence that may be meant for a model, is the rules' where that batch is one of these.
	const told = `1[01] of 20 by rules: the model answered 503`
	for _, step := range []struct {
		name, args string
		exit       int
		says       string
	}{
		{"the run's table", "indexer run --jobs topics.yaml", 3, "1[01] of 20 by rules: screening by test-model"},
		{"the answer", "query kras --offline", 0, told},
		{"in Markdown", "query kras --offline --format markdown", 0, "screening: " + told},
		{"as errors in JSON", "query kras --offline --format json", 0, `"errors": \[ "screening: ` + told},
		{"beside the judge", "query kras --offline --format json", 0,
			`"screening": "test-model screening-2", "screening_trouble": "` + told},
		{"the list of topics", "query topics --format json", 0, "screening: " + told},
		{"the report's method", "query report kras --offline", 0, "test-model screening-2; " + told},
		{"its limitations", "query report kras --offline", 0, `not by judgement: the model answered 503\.`},
		{"the report in JSON", "query report kras --offline --format json", 0, `"screening_trouble": "` + told},
	} {
		out, code := n.run(strings.Fields(step.args)...)
		if code != step.exit || !regexp.MustCompile(step.says).MatchString(strings.Join(strings.Fields(out), " ")) {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", step.name, code, step.exit, step.says, out)
		}
	}
	if n.model.asked() > 40 {
		t.Errorf("%d calls to a server that was down", n.model.asked())
	}
}

// TestAReportsCallsAreTold, and counted against the day's budget with those of the run before it.
func TestAReportsCallsAreTold(t *testing.T) {
	t.Parallel()
	n := newNight(t, newTemplate(t), each(judgement))
	for _, step := range []struct {
		name, args, tokensPerDay string
		exit                     int
		says                     string
	}{
		{"the night", "indexer run --jobs topics.yaml", "0", 0, "screened 20 by model"},
		{"a report by a model that gives nothing of use", "query report kras", "0", 0, " model calls, "},
		{"the budget is the run's too", "query report kras", "9000", 0, "max\\_tokens\\_per\\_day 0 tokens are left"},
	} {
		n.env = append(n.env, "DOSSIER_LLM_MAX_TOKENS_PER_DAY="+step.tokensPerDay)
		out, code := n.run(strings.Fields(step.args)...)
		if code != step.exit || !strings.Contains(strings.Join(strings.Fields(out), " "), step.says) {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", step.name, code, step.exit, step.says, out)
		}
	}
}

// TestJudgementsThatAreNotUsed: a night on which no model is asked says so where it can't use what another one had
// judged.
func TestJudgementsThatAreNotUsed(t *testing.T) {
	t.Parallel()
	n := newNight(t, newTemplate(t), each(judgement))
	for _, step := range []struct {
		name, model, args string
		exit              int
		says              string
	}{
		{"judged", "test-model", "indexer run --jobs topics.yaml", 0, "screened 20 by model"},
		{"off, and the same is configured", "test-model", "indexer run --jobs topics.yaml --offline", 0,
			"screened 20 by model"},
		{"off, and another is configured", "new-model", "indexer run --jobs topics.yaml --offline", 3,
			"20 of 20 by rules, though test-model screening-2 had judged them"},
		{"with the remedy", "test-model", "query kras --offline", 0,
			"no model is asked, and the configured one is new-model screening-2"},
		{"the first one again", "test-model", "indexer run --jobs topics.yaml --offline", 0, "screened 20 by model"},
		{"nothing to say any more", "test-model", "query kras --offline --format json", 0, `"errors": []`},
		{"forgotten on purpose", "test-model", "indexer rejudge --all", 0, "20 judgements forgotten"},
		{"is not missed", "test-model", "indexer run --jobs topics.yaml --offline", 0, "screened 0 by model, 20 by rules"},
	} {
		n.env = append(n.env, "DOSSIER_LLM_MODEL="+step.model)
		out, code := n.run(strings.Fields(step.args)...)
		if code != step.exit || !strings.Contains(strings.Join(strings.Fields(out), " "), step.says) {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", step.name, code, step.exit, step.says, out)
		}
	}
}

// run gives what a program printed, on both streams, and its exit code.
func (n *night) run(args ...string) (out string, code int) {
	n.t.Helper()
	cmd := exec.Command(filepath.Join(binaries, args[0]), args[1:]...)
	cmd.Dir, cmd.Env = n.dir, n.env
	printed, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		n.t.Fatal(err)
	}
	return string(printed), cmd.ProcessState.ExitCode()
}
