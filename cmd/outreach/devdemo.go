package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"outreach"
	"outreach/internal/demo"
	"outreach/mail/engine"
	"outreach/storage/stores"
)

// fillPast writes the past of the demo workspace once, before the service runs.
func (s *devStack) fillPast(ctx context.Context) error {
	s.state.History = true
	if err := s.saveState(); err != nil {
		return err
	}
	config := s.config
	if s.postgres != nil { // nothing is lost that another start would need
		config.DatabaseURL = withoutSync(config.DatabaseURL)
	}
	composer, box := engine.Composer{BaseURL: string(config.BaseURL), Keyring: config.SecretKey.ring}, s.mail.Mailbox()
	err := demo.WritePast(ctx, demo.Past{
		Open:      func(now func() time.Time) (*stores.Stores, error) { return openStore(ctx, config, s.logger, now) },
		Workspace: s.state.WorkspaceID, Host: s.listener.Addr().String(), Compose: composer.Compose, SMTP: box.SMTP, IMAP: box.IMAP,
	})
	if err != nil {
		return fmt.Errorf("write the history of the demo workspace: %w", err)
	}
	return nil
}

// withoutSync returns the URL with commits that do not wait for the disk.
func withoutSync(database string) string {
	at, err := url.Parse(database)
	if err != nil {
		return database
	}
	query := at.Query()
	query.Set("synchronous_commit", "off")
	at.RawQuery = query.Encode()
	return at.String()
}

// fillPresent creates what a customer would create, once. The mailbox is a separate account, so that
// the one of dev.json stays unused.
func (s *devStack) fillPresent(ctx context.Context) error {
	box := s.mail.Mailbox()
	box.Email, box.SMTP.Username, box.IMAP.Username = demo.Mailbox, demo.Mailbox, demo.Mailbox
	err := s.subscribeReceiver(ctx)
	if err == nil {
		err = demo.Fill(ctx, string(s.config.BaseURL), s.state.Token, mailboxOf(box, "Sam Demo"))
	}
	if err != nil {
		return fmt.Errorf("create demo workspace: %w", err)
	}
	s.state.Demo = true
	return s.saveState()
}

// subscribeReceiver creates a subscription for the receiver, with the secret of dev.json; the API
// would generate a secret.
func (s *devStack) subscribeReceiver(ctx context.Context) error {
	known, err := s.store.SecretsByURL(ctx, s.receiver.URL())
	if err != nil || len(known) > 0 {
		return err
	}
	_, err = s.store.CreateSubscription(ctx, outreach.Subscription{WorkspaceID: s.state.WorkspaceID, URL: s.receiver.URL(),
		Events: outreach.SubscriptionEvents, Enabled: true}, s.state.ReceiverSecret)
	return err
}
