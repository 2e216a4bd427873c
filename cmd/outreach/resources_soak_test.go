//go:build soak

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"outreach/internal/testkit"
)

// An API process and a worker of the default build hold at most 60 MB each, a minute after they are ready and without
// requests.
func TestSoakResidentMemory(t *testing.T) {
	s := newStage(t)
	binary := filepath.Join(t.TempDir(), "outreach")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, said)
	}
	s.setIntervals("1m")
	delete(s.vars, "OUTREACH_DATABASE_CONNECTIONS")
	processes := map[string]*process{"api": s.spawnAs(binary, "api", t.Output()), "worker": s.spawnAs(binary, "worker", t.Output())}
	s.untilReady()
	<-time.After(time.Minute)
	for role, p := range processes {
		resident := residentMemory(t, p.command.Process.Pid)
		t.Logf("%s: VmRSS %.1f MB (bound: 60 MB), of which %s", role, resident, kindsOf(t, p.command.Process.Pid))
		if resident > 60 {
			t.Errorf("%s: VmRSS %.1f MB, want 60 MB at most", role, resident)
		}
	}
}

var vmRSS = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentMemory returns VmRSS of a process in megabytes.
func residentMemory(t *testing.T, pid int) float64 {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	testkit.NoError(t, err)
	kilobytes, err := strconv.Atoi(string(vmRSS.FindSubmatch(status)[1]))
	testkit.NoError(t, err)
	return float64(kilobytes) / 1000
}

var rssKinds = regexp.MustCompile(`Rss(?:Anon|File):\s+\d+ kB`)

// kindsOf returns how much of the resident memory of a process is its own, and how much is of files.
func kindsOf(t *testing.T, pid int) string {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	testkit.NoError(t, err)
	return strings.Join(rssKinds.FindAllString(string(status), -1), ", ")
}

const millionQueued = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at)
SELECT uuid_v7(), '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', 'sent', gen_random_uuid(), 'sent',
	'https://host.test/', 'host.test', '{}', now() + interval '1 day' FROM generate_series(1, 1000000);
ANALYZE deliveries`

// A scrape of /metrics takes at most 20 ms with 1,000,000 deliveries queued.
func TestSoakScrape(t *testing.T) {
	s := newStage(t)
	s.sql(millionQueued)
	s.vars["OUTREACH_METRICS_ADDR"] = testkit.ReserveAddr(t)
	s.spawn("api")
	s.untilReady()
	var took []time.Duration
	for range 21 { // more than a minute: the count of the queue is renewed each 15 s
		began := time.Now()
		response, err := http.Get("http://" + s.vars["OUTREACH_METRICS_ADDR"] + "/metrics")
		testkit.NoError(t, err)
		text, err := io.ReadAll(response.Body)
		testkit.NoError(t, err)
		testkit.NoError(t, response.Body.Close())
		took = append(took, time.Since(began))
		if !regexp.MustCompile(`(?m)^outreach_webhook_queued 100000$`).Match(text) {
			t.Fatalf("the queue is not counted:\n%s", text)
		}
		<-time.After(3 * time.Second)
	}
	first := took[0]
	slices.Sort(took)
	median, slowest := took[len(took)/2], took[len(took)-1]
	t.Logf("a scrape: first %s, median %s, slowest %s (bound: 20 ms)", first, median, slowest)
	if median > 20*time.Millisecond {
		t.Errorf("a scrape takes %s, want 20 ms at most", median)
	}
}
