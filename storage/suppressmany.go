package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// BulkSuppressions suppresses up to outreach.MaxBulk addresses and domains in one transaction, each
// judged by the rules of CreateSuppression, and stops the enrollments that they concern; stopped is
// their number. The number of statements does not depend on the number of elements.
func (db *DB) BulkSuppressions(ctx context.Context, workspace uuid.UUID,
	elements []outreach.Suppression) (results []outreach.BulkSuppressResult, stopped int, err error) {
	results = make([]outreach.BulkSuppressResult, len(elements))
	err = db.Tx(ctx, func(tx pgx.Tx) (err error) {
		c := suppressionColumns{at: map[string]int{}}
		for i := range elements {
			results[i] = outreach.BulkSuppressResult{Index: i, Outcome: outreach.SuppressRefused, Refusal: c.add(elements[i])}
		}
		if len(c.id) == 0 {
			return nil
		}
		if err := Exec(ctx, tx, "insert suppressions", insertManySuppressions, workspace, c.id, c.email, c.key, c.domain, c.note,
			db.Now()); err != nil {
			return err
		}
		if err := c.findThose(ctx, tx, workspace); err != nil {
			return err
		}
		c.setOutcomes(elements, results)
		ids, err := c.stopPeople(ctx, tx, workspace)
		stopped = len(ids)
		return err
	})
	return results, stopped, err
}

// suppressionColumns holds the suppressions of a bulk request as columns, each address and domain
// once.
type suppressionColumns struct {
	id                       []uuid.UUID
	email, key, domain, note []*string
	at                       map[string]int // index by canonical address or domain
	made                     []bool
}

// add adds s, or returns why s is invalid. A second mention adds nothing.
func (c *suppressionColumns) add(s outreach.Suppression) *outreach.Error {
	s.Normalize()
	if refused, ok := errors.AsType[*outreach.Error](s.Validate()); ok {
		return refused
	}
	name := suppressed(s)
	if _, ok := c.at[name]; ok {
		return nil
	}
	var key *string
	if s.Email != nil {
		key = &name
	}
	c.at[name] = len(c.id)
	c.id, c.email, c.key, c.domain, c.note = append(c.id, NewID()), append(c.email, s.Email), append(c.key, key),
		append(c.domain, s.Domain), append(c.note, s.Note)
	return nil
}

// suppressed returns the canonical address, or the domain. A domain contains no @.
func suppressed(s outreach.Suppression) string {
	if s.Email != nil {
		return outreach.CanonicalEmail(*s.Email)
	}
	return *s.Domain
}

// The rows are inserted in one order, so that two requests with the same list wait for each other
// instead of deadlocking.
const insertManySuppressions = `
INSERT INTO suppressions (id, workspace_id, email, email_key, domain, reason, note, created_at)
SELECT r.id, $1, r.email, r.email_key, r.domain, 'manual', r.note, $7
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) AS r(id, email, email_key, domain, note)
ORDER BY r.email_key, r.domain
ON CONFLICT DO NOTHING`

const selectManySuppressions = `
SELECT coalesce(s.email_key, s.domain), s.id FROM suppressions s WHERE s.workspace_id = $1 AND s.email_key = ANY($2)
UNION ALL
SELECT s.domain, s.id FROM suppressions s WHERE s.workspace_id = $1 AND s.domain = ANY($3)`

// findThose reads which of the columns were inserted now, and the ids of those that existed.
func (c *suppressionColumns) findThose(ctx context.Context, tx pgx.Tx, workspace uuid.UUID) error {
	rows, err := tx.Query(ctx, selectManySuppressions, workspace, given(c.key), given(c.domain))
	if err != nil {
		return fmt.Errorf("find suppressions: %w", err)
	}
	c.made = make([]bool, len(c.id))
	var name string
	var id uuid.UUID
	found, err := pgx.ForEachRow(rows, []any{&name, &id}, func() error {
		i := c.at[name]
		c.made[i] = c.id[i] == id
		c.id[i] = id
		return nil
	})
	if err != nil {
		return fmt.Errorf("find suppressions: %w", err)
	}
	if int(found.RowsAffected()) < len(c.id) {
		return ErrWentAway
	}
	return nil
}

// given returns the values that are set.
func given(texts []*string) []string {
	some := []string{}
	for _, text := range texts {
		if text != nil {
			some = append(some, *text)
		}
	}
	return some
}

// setOutcomes stores the outcome of each element in results. The first mention of a new address or domain
// has created it.
func (c *suppressionColumns) setOutcomes(elements []outreach.Suppression, results []outreach.BulkSuppressResult) {
	told := make([]bool, len(c.id))
	for i, s := range elements {
		if results[i].Refusal != nil {
			continue
		}
		s.Normalize()
		at := c.at[suppressed(s)]
		id := c.id[at]
		results[i].Outcome, results[i].SuppressionID = outreach.SuppressPresent, &id
		if c.made[at] && !told[at] {
			results[i].Outcome = outreach.SuppressCreated
		}
		told[at] = true
	}
}

// stopPeople stops the enrollments of the new addresses and domains, and returns their ids.
func (c *suppressionColumns) stopPeople(ctx context.Context, tx pgx.Tx, workspace uuid.UUID) ([]uuid.UUID, error) {
	var emails, domains []*string
	for i, made := range c.made {
		if made {
			emails, domains = append(emails, c.key[i]), append(domains, c.domain[i])
		}
	}
	return stopSuppressedPeople(ctx, tx, workspace, given(emails), given(domains))
}
