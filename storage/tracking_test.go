package storage_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/tracking/hit"
)

// trackedMessage is a message of a new workspace that has host as its domain.
func (s *queueStage) trackedMessage(t *testing.T, host string,
	status outreach.TrackingDomainStatus) (workspace uuid.UUID, message outreach.Ref) {
	t.Helper()
	workspace = s.workspace(t)
	message = outreach.Ref{WorkspaceID: workspace, ID: uuid.Must(uuid.NewV7())}
	must(t, s.SetTrackingDomain(s.ctx, workspace, host, status))
	s.exec(t, `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status)
		VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 1, 'a@b.test', '', '', $3, 'sent')`,
		message.ID, workspace, "<"+message.ID.String()+"@x.test>")
	return workspace, message
}

func (s *queueStage) count(t *testing.T, what string, args ...any) (n int) {
	t.Helper()
	must(t, s.sql.QueryRow(s.ctx, "SELECT count(*) FROM "+what, args...).Scan(&n))
	return n
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func clickOn(message outreach.Ref, host, url string, at time.Time) hit.Click {
	return hit.Click{Message: message, Host: host, URL: url, Visitor: hit.Visitor{Agent: "Firefox", Address: "192.0.2.1", At: at}}
}

// clickFrom is a click of another client, which is not folded with the first one's.
func clickFrom(address string, click hit.Click) hit.Click {
	click.Address = address
	return click
}

var rule = hit.Rule{Now: noon.Add(time.Hour), Window: 2 * time.Second, Repeat: 10 * time.Second, Limit: 256}

func TestRecordClicksAnswersEachInItsPlace(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	_, a := s.trackedMessage(t, "a.test", outreach.TrackingDomainVerified)
	_, b := s.trackedMessage(t, "b.test:8080", outreach.TrackingDomainVerified)
	_, p := s.trackedMessage(t, "p.test", outreach.TrackingDomainPending)
	var clicks []hit.Click
	var want []bool
	for _, c := range []struct {
		message outreach.Ref
		host    string
		ok      bool
	}{
		{a, "a.test", true}, {a, "b.test:8080", false}, {b, "b.test:8080", true}, {b, "b.test", false}, {p, "p.test", false},
		{a, "a.test:443", true}, {outreach.Ref{WorkspaceID: a.WorkspaceID, ID: uuid.New()}, "a.test", false}, {a, "", false}, {a, "a.test", true},
	} {
		clicks, want = append(clicks, clickOn(c.message, c.host, "https://x.test/", noon)), append(want, c.ok)
	}
	got, err := s.RecordClicks(s.ctx, clicks)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := s.count(t, "hits"); n != 3 {
		t.Errorf("%d hits kept, want 3: the last click repeats the first", n)
	}
}

func TestManyJudgesRaiseEachEventOnce(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	workspace, _ := s.trackedMessage(t, "a.test", outreach.TrackingDomainVerified)
	const n = 100
	var clicks []hit.Click
	for i := range n {
		id := uuid.Must(uuid.NewV7())
		s.exec(t, `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status)
			SELECT $1, workspace_id, campaign_id, prospect_id, mailbox_id, gen_random_uuid(), 1, 1, recipient, '', '', $2,
				'sent' FROM messages WHERE workspace_id = $3 LIMIT 1`,
			id, "<"+id.String()+">", workspace)
		at := noon.Add(time.Duration(i) * time.Millisecond)
		clicks = append(clicks, clickOn(outreach.Ref{WorkspaceID: workspace, ID: id}, "a.test", "https://x.test/", at),
			clickFrom("192.0.2.2", clickOn(outreach.Ref{WorkspaceID: workspace, ID: id}, "a.test", "https://x.test/", at.Add(time.Second))))
	}
	_, err := s.RecordClicks(s.ctx, clicks)
	must(t, err)
	var total atomic.Int64
	var judges sync.WaitGroup
	for range 4 {
		judges.Go(func() {
			small := rule
			small.Limit = 7
			for total.Load() < 2*n {
				judged, err := s.JudgeClicks(s.ctx, small)
				if err != nil {
					t.Error(err)
					return
				}
				if judged > small.Limit {
					t.Errorf("judged %d at once, want at most %d", judged, small.Limit)
				}
				total.Add(int64(judged))
			}
		})
	}
	judges.Wait()
	if total.Load() != 2*n {
		t.Errorf("judged %d clicks, want %d", total.Load(), 2*n)
	}
	if got := s.count(t, "events WHERE type = 'clicked' AND workspace_id = $1", workspace); got != n {
		t.Errorf("%d events, want %d", got, n)
	}
	if got := s.count(t, "(SELECT DISTINCT metadata->>'messageId' FROM events) each"); got != n {
		t.Errorf("events of %d messages, want %d", got, n)
	}
}

func TestJudgementWaitsForItsTime(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	_, m := s.trackedMessage(t, "a.test", outreach.TrackingDomainVerified)
	_, err := s.RecordClicks(s.ctx, []hit.Click{clickOn(m, "a.test", "https://x.test/", noon)})
	must(t, err)
	for _, step := range []struct {
		name       string
		now, since time.Time
		judged     int
	}{
		{"too early", noon.Add(3*time.Second - time.Microsecond), time.Time{}, 0},
		{"older than what is looked at", noon.Add(time.Hour), noon.Add(time.Millisecond), 0},
		{"in time", noon.Add(3 * time.Second), noon, 1},
		{"done", noon.Add(3 * time.Second), time.Time{}, 0},
	} {
		judged, err := s.JudgeClicks(s.ctx,
			hit.Rule{Now: step.now, Since: step.since, Window: 2 * time.Second, Slack: time.Second, Repeat: 10 * time.Second, Limit: 10})
		must(t, err)
		if judged != step.judged {
			t.Errorf("%s: judged %d, want %d", step.name, judged, step.judged)
		}
	}
}

func TestPublicPagesOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	nobody := outreach.Ref{WorkspaceID: s.workspace(t), ID: uuid.New()}
	by := hit.Visitor{At: noon}
	_, shown := s.UnsubscribePage(s.ctx, nobody, "a.test")
	_, page := s.OfferPage(s.ctx, nobody, "a.test")
	for name, err := range map[string]error{
		"unsubscribe page": shown, "offer": page, "unsubscribe": s.Unsubscribe(s.ctx, nobody, by),
		"visit": s.RecordVisit(s.ctx, hit.Offer{ID: nobody.ID, WorkspaceID: nobody.WorkspaceID}, by, time.Second),
	} {
		if outreach.CodeOf(err) != outreach.CodeNotFound {
			t.Errorf("%s: %v, want not found", name, err)
		}
	}
	if n := s.count(t, "hits"); n != 0 {
		t.Errorf("%d hits of what is gone, want none", n)
	}
}

func TestTrackingHostTaken(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	mine, _ := s.trackedMessage(t, "verified.test", outreach.TrackingDomainVerified)
	other, _ := s.trackedMessage(t, "pending.test", outreach.TrackingDomainPending)
	for _, test := range []struct {
		workspace uuid.UUID
		host      string
		want      bool
	}{{other, "verified.test", true}, {mine, "verified.test", false}, {mine, "pending.test", false}, {mine, "free.test", false}} {
		got, err := s.TrackingHostTaken(s.ctx, test.workspace, test.host)
		must(t, err)
		if got != test.want {
			t.Errorf("%s taken: %v, want %v", test.host, got, test.want)
		}
	}
}
