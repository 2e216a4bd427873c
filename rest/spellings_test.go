package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/tracking/hit"
)

// An address or a domain is the same in each of its spellings, in every call. Each test takes all
// pairs of them: a call uses the first, and the next one asks by the second.

// spelledDomains are spellings of one domain: case, Unicode in NFC and NFD, ASCII form,
// full-width letters and dots, the dot of the root.
var spelledDomains = []string{
	"zürich.example", "ZÜRICH.Example", "zu\u0308rich.example", "xn--zrich-kva.example", "XN--ZRICH-KVA.EXAMPLE",
	"zürich。example", "ｚürich.example.", "xn--zrich-kva.example.",
}

// spelledAddresses are spellings of one address there; the last has blanks around it.
func spelledAddresses() (all []string) {
	locals := []string{"jürgen", "JÜRGEN", "ju\u0308rgen", "Jürgen"}
	for i, domain := range spelledDomains {
		all = append(all, locals[i%len(locals)]+"@"+domain)
	}
	return append(all, " jürgen@zürich.example\t")
}

// speller is a workspace of its own for each pair.
type speller struct {
	*stage
	ws       uuid.UUID
	box      outreach.Mailbox
	campaign string
	queries  *graph.Executor
}

func (s *stage) speller(queries *graph.Executor) *speller {
	s.t.Helper()
	w := &speller{stage: s, ws: s.workspace(), queries: queries}
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email, box.MinGapSeconds = w.ws, "me@acme.example", 0
	server := outreach.MailServer{Host: "mail.example", Port: 465, Username: "u", Password: "p", Security: outreach.SecurityTLS}
	box.SMTP, box.IMAP = server, server
	var err error
	w.box, err = s.db.CreateMailbox(s.t.Context(), box)
	must(s.t, err)
	w.campaign = w.running()
	return w
}

// running makes an active campaign of two steps.
func (w *speller) running() string {
	w.t.Helper()
	id := w.made("/campaigns", map[string]any{"name": "C", "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59",
		"mailbox_ids": []any{w.box.ID}, "steps": []any{map[string]any{"subject": "S", "body_text": "Hello there, this is a line"},
			map[string]any{"delay_minutes": 60, "body_text": "Once more"}}})
	w.ask(http.StatusOK, http.MethodPost, "/campaigns/"+id+"/activate", nil)
	return id
}

// ask calls the API and fails unless it answers with a status.
func (w *speller) ask(status int, method, target string, body any) map[string]any {
	w.t.Helper()
	text := ""
	if body != nil {
		raw, err := json.Marshal(body)
		must(w.t, err)
		text = string(raw)
	}
	answer := w.call(w.handler, w.ws, method, target, text)
	if answer.Code != status {
		w.t.Fatalf("%s %s %s: %d %s, want %d", method, target, text, answer.Code, answer.Body, status)
	}
	var out map[string]any
	must(w.t, json.Unmarshal(answer.Body.Bytes(), &out))
	return out
}

func (w *speller) made(target string, body any) string {
	w.t.Helper()
	return w.ask(http.StatusCreated, http.MethodPost, target, body)["id"].(string)
}

// finds fails unless a list of REST and its query find exactly one row by a filter: id.
func (w *speller) finds(list, filter, value, id string) {
	w.t.Helper()
	page := w.ask(http.StatusOK, http.MethodGet, "/"+list+"?"+url.Values{filter: {value}}.Encode(), nil)
	ctx := outreach.WithActor(w.t.Context(), outreach.Actor{WorkspaceID: w.ws})
	if rows := page["data"].([]any); len(rows) != 1 || rows[0].(map[string]any)["id"] != id {
		w.t.Errorf("GET /%s?%s=%q finds %v, want %s", list, filter, value, rows, id)
	}
	want := fmt.Sprintf(`{"%s":{"nodes":[{"id":"%s"}]}}`, list, id)
	if found := ask(ctx, w.queries, list+" by "+filter, map[string]any{"v": value}); found != want {
		w.t.Errorf("%s(%s: %q) finds %s, want %s", list, filter, value, found, want)
	}
}

// refused fails unless a person cannot be enrolled, for a reason.
func (w *speller) refused(campaign, email, code string) {
	w.t.Helper()
	problem := w.ask(http.StatusConflict, http.MethodPost, "/enrollments",
		map[string]any{"campaign_id": campaign, "prospect": map[string]any{"email": email}})
	if problem["code"] != code {
		w.t.Errorf("%q is refused with %v, want %s", email, problem["code"], code)
	}
}

// sent enrolls a person and sends the first step. It returns the prospect.
func (w *speller) sent(email string) (prospect string, out *outreach.Outgoing) {
	w.t.Helper()
	enrolled := w.ask(http.StatusCreated, http.MethodPost, "/enrollments",
		map[string]any{"campaign_id": w.campaign, "prospect": map[string]any{"email": email}})
	out, err := w.db.ClaimSend(w.t.Context(), w.box, "me", func(d outreach.Draft) (outreach.Composed, error) {
		return outreach.Composed{MessageID: "<" + d.ID.String() + "@test>", Subject: "S", Text: *d.Step.BodyText,
			Raw: []byte("raw"), Root: true}, nil
	})
	must(w.t, err)
	must(w.t, w.db.CommitMessage(w.t.Context(), out.Ref(), "me"))
	must(w.t, w.db.SettleMessage(w.t.Context(), out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	return enrolled["prospect"].(map[string]any)["id"].(string), out
}

// arrives ingests a mail.
func (w *speller) arrives(in outreach.Received) {
	w.t.Helper()
	in.Key, in.Subject = uuid.NewString(), new(string)
	*in.Subject = "Re"
	_, err := w.db.Ingest(w.t.Context(), w.box, []outreach.Received{in}, outreach.FolderPosition{Folder: "inbox", UIDValidity: 1, UID: 1})
	must(w.t, err)
}

// status fails unless a prospect has a status.
func (w *speller) status(prospect, want string) {
	w.t.Helper()
	if got := w.ask(http.StatusOK, http.MethodGet, "/prospects/"+prospect, nil)["status"]; got != want {
		w.t.Errorf("the prospect is %v, want %s", got, want)
	}
}

// everyPair runs a check for each ordered pair of spellings, in a workspace of its own.
func everyPair(t *testing.T, spellings []string, check func(w *speller, one, other string)) {
	t.Helper()
	house := newStage(t)
	documents := map[string]string{}
	for _, list := range []string{"prospects.email", "suppressions.email", "suppressions.domain"} {
		name, filter, _ := strings.Cut(list, ".")
		documents[name+" by "+filter] = fmt.Sprintf(`query q($v: String) { %s(%s: $v) { nodes { id } } }`, name, filter)
	}
	queries, err := graph.NewExecutor(house.executable, documents)
	must(t, err)
	for _, one := range spellings {
		for _, other := range spellings {
			t.Run(fmt.Sprintf("%q and %q", one, other), func(t *testing.T) {
				t.Parallel()
				own := *house
				own.t, own.bearers = t, map[uuid.UUID]string{}
				check(own.speller(queries), one, other)
			})
		}
	}
}

func TestSpellingsOfProspects(t *testing.T) {
	t.Parallel()
	everyPair(t, spelledAddresses(), func(w *speller, one, other string) {
		id := w.made("/prospects", map[string]any{"email": one})
		if there := w.ask(http.StatusConflict, http.MethodPost, "/prospects", map[string]any{"email": other}); there["prospect_id"] != id {
			w.t.Errorf("409 names %v, want %s", there["prospect_id"], id)
		}
		bulk := w.ask(http.StatusOK, http.MethodPost, "/prospects/bulk", map[string]any{"prospects": []any{map[string]any{"email": other}}})
		if row := bulk["results"].([]any)[0].(map[string]any); row["outcome"] != "skipped" || row["prospect_id"] != id {
			w.t.Errorf("bulk answers %v", row)
		}
		w.finds("prospects", "email", other, id)
		shown := w.ask(http.StatusOK, http.MethodGet, "/prospects/"+id, nil)["email"]
		if shown != strings.TrimSpace(one) {
			w.t.Errorf("%q is shown as %q", one, shown)
		}
	})
}

func TestSpellingsOfSuppressions(t *testing.T) {
	t.Parallel()
	everyPair(t, spelledAddresses(), func(w *speller, one, other string) {
		id := w.made("/suppressions", map[string]any{"email": one})
		if again := w.ask(http.StatusOK, http.MethodPost, "/suppressions", map[string]any{"email": other}); again["id"] != id {
			w.t.Errorf("%q is suppressed once more, as %v", other, again["id"])
		}
		w.finds("suppressions", "email", other, id)
		w.refused(w.campaign, other, "prospect_suppressed")
	})
}

// A suppressed domain covers its subdomains, not its neighbours and not what is above it.
func TestSpellingsOfSuppressedDomains(t *testing.T) {
	t.Parallel()
	everyPair(t, append(spelledDomains, " @zürich.example "), func(w *speller, one, other string) {
		id := w.made("/suppressions", map[string]any{"domain": one})
		if again := w.ask(http.StatusOK, http.MethodPost, "/suppressions", map[string]any{"domain": other}); again["id"] != id {
			w.t.Errorf("%q is suppressed once more, as %v", other, again["id"])
		}
		w.finds("suppressions", "domain", other, id)
		bare := strings.Trim(other, " @")
		for _, domain := range []string{bare, "mail." + bare, "a.B.c." + bare, "büro。" + bare} {
			w.refused(w.campaign, "ann@"+domain, "prospect_suppressed")
		}
		for _, domain := range []string{"x" + bare, "mail.example", "zürich.example.com"} {
			w.ask(http.StatusCreated, http.MethodPost, "/enrollments",
				map[string]any{"campaign_id": w.campaign, "prospect": map[string]any{"email": "ann@" + domain}})
		}
	})
}

// What was suppressed before it was enrolled, and what is suppressed afterwards, stops it.
func TestSpellingsStopWhoIsEnrolled(t *testing.T) {
	t.Parallel()
	everyPair(t, spelledDomains, func(w *speller, one, other string) {
		for _, target := range []map[string]any{{"email": "ann@" + other}, {"domain": other}} {
			enrolled := w.ask(http.StatusCreated, http.MethodPost, "/enrollments",
				map[string]any{"campaign_id": w.running(), "prospect": map[string]any{"email": "ann@" + one}})
			suppression := w.made("/suppressions", target)
			id := enrolled["enrollment"].(map[string]any)["id"].(string)
			if now := w.ask(http.StatusOK, http.MethodGet, "/enrollments/"+id, nil); now["status"] != "stopped" {
				w.t.Errorf("after %v %q is %v", target, one, now["status"])
			}
			w.call(w.handler, w.ws, http.MethodDelete, "/suppressions/"+suppression, "")
		}
	})
}

func TestSpellingsOfUnsubscribes(t *testing.T) {
	t.Parallel()
	everyPair(t, spelledAddresses(), func(w *speller, one, other string) {
		prospect, out := w.sent(one)
		must(w.t, w.db.Unsubscribe(w.t.Context(), out.Ref(), hit.Visitor{At: time.Now()}))
		w.status(prospect, "unsubscribed")
		w.refused(w.running(), other, "prospect_unsubscribed")
		w.call(w.handler, w.ws, http.MethodDelete, "/prospects/"+prospect, "")
		w.refused(w.running(), other, "prospect_unsubscribed")
	})
}

// A reply counts by its sender's address, with and without the id of our message. That
// the address replied outlives its prospect.
func TestSpellingsOfReplies(t *testing.T) {
	t.Parallel()
	everyPair(t, spelledAddresses(), func(w *speller, one, other string) {
		prospect, _ := w.sent(one)
		w.arrives(outreach.Received{Kind: outreach.ReceivedReply, From: strings.TrimSpace(other), Text: "words"})
		w.status(prospect, "replied")
		if replies := w.ask(http.StatusOK, http.MethodGet, "/replies?prospect_id="+prospect, nil)["data"].([]any); len(replies) != 1 {
			w.t.Errorf("%d replies are matched, want 1", len(replies))
		}
		w.call(w.handler, w.ws, http.MethodDelete, "/prospects/"+prospect, "")
		w.refused(w.running(), other, "prospect_replied")
	})
}

// A report names the recipient in any spelling, beside one of our ids or vouched for.
func TestSpellingsOfReports(t *testing.T) {
	t.Parallel()
	everyPair(t, spelledAddresses(), func(w *speller, one, other string) {
		report := outreach.Received{Kind: outreach.ReceivedBounce, From: "mailer-daemon@acme.example", Bounces: []outreach.Bounce{
			{Address: strings.TrimSpace(other), Fault: outreach.FaultRecipient, Error: "550 5.1.1 unknown", Vouched: true}}}
		prospect, _ := w.sent(one)
		report.Shown = "> Hello there, this is a line\n"
		w.arrives(report)
		w.status(prospect, "bounced")
		w.refused(w.running(), other, "prospect_bounced")
	})
	everyPair(t, spelledAddresses(), func(w *speller, one, other string) {
		prospect, out := w.sent(one)
		w.arrives(outreach.Received{Kind: outreach.ReceivedBounce, From: "mailer-daemon@acme.example", References: []string{out.MessageID},
			Bounces: []outreach.Bounce{{Address: strings.TrimSpace(other), Fault: outreach.FaultRecipient, Error: "550 5.1.1 unknown"}}})
		w.status(prospect, "bounced")
		w.call(w.handler, w.ws, http.MethodDelete, "/prospects/"+prospect, "")
		w.refused(w.running(), other, "prospect_bounced")
	})
}
