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

// wait calls part, which must return soon after its context has ended, with one that ends with the
// deadline. A panic becomes an error.
func (d *deadline) wait(ctx context.Context, part func(context.Context) error) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, d.left)
	defer cancel()
	err := panics.Catch(func() error { return part(ctx) })
	d.left -= time.Since(began)
	return err
}

// run is wait for a part that may not return when its context ends. If part has not returned shortly
// after that, run returns context.DeadlineExceeded; part then ends on its own and must not touch
// the response. Its goroutine begins with a small stack, which takes 25 µs of a processor to grow.
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
