//go:build full

package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"outreach/devstack/testdb"
	"outreach/internal/testkit"
)

// The service runs on a Redis Cluster: mail leaves and is counted there, a webhook arrives,
// requests are limited, the dashboard lists the queues. No command asks for keys of two
// slots.
func TestSliceOnRedisCluster(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.vars["REDIS_URL"], s.vars["OUTREACH_RATE_LIMIT"] = testdb.RedisCluster(t).URL, "100000"
	s.vars["OUTREACH_LOG_LEVEL"] = "debug"
	var err error
	s.config, err = loadConfig(s.vars)
	testkit.NoError(t, err)
	s.start()
	campaign, _ := s.slice()
	s.enrollUntilThere(campaign, "ada@customer.example")
	s.eventually(time.Minute, "a webhook arrives", func() bool { return len(s.receiver.Received()) == 1 })
	prospect := s.list("/prospects")[0]["id"].(string)
	s.checkLists(prospect, s.receiver.Received()[0].DeliveryID)
	s.checkGraphQL(prospect)
	s.eventually(time.Minute, "the ledger's count is kept", func() bool { return s.marks() == 1 })
	if status, text := readiness(t, s.base); status != http.StatusOK || !strings.Contains(text, `"redis":"ok"`) {
		t.Errorf("/readyz answers %d: %s", status, text)
	}
	for _, fault := range []string{"CROSSSLOT", "MOVED", "Redis does not answer", "in Redis could not", "were not announced"} {
		if strings.Contains(s.log.String(), fault) {
			t.Errorf("the log says %q", fault)
		}
	}
}
