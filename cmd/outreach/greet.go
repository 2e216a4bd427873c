package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"outreach"
)

// summaryInterval is how often a running stack prints its counts.
const summaryInterval = 15 * time.Second

// greet prints the addresses of the stack and then, from time to time, one line of counts.
func (s *devStack) greet(ctx context.Context, env environment) error {
	fmt.Fprintf(env.stdout, `
  Outreach    %s
  sign in     %s  %s
  API token   %s
  API pages   %s/docs
  receiver    %s
  providers   %s
  all of it   %s

`, s.config.BaseURL, s.state.Email, s.state.Password, s.state.Token, s.config.BaseURL, s.receiver.URL(), s.mail.OpenID().Page,
		filepath.Join(s.dir, "dev.json"))
	ticker := time.NewTicker(summaryInterval)
	defer ticker.Stop()
	last := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		line, err := s.summary(ctx)
		if err == nil && line != last {
			fmt.Fprintln(env.stdout, time.Now().Format(time.TimeOnly), line)
			last = line
		}
	}
}

func (s *devStack) summary(ctx context.Context) (string, error) {
	o, err := s.store.Overview(ctx, s.state.WorkspaceID, 1)
	if err != nil {
		return "", err
	}
	t := o.Totals
	return fmt.Sprintf("today: %s, %d received by the webhook receiver", counts(t), len(s.receiver.Received())), nil
}

func counts(t outreach.Totals) string {
	return fmt.Sprintf("%d sent, %d replied (%d positive), %d clicked, %d bounced, %d unsubscribed",
		t.Sent, t.Replied, t.Positive, t.Clicked, t.Bounced, t.Unsubscribed)
}
