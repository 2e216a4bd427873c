package outbox

import (
	"encoding/base64"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/jobs/queue"
	"outreach/storage"
)

// A task that was refused because its delivery was not due, and is by the time
// that it is judged, must not be taken for one that is not needed any more: it would
// be dropped, and its delivery would wait for the end of its hand-out.
func TestTaskThatFellDueAfterItWasRefusedAsksAgain(t *testing.T) {
	t.Parallel()
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	db, err := storage.Open(t.Context(),
		storage.Config{URL: testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}), Keyring: ring})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	o := New(db, nil)
	var task queue.Handed
	err = db.Pool().QueryRow(t.Context(), `
		WITH w AS (INSERT INTO workspaces (id, name) VALUES (uuid_v7(), 'w') RETURNING id),
		s AS (INSERT INTO subscriptions (id, workspace_id, url, events, secret)
			SELECT uuid_v7(), id, 'https://a.test', '{sent}', '' FROM w RETURNING id, workspace_id)
		INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
			generation, next_attempt_at)
		SELECT uuid_v7(), workspace_id, id, 'sent', id, 'sent', 'https://a.test', 'a.test', '{}', 7, now() FROM s
		RETURNING workspace_id, id, generation`).Scan(&task.WorkspaceID, &task.ID, &task.Generation)
	if err != nil {
		t.Fatal(err)
	}
	var judged queue.Attempt
	if err := o.judge(t.Context(), []queue.Handed{task}, func(uuid.UUID) *queue.Attempt { return &judged }); err != nil {
		t.Fatal(err)
	}
	if judged.Verdict != queue.Early || judged.Wait != 0 {
		t.Errorf("it is %s, to wait for %s", judged.Verdict, judged.Wait)
	}
}
