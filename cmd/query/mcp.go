package main

import (
	"fmt"
	"io"
	"net"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/mcp"
)

func newMCP(s command.Streams) *cobra.Command {
	var listen string
	var live bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents by the Model Context Protocol",
		Long: `mcp gives agents the tools search_evidence, search_records, get_record, list_topics, report, trials, what_changed
and explain_question, and topics and their reports as resources, on standard input and output, or with --listen by HTTP
at /mcp on this machine alone. Answers are those of the commands, with citations as text and as data, in pages of at most
5,000 tokens; nothing changes the store. Each call reads the generation that is current then.

Nobody is asked but the store, unless --live allows it: then a question that the store can't answer goes out to the
services, as with ` + "`query`" + `.

` + command.ExitHelp(command.ExitDone),
		Example: `  query mcp --data /srv/dossier/data
  query mcp --listen 127.0.0.1:8081`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if listen != "" && !isLoopback(listen) {
				return command.Usagef("--listen %q is not an address of this machine alone, such as 127.0.0.1:8081", listen)
			}

			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			command.RelaxGC(command.ServersPercent)

			if live && !app.Config.AsksServices() {
				return command.Usagef("--live asks the services, and --offline (or the configuration) forbids it; " +
					"leave one of them out")
			}
			app.Config.Offline = !live

			server := mcp.New(mcp.Options{App: app, Live: live})
			if listen == "" {
				return server.RunStdio(cmd.Context(), io.NopCloser(cmd.InOrStdin()), stdout{cmd.OutOrStdout()})
			}
			var listening net.ListenConfig

			listener, err := listening.Listen(cmd.Context(), "tcp", listen)
			if err != nil {
				return fmt.Errorf("opening the address for agents: %w; name another with --listen", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Dossier for agents: http://%s/mcp\n", listener.Addr())
			return server.ServeHTTP(cmd.Context(), listener)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "",
		"serve by HTTP at this address and port; standard input and output where it is not given")
	cmd.Flags().BoolVar(&live, "live", false, "let questions that the store can't answer go out to the services")
	return cmd
}

// stdout is never closed: the program writes its errors elsewhere, and the system closes it.
type stdout struct{ io.Writer }

func (stdout) Close() error { return nil }
