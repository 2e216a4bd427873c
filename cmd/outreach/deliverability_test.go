package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"outreach"
	"outreach/internal/testkit"
	"outreach/sandbox"
)

// A sending domain appears with its first mailbox, is checked on demand, learns from a placement check
// whether its mail is signed, and goes with its last mailbox: all over REST.
func TestDeliverabilityOverREST(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	names, err := sandbox.StartNameServer(sandbox.SandboxZone)
	testkit.NoError(t, err)
	t.Cleanup(func() { _ = names.Close() })
	s.vars["OUTREACH_DNS_SERVERS"] = names.Addr()
	s.config, err = loadConfig(s.vars)
	testkit.NoError(t, err)
	s.start()

	box := s.connect(object{"provider": "google"}, sandbox.GoogleMailbox)
	domains := s.list("/sending_domains")
	if len(domains) != 1 || domains[0]["domain"] != "sandbox.test" {
		t.Fatalf("the sending domains are %v", domains)
	}
	path := "/sending_domains/" + domains[0]["id"].(string)
	result := func(domain object, record string) any { return domain[record].(object)["result"] }
	checked := s.call(http.StatusOK, http.MethodPost, path+"/check", nil)
	if checked["state"] != "passing" || result(checked, "spf") != "pass" || result(checked, "dmarc") != "pass" ||
		result(checked, "dkim") != "unknown" || checked["checked_at"] == nil || checked["failing_since"] != nil {
		t.Errorf("the domain is %v", checked)
	}

	account, err := s.mail.AddMailbox("ann@far.test", "a secret")
	testkit.NoError(t, err)
	server := func(m outreach.MailServer) object {
		return object{"host": m.Host, "port": m.Port, "username": m.Username, "password": m.Password, "security": m.Security}
	}
	to := s.call(http.StatusCreated, http.MethodPost, "/mailboxes",
		object{"email": account.Email, "smtp": server(account.SMTP), "imap": server(account.IMAP)})
	begun := s.call(http.StatusAccepted, http.MethodPost, "/mailboxes/"+box["id"].(string)+"/placement_check",
		object{"to_mailbox_id": to["id"]})
	var placed object
	s.eventually(time.Minute, "the mail is found", func() bool {
		placed = s.call(http.StatusOK, http.MethodGet, "/placement_checks/"+begun["id"].(string), nil)
		return placed["status"] != "waiting"
	})
	if placed["status"] != "arrived" || placed["folder"] != "inbox" || placed["authentication"].(object)["dkim"] != "pass" {
		t.Errorf("the check is %v", placed)
	}
	if domain := s.call(http.StatusOK, http.MethodGet, path, nil); result(domain, "dkim") != "pass" {
		t.Errorf("after the check the domain is %v", domain)
	}

	names.Remove("_dmarc.sandbox.test")
	failing := s.call(http.StatusOK, http.MethodPost, path+"/check", nil)
	detail, _ := failing["dmarc"].(object)["detail"].(string)
	if failing["state"] != "failing" || failing["failing_since"] == nil || !strings.Contains(detail, "Publish the TXT record") {
		t.Errorf("without a DMARC record the domain is %v", failing)
	}

	s.call(http.StatusNoContent, http.MethodDelete, "/mailboxes/"+box["id"].(string), nil)
	if left := s.list("/sending_domains"); len(left) != 1 || left[0]["domain"] != "far.test" {
		t.Errorf("after its last mailbox the domains are %v", left)
	}
}
