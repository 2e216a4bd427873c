//go:build full

package demo

import (
	"bytes"
	"encoding/base64"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

const (
	// spamBound is the highest score that SpamAssassin's local tests may give to a mail
	// of the demo; its own bound for spam is 5.
	spamBound = 1.0
	// pixelCost is what the pixel adds. The form of a campaign names this number.
	pixelCost = 0.6
)

// The mails of the demo campaign, with tracked links and without the pixel, pass
// SpamAssassin's local tests, and the pixel costs as much as the application says. Tokens
// in links are the same in each run, because a random one may spell a word that
// SpamAssassin takes for spam ("ANDr0yd").
func TestSpamAssassin(t *testing.T) { //nolint:paralleltest // it sets the random bytes of the whole process
	cryptotest.SetGlobalRandom(t, 1)
	plain, pixel := demoMails(t, false), demoMails(t, true)
	with := spamVerdicts(t, pixel)
	for i, without := range spamVerdicts(t, plain) {
		if without.score > spamBound {
			t.Errorf("mail %d has %.1f points, want at most %.1f: %s\n%s", i, without.score, spamBound, without.tests, plain[i])
		}
		if cost := with[i].score - without.score; math.Abs(cost-pixelCost) > 0.05 {
			t.Errorf("the pixel costs mail %d %.1f points, want %.1f: %s, then %s", i, cost, pixelCost, without.tests, with[i].tests)
		}
	}
}

// demoMails returns every step of the demo campaign for every person of the demo.
func demoMails(t *testing.T, opens bool) (mails [][]byte) {
	t.Helper()
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	composer := &engine.Composer{BaseURL: "https://outreach.acme-sales.com", Keyring: ring}
	draft := outreach.Draft{Campaign: outreach.NewCampaign(), Mailbox: outreach.NewMailbox(), ThreadSubject: "The next quarter",
		TrackingHost: new("go.acme-sales.com"), Date: time.Now()}
	draft.Campaign.TrackClicks, draft.Campaign.TrackOpens = true, opens
	draft.Mailbox.WorkspaceID, draft.Mailbox.Email, draft.Mailbox.DisplayName = uuid.New(), "sam@acme-sales.com", new("Sam Demo")
	for _, person := range people {
		draft.Thread, draft.Prospect = nil, outreach.Prospect{Email: person.local + "@" + person.domain, FirstName: &person.first,
			LastName: &person.last, CompanyName: &person.company, CustomFields: object{"industry": person.industry}}
		for number, step := range steps {
			draft.ID, draft.Number = uuid.New(), number+1
			draft.Step = outreach.Step{Subject: text(step, "subject"), BodyHTML: text(step, "body_html")}
			composed, err := composer.Compose(t.Context(), draft)
			if err != nil {
				t.Fatal(err)
			}
			mails, draft.Thread = append(mails, composed.Raw), []string{composed.MessageID}
		}
	}
	return mails
}

// text returns a field of a JSON object that may be left out.
func text(o object, field string) *string {
	if s, ok := o[field].(string); ok {
		return &s
	}
	return nil
}

type spamVerdict struct {
	score float64
	tests string
}

var spamStatus = regexp.MustCompile(`(?s)X-Spam-Status: \w+, score=(\S+) required=\S+ tests=(.*?) autolearn`)

// spamVerdicts asks SpamAssassin about all mails at once, as the server files them
// that took each over TLS from the sender's.
func spamVerdicts(t *testing.T, mails [][]byte) (verdicts []spamVerdict) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"--local", "--nocreate-prefs", "--cf=use_bayes 0"}
	for i, raw := range mails {
		received := "Received: from mail.acme-sales.com (mail.acme-sales.com [93.184.216.34])\r\n" +
			"\tby mx.customer.example (Postfix) with ESMTPS id 4XqR2k0; " + time.Now().Format(time.RFC1123Z) + "\r\n"
		path := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(path, append([]byte(received), raw...), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	command := exec.CommandContext(t.Context(), "spamassassin", args...)
	command.Stderr = t.Output()
	said, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range spamStatus.FindAllSubmatch(said, -1) {
		score, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, spamVerdict{score, string(bytes.Join(bytes.Fields(found[2]), nil))})
	}
	if len(verdicts) != len(mails) {
		t.Fatalf("SpamAssassin judged %d of %d mails", len(verdicts), len(mails))
	}
	return verdicts
}
