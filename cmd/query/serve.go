package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/files"
	"dossier/internal/reader"
	"dossier/internal/store"
	"dossier/internal/text"
	"dossier/internal/web"
)

type serveOptions struct {
	listen    string
	tokenFile string
	hosts     []string
}

func newServe(s command.Streams) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the store as a page in the browser",
		Long: `serve shows topics, answers, searches, records, reports and packets in a browser, makes topic files of lists of cases, and keeps
what readers mark. It answers from the store alone, as with --offline, and goes on to a newer generation by itself when the
indexer publishes one.

By itself it can be reached from this machine alone. With another --listen it asks for the token in --token-file: in browsers as
the password, with any name; from programs as "Authorization: Bearer TOKEN". It speaks plain http, so that the token can be
read on the way: put a proxy with TLS before it, and name the proxy's host with --host.

/healthz says whether questions can be answered, and /metrics how the store stands, for Prometheus.
SIGTERM lets requests under way finish.

` + command.ExitHelp(command.ExitDone),
		Example: `  query serve
  query serve --data /srv/dossier/data --listen 127.0.0.1:8080
  query serve --listen 10.0.0.5:8080 --token-file token --host dossier.example`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			command.RelaxGC(command.ServersPercent)

			if _, err := app.Template(); err != nil { // reported now, not at the first report
				return err
			}

			token, err := o.token()
			if err != nil {
				return err
			}
			app.User = ""             // the page's reader must not see this machine's users' questions
			app.Config.Offline = true // the page answers from the store only

			page, err := web.New(web.Options{Desk: reader.New(app, nil, store.ErrNoStore), Hosts: o.hosts, Token: token,
				Metrics: command.MetricsHandler(app.Store())})
			if err != nil {
				return err
			}
			return o.serve(cmd.Context(), app, page)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "address and port; port 0 takes a free one")
	flags.StringVar(&o.tokenFile, "token-file", "",
		"file with the token that has to be given; needed where others than this machine can reach the page")
	flags.StringSliceVar(&o.hosts, "host", nil, "a further name by which browsers ask for the page, such as a proxy's")
	return cmd
}

func (o *serveOptions) serve(ctx context.Context, app *command.App, page *web.Server) error {
	var listening net.ListenConfig

	listener, err := listening.Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("opening the page's address: %w; name another with --listen", err)
	}
	fmt.Fprintf(app.Out, "Dossier: http://%s/\n", listener.Addr())

	if o.tokenFile != "" {
		fmt.Fprintf(app.Out, "The page asks for the token in %s.\n", text.Line(o.tokenFile))
	}

	if !isLoopback(o.listen) {
		fmt.Fprintln(app.Out, "Others can reach it, and it speaks plain http: put a proxy with TLS before it.")
	}
	return page.Serve(ctx, listener)
}

// isLoopback reports whether only this machine can reach the address.
func isLoopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// The minimum length of a token, so that it can't be guessed, and the most that is read of its file.
const (
	minToken = 20
	maxToken = 4096
)

// token reads the token, if one is named or needed.
func (o *serveOptions) token() (string, error) {
	if _, _, err := net.SplitHostPort(o.listen); err != nil {
		return "", command.Usagef("--listen %q is no address with a port, such as 127.0.0.1:8080", o.listen)
	}

	if o.tokenFile == "" {
		if isLoopback(o.listen) {
			return "", nil
		}
		return "",
			command.Usagef(
				"--listen %s can be reached by others: name a file that holds a token of at least %d characters with "+
					"--token-file, such as one made with `openssl rand -hex 32`", o.listen, minToken)
	}
	content, err := files.ReadSecret(o.tokenFile, maxToken)

	token := strings.TrimSpace(string(content))
	switch {
	case err != nil:
		return "", command.Usagef("--token-file: %w", err)
	case len(content) > maxToken || len(token) < minToken || strings.ContainsAny(token, " \t\r\n"):
		return "", command.Usagef("--token-file %s has to hold one token of at least %d characters, without spaces",
			o.tokenFile, minToken)
	}
	return token, nil
}
