package command

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/config"
	"dossier/internal/fetch"
	"dossier/internal/store"
	"dossier/internal/text"
)

// App is a command's context: the configuration, where to write, and the time.
type App struct {
	Streams
	Config  config.Config
	Command string // as called, without arguments: "query report"
	User    string // whose live questions lists include; empty: no one's
	Log     *slog.Logger
	Now     func() time.Time

	level   slog.Level
	shared  *modelBounds
	cluster *store.Cluster         // the store on OpenSearch; nil until used
	known   func(word string) bool // reports words of the dictionary, once loaded
}

// GlobalFlags adds the flags that every command of both programs takes.
func GlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.String("config", "",
		"configuration file (default ./config.yaml, else dossier/config.yaml in the user's configuration folder)")
	flags.String("data", "data", "folder that holds the store")
	flags.Bool("offline", false, "ask no service and no model")
	flags.CountP("verbose", "v", "log more; twice for every request")
}

// Load reads the configuration for a command.
func Load(cmd *cobra.Command, s Streams) (*App, error) {
	path, _ := cmd.Flags().GetString("config")
	verbose, _ := cmd.Flags().GetCount("verbose")

	owner, err := strconv.Atoi(PolicyOwner)
	if err != nil {
		return nil, fmt.Errorf("this program was built with an owner of the policy that is no number: %w", err)
	}

	cfg, err := config.Load(config.Options{
		Path: path, UserDir: userConfigDir(s.Environ), Environ: s.Environ, Flags: cmd.Flags(),
		Policy: PolicyFile, PolicyOwner: owner, User: os.Geteuid(),
	})
	if err != nil {
		return nil, Usage(err)
	}

	for _, note := range cfg.Notes {
		fmt.Fprintf(s.Err, "%s: %s\n", cmd.Root().Name(), text.Line(note))
	}
	app := &App{Streams: s, Config: cfg, Command: cmd.CommandPath(), User: store.ProcessUser(), Now: time.Now,
		level: max(slog.LevelDebug, slog.LevelWarn-slog.Level(4*verbose))}
	app.LogTo(s.Err)
	return app, nil
}

// Loaded is what a command runs that begins with nothing but its --format checked and its configuration loaded.
func Loaded(
	s Streams, run func(cmd *cobra.Command, app *App, args []string) error,
) func(cmd *cobra.Command, args []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := checkFormat(cmd); err != nil {
			return err
		}

		app, err := Load(cmd, s)
		if err != nil {
			return err
		}
		return run(cmd, app, args)
	}
}

// LogTo redirects the log to w; a command that draws on the terminal routes it around the drawing.
func (a *App) LogTo(w io.Writer) {
	a.Log = slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: a.level}))
}

// userConfigDir is $XDG_CONFIG_HOME, else ~/.config, on Windows %AppData%; empty if none is known.
func userConfigDir(environ []string) string {
	if dir := lookup(environ, "XDG_CONFIG_HOME"); dir != "" {
		return dir
	}

	if dir := lookup(environ, "APPDATA"); dir != "" && runtime.GOOS == "windows" {
		return dir
	}

	if home := lookup(environ, "HOME"); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

// sharedLimitDir is created by an administrator if several users of a machine query the services: the limits apply to
// the machine's address, not to a user. All of them must be able to write to it.
const sharedLimitDir = "/var/lib/dossier/limits"

// limitDir is where the processes of this machine share the services' rate limits: the administrator's folder if there
// is one, else the user's own.
func limitDir() string {
	if info, err := os.Stat(sharedLimitDir); err == nil && info.IsDir() {
		return sharedLimitDir
	}
	return fetch.DefaultLimitDir()
}
