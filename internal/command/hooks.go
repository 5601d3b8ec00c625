package command

import (
	"context"
	"fmt"
	"net/url"

	"dossier/internal/config"
	"dossier/internal/hooks"
	"dossier/internal/text"
)

// configuredHooks are the enabled hooks.
func (a *App) configuredHooks() (configured []hooks.Hook) {
	c := a.Config.Hooks

	environ := hooks.Without(a.Environ, append(config.SecretNames(), "NOTIFY_SOCKET")...)
	if len(c.Command) > 0 {
		configured = append(configured, hooks.Command(c.Command, environ))
	}

	if u, err := url.Parse(c.Webhook); c.Webhook != "" && err == nil { // it was checked when it was read
		configured = append(configured, hooks.Webhook(a.client(), c.Webhook, u.Host))
	}

	if m := c.Mail; len(m.To) > 0 {
		configured = append(configured, hooks.Mail{
			To: m.To, From: m.From, SMTP: m.SMTP, User: m.User, Password: a.Config.Keys.SMTP.Reveal(),
			Sendmail: m.Sendmail, Environ: environ, Now: a.Now,
		}.Hook())
	}
	return configured
}

// NotifyHooks notifies all enabled hooks of a run, each within its time, reports failures on standard error, and
// returns their number. It skips hooks that would leave the machine while offline.
func (a *App) NotifyHooks(ctx context.Context, m hooks.Message) (failed int) {
	for _, hook := range a.configuredHooks() {
		if hook.Host != "" && a.Config.Offline {
			a.Log.Info("not told: offline", "hook", hook.Name)
			continue
		}

		if err := a.notifyHook(ctx, hook, m); err != nil {
			failed++
			fmt.Fprintf(a.Err, "%s failed: %s\n", hook.Name, text.Line(err.Error()))
		}
	}
	return failed
}

func (a *App) notifyHook(ctx context.Context, hook hooks.Hook, m hooks.Message) error {
	ctx, cancel := context.WithTimeout(ctx, a.Config.Hooks.Timeout.Std())
	defer cancel()

	tell := func(ctx context.Context) error { return hook.Tell(ctx, m) }
	if hook.Host == "" {
		return tell(ctx)
	}
	return a.AuditedNotify(ctx, hook.Host, tell)
}
