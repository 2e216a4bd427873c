package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// bulkRow is one element: its index in the request, the prospect that it becomes, and the canonical
// address by which that is found.
type bulkRow struct {
	index    int
	prospect outreach.Prospect
	key      string
}

// errDryRun rolls the transaction of a dry run back.
var errDryRun = errors.New("this was a dry run")

// BulkProspects stores up to outreach.MaxBulk prospects in one transaction. Each is validated by
// itself: an invalid element does not stop the others. If two elements have one address, the later
// one finds the earlier one as existing. The number of statements does not depend on the number of
// elements. A dry run does all of it and rolls back; the prospects that it would create have no id.
func (db *DB) BulkProspects(ctx context.Context, workspace uuid.UUID, elements []outreach.BulkElement,
	mode outreach.BulkMode) ([]outreach.BulkResult, error) {
	results := make([]outreach.BulkResult, len(elements))
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		fresh, again := sortBulk(workspace, elements, results)
		missing, present, err := splitPresent(ctx, tx, workspace, fresh)
		if err != nil {
			return err
		}
		taken, err := db.insertBulk(ctx, tx, workspace, missing, results)
		if err != nil {
			return err
		}
		if !mode.Update {
			skipPresent(present, results)
			present = nil
		}
		existing := slices.Concat(present, taken, again)
		if err := db.meetExisting(ctx, tx, workspace, existing, elements, mode.Update, results); err != nil {
			return err
		}
		if mode.DryRun {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		forgetCreated(results)
		err = nil
	}
	return results, err
}

// forgetCreated removes the ids that a dry run has rolled back.
func forgetCreated(results []outreach.BulkResult) {
	gone := map[uuid.UUID]struct{}{}
	for _, result := range results {
		if result.Outcome == outreach.BulkCreated {
			gone[*result.ProspectID] = struct{}{}
		}
	}
	for i := range results {
		if id := results[i].ProspectID; id != nil {
			if _, ok := gone[*id]; ok {
				results[i].ProspectID = nil
			}
		}
	}
}

// sortBulk validates the elements and separates the first mention of each address from later ones.
func sortBulk(workspace uuid.UUID, elements []outreach.BulkElement, results []outreach.BulkResult) (fresh, again []bulkRow) {
	seen := make(map[string]struct{}, len(elements))
	for i, element := range elements {
		results[i] = outreach.BulkResult{Index: i, Outcome: outreach.BulkInvalid, Changed: []outreach.Path{}, Errors: outreach.Faults{}}
		if len(element.Faults) > 0 {
			results[i].Errors = element.Faults
			continue
		}
		row := bulkRow{index: i, prospect: outreach.Prospect{WorkspaceID: workspace}}
		element.Change(&row.prospect)
		row.prospect.Normalize()
		if err := row.prospect.Validate(); err != nil {
			results[i].Errors = outreach.FaultsOf(err)
			continue
		}
		row.key = outreach.CanonicalEmail(row.prospect.Email)
		if _, ok := seen[row.key]; ok {
			again = append(again, row)
			continue
		}
		seen[row.key] = struct{}{}
		fresh = append(fresh, row)
	}
	return fresh, again
}

// knownEmail is the canonical address of an existing prospect.
type knownEmail struct {
	key string
	id  uuid.UUID
}

var knownEmailColumns = NewColumns(func(k *knownEmail) []Column {
	return []Column{{"p.email_key", &k.key}, {"p.id", &k.id}}
})

var selectEmails = `SELECT ` + knownEmailColumns.SQL + ` FROM prospects p WHERE p.workspace_id = $1` + selectKnownEmails

// splitPresent separates the rows whose address no prospect has yet from the others, whose prospects
// get their ids. Looking costs less than trying to insert a row that is there.
func splitPresent(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, rows []bulkRow) (missing, present []bulkRow, err error) {
	all, err := knownEmailColumns.Query(ctx, tx, selectEmails, workspace, keysOf(rows))
	if err != nil {
		return nil, nil, fmt.Errorf("find addresses: %w", err)
	}
	ids := make(map[string]uuid.UUID, len(all))
	for _, known := range all {
		ids[known.key] = known.id
	}
	for _, row := range rows {
		id, there := ids[row.key]
		if !there {
			missing = append(missing, row)
			continue
		}
		row.prospect.ID = id
		present = append(present, row)
	}
	return missing, present, nil
}

// keysOf returns the canonical addresses of rows.
func keysOf(rows []bulkRow) []string {
	keys := make([]string, len(rows))
	for i := range rows {
		keys[i] = rows[i].key
	}
	return keys
}

const insertProspects = `
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, company_id, job_title,
	phone, website, linkedin_url, timezone, custom_fields, words, created_at)
SELECT r.id, $1, r.email, r.email_key, r.first_name, r.last_name, r.company_name, r.company_id, r.job_title,
	r.phone, r.website, r.linkedin_url, r.timezone, r.custom_fields, r.words, $16
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::text[],
	$10::text[], $11::text[], $12::text[], $13::text[], $14::jsonb[], $15::text[])
	AS r(id, email, email_key, first_name, last_name, company_name, company_id, job_title, phone, website, linkedin_url,
		timezone, custom_fields, words)
ON CONFLICT (workspace_id, email_key) DO NOTHING
RETURNING id`

// The replies of a deleted prospect with this address count again.
const restoreMarks = `
UPDATE prospects p SET
	unsubscribed_at = CASE WHEN s.reason IN ('unsubscribed', 'complaint') THEN s.created_at ELSE p.unsubscribed_at END,
	bounced_at = CASE WHEN s.reason = 'bounced' THEN s.created_at ELSE p.bounced_at END,
	status = CASE WHEN s.reason = 'bounced' THEN 'bounced' ELSE 'unsubscribed' END
FROM suppressions s
WHERE p.workspace_id = $1 AND p.id = ANY($2) AND s.workspace_id = $1 AND s.email_key = p.email_key
	AND s.reason IN ('unsubscribed', 'complaint', 'bounced')`

// insertBulk inserts rows in one statement and returns those whose address another call inserted
// meanwhile.
func (db *DB) insertBulk(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, fresh []bulkRow,
	results []outreach.BulkResult) ([]bulkRow, error) {
	if len(fresh) == 0 {
		return nil, nil
	}
	if err := db.assignCompanies(ctx, tx, workspace, prospectsOf(fresh)); err != nil {
		return nil, err
	}
	var c prospectColumns
	for i := range fresh {
		fresh[i].prospect.ID = NewID()
		c.add(&fresh[i].prospect)
	}
	ids, err := Values[uuid.UUID](ctx, tx, "insert prospects", insertProspects, workspace, c.id, c.email, c.key, c.first, c.last,
		c.company, c.companyID, c.title, c.phone, c.website, c.linkedin, c.timezone, c.custom, c.words, db.Now())
	if err != nil {
		return nil, err
	}
	if err := Exec(ctx, tx, "restore replies", restoreReplies, workspace, ids); err != nil {
		return nil, err
	}
	if err := Exec(ctx, tx, "restore marks", restoreMarks, workspace, ids); err != nil {
		return nil, err
	}
	return settleInserted(fresh, ids, results), nil
}

func settleInserted(fresh []bulkRow, ids []uuid.UUID, results []outreach.BulkResult) (taken []bulkRow) {
	made := SetOf(ids)
	for i := range fresh {
		id := fresh[i].prospect.ID
		if _, ok := made[id]; !ok {
			taken = append(taken, fresh[i])
			continue
		}
		results[fresh[i].index].Outcome, results[fresh[i].index].ProspectID = outreach.BulkCreated, &id
	}
	return taken
}

// prospectColumns converts rows to the arrays that unnest takes.
type prospectColumns struct {
	id                                                    []uuid.UUID
	email, key, words                                     []string
	companyID                                             []*uuid.UUID
	first, last, company, title, phone, website, linkedin []*string
	timezone                                              []*string
	custom                                                []map[string]any
}

func (c *prospectColumns) add(p *outreach.Prospect) {
	c.id, c.email, c.key = append(c.id, p.ID), append(c.email, p.Email), append(c.key, outreach.CanonicalEmail(p.Email))
	c.first, c.last, c.company = append(c.first, p.FirstName), append(c.last, p.LastName), append(c.company, p.CompanyName)
	c.companyID, c.title, c.phone = append(c.companyID, p.CompanyID), append(c.title, p.JobTitle), append(c.phone, p.Phone)
	c.website, c.linkedin, c.timezone = append(c.website, p.Website), append(c.linkedin, p.LinkedinURL), append(c.timezone, p.Timezone)
	c.custom, c.words = append(c.custom, p.CustomFields), append(c.words, p.SearchWords())
}

// skipPresent skips rows whose prospects are known.
func skipPresent(rows []bulkRow, results []outreach.BulkResult) {
	for i := range rows {
		result := &results[rows[i].index]
		result.Outcome, result.ProspectID = outreach.BulkSkipped, &rows[i].prospect.ID
	}
}

// known is an existing prospect: as stored, and as edited by the elements so far.
type known struct{ before, after outreach.Prospect }

// meetExisting skips or edits the existing prospects with the addresses of rows, in the order of
// rows.
func (db *DB) meetExisting(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, rows []bulkRow,
	elements []outreach.BulkElement, update bool, results []outreach.BulkResult) error {
	if len(rows) == 0 {
		return nil
	}
	there, err := existingProspects(ctx, tx, workspace, rows, update)
	if err != nil {
		return err
	}
	var edits []bulkRow
	for _, row := range rows {
		who, result := there[row.key], &results[row.index]
		if who == nil {
			return ErrWentAway
		}
		result.Outcome, result.ProspectID = outreach.BulkSkipped, &who.before.ID
		if update && who.edit(elements[row.index], result) {
			edits = append(edits, bulkRow{row.index, who.after, row.key})
		}
	}
	if len(edits) == 0 {
		return nil
	}
	if err := db.assignCompanies(ctx, tx, workspace, prospectsOf(edits)); err != nil {
		return err
	}
	return db.updateBulk(ctx, tx, workspace, there, edits)
}

const (
	selectKnownEmails = ` AND p.email_key = ANY($2)`
	lockKnownEmails   = selectKnownEmails + ` ORDER BY p.id FOR UPDATE`
)

// existingProspects returns the existing prospects with the addresses of rows, by canonical address.
// It locks them if they are to be edited.
func existingProspects(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, rows []bulkRow, lock bool) (map[string]*known, error) {
	which := selectKnownEmails
	if lock {
		which = lockKnownEmails
	}
	people, err := Prospects.Query(ctx, tx, Prospects.Select()+which, workspace, keysOf(rows))
	if err != nil {
		return nil, fmt.Errorf("find existing prospects: %w", err)
	}
	there := make(map[string]*known, len(people))
	for _, p := range people {
		there[outreach.CanonicalEmail(p.Email)] = &known{p, p}
	}
	return there, nil
}

// edit applies element. It returns false if the result is invalid.
func (k *known) edit(element outreach.BulkElement, result *outreach.BulkResult) bool {
	after := k.after
	element.Change(&after)
	after.Normalize()
	if err := after.Validate(); err != nil {
		*result = outreach.BulkResult{Index: result.Index, Outcome: outreach.BulkInvalid, Changed: []outreach.Path{},
			Errors: outreach.FaultsOf(err)}
		return false
	}
	result.Outcome, result.Changed = outreach.BulkUpdated, k.after.Changes(&after)
	k.after = after
	return true
}

const updateProspects = `
UPDATE prospects p SET email = r.email, first_name = r.first_name, last_name = r.last_name,
	company_name = r.company_name, company_id = r.company_id,
	job_title = r.job_title, phone = r.phone, website = r.website, linkedin_url = r.linkedin_url, timezone = r.timezone,
		custom_fields = r.custom_fields, words = r.words
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[],
	$9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[], $14::text[])
	AS r(id, email, first_name, last_name, company_name, company_id, job_title, phone, website, linkedin_url, timezone, custom_fields,
		words)
WHERE p.workspace_id = $1 AND p.id = r.id`

// updateBulk stores the edited prospects in one statement, releases enrollments that were held for
// a missing value, and plans the enrollments of prospects in another time zone again. The last edit
// of a prospect holds the outcome of all its edits.
func (db *DB) updateBulk(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, there map[string]*known, edits []bulkRow) error {
	for _, edit := range edits {
		there[edit.key].after = edit.prospect
	}
	var c prospectColumns
	var moved []uuid.UUID
	var zones []*string
	for _, who := range there {
		if !SameValue(who.before.Timezone, who.after.Timezone) {
			moved, zones = append(moved, who.before.ID), append(zones, who.after.Timezone)
		}
		if len(who.before.Changes(&who.after)) > 0 || !SameValue(who.before.CompanyID, who.after.CompanyID) {
			c.add(&who.after)
		}
	}
	if len(c.id) == 0 {
		return nil
	}
	err := Exec(ctx, tx, "update prospects", updateProspects, workspace, c.id, c.email, c.first, c.last, c.company, c.companyID, c.title,
		c.phone, c.website, c.linkedin, c.timezone, c.custom, c.words)
	if err != nil {
		return err
	}
	if err := wakeContent(ctx, tx, wakeProspects, workspace, c.id, db.Now()); err != nil || len(moved) == 0 {
		return err
	}
	return moveEnrollments(ctx, tx, workspace, moved, zones)
}

func prospectsOf(rows []bulkRow) []*outreach.Prospect {
	out := make([]*outreach.Prospect, len(rows))
	for i := range rows {
		out[i] = &rows[i].prospect
	}
	return out
}
