package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage/stores"
)

// auditCommand prints the audit log of a workspace, newest first: in columns, or as one JSON
// object per line.
func auditCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("audit")
	asJSON := flags.Bool("json", false, "print one JSON object a line")
	limit := flags.Int("limit", 100, "print at most this many entries; 0 prints all")
	action := flags.String("action", "", "print entries of one action, such as signed_in")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	usage := errors.New("usage: outreach audit WORKSPACE_ID [--action NAME] [--limit 100] [--json]")
	if len(words) != 1 || *limit < 0 {
		return usage
	}
	workspace, err := workspaceID(words[0])
	if err != nil {
		return err
	}
	var filter outreach.AuditFilter
	if chosen := outreach.AuditAction(*action); chosen != "" {
		if !slices.Contains(outreach.AuditActions, chosen) {
			return fmt.Errorf("--action must be one of %s, not %q", joined(outreach.AuditActions), *action)
		}
		filter.Action = &chosen
	}
	return withStore(ctx, env, func(store *stores.Stores) error {
		if _, err := store.Me(ctx, workspace); err != nil {
			return noWorkspace(err)
		}
		page := outreach.Page{Limit: outreach.MaxLimit}
		for printed := 0; ; {
			rows, err := store.ListAudit(ctx, workspace, filter, page)
			if err != nil {
				return err
			}
			for _, entry := range rows.Rows {
				if *limit > 0 && printed == *limit {
					return nil
				}
				if err := printEntry(env, *asJSON, entry); err != nil {
					return err
				}
				printed++
			}
			if !rows.More {
				return nil
			}
			page.After = &rows.Last
		}
	})
}

// joined returns the names of actions, separated by commas.
func joined(actions []outreach.AuditAction) string {
	return strings.Trim(fmt.Sprint(actions), "[]")
}

// auditLine is an entry as `outreach audit --json` prints it.
type auditLine struct {
	ID      uuid.UUID            `json:"id"`
	At      time.Time            `json:"at"`
	Actor   string               `json:"actor"`
	Action  outreach.AuditAction `json:"action"`
	Subject *string              `json:"subject"`
	Client  *string              `json:"client"`
}

func printEntry(env environment, asJSON bool, e outreach.AuditEntry) error {
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(auditLine{e.ID, e.At.UTC(), e.Actor, e.Action, e.Subject, e.Client})
	}
	_, err := fmt.Fprintf(env.stdout, "%s  %-24s  %-30s  %-39s  %s\n",
		e.At.UTC().Format(time.RFC3339), e.Action, e.Actor, orDash(e.Client), orDash(e.Subject))
	return err
}

func orDash(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}

// fromShell returns a context under which the next change writes an audit entry with the actor
// shell.
func fromShell(ctx context.Context, workspace uuid.UUID, action outreach.AuditAction, subject string) context.Context {
	return outreach.WithAudit(ctx, outreach.AuditEntry{WorkspaceID: workspace, Actor: "shell", Action: action, Subject: &subject})
}
