package sending

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// enrolling is what one transaction adds to a campaign. Each rule is one statement for any number
// of prospects.
type enrolling struct {
	workspace, campaign uuid.UUID
	force, restart      bool
}

// judged sorts prospects into those that are enrolled already, those with an obstacle, and those
// that can begin.
type judged struct {
	there   map[uuid.UUID]outreach.Enrollment
	refused map[uuid.UUID]*outreach.Error
	free    []uuid.UUID
}

// BulkEnroll adds up to outreach.MaxBulk prospects to a campaign in one transaction. Each is judged
// by the rules of Enroll. A prospect that is named twice is reported as enrolled the second time.
// The number of statements does not depend on the number of prospects. An unknown campaign is an
// error for the whole call.
func (l *Ledger) BulkEnroll(ctx context.Context, request outreach.BulkEnrollRequest) (results []outreach.BulkEnrollResult, err error) {
	e := enrolling{request.WorkspaceID, request.CampaignID, request.Force, request.Restart}
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		status, err := campaignStatus(ctx, tx, e.workspace, e.campaign)
		if err != nil {
			return err
		}
		people, err := lockProspects(ctx, tx, e.workspace, request.ProspectIDs)
		if err != nil {
			return err
		}
		j, err := e.judge(ctx, tx, status, people)
		if err != nil {
			return err
		}
		begun, err := e.start(ctx, tx, l, j.free)
		if err != nil {
			return err
		}
		if len(begun) < len(j.free) {
			return storage.ErrWentAway // another call enrolled one of them meanwhile
		}
		results = enrollResults(request.ProspectIDs, j, begun)
		return storage.RefreshStatuses(ctx, tx, e.workspace, j.free)
	})
	return results, err
}

// enrollResults returns the results in the order of ids.
func enrollResults(ids []uuid.UUID, j judged, begun map[uuid.UUID]started) []outreach.BulkEnrollResult {
	results := make([]outreach.BulkEnrollResult, len(ids))
	seen := make(map[uuid.UUID]struct{}, len(ids))
	for i, id := range ids {
		r := &results[i]
		r.Index = i
		there, in := j.there[id]
		now, began := begun[id]
		_, again := seen[id]
		switch {
		case j.refused[id] != nil:
			r.Outcome, r.Refusal = outreach.EnrollRefused, j.refused[id]
		case in:
			r.Outcome, r.EnrollmentID = outreach.EnrollPresent, &there.ID
		case !began:
			r.Outcome, r.Refusal = outreach.EnrollRefused, storage.UnknownReference(outreach.At("prospect_ids").Index(i))
		case again:
			r.Outcome, r.EnrollmentID = outreach.EnrollPresent, &now.id
		case now.made:
			r.Outcome, r.EnrollmentID = outreach.EnrollEnrolled, &now.id
		default:
			r.Outcome, r.EnrollmentID = outreach.EnrollRestarted, &now.id
		}
		seen[id] = struct{}{}
	}
	return results
}

const lockProspectIDs = `SELECT id FROM prospects WHERE workspace_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE`

// lockProspects locks and returns those of ids that the workspace has, each once.
func lockProspects(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, ids []uuid.UUID) ([]uuid.UUID, error) {
	return storage.Values[uuid.UUID](ctx, tx, "lock prospects", lockProspectIDs, workspace, ids)
}

// judge applies the rules in order: an existing enrollment is returned, unless it is to restart;
// then the campaign may refuse; then an obstacle of the prospect. The prospects are locked.
func (e enrolling) judge(ctx context.Context, tx pgx.Tx, status campaignState, people []uuid.UUID) (j judged, err error) {
	if j.there, err = e.existing(ctx, tx, people); err != nil {
		return j, err
	}
	maps.DeleteFunc(j.there, func(_ uuid.UUID, had outreach.Enrollment) bool { return e.restart && had.Status.Ended() })
	for _, id := range people {
		if _, ok := j.there[id]; !ok {
			j.free = append(j.free, id)
		}
	}
	if len(j.free) == 0 {
		return j, nil
	}
	j.refused = make(map[uuid.UUID]*outreach.Error)
	if status.status == outreach.CampaignArchived {
		for _, id := range j.free {
			j.refused[id] = outreach.Errorf(outreach.CodeCampaignArchived, "Cannot enroll: the campaign is archived.")
		}
	} else if err = e.obstacles(ctx, tx, j.free, status.company, j.refused); err != nil {
		return j, err
	}
	j.free = slices.DeleteFunc(j.free, func(id uuid.UUID) bool { return j.refused[id] != nil })
	return j, nil
}

const selectEnrollmentsOf = ` AND e.campaign_id = $2 AND e.prospect_id = ANY($3) ORDER BY e.id FOR UPDATE`

// existing finds and locks the enrollments of people in the campaign, by prospect.
func (e enrolling) existing(ctx context.Context, tx pgx.Tx, people []uuid.UUID) (map[uuid.UUID]outreach.Enrollment, error) {
	found, err := storage.Enrollments.Query(ctx, tx, storage.Enrollments.Select()+selectEnrollmentsOf, e.workspace, e.campaign, people)
	if err != nil {
		return nil, fmt.Errorf("look for enrollments: %w", err)
	}
	of := make(map[uuid.UUID]outreach.Enrollment, len(found))
	for _, had := range found {
		of[had.ProspectID] = had
	}
	return of, nil
}

// obstacles stores the first obstacle of each prospect in refused. Force passes a reply of the
// prospect or of a colleague.
func (e enrolling) obstacles(ctx context.Context, tx pgx.Tx, people []uuid.UUID, company bool,
	refused map[uuid.UUID]*outreach.Error) error {
	found, err := standings(ctx, tx, e.workspace, people)
	if err != nil {
		return err
	}
	for id, standing := range found {
		if refusal := Refusal(standing.Obstacle(!e.force, company && !e.force)); refusal != nil {
			refused[id] = refusal
		}
	}
	return nil
}

// Refusal returns the error for a client who enrolls a prospect with an obstacle, or nil for none.
func Refusal(o outreach.Obstacle) *outreach.Error {
	switch o {
	case outreach.ObstacleSuppressed:
		return outreach.Errorf(outreach.CodeProspectSuppressed, "The address or its domain is suppressed.")
	case outreach.ObstacleUnsubscribed:
		return outreach.Errorf(outreach.CodeProspectUnsubscribed, "The prospect has unsubscribed.")
	case outreach.ObstacleBounced:
		return outreach.Errorf(outreach.CodeProspectBounced, "Mail to the prospect bounces.")
	case outreach.ObstacleReplied:
		return outreach.Errorf(outreach.CodeProspectReplied, "The prospect has replied; set force to go on anyway.")
	case outreach.ObstacleCompany:
		return outreach.Errorf(outreach.CodeCompanyReplied, "A colleague of the prospect has replied; set force to go on anyway.")
	}
	return nil
}

const insertEnrollments = `
INSERT INTO enrollments AS e (id, workspace_id, campaign_id, prospect_id, forced, next_step, next_send_at, timezone, begun_at, created_at)
SELECT r.id, $3, $4, r.prospect_id, $5, 1,
	$6::timestamptz + make_interval(mins => coalesce((SELECT s.delay_minutes FROM steps s WHERE s.workspace_id = $3
		AND s.campaign_id = $4 AND s.position = 1), 0)),
	coalesce((SELECT p.timezone FROM prospects p WHERE p.workspace_id = $3 AND p.id = r.prospect_id), ''), $6, $6
FROM unnest($1::uuid[], $2::uuid[]) AS r(id, prospect_id)
ON CONFLICT (workspace_id, campaign_id, prospect_id) DO UPDATE SET status = 'active', stop_reason = NULL, ` + storage.NotHeld + `,
	run = e.run + 1, forced = excluded.forced, next_step = 1, next_send_at = excluded.next_send_at,
	timezone = excluded.timezone, begun_at = excluded.begun_at, last_step_id = NULL, last_step_at = NULL
WHERE e.status IN ('replied', 'finished', 'bounced', 'unsubscribed', 'stopped', 'failed')
RETURNING e.prospect_id, e.id`

const reopenCampaign = `UPDATE campaigns SET status = 'active' WHERE workspace_id = $1 AND id = $2 AND status = 'completed'`

// started is an enrollment that begins: a new one, or a new run.
type started struct {
	id   uuid.UUID
	made bool
}

// start creates the enrollments of people or begins a new run of ended ones, reopens a completed
// campaign, and returns what began, by prospect. Prospects whose address got a step of the campaign before
// they were deleted continue, unless the enrollment restarts. Prospects that another call enrolled meanwhile
// are missing. The caller refreshes the statuses of the prospects.
func (e enrolling) start(ctx context.Context, tx pgx.Tx, l *Ledger, people []uuid.UUID) (map[uuid.UUID]started, error) {
	begun := make(map[uuid.UUID]started, len(people))
	if len(people) == 0 {
		return begun, nil
	}
	taken, err := e.takeOver(ctx, tx, people)
	if err != nil {
		return nil, err
	}
	if len(taken) > 0 && !e.restart {
		if err := e.goOn(ctx, tx, l, taken); err != nil {
			return nil, err
		}
		for _, f := range taken {
			begun[f.heir] = started{f.id, true}
		}
		people = slices.DeleteFunc(slices.Clone(people), func(id uuid.UUID) bool { return begun[id].made })
		if len(people) == 0 {
			return begun, nil
		}
	}
	fresh, ours := make([]uuid.UUID, len(people)), make(map[uuid.UUID]bool, len(people))
	for i := range fresh {
		fresh[i] = storage.NewID()
		ours[fresh[i]] = true
	}
	var prospect, id uuid.UUID
	err = storage.ForEach(ctx, tx, "insert enrollments", insertEnrollments,
		[]any{fresh, people, e.workspace, e.campaign, e.force, l.db.Now()}, []any{&prospect, &id},
		func() { begun[prospect] = started{id, ours[id]} })
	if err != nil {
		return nil, err
	}
	if len(begun) == 0 {
		return begun, nil
	}
	if err := joinAbsence(ctx, tx, e.workspace, e.campaign, slices.Collect(maps.Keys(begun)), l.db.Now()); err != nil {
		return nil, err
	}
	if err := storage.Exec(ctx, tx, "reopen campaign", reopenCampaign, e.workspace, e.campaign); err != nil {
		return nil, err
	}
	return begun, storage.Wake(ctx, tx, e.workspace)
}
