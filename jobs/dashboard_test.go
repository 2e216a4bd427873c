package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"outreach/devstack/testdb"
	"outreach/internal/sparselog"
)

func newBoard(t *testing.T) (*Board, *asynq.Client) {
	t.Helper()
	options, err := ParseRedis(testdb.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	board, client := Dashboard(options), asynq.NewClient(options)
	t.Cleanup(func() { board.Close(); client.Close() })
	return board, client
}

func (b *Board) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "https://outreach.test"+path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w
}

// The page, at every address of the application, loads nothing from elsewhere,
// and its policy lets exactly its own scripts run.
func TestDashboardPageKeepsItsPolicy(t *testing.T) {
	t.Parallel()
	board, _ := newBoard(t)
	nonces := map[string]bool{}
	for _, path := range []string{"/ops/queues", "/ops/queues/", "/ops/queues/queues/webhooks", "/ops/queues/servers"} {
		w := board.ask("GET", path)
		page, policy := w.Body.String(), w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Fatalf("%s: %d %s", path, w.Code, w.Header())
		}
		if foreign := regexp.MustCompile(`(?:src|href)="(?:https?:)?//[^"]*"`).FindAllString(page, -1); foreign != nil {
			t.Errorf("%s loads %v", path, foreign)
		}
		match := regexp.MustCompile(`script-src 'self' 'nonce-([\w-]+)';`).FindStringSubmatch(policy)
		if match == nil || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") ||
			!strings.Contains(policy, "frame-ancestors 'none'") {
			t.Fatalf("%s has policy %q", path, policy)
		}
		nonces[match[1]] = true
		if !strings.Contains(page, `rel="manifest" crossorigin="use-credentials"`) {
			t.Errorf("%s: the manifest is fetched without the session", path)
		}
		scripts := regexp.MustCompile(`<script[^>]*>`).FindAllString(page, -1)
		for _, script := range scripts {
			if !strings.Contains(script, `nonce="`+match[1]+`"`) && !strings.Contains(script, `src="/ops/queues/`) {
				t.Errorf("%s: %s would not run", path, script)
			}
		}
		if len(scripts) < 3 || !strings.Contains(page, `<meta property="csp-nonce" content="`+match[1]+`"/>`) {
			t.Errorf("%s has %d scripts, or does not tell its nonce", path, len(scripts))
		}
	}
	if len(nonces) != 4 {
		t.Errorf("nonces repeat: %v", nonces)
	}
}

// What the page names is there, with a type that nosniff lets pass.
func TestDashboardServesItsFiles(t *testing.T) {
	t.Parallel()
	board, _ := newBoard(t)
	page := board.ask("GET", "/ops/queues").Body.String()
	files := regexp.MustCompile(`(?:src|href)="(/ops/queues/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(files) < 5 {
		t.Fatalf("the page names %d files", len(files))
	}
	for _, file := range files {
		w := board.ask("GET", file[1])
		kind := w.Header().Get("Content-Type")
		if w.Code != http.StatusOK || strings.HasPrefix(kind, "text/html") || strings.HasSuffix(file[1], ".js") &&
			!strings.Contains(kind, "javascript") {
			t.Errorf("%s: %d %s", file[1], w.Code, kind)
		}
	}
}

func TestDashboardShowsTheQueueAndGuardsIt(t *testing.T) {
	t.Parallel()
	board, client := newBoard(t)
	_, err := client.Enqueue(asynq.NewTask(TypeDeliver, []byte(`{}`)), asynq.Queue(Queue), asynq.TaskID("one"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Queues []struct {
			Queue   string `json:"queue"`
			Pending int    `json:"pending"`
		} `json:"queues"`
	}
	w := board.ask("GET", "/ops/queues/api/queues")
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Queues) != 1 ||
		answer.Queues[0].Queue != Queue || answer.Queues[0].Pending != 1 {
		t.Fatalf("queues: %s, %v", w.Body, err)
	}
	task := "/ops/queues/api/queues/webhooks/pending_tasks/one"
	if w := board.ask("DELETE", task, "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site's write: %d", w.Code)
	}
	if w := board.ask("DELETE", task, "Origin", "https://evil.test"); w.Code != http.StatusForbidden {
		t.Errorf("another origin's write: %d", w.Code)
	}
	if w := board.ask("DELETE", task, "Sec-Fetch-Site", "same-origin"); w.Code/100 != 2 {
		t.Errorf("the page's own write: %d %s", w.Code, w.Body)
	}
}

// What failed for the last time stays a day for operators to see; what they
// archived themselves is theirs.
func TestArchiveIsCleared(t *testing.T) {
	t.Parallel()
	options, err := ParseRedis(testdb.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	client, inspector := asynq.NewClient(options), asynq.NewInspector(options)
	defer client.Close()
	defer inspector.Close()
	clear := func(before time.Time, want int) {
		t.Helper()
		if n, err := clearArchive(inspector, Queue, before); n != want || err != nil {
			t.Errorf("cleared %d, %v, want %d", n, err, want)
		}
	}
	clear(time.Now(), 0) // there is no queue yet
	enqueue := func(id string) {
		t.Helper()
		if _, err := client.Enqueue(asynq.NewTask(TypeDeliver, nil), asynq.Queue(Queue), asynq.TaskID(id), asynq.MaxRetry(0)); err != nil {
			t.Fatal(err)
		}
	}
	enqueue("by hand")
	if err := inspector.ArchiveTask(Queue, "by hand"); err != nil {
		t.Fatal(err)
	}
	archiveByFailing(t, options, inspector, func() { enqueue("a"); enqueue("b") })
	clear(time.Now().Add(-archiveAge), 0)
	clear(time.Now().Add(time.Minute), 2)
	left, err := inspector.ListArchivedTasks(Queue)
	if err != nil || len(left) != 1 || left[0].ID != "by hand" {
		t.Errorf("left %v, %v", left, err)
	}
}

// archiveByFailing runs a server whose handler fails what enqueue brings.
func archiveByFailing(t *testing.T, options asynq.RedisConnOpt, inspector *asynq.Inspector, enqueue func()) {
	t.Helper()
	quiet := asynqLogger{log: silent, away: sparselog.New(silent)}
	server := asynq.NewServer(options, asynq.Config{Queues: map[string]int{Queue: 1}, Logger: quiet})
	fail := func(context.Context, *asynq.Task) error { return errors.New("no") }
	enqueue()
	if err := server.Start(asynq.HandlerFunc(fail)); err != nil {
		t.Fatal(err)
	}
	defer server.Shutdown()
	for end := time.Now().Add(deadline); ; time.Sleep(10 * time.Millisecond) {
		info, err := inspector.GetQueueInfo(Queue)
		if err != nil || time.Now().After(end) {
			t.Fatalf("not archived in time: %v", err)
		}
		if info.Archived == 3 {
			return
		}
	}
}
