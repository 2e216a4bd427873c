package sending

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// A database that was restored, or a standby that was behind when it was promoted, lacks
// messages that were sent, and would send them again. The guard finds that out before the
// first claim (docs/reference.md#sending-off):
//
//   - commit 2 counts messages by workspace. A process keeps the highest counts that it
//     has seen, and Marks keeps those of all processes.
//   - a claim checks, in its own transaction, whether the server and the epoch are those
//     that the guard has compared. If not, it claims nothing until the guard has.

// Marks keeps the highest counts of commits outside of the database.
type Marks interface {
	// Raise notes counts of workspaces. One that is lower than what is kept changes nothing.
	Raise(ctx context.Context, epoch uuid.UUID, counts map[uuid.UUID]int64) error
	// Each calls compare with all counts of an epoch, some at a time.
	Each(ctx context.Context, epoch uuid.UUID, compare func(map[uuid.UUID]int64) error) error
}

// guardEvery is how often the guard looks, and so how soon a process stops and goes on.
const guardEvery = 2 * time.Second

// server is what a guard has compared.
type server struct {
	epoch   uuid.UUID
	started time.Time
}

// guard is what a process knows of the counts.
type guard struct {
	marks Marks // nil: nothing is guarded

	mu       sync.Mutex
	compared *server             // nil before the first look
	off      bool                // at the last look
	asked    bool                // marks were compared too
	seen     map[uuid.UUID]int64 // in the epoch
	raised   map[uuid.UUID]int64 // those that marks do not have yet
	latest   uuid.UUID           // whose count was seen last
}

// Guard makes the process send only while GuardSending finds that the database has
// everything that was sent. Call it before the first claim.
func (l *Ledger) Guard(marks Marks) {
	l.guard.marks = marks
	l.guard.seen, l.guard.raised = map[uuid.UUID]int64{}, map[uuid.UUID]int64{}
}

// GuardSending compares until ctx ends.
func (l *Ledger) GuardSending(ctx context.Context) error {
	ticker := time.NewTicker(guardEvery)
	defer ticker.Stop()
	for {
		if err := l.lookAtInstallation(ctx); err != nil && ctx.Err() == nil {
			l.db.Log().WarnContext(ctx, "sending could not be guarded", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

const selectGate = `SELECT sending_off IS NOT NULL, epoch, pg_postmaster_start_time() FROM installation`

// mayClaim reports whether a transaction that read the row of selectGate may claim messages.
func (g *guard) mayClaim(gate pgx.Row) (bool, error) {
	var off bool
	var at server
	if err := gate.Scan(&off, &at.epoch, &at.started); err != nil {
		return false, fmt.Errorf("read whether mail is sent: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return !off && (g.marks == nil || g.compared != nil && *g.compared == at), nil
}

// closed reports whether this process claims nothing now.
func (g *guard) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.marks != nil && (g.compared == nil || g.off)
}

// Claims reports whether this process claims messages: sending is on, and GuardSending has compared
// the database.
func (l *Ledger) Claims() bool { return !l.guard.closed() }

// saw notes a count that was committed.
func (g *guard) saw(workspace uuid.UUID, count int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.marks == nil || count <= g.seen[workspace] {
		return
	}
	g.seen[workspace], g.raised[workspace], g.latest = count, count, workspace
}

// lacks returns by how much a count that was just raised is lower than it must be.
func (g *guard) lacks(workspace uuid.UUID, count, by int64) int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(g.seen[workspace]+by-count, 0)
}

const noteClaimSource = `UPDATE installation SET source = $1 WHERE source IS NULL`

func (l *Ledger) lookAtInstallation(ctx context.Context) error {
	now, err := readInstallation(ctx, l.db.Pool())
	if err != nil {
		return err
	}
	switch {
	case now.source == nil:
		if err := storage.Exec(ctx, l.db.Pool(), "note the database", noteClaimSource, now.here); err != nil {
			return err
		}
	case *now.source != now.here && now.state.Off == nil:
		now.state.Off = new(outreach.OffDatabaseReplaced)
	}
	missing, err := l.missing(ctx, server{now.epoch, now.started})
	if err != nil {
		return err
	}
	if missing > 0 && now.state.Off == nil {
		now.state.Off = new(outreach.OffLedgerBehind(missing))
	}
	if now.state.Off != nil {
		if err := l.TurnSendingOff(ctx, *now.state.Off); err != nil {
			return err
		}
	}
	l.guard.opened(ctx, now, l.db.Log())
	return l.raise(ctx, now.epoch)
}

// opened notes what was compared, and logs when sending went off or on.
func (g *guard) opened(ctx context.Context, now installation, log *slog.Logger) {
	g.mu.Lock()
	defer g.mu.Unlock()
	off := now.state.Off != nil
	if off && !g.off {
		log.ErrorContext(ctx, "sending is off", slog.String("reason", *now.state.Off), slog.String("to_go_on", "outreach sending on"))
	}
	if !off && g.off {
		log.InfoContext(ctx, "sending is on")
	}
	g.off, g.compared = off, &server{now.epoch, now.started}
}

// missing returns how many commits the database lacks. It compares all counts if the server or the
// epoch has changed, otherwise only the one that this process saw last.
func (l *Ledger) missing(ctx context.Context, at server) (missing int64, err error) {
	known, all, asked := l.guard.known(at)
	if missing, err = l.lacking(ctx, known); err != nil || !all && asked {
		return missing, err
	}
	err = l.guard.marks.Each(ctx, at.epoch, func(counts map[uuid.UUID]int64) error {
		n, err := l.lacking(ctx, counts)
		missing += n
		return err
	})
	if err != nil { // Redis is unavailable; the next look compares again
		l.db.Log().DebugContext(ctx, "counts in Redis could not be compared", slog.Any("error", err))
	}
	l.guard.mu.Lock()
	l.guard.asked = err == nil
	l.guard.mu.Unlock()
	return missing, nil
}

// known returns the counts to compare, whether these are all of them, and whether Marks was compared
// too. A new epoch discards the counts of the one before.
func (g *guard) known(at server) (counts map[uuid.UUID]int64, all, asked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.compared != nil && g.compared.epoch != at.epoch {
		clear(g.seen)
		clear(g.raised)
		g.latest = uuid.Nil
	}
	if g.compared == nil || *g.compared != at {
		return maps.Clone(g.seen), true, g.asked
	}
	counts = map[uuid.UUID]int64{}
	if g.latest != uuid.Nil {
		counts[g.latest] = g.seen[g.latest]
	}
	return counts, false, g.asked
}

const selectCommits = `SELECT coalesce((SELECT commits FROM ledger_counts WHERE workspace_id = $1), 0)`

// lacking returns how many commits of those counted the database does not have.
func (l *Ledger) lacking(ctx context.Context, counts map[uuid.UUID]int64) (missing int64, err error) {
	batch := &pgx.Batch{}
	for workspace, count := range counts {
		batch.Queue(selectCommits, workspace).QueryRow(func(row pgx.Row) error {
			var here int64
			if err := row.Scan(&here); err != nil {
				return err
			}
			missing += max(count-here, 0)
			return nil
		})
	}
	if err := l.db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return 0, fmt.Errorf("compare counts of commits: %w", err)
	}
	return missing, nil
}

// raise passes the counts that this process has seen to Marks. Counts that Marks does not accept are
// passed again at the next look.
func (l *Ledger) raise(ctx context.Context, epoch uuid.UUID) error {
	g := &l.guard
	g.mu.Lock()
	counts := g.raised
	g.raised = map[uuid.UUID]int64{}
	g.mu.Unlock()
	if len(counts) == 0 {
		return nil
	}
	if err := g.marks.Raise(ctx, epoch, counts); err != nil {
		g.mu.Lock()
		for workspace, count := range counts {
			g.raised[workspace] = max(g.raised[workspace], count)
		}
		g.mu.Unlock()
		l.db.Log().DebugContext(ctx, "counts could not be kept in Redis", slog.Any("error", err))
	}
	return nil
}

const addCommits = `
ON CONFLICT (workspace_id) DO UPDATE SET commits = ledger_counts.commits + excluded.commits
RETURNING commits`

const countCommits = `INSERT INTO ledger_counts (workspace_id, commits) VALUES ($1, $2)` + addCommits

// countCommits counts messages of a workspace in the transaction of their commit 2.
func (l *Ledger) countCommits(ctx context.Context, q storage.Querier, workspace uuid.UUID, by int) (count int64, err error) {
	if err := q.QueryRow(ctx, countCommits, workspace, by).Scan(&count); err != nil {
		return 0, fmt.Errorf("count commits: %w", err)
	}
	return count, l.checkCount(ctx, workspace, count, by)
}

// checkCount turns sending off and returns an error if the database has lost commits that this process
// has seen. count is the number of commits of the workspace after a commit 2 of by messages. The row is
// locked, so the count of each transaction is higher than those seen before.
func (l *Ledger) checkCount(ctx context.Context, workspace uuid.UUID, count int64, by int) error {
	if by == 0 {
		return nil
	}
	if missing := l.guard.lacks(workspace, count, int64(by)); missing > 0 {
		reason := outreach.OffLedgerBehind(missing)
		if err := l.TurnSendingOff(ctx, reason); err != nil {
			return err
		}
		return fmt.Errorf("sending is off: %s", reason)
	}
	return nil
}
