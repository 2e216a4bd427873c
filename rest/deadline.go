package rest

import (
	"context"
	"time"

	"outreach/internal/panics"
)

// deadline limits the time that the parts of one request take together.
type deadline struct{ left time.Duration }

// grace is how much longer than its context a part may take before the client gets
// an answer without it.
const grace = 500 * time.Millisecond

// wait calls part, which returns soon after its context has ended, with one that ends with the deadline.
func (d *deadline) wait(ctx context.Context, part func(context.Context) error) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, d.left)
	defer cancel()
	err := part(ctx)
	d.left -= time.Since(began)
	return err
}

// run calls part with a context that ends with the deadline. If part has not returned shortly
// after that, run returns context.DeadlineExceeded; part then ends on its own and must not touch
// the response. A panic becomes an error.
func (d *deadline) run(ctx context.Context, part func(context.Context) error) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, d.left)
	done := make(chan error, 1)
	go func() {
		defer cancel()
		done <- panics.Catch(func() error { return part(ctx) })
	}()
	late := time.NewTimer(d.left + grace)
	defer late.Stop()
	select {
	case err := <-done:
		d.left -= time.Since(began)
		return err
	case <-late.C:
		return context.DeadlineExceeded
	}
}
