package dnscheck

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/panics"
)

// The pace of a process: how often it looks for domains that are due, and how many it
// checks at a time.
const (
	dailyInterval = time.Minute
	dailyBatch    = 8
)

// DomainStore hands out the domains that are due for a check, and keeps the results.
type DomainStore interface {
	// LeaseDomains returns up to most domains that are due, each leased to one process.
	LeaseDomains(ctx context.Context, most int) ([]outreach.DomainQuestion, error)
	// NoteDomainCheck records a check. The next one is due a day later.
	NoteDomainCheck(ctx context.Context, workspace, id uuid.UUID, check outreach.DomainCheck) (outreach.SendingDomain, error)
}

// Daily checks each sending domain once a day. Any number of processes may run one.
type Daily struct {
	Store   DomainStore
	Checker Checker
	Logger  *slog.Logger
}

// Run works until ctx ends. The cost of looking for due domains does not depend on how many
// others there are.
func (d Daily) Run(ctx context.Context) error {
	ticker := time.NewTicker(dailyInterval)
	defer ticker.Stop()
	for {
		if err := d.CheckDue(ctx); err != nil && ctx.Err() == nil {
			d.Logger.WarnContext(ctx, "sending domains cannot be checked", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// CheckDue checks all domains that are due, eight at a time. A process that dies before
// a result is stored leaves its domains due again after the lease.
func (d Daily) CheckDue(ctx context.Context) error {
	for ctx.Err() == nil {
		due, err := d.Store.LeaseDomains(ctx, dailyBatch)
		if err != nil || len(due) == 0 {
			return err
		}
		errs := make([]error, len(due))
		var all sync.WaitGroup
		for i, q := range due {
			all.Go(func() { errs[i] = d.check(ctx, q) })
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// check checks one domain. A panic, which a record could cause, is logged and ends neither the process
// nor the other checks. The domain is due again after its lease.
func (d Daily) check(ctx context.Context, q outreach.DomainQuestion) error {
	err := panics.Catch(func() error {
		check := d.Checker.CheckDomain(ctx, q)
		if ctx.Err() != nil {
			return ctx.Err() // the check was stopped, so it says nothing about the domain
		}
		_, err := d.Store.NoteDomainCheck(ctx, q.WorkspaceID, q.ID, check)
		return err
	})
	if _, panicked := errors.AsType[*panics.Error](err); panicked {
		d.Logger.ErrorContext(ctx, "check of a sending domain panicked", slog.String("domain", q.Domain), slog.Any("error", err))
		return nil
	}
	if outreach.CodeOf(err) == outreach.CodeNotFound {
		return nil // its last mailbox was removed meanwhile
	}
	return err
}
