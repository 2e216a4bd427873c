package outreach

import "context"

type withoutEffectKey struct{}

// WithoutEffect returns a context in which nothing is stored, logged in to or sent:
// an operation only finds what is wrong with a request that is refused already.
func WithoutEffect(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutEffectKey{}, true)
}

// EffectAllowed reports whether an operation may have an effect.
func EffectAllowed(ctx context.Context) bool { return ctx.Value(withoutEffectKey{}) == nil }

// ErrWithoutEffect ends an operation without effect that found nothing wrong.
var ErrWithoutEffect = Errorf(CodeValidation, "The request is not valid.")

// FindAll calls checks in order and returns one error that lists the faults of all
// of them. After the first fault the checks run without effect. Another error than
// a fault is returned only if there is no fault before it; CodeNotFound always is.
func FindAll(ctx context.Context, checks ...func(context.Context) error) error {
	var faults Faults
	silent := WithoutEffect(ctx)
	for _, check := range checks {
		with := ctx
		if len(faults) > 0 {
			with = silent
		}
		err := check(with)
		found := FaultsOf(err)
		if err != nil && len(found) == 0 && (len(faults) == 0 || CodeOf(err) == CodeNotFound) {
			return err
		}
		faults.Merge(found)
	}
	return faults.Err()
}
