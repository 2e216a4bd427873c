//go:build full

package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"outreach/internal/testkit"
)

// haproxy is a HAProxy in front of API processes. It asks each for /readyz every second,
// and repeats no request.
type haproxy struct {
	s     *stage
	base  string
	stats string
}

func startHAProxy(s *stage, backends ...string) *haproxy {
	t := s.t
	t.Helper()
	front, stats := testkit.ReserveAddr(t), testkit.ReserveAddr(t)
	text := fmt.Sprintf(`defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 90s
  timeout server 90s
  timeout check 5s
frontend stats
  bind %s
  stats enable
  stats uri /stats
frontend front
  bind %s
  default_backend api
backend api
  balance roundrobin
  http-reuse always
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 2
`, stats, front)
	for i, backend := range backends {
		text += fmt.Sprintf("  server api%d %s\n", i, backend)
	}
	config := filepath.Join(t.TempDir(), "haproxy.cfg")
	testkit.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	// Debian puts it where only root looks.
	command := exec.CommandContext(context.WithoutCancel(t.Context()), "/usr/sbin/haproxy", "-db", "-f", config)
	command.Stdout, command.Stderr = t.Output(), t.Output()
	testkit.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	return &haproxy{s, "http://" + front, "http://" + stats + "/stats;csv"}
}

// rows returns the statistics of the backend and its servers by their names.
func (h *haproxy) rows() map[string]map[string]string {
	response, err := http.Get(h.stats)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	lines, err := csv.NewReader(response.Body).ReadAll()
	testkit.NoError(h.s.t, err)
	found := map[string]map[string]string{}
	for _, line := range lines[1:] {
		if line[0] != "api" {
			continue
		}
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		found[line[1]] = row
	}
	return found
}

// untilUp waits until HAProxy sends requests to a server.
func (h *haproxy) untilUp(server int) {
	h.s.t.Helper()
	h.s.eventually(time.Minute, fmt.Sprintf("HAProxy has found api%d ready", server), func() bool {
		return h.rows()[fmt.Sprintf("api%d", server)]["status"] == "UP"
	})
}

// failures returns what HAProxy itself counted as failed: connections, answers, repeated
// requests and answers of 500 and above.
func (h *haproxy) failures() (total int, counted string) {
	h.s.t.Helper()
	row := h.rows()["BACKEND"]
	for _, name := range []string{"econ", "eresp", "wretr", "wredis", "hrsp_5xx"} {
		n, err := strconv.Atoi(row[name])
		testkit.NoError(h.s.t, err)
		total += n
		counted += fmt.Sprintf("%s %d, ", name, n)
	}
	return total, counted + "requests " + row["req_tot"]
}
