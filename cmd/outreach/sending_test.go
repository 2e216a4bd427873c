package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"outreach/internal/testkit"
)

// Sending is turned off and on in a service that runs. Meanwhile /readyz, the campaign
// and the application say why nothing leaves, and the metric tells that it does not.
func TestSendingCommand(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	testkit.Equal(t, "status", s.shell(t, "sending", "status", "--json"), map[string]string{"sending": "on"})
	off := s.shell(t, "sending", "off", "--json")
	if off["sending"] != "off" || off["reason"] == "" || off["since"] == "" {
		t.Errorf("sending off printed %v", off)
	}
	s.config.MetricsAddr = testkit.ReserveAddr(t)
	s.start()
	gauge := func(value string) {
		t.Helper()
		s.eventually(time.Minute, "the metric is "+value, func() bool {
			return strings.Contains(get(t, "http://"+s.config.MetricsAddr+"/metrics"), "\noutreach_sending_off "+value+"\n")
		})
	}
	campaign, _ := s.slice()
	s.enrollUntilThere(campaign, "ada@customer.example")
	s.eventually(time.Minute, "/readyz says that sending is off", func() bool {
		status, text := readiness(t, s.base)
		return status == http.StatusOK && strings.Contains(text, "outreach sending on")
	})
	reason, _ := s.call(http.StatusOK, http.MethodGet, "/campaigns/"+campaign, nil)["not_sending_reason"].(string)
	if !strings.Contains(reason, "outreach sending on") {
		t.Errorf("not_sending_reason is %q", reason)
	}
	if answer := s.signedIn(`{ sendingOff }`); !strings.Contains(toText(answer), "outreach sending on") {
		t.Errorf("the application is told %v", answer)
	}
	s.eventually(time.Minute, "the log says that sending is off", func() bool {
		return strings.Contains(s.log.String(), `"to_go_on":"outreach sending on"`)
	})
	gauge("1")
	if n := len(s.mail.Received()); n > 0 {
		t.Errorf("%d mails left while sending is off", n)
	}
	testkit.Equal(t, "on", s.shell(t, "sending", "on", "--json"), map[string]string{"sending": "on"})
	s.eventually(time.Minute, "the mail leaves", func() bool { return len(s.mail.Received()) == 1 })
	gauge("0")
}

// signedIn asks GraphQL as the owner of the workspace.
func (s *stage) signedIn(query string) any {
	s.t.Helper()
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	var answer any
	for _, ask := range []string{`mutation { signIn(email: "` + s.email + `", password: "` + s.password + `") { id } }`, query} {
		text, err := json.Marshal(object{"query": ask})
		testkit.NoError(s.t, err)
		response, err := browser.Post(s.base+"/graphql", "application/json", bytes.NewReader(text))
		testkit.NoError(s.t, err)
		testkit.NoError(s.t, json.NewDecoder(response.Body).Decode(&answer))
		testkit.NoError(s.t, response.Body.Close())
	}
	return answer
}
