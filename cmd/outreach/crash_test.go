package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// process is one start of the real program, to be killed.
type process struct {
	command *exec.Cmd
	ended   chan struct{}
}

func (s *stage) spawn(roles string) *process { return s.spawnLogging(roles, s.t.Output()) }

func (s *stage) spawnLogging(roles string, log io.Writer) *process {
	s.t.Helper()
	return s.spawnAs(os.Args[0], roles, log)
}

// spawnAs starts another binary of the program.
func (s *stage) spawnAs(binary, roles string, log io.Writer) *process {
	s.t.Helper()
	command := exec.CommandContext(context.Background(), binary, "serve", "--roles", roles)
	command.Env = append(os.Environ(), asProgram+"=1")
	for name, value := range s.vars {
		if roles == "worker" && name == "OUTREACH_ADDR" {
			value = "127.0.0.1:0"
		}
		command.Env = append(command.Env, name+"="+value)
	}
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		s.t.Fatal(err)
	}
	p := &process{command, make(chan struct{})}
	go func() { _ = command.Wait(); close(p.ended) }()
	s.t.Cleanup(p.kill)
	return p
}

// kill is SIGKILL: nothing is drained, nothing is said.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// Worker and API are killed again and again at random instants while prospects
// are enrolled. In the end no person got two mails, and none got no mail unless their
// message says unknown, and each sent event was delivered under one id.
func TestKilledAtAnyPoint(t *testing.T) {
	t.Parallel()
	killAtRandom(t, 4, 24)
}

func killAtRandom(t *testing.T, rounds, people int) {
	s := newStage(t)
	api, worker := s.spawn("api"), s.spawn("worker")
	s.untilReady()
	campaign, _ := s.slice()
	for round := range rounds {
		for i := range people / rounds {
			s.enrollUntilThere(campaign, fmt.Sprintf("p%d.%d@customer.example", round, i))
			if i == people/rounds/2 {
				api.kill()
				api = s.spawn("api")
			}
		}
		<-time.After(rand.N(1500 * time.Millisecond))
		worker.kill()
		worker = s.spawn("worker")
	}
	s.untilReady()
	s.checkNothingLost(people)
}

// enrollUntilThere repeats the call while the API is down: enrolling twice is
// enrolling once.
func (s *stage) enrollUntilThere(campaign, email string) {
	s.t.Helper()
	s.eventually(30*time.Second, "enrolled "+email, func() bool {
		status, _, err := s.try(http.MethodPost, "/enrollments", object{"campaign_id": campaign, "prospect": object{"email": email}})
		return err == nil && (status == http.StatusCreated || status == http.StatusOK)
	})
}

// checkNothingLost waits for the dust to settle and counts.
func (s *stage) checkNothingLost(people int) {
	s.t.Helper()
	var sent, unknown int
	s.eventually(100*time.Second, "every message and delivery is settled", func() bool {
		sent, unknown = len(s.list("/messages?status=sent&limit=100")), len(s.list("/messages?status=unknown&limit=100"))
		return sent+unknown == people && len(s.list("/deliveries?status=delivered&limit=100")) == sent
	})
	mails := map[string]int{}
	for _, message := range s.mail.Received() {
		mails[message.To]++
	}
	for to, n := range mails {
		if n > 1 {
			s.t.Errorf("%s got %d mails", to, n)
		}
	}
	for _, row := range s.list("/messages?status=sent&limit=100") {
		if id := row["message_id"]; id == nil {
			s.t.Errorf("a sent message has no id: %v", row)
		}
	}
	if len(mails) < sent || len(mails) > sent+unknown {
		s.t.Errorf("%d people got mail, %d messages are sent and %d unknown", len(mails), sent, unknown)
	}
	s.checkHooks(sent)
	s.t.Logf("%d sent, %d unknown, %d webhooks for %d deliveries", sent, unknown, len(s.receiver.Received()), sent)
}

func (s *stage) checkHooks(sent int) {
	s.t.Helper()
	bodies := map[string]string{}
	for _, hook := range s.receiver.Received() {
		if !hook.SignatureValid {
			s.t.Errorf("a signature is not valid: %s", hook.SignatureError)
		}
		if body, seen := bodies[hook.DeliveryID]; seen && body != hook.Body {
			s.t.Errorf("delivery %s came with two bodies", hook.DeliveryID)
		}
		bodies[hook.DeliveryID] = hook.Body
	}
	if len(bodies) != sent {
		s.t.Errorf("%d deliveries arrived for %d sent messages", len(bodies), sent)
	}
}
