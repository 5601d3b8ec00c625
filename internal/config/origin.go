package config

import (
	"cmp"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"dossier/internal/evidence"
	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

// From is the kind of place that a value came from, each over the one before.
type From string

// The places. A policy's is there only where it replaced what the others say.
const (
	FromDefault     From = "default"
	FromFile        From = "file"
	FromEnvironment From = "environment"
	FromFlag        From = "flag"
	FromPolicy      From = "policy"
)

// Origin is where a value came from. The zero Origin is nowhere: nobody has set it.
type Origin struct {
	From From
	Name string // the file's path, the variable, or the flag with its dashes; empty for a default
	Line int    // of a file; else 0
}

// String is the place as people write it: default, config.yaml:12, DOSSIER_DATA, --data, policy.yaml (policy).
func (o Origin) String() string {
	switch o.From {
	case FromFile:
		return o.Name + ":" + strconv.Itoa(o.Line)
	case FromPolicy:
		return o.Name + " (policy)"
	case FromDefault, FromEnvironment, FromFlag:
	}
	return cmp.Or(o.Name, string(FromDefault))
}

// originsOf finds out who has set each key. What stands in doc was read from the file at path; doc may be nil.
func originsOf(keys []string, doc *strictyaml.Document, path string, env map[string]string,
	flags *pflag.FlagSet) map[string]Origin {
	origins := map[string]Origin{}
	for _, key := range keys {
		if doc != nil && doc.Has(key) {
			origins[key] = Origin{FromFile, path, doc.Line(key)}
		}

		if _, ok := env[key]; ok {
			origins[key] = Origin{From: FromEnvironment, Name: EnvName(key)}
		}

		if flags != nil && flags.Lookup(key) != nil && flags.Lookup(key).Changed {
			origins[key] = Origin{From: FromFlag, Name: "--" + key}
		}
	}
	return origins
}

// eachValue visits all values of a configuration by the paths of their keys, such as "sources.pubmed.base_url", in the
// order in which they are documented.
func eachValue(v reflect.Value, prefix string, visit func(key string, value reflect.Value)) {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("yaml")
		switch field := v.Field(i); {
		case tag == "-":
		case field.Kind() == reflect.Struct:
			eachValue(field, prefix+tag+".", visit)
		default:
			visit(prefix+tag, field)
		}
	}
}

// Setting is a key with what it says, and who says so.
type Setting struct {
	Key    string
	Value  any // string, bool, int, float64, []string or Duration
	Origin Origin

	Changed bool // it is not the default
	Hidden  bool // the value may hold a secret: it is not for showing
}

// Settings are all that there are, in the order in which they are documented.
func (c *Config) Settings() []Setting {
	var all []Setting
	eachValue(reflect.ValueOf(*c), "", func(key string, value reflect.Value) {
		origin, set := c.Origins[key]
		if !set {
			origin.From = FromDefault
		}
		v := value.Interface()
		all = append(all, Setting{Key: key, Value: v, Origin: origin, Hidden: c.hides(key, v)})
	})
	i := 0
	eachValue(reflect.ValueOf(Default()), "", func(_ string, value reflect.Value) {
		all[i].Changed = !reflect.DeepEqual(value.Interface(), all[i].Value)
		i++
	})
	return all
}

// hides says of a value whether it may be a secret, though it should be none: the address of a webhook lets whoever
// knows it post; a header that is not filled from the environment, or an address with parameters, may hold a key.
func (c *Config) hides(key string, value any) bool {
	switch key {
	case "hooks.webhook":
		return c.Hooks.Webhook != ""
	case "llm.headers":
		return slices.ContainsFunc(c.LLM.Headers, func(h string) bool { return !reference().MatchString(h) })
	}

	address, ok := value.(string)
	if !ok || !strings.HasPrefix(address, "http") {
		return false
	}

	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	parameters := u.Query()
	parameters.Del("api-version") // Azure's
	return len(parameters) > 0
}

// NamedKey is a key or a password under the variable of the environment that holds it.
type NamedKey struct {
	Variable string
	Key      Secret
}

// named lists the keys and passwords of our own, whether they are set or not.
func (k *Keys) named() []NamedKey {
	var named []NamedKey
	for _, s := range evidence.Sources {
		if s.Key != "" {
			named = append(named, NamedKey{s.Key, k.Services[s.Name]})
		}
	}
	return append(named, []NamedKey{
		{"DOSSIER_LLM_API_KEY", k.LLM},
		{"OPENROUTER_API_KEY", k.OpenRouter}, {smtpVariable, k.SMTP}, {signingPassword, k.Signing},
		{openSearchUser, k.OpenSearch.User}, {openSearchPassword, k.OpenSearch.Password},
		{openSearchToken, k.OpenSearch.Token},
	}...)
}

// NamedKeys lists the keys and passwords, whether they are set or not, and behind them the variables that llm.headers
// are filled from, which are set: else there would be no configuration.
func (c *Config) NamedKeys() []NamedKey {
	all := c.Keys.named()
	for _, variable := range c.LLM.headerVariables() {
		if !slices.ContainsFunc(all, func(k NamedKey) bool { return k.Variable == variable }) {
			all = append(all, NamedKey{variable, "filled"})
		}
	}
	return all
}

// SecretNames are the variables of the environment that hold keys and passwords: no program that is run gets them.
func SecretNames() []string {
	return text.Each(new(Keys).named(), func(k NamedKey) string { return k.Variable })
}
