package outreach

import "context"

type withoutEffectKey struct{}

// EffectAllowed reports whether an operation may store something, log in somewhere or send
// something. In a request that is refused already it only looks for faults.
func EffectAllowed(ctx context.Context) bool { return ctx.Value(withoutEffectKey{}) == nil }

// ErrWithoutEffect is what an operation without effect returns if it found no fault.
var ErrWithoutEffect = Errorf(CodeValidation, "The request is not valid.")

// FindAll calls checks in order and returns one error that lists the faults of all of them. After
// the first fault the checks run without effect. An error that is not a fault is returned only if
// no fault came before it; CodeNotFound is always returned.
func FindAll(ctx context.Context, checks ...func(context.Context) error) error {
	var faults Faults
	silent := context.WithValue(ctx, withoutEffectKey{}, true)
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
