package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/strictyaml"
)

// Options is where Load looks. Zero values mean: no flags, no environment, no file.
type Options struct {
	Path    string         // --config; a file that must be there. Empty: the usual places
	UserDir string         // the user's configuration folder, looked at last; empty: none
	Environ []string       // as os.Environ gives it
	Flags   *pflag.FlagSet // flags whose names are keys (data, jobs, offline); only those that were set count

	Policy      string // the machine's policy, which need not be there; empty: none
	PolicyOwner int    // the number of the user whom it must belong to: root's
	User        int    // the number of the user who runs the program
}

const envPrefix = "DOSSIER_"

// secretNames are the variables that begin as settings do and are none: keys that no file may hold.
var secretNames = []string{
	"DOSSIER_LLM_API_KEY", signingPassword, smtpVariable, openSearchUser, openSearchPassword, openSearchToken,
}

const signingPassword = "DOSSIER_SIGNING_PASSWORD"

// Load reads the configuration. An error names the file and line, the variable or the flag that is wrong.
func Load(o Options) (Config, error) {
	cfg := Default()

	policy, err := readPolicy(o.Policy, o.PolicyOwner)
	if err != nil {
		return cfg, err
	}

	path, err := findFile(o)
	if err != nil {
		return cfg, err
	}

	doc, err := readFile(o, path, &cfg)
	if err != nil {
		return cfg, err
	}

	if err := cfg.readOver(o, path, doc); err != nil {
		return cfg, err
	}

	cfg.Keys = readKeys(o.Environ)
	if cfg.Keys.LLMHeaders, err = fillHeaders(cfg.LLM.Headers, o.Environ); err != nil {
		return cfg, cfg.blame(doc, "llm.headers", err)
	}

	if policy != nil {
		cfg.Policy = policy
		cfg.Notes = policy.apply(&cfg)
	}

	if key, err := cfg.validate(); err != nil {
		return cfg, cfg.blame(doc, key, err)
	}

	if policy != nil {
		if key, err := policy.forbids(&cfg); err != nil {
			return cfg, cfg.blame(doc, key, err)
		}
	}

	if path == folderFile && o.Path == "" {
		cfg.noteKeys(path)
	}
	return cfg, nil
}

// readOver reads what stands over the file, the environment and the flags, and keeps where each setting came from.
func (c *Config) readOver(o Options, path string, doc *strictyaml.Document) error {
	keys := keysOf(c)

	env, err := environment(o.Environ, keys)
	if err != nil {
		return err
	}

	v := viper.New()
	for key, value := range env {
		v.Set(key, value)
	}

	if o.Flags != nil {
		o.Flags.Visit(func(f *pflag.Flag) {
			if slices.Contains(keys, f.Name) {
				v.Set(f.Name, f.Value.String())
			}
		})
	}

	if err := v.UnmarshalExact(c, decoding); err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	c.File = path
	c.Origins = originsOf(keys, doc, path, env, o.Flags)
	return nil
}

// noteKeys tells of keys that go where the working directory's own configuration says.
func (c *Config) noteKeys(path string) {
	decided := c.keysDecided(func(key string) bool { return c.Origins[key].From == FromFile })
	if len(decided) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of this folder decides where keys go: %s", path,
			strings.Join(decided, ", ")))
	}
}

// folderFile is the configuration of the working directory.
const folderFile = "config.yaml"

// decoding has viper use the yaml tags and the types' own text forms. A list takes the place of another.
func decoding(dc *mapstructure.DecoderConfig) {
	dc.TagName, dc.ZeroFields = "yaml", true
	dc.DecodeHook = mapstructure.ComposeDecodeHookFunc(
		mapstructure.TextUnmarshallerHookFunc(),
		mapstructure.StringToSliceHookFunc(","),
	)
}

func findFile(o Options) (string, error) {
	if o.Path != "" {
		if _, err := os.Stat(o.Path); err != nil {
			return "", fmt.Errorf("reading the configuration: %w; check --config", err)
		}
		return o.Path, nil
	}

	candidates := []string{folderFile}
	if o.UserDir != "" {
		candidates = append(candidates, filepath.Join(o.UserDir, "dossier", "config.yaml"))
	}

	for _, c := range candidates {
		_, err := os.Lstat(c) // a link to nothing is there, and says so when it is read
		if err == nil {
			return c, nil
		}

		if !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("reading the configuration: %w", err)
		}
	}
	return "", nil
}

// readFile reads the file strictly over cfg; where there is none, the document is nil.
func readFile(o Options, path string, cfg *Config) (doc *strictyaml.Document, err error) {
	var data []byte
	switch {
	case path == "":
		return nil, nil
	case path == folderFile && o.Path == "":
		data, err = readFolderFile(o.User)
	default:
		data, err = files.Read(path, strictyaml.MaxSize)
	}

	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}

	doc, err = strictyaml.Decode(path, data, cfg)
	if err != nil && strings.Contains(err.Error(), "api_key: unknown key") {
		err = fmt.Errorf("%w\nkeys are read from the environment only: NCBI_API_KEY, OPENALEX_API_KEY, "+
			"DOSSIER_LLM_API_KEY", err)
	}
	return doc, err
}

// keysOf lists the paths of all values, such as "sources.pubmed.base_url".
func keysOf(c *Config) (keys []string) {
	eachValue(reflect.ValueOf(*c), "", func(key string, _ reflect.Value) { keys = append(keys, key) })
	return keys
}

// EnvName is the environment variable of a key.
func EnvName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// environment picks our variables; one that begins with DOSSIER_ and is none of them is an error, since a misspelt one
// would quietly leave a hospital on the default. An empty variable counts as not set.
func environment(environ, keys []string) (map[string]string, error) {
	byName := map[string]string{}

	var names []string
	for _, key := range keys {
		byName[EnvName(key)] = key
		names = append(names, strings.ToLower(EnvName(key)))
	}

	env := map[string]string{}
	for _, pair := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) || slices.Contains(secretNames, name) || value == "" {
			continue
		}

		key, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("environment: %s is no setting of Dossier%s", name, didYouMean(name, names))
		}

		if err := decodesAlone(key, value); err != nil {
			return nil, fmt.Errorf("environment: %s: %q does not fit: %s", name, value, wanted(err))
		}
		env[key] = value
	}
	return env, nil
}

// decodesAlone tries one value by itself, so that the error can name where it came from.
func decodesAlone(key, value string) error {
	v, cfg := viper.New(), Default()
	v.Set(key, value)
	return v.UnmarshalExact(&cfg, decoding)
}

// wanted says what a value must be that the decoder refused, in the words that a file's are refused in.
func wanted(err error) string {
	reason := err.Error()
	for function, kind := range map[string]string{
		"strconv.ParseBool": "true or false", "strconv.ParseInt": "a whole number", "strconv.ParseUint": "a whole number",
		"strconv.ParseFloat": "a number",
	} {
		if strings.Contains(reason, function) {
			return "it must be " + kind
		}
	}
	lines := strings.Split(strings.TrimSpace(reason), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func didYouMean(name string, known []string) string {
	if near := strictyaml.Nearest(name, known); near != "" {
		return "; did you mean " + strings.ToUpper(near) + "?"
	}
	return "; a setting's variable is DOSSIER_ and its path in capitals, such as DOSSIER_SOURCES_PUBMED_BASE_URL"
}

func readKeys(environ []string) Keys {
	value := func(name string) Secret { return Secret(valueOf(environ, name)) }

	var services map[evidence.SourceName]Secret
	for _, s := range evidence.Sources {
		key := value(s.Key)
		if s.Key == "" || key == "" {
			continue
		}

		if services == nil {
			services = map[evidence.SourceName]Secret{}
		}
		services[s.Name] = key
	}
	return Keys{
		Services: services, LLM: value("DOSSIER_LLM_API_KEY"),
		OpenRouter: value("OPENROUTER_API_KEY"), Signing: value(signingPassword), SMTP: value(smtpVariable),
		OpenSearch: OpenSearchKeys{value(openSearchUser), value(openSearchPassword), value(openSearchToken)},
	}
}

// valueOf is a variable's value without the white space around it; empty where it is not set.
func valueOf(environ []string, name string) string {
	for _, pair := range environ {
		if n, v, _ := strings.Cut(pair, "="); n == name && strings.TrimSpace(v) != "" {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// blame names the place that a bad value came from.
func (c *Config) blame(doc *strictyaml.Document, key string, err error) error {
	setting, _, _ := strings.Cut(key, "[") // a list comes from one place
	switch by := c.Origins[setting]; {
	case by.From == FromFlag:
		return fmt.Errorf("flag %s: %w", by, err)
	case by.From == FromEnvironment:
		return fmt.Errorf("environment: %s: %w", by, err)
	case doc != nil:
		return doc.Errorf(key, "%v", err)
	}
	return fmt.Errorf("configuration: %s: %w", key, err)
}
