package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/catalogue"
	"dossier/internal/evidence"
	"dossier/internal/schedule"
	"dossier/internal/text"
)

// Config is the whole configuration. The yaml tags are the documented keys.
type Config struct {
	Data     string   `yaml:"data"`
	Jobs     string   `yaml:"jobs"`
	Offline  bool     `yaml:"offline"` // nobody is asked; Sources.Offline and LLM.Offline say it of one side
	Sources  Sources  `yaml:"sources"`
	LLM      LLM      `yaml:"llm"`
	Defaults Defaults `yaml:"defaults"`
	Store    Store    `yaml:"store"`
	Lexicon  Lexicon  `yaml:"lexicon"`
	Marks    Marks    `yaml:"marks"`
	Privacy  Privacy  `yaml:"privacy"`
	Audit    Audit    `yaml:"audit"`
	Report   Report   `yaml:"report"`
	Schedule Schedule `yaml:"schedule"`
	Hooks    Hooks    `yaml:"hooks"`

	Keys Keys   `yaml:"-"` // from the environment only
	File string `yaml:"-"` // where the configuration was read from; empty where there is no file

	Origins map[string]Origin `yaml:"-"` // who has set a key; one that is not in it has its default

	Policy *Policy `yaml:"-"` // the machine's; nil where it has none
	// what a user should know: what of theirs the policy replaced, where a folder's file sends keys
	Notes []string `yaml:"-"`
}

// Sources says where the services are and how we introduce ourselves.
type Sources struct {
	Offline        bool     `yaml:"offline"` // no service is asked; a model may be
	PubMed         PubMed   `yaml:"pubmed"`
	EuropePMC      Service  `yaml:"europepmc"`
	OpenAlex       Service  `yaml:"openalex"`
	ClinicalTrials Service  `yaml:"clinicaltrials"`
	Crossref       Crossref `yaml:"crossref"`
	BioRxiv        Server   `yaml:"biorxiv"`
	MedRxiv        Server   `yaml:"medrxiv"`
}

// PubMed is a service that also wants to know who asks.
type PubMed struct {
	BaseURL string `yaml:"base_url"`
	Email   string `yaml:"email"`
	Tool    string `yaml:"tool"`
}

// Service is a service that is known by its address alone.
type Service struct {
	BaseURL string `yaml:"base_url"`
}

// Crossref is a service that is asked where that is said, and also wants to know who asks.
type Crossref struct {
	Enabled bool   `yaml:"enabled"`
	BaseURL string `yaml:"base_url"`
	Email   string `yaml:"email"`
}

// Server is a server of preprints, which is asked where that is said.
type Server struct {
	Enabled bool   `yaml:"enabled"`
	BaseURL string `yaml:"base_url"`
}

// Address is where a service or a model is, and the setting that says so.
type Address struct{ Key, URL string }

// service is a source that is asked, with the setting that says where.
type service struct {
	evidence.Source
	key string // of the setting
	url *string
	off bool // nobody has said that it is asked
}

// services are those of a configuration. A source that is new has its line here and its settings above.
func (s *Sources) services() []service {
	all := []service{
		{key: evidence.SourcePubMed, url: &s.PubMed.BaseURL}, {key: evidence.SourceEuropePMC, url: &s.EuropePMC.BaseURL},
		{key: evidence.SourceOpenAlex, url: &s.OpenAlex.BaseURL},
		{key: evidence.SourceClinicalTrials, url: &s.ClinicalTrials.BaseURL},
		{key: evidence.SourceCrossref, url: &s.Crossref.BaseURL, off: !s.Crossref.Enabled},
		{key: evidence.SourceBioRxiv, url: &s.BioRxiv.BaseURL, off: !s.BioRxiv.Enabled},
		{key: evidence.SourceMedRxiv, url: &s.MedRxiv.BaseURL, off: !s.MedRxiv.Enabled},
	}
	for i := range all {
		all[i].Source = evidence.SourceOf(all[i].key)
		all[i].key = "sources." + all[i].key + ".base_url"
	}
	return all
}

// usualServices has each service at its public address.
func usualServices() Sources {
	s := Sources{PubMed: PubMed{Tool: "dossier"}}
	for _, service := range s.services() {
		*service.url = service.Address
	}
	return s
}

// Off reports whether a source waits for a setting to be asked.
func (s *Sources) Off(name evidence.SourceName) bool {
	return slices.ContainsFunc(s.services(), func(s service) bool { return s.Name == name && s.off })
}

// Topic lists the sources of a topic that names none: all that are not off.
func (s *Sources) Topic() []evidence.SourceName {
	return slices.DeleteFunc(slices.Clone(evidence.SourceNames), s.Off)
}

// Addresses are those of the services that are asked.
func (s *Sources) Addresses() []Address {
	asked := slices.DeleteFunc(s.services(), func(s service) bool { return s.off })
	return text.Each(asked, func(s service) Address { return Address{s.key, *s.url} })
}

// validate checks who is said to ask. The returned key is the one at fault.
func (s *Sources) validate() (key string, err error) {
	if email := strings.TrimSpace(s.Crossref.Email); email != "" && !strings.Contains(strings.Trim(email, "@"), "@") {
		return "sources.crossref.email", fmt.Errorf("%q is no address to write to; write one such as name@example.org", email)
	}
	return "", nil
}

// addresses are those of all services and the models; a role's only where it has one of its own.
func (c *Config) addresses() []Address {
	out := text.Each(c.Sources.services(), func(s service) Address { return Address{s.key, *s.url} })

	out = append(out, Address{"llm.base_url", c.LLM.BaseURL})
	for _, r := range c.LLM.Roles() {
		if r.Own.BaseURL != "" {
			out = append(out, Address{"llm." + r.Name + ".base_url", r.Own.BaseURL})
		}
	}
	return out
}

// Defaults are the topics' defaults and the pipeline's thresholds.
type Defaults struct {
	YearWindow       int `yaml:"year_window"`
	BroadSearchCount int `yaml:"broad_search_count"`
	MaxResults       int `yaml:"max_results"`
	// papers that pass with which no broader layer is asked; 1: the first layer that finds anything ends it
	Enough  int `yaml:"enough"`
	MinHits int `yaml:"min_hits"`
	// records with all of a question's slots that make the store's full text an answer
	FullTextHits int      `yaml:"full_text_hits"`
	PassScore    float64  `yaml:"pass_score"`
	ReplanAfter  Duration `yaml:"replan_after"`
}

// Store says how generations are kept and published.
type Store struct {
	KeepGenerations int      `yaml:"keep_generations"`
	PublishEvery    Duration `yaml:"publish_every"`
	StaleAfter      Duration `yaml:"stale_after"`
	// how long the answer to a question that was asked live is kept; 0: for good
	ForgetAsked Duration `yaml:"forget_asked_after"`
	// of which papers full texts are fetched: FullTextOff, those in a sample, or all that passed
	FullText       string `yaml:"full_text"`
	FullTextBudget int    `yaml:"full_text_budget"` // requests for full texts a night
	// a bundle that this key did not sign is not imported: a file of minisign's; empty: none is compared
	PublicKey        string `yaml:"public_key"`
	RequireSignature bool   `yaml:"require_signature"` // none is imported without a key to compare with

	Engine      string `yaml:"engine"` // local or opensearch
	URL         string `yaml:"url"`    // of OpenSearch; several nodes of one cluster are parted by commas
	IndexPrefix string `yaml:"index_prefix"`
	Replicas    int    `yaml:"replicas"`
	Shards      int    `yaml:"shards"`
	CAFile      string `yaml:"ca_file"` // certificates to trust beside the system's
}

// The values of Store.FullText.
const (
	FullTextOff    = "off"
	FullTextSample = "sample"
	FullTextPassed = "passed"
)

var fullTexts = []string{FullTextOff, FullTextSample, FullTextPassed}

// Lexicon names synonym files that extend the dictionary.
type Lexicon struct {
	Files []string `yaml:"files"`
}

// Marks says how what readers decide of records counts.
type Marks struct {
	Readers int `yaml:"readers"` // how many have to decide on a record; until then none sees another's decision on it
}

// Privacy says what becomes of a question that tells who the patient is, and what of any question models get.
type Privacy struct {
	PatientIdentifiers string `yaml:"patient_identifiers"` // refuse, strip or allow
	ModelQuestion      string `yaml:"model_question"`      // understood or whole
	UnknownWords       string `yaml:"unknown_words"`       // withhold or send, of questions that no topic file holds
}

// Audit names the log of what went out; empty: none is kept.
type Audit struct {
	File string `yaml:"file"`
}

// Report says how reports are written.
type Report struct {
	Language string `yaml:"language"` // one of catalogue.Languages
	Template string `yaml:"template"` // folder of the hospital's own logo, head and foot; empty: none
}

// Schedule says how `indexer daemon` reads the topic files' schedules.
type Schedule struct {
	Timezone string   `yaml:"timezone"`  // such as Europe/Berlin; empty: the machine's
	Jitter   Duration `yaml:"jitter"`    // runs begin up to so much later
	LockWait Duration `yaml:"lock_wait"` // how long another writer is waited for
}

// The values of Privacy's settings.
var (
	patientIdentifiers = []string{"refuse", "strip", "allow"} // from the strictest
	modelQuestions     = []string{"understood", WholeQuestion}
	unknownWords       = []string{"withhold", SendUnknown}
)

// SendUnknown has words go out that neither the dictionary nor the store's papers know.
const SendUnknown = "send"

// WholeQuestion has models get a question as it was written.
const WholeQuestion = "whole"

// validate checks the words. The returned key is the one at fault.
func (p *Privacy) validate() (key string, err error) {
	for _, s := range []struct {
		key, value string
		known      []string
	}{
		{"privacy.patient_identifiers", p.PatientIdentifiers, patientIdentifiers},
		{"privacy.model_question", p.ModelQuestion, modelQuestions},
		{"privacy.unknown_words", p.UnknownWords, unknownWords},
	} {
		if !slices.Contains(s.known, s.value) {
			return s.key, fmt.Errorf("%q is none of its values; write %s", s.value, strings.Join(s.known, ", "))
		}
	}
	return "", nil
}

// Keys are the secrets. They come from the environment only and print as "set" or "not set".
type Keys struct {
	Services   map[evidence.SourceName]Secret // those that are set, each in the variable that evidence.Sources names
	LLM        Secret                         // DOSSIER_LLM_API_KEY: for the endpoints that the configuration names
	OpenRouter Secret                         // OPENROUTER_API_KEY: for OpenRouter alone; see Config.ModelKey
	SMTP       Secret                         // DOSSIER_SMTP_PASSWORD
	Signing    Secret                         // DOSSIER_SIGNING_PASSWORD: of the key that bundles are signed with
	OpenSearch OpenSearchKeys
	LLMHeaders []Secret // what llm.headers are with the environment's values, in their order
}

// Secret is a key that never shows itself in logs, errors, JSON or %v. Reveal it only where it is sent.
type Secret string

// String tells only whether there is a key.
func (s Secret) String() string {
	if s == "" {
		return "not set"
	}
	return "set"
}

// GoString hides the key from %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue hides the key from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the key from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reveal gives the key itself.
func (s Secret) Reveal() string { return string(s) }

// Duration is a length of time that may also be written in days: "30d", "15m", "1d12h".
type Duration time.Duration

// Std is the duration as the standard library has it.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String writes whole days as days, whole hours as hours and whole minutes as minutes.
func (d Duration) String() string {
	std := time.Duration(d)
	if std >= 24*time.Hour && std%(24*time.Hour) == 0 {
		return strconv.Itoa(int(std/(24*time.Hour))) + "d"
	}

	s := std.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}

	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// MarshalText is String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := ParseDuration(string(text))
	if err != nil {
		return err
	}
	*d = Duration(parsed)
	return nil
}

const maxDays = 36500

// ParseDuration reads "30d", "12h", "1d12h", "90s". Negative lengths and bare numbers are errors.
func ParseDuration(s string) (time.Duration, error) {
	bad := fmt.Errorf("%q is no length of time; write for example 30d, 12h, 15m or 30s", s)

	s = strings.TrimSpace(s)
	if s == "" {
		return 0, bad
	}

	days, rest, found := strings.Cut(s, "d")
	if !found {
		days, rest = "0", days
	}

	n, err := strconv.Atoi(days)
	if err != nil || n < 0 || n > maxDays {
		return 0, bad
	}

	total := time.Duration(n) * 24 * time.Hour
	if rest != "" {
		more, err := time.ParseDuration(rest)
		if err != nil || more < 0 {
			return 0, bad
		}
		total += more
	}
	return total, nil
}

// Default is the configuration with no file, environment or flags.
func Default() Config {
	return Config{
		Data:    "data",
		Jobs:    "jobs",
		Sources: usualServices(),
		LLM: LLM{
			BaseURL: defaultLLMBaseURL, Model: "google/gemini-3-flash-preview", Temperature: 0.1,
			Timeout: Duration(30 * time.Second), Concurrency: 10, BatchSize: 20, Headers: []string{},
		},
		Defaults: Defaults{
			YearWindow: 10, BroadSearchCount: 200, MaxResults: 20, Enough: 20, MinHits: 1,
			FullTextHits: 3, PassScore: 5, ReplanAfter: Duration(30 * 24 * time.Hour),
		},
		Store: Store{KeepGenerations: 3, PublishEvery: Duration(15 * time.Minute),
			StaleAfter: Duration(7 * 24 * time.Hour), ForgetAsked: Duration(30 * 24 * time.Hour),
			FullText: FullTextOff, FullTextBudget: 200,
			Engine: EngineLocal, IndexPrefix: "dossier", Replicas: 1, Shards: 3},
		Lexicon: Lexicon{Files: []string{}},
		Marks:   Marks{Readers: 1},
		Privacy: Privacy{PatientIdentifiers: "refuse", ModelQuestion: "understood", UnknownWords: "withhold"},
		Report:  Report{Language: catalogue.English},

		Schedule: Schedule{LockWait: Duration(2 * time.Hour)},
		Hooks: Hooks{
			Timeout: Duration(time.Minute), Command: []string{}, Mail: Mail{To: []string{}, Sendmail: "/usr/sbin/sendmail"},
		},
	}
}

var errNoAddress = errors.New("must be an address that begins with http:// or https:// and holds no password")

// isAddress reports whether a text is an address as errNoAddress wants it. It is never shown where it is none: it may
// hold a password all the same.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

// leastContext is a model's context with which a paper can be asked about, in tokens.
const leastContext = 1024

// validateKeys sees that no key of a service goes over the network for others to read.
func (c *Config) validateKeys() (key string, err error) {
	for _, s := range c.Sources.services() {
		if c.Keys.Services[s.Name] != "" && inTheClear(*s.url) {
			return s.key, fmt.Errorf("would send a key over plain http to %s, where others can read it; use https, or unset %s",
				hostOf(*s.url), s.Key)
		}
	}
	return "", nil
}

// validateRanges checks the numbers.
func (c *Config) validateRanges() (key string, err error) {
	for _, n := range []struct {
		key             string
		value, min, max float64
	}{
		{"llm.temperature", c.LLM.Temperature, 0, 2},
		{"llm.timeout", time.Duration(c.LLM.Timeout).Seconds(), 1, 3600},
		{"llm.concurrency", float64(c.LLM.Concurrency), 1, 100},
		{"llm.batch_size", float64(c.LLM.BatchSize), 1, 100},
		{"llm.context_tokens", float64(c.LLM.ContextTokens), 0, 1e9},
		{"llm.max_tokens_per_run", float64(c.LLM.MaxTokensPerRun), 0, 1e12},
		{"llm.max_tokens_per_day", float64(c.LLM.MaxTokensPerDay), 0, 1e12},
		{"llm.requests_per_minute", float64(c.LLM.RequestsPerMinute), 0, 1e6},
		{"llm.tokens_per_minute", float64(c.LLM.TokensPerMinute), 0, 1e9},
		{"llm.price_in", c.LLM.PriceIn, 0, 1e6},
		{"llm.price_out", c.LLM.PriceOut, 0, 1e6},
		{"defaults.year_window", float64(c.Defaults.YearWindow), 1, 200},
		{"defaults.broad_search_count", float64(c.Defaults.BroadSearchCount), 1, 9999},
		{"defaults.max_results", float64(c.Defaults.MaxResults), 1, 500},
		{"defaults.enough", float64(c.Defaults.Enough), 1, 9999},
		{"defaults.min_hits", float64(c.Defaults.MinHits), 1, 9999},
		{"defaults.full_text_hits", float64(c.Defaults.FullTextHits), 1, 9999},
		{"marks.readers", float64(c.Marks.Readers), 1, 20},
		{"defaults.pass_score", c.Defaults.PassScore, 0, 10},
		{"store.keep_generations", float64(c.Store.KeepGenerations), 1, 1000},
		{"store.stale_after", time.Duration(c.Store.StaleAfter).Seconds(), 60, 1e9},
		{"store.forget_asked_after", time.Duration(c.Store.ForgetAsked).Seconds(), 0, 1e9},
		{"store.full_text_budget", float64(c.Store.FullTextBudget), 0, 100_000},
		{"store.replicas", float64(c.Store.Replicas), 0, 10},
		{"store.shards", float64(c.Store.Shards), 1, 100},
		{"schedule.jitter", time.Duration(c.Schedule.Jitter).Seconds(), 0, 86400},
		{"schedule.lock_wait", time.Duration(c.Schedule.LockWait).Seconds(), 0, 1e6},
		{"store.publish_every", time.Duration(c.Store.PublishEvery).Seconds(), 0, 1e9},
	} {
		if n.value < n.min || n.value > n.max {
			return n.key, fmt.Errorf("%v is out of range; allowed are %v to %v", n.value, n.min, n.max)
		}
	}
	return "", nil
}

// validate checks what types alone do not. The returned key is the one at fault.
func (c *Config) validate() (key string, err error) {
	for _, a := range c.addresses() {
		if !isAddress(a.URL) {
			return a.Key, errNoAddress
		}
	}

	if key, err := c.validateKeys(); err != nil {
		return key, err
	}

	if key, err := c.Sources.validate(); err != nil {
		return key, err
	}

	if key, err := c.validateRanges(); err != nil {
		return key, err
	}

	if strings.TrimSpace(c.Data) == "" {
		return "data", fmt.Errorf("is empty; name the folder that holds the store")
	}

	if n := c.LLM.ContextTokens; n > 0 && n < leastContext {
		return "llm.context_tokens", fmt.Errorf("%d is too small for one paper and what is asked about it; from %d on, or 0",
			n, leastContext)
	}

	if !slices.Contains(fullTexts, c.Store.FullText) {
		return "store.full_text", fmt.Errorf("%q is none of its values; write %s", c.Store.FullText,
			strings.Join(fullTexts, ", "))
	}

	if key, err := c.validateEngine(); err != nil {
		return key, err
	}

	if key, err := c.Privacy.validate(); err != nil {
		return key, err
	}

	if err := catalogue.Check(c.Report.Language); err != nil {
		return "report.language", err
	}

	if key, err := c.validateHooks(); err != nil {
		return key, err
	}

	if _, err := schedule.Zone(c.Schedule.Timezone); err != nil {
		return "schedule.timezone", err
	}
	return c.validateLLM()
}
