package storage

import (
	"context"

	"outreach"
)

// ClaimTogether lets tests put calls into one transaction that time would only
// sometimes put there.
func (db *DB) ClaimTogether(ctx context.Context, boxes []outreach.Mailbox, holder string, compose func(outreach.Draft) (outreach.Composed, error)) ([]*outreach.Outgoing, error) {
	var calls []*oneOf[*claiming]
	for _, box := range boxes {
		calls = append(calls, &oneOf[*claiming]{item: &claiming{box: box, holder: holder, compose: compose}})
	}
	db.claimTogether(ctx, calls)
	var all []*outreach.Outgoing
	for _, call := range calls {
		if !call.done {
			if err := db.claimAlone(ctx, call.item); err != nil {
				return nil, err
			}
		}
		all = append(all, call.item.out)
	}
	return all, nil
}
