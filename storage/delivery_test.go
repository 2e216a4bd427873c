package storage_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Body, URL and type are frozen with the event; later changes do not reach them.
func TestDeliveriesAreSnapshots(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sub := s.subscribe(outreach.OnSent)
	off := s.subscribe(outreach.OnSent)
	got(s.UpdateSubscription(s.ctx, s.ws, off.ID, func(s *outreach.Subscription) { s.Enabled = false }))(t)
	gone := s.subscribe(outreach.OnSent)
	must(t, s.DeleteSubscription(s.ctx, s.ws, gone.ID))
	box := s.mailbox("me@acme.test")
	c := s.campaign("Spring", box, steps(0)...)
	p := s.prospect("ann@x.test")
	s.enroll(c, p)
	out := s.send(box)
	got(s.UpdateSubscription(s.ctx, s.ws, sub.ID, func(s *outreach.Subscription) { s.URL = "https://new.test/" }))(t)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.Name = "Autumn" }))(t)
	must(t, s.DeleteProspect(s.ctx, s.ws, p.ID))

	list := got(s.ListDeliveries(s.ctx, s.ws, outreach.DeliveryFilter{}, outreach.Page{Limit: 10}))(t).Rows
	same(t, "for the enabled one only", len(list), 1)
	d := list[0]
	event := ask[uuid.UUID](s, `SELECT id FROM events`)
	want := outreach.Delivery{ID: d.ID, WorkspaceID: s.ws, SubscriptionID: sub.ID, SubscriptionEvent: "sent",
		EventID: event, Type: outreach.EventSent,
		URL: "https://hooks.test/in", Status: outreach.DeliveryQueued, NextAttemptAt: d.NextAttemptAt, CreatedAt: d.CreatedAt, Body: d.Body}
	same(t, "delivery", d, want)
	var body map[string]any
	must(t, json.Unmarshal([]byte(d.Body), &body))
	same(t, "body", body,
		map[string]any{"id": event.String(), "type": "sent", "occurred_at": s.clock.Now().Format("2006-01-02T15:04:05Z"),
			"workspace_id": s.ws.String(),
			"prospect_id":  p.ID.String(), "prospect_email": "ann@x.test", "campaign_id": c.ID.String(), "campaign_name": "Spring",
			"metadata": map[string]any{"step": 1.0, "messageId": out.MessageID}})
	if bytes.ContainsAny([]byte(d.Body), "\n\t") {
		t.Error("the body is not compact")
	}
}

func TestRedeliver(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	d := got(s.ListDeliveries(s.ctx, s.ws, outreach.DeliveryFilter{}, outreach.Page{Limit: 1}))(t).Rows[0]
	s.exec(`UPDATE deliveries SET status = 'failed', attempts = 3, error = 'timeout', next_attempt_at = NULL`)
	got(s.UpdateSubscription(s.ctx, s.ws, d.SubscriptionID,
		func(s *outreach.Subscription) { s.URL, s.Enabled = "https://new.test/", false }))(t)
	again := got(s.Redeliver(s.ctx, s.ws, d.ID))(t)
	want := d
	want.ID, want.URL, want.RedeliveryOf, want.CreatedAt, want.NextAttemptAt = again.ID, "https://new.test/", &d.ID,
		again.CreatedAt, again.NextAttemptAt
	same(t, "a new delivery of the same body", again, want)
	same(t, "sent again", got(s.Redelivered(s.ctx, s.ws, []uuid.UUID{d.ID, again.ID}))(t), []uuid.UUID{d.ID})
	if again.ID == d.ID || again.NextAttemptAt == nil {
		t.Errorf("redelivery %v is not due under an id of its own", again)
	}
	must(t, s.DeleteSubscription(s.ctx, s.ws, d.SubscriptionID))
	_, err := s.Redeliver(s.ctx, s.ws, d.ID)
	refused(t, err, outreach.CodeInvalidState)
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	d := got(s.ListDeliveries(s.ctx, s.ws, outreach.DeliveryFilter{}, outreach.Page{Limit: 1}))(t).Rows[0]
	other := got(s.Redeliver(s.ctx, s.ws, d.ID))(t)
	at := s.clock.Now()
	s.exec(`
UPDATE deliveries SET attempts = 1, attempt_log = ARRAY[ROW (1, $2, 12, 503, 'http 503')::delivery_attempt],
	attempt_started_at = $2 WHERE id = $1`, d.ID, at)
	s.exec(`
UPDATE deliveries SET attempts = 1, attempt_log = ARRAY[ROW (1, $2, 10000, NULL, 'timeout')::delivery_attempt] WHERE id = $1`, other.ID, at)
	first := []outreach.Attempt{
		{Number: 1, StartedAt: at, DurationMs: new(12), HTTPStatus: new(503), Error: new("http 503")}, {Number: 2, StartedAt: at}}
	same(t, "of one", got(s.AttemptsOf(s.ctx, s.ws, []uuid.UUID{d.ID}))(t), map[uuid.UUID][]outreach.Attempt{d.ID: first})
	same(t, "of both", got(s.AttemptsOf(s.ctx, s.ws, []uuid.UUID{d.ID, other.ID}))(t), map[uuid.UUID][]outreach.Attempt{
		d.ID: first, other.ID: {{Number: 1, StartedAt: at, DurationMs: new(10000), Error: new("timeout")}}})
}

func TestSubscriptionSecrets(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sub := s.subscribe(outreach.OnSent)
	if sealed := ask[[]byte](s, `SELECT secret FROM subscriptions`); bytes.Contains(sealed, []byte("whsec_")) {
		t.Error("the secret lies in the clear")
	}
	same(t, "revealed", got(s.RevealSecret(s.ctx, s.ws, sub.ID))(t).Secret, "whsec_test")
	same(t, "rotated", got(s.RotateSecret(s.ctx, s.ws, sub.ID, "whsec_2"))(t).Secret, "whsec_2")
	same(t, "revealed anew", got(s.RevealSecret(s.ctx, s.ws, sub.ID))(t).Secret, "whsec_2")
	must(t, s.DeleteSubscription(s.ctx, s.ws, sub.ID))
	_, err := s.RevealSecret(s.ctx, s.ws, sub.ID)
	refused(t, err, outreach.CodeNotFound)
	_, err = s.RotateSecret(s.ctx, s.ws, sub.ID, "whsec_3")
	refused(t, err, outreach.CodeNotFound)
}

// status narrows the fetched page: it can be short while more follow.
func TestOfferStatusAfterThePage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 6 {
		s.clock.Advance(time.Second)
		o := got(s.CreateOffer(s.ctx, outreach.Offer{WorkspaceID: s.ws, Title: "T", BodyHTML: new("<p>")}))(t)
		s.exec(`UPDATE offers SET visit_count = $2, reread = $2 > 1 WHERE id = $1`, o.ID, []int{0, 0, 1, 0, 2, 0}[i])
	}
	page := outreach.Page{Limit: 2}
	var found [][]outreach.OfferStatus
	for {
		list := got(s.ListOffers(s.ctx, s.ws, outreach.OfferFilter{Status: new(outreach.OfferUnread)}, page))(t)
		statuses := []outreach.OfferStatus{}
		for _, o := range list.Rows {
			statuses = append(statuses, o.Status)
		}
		if found = append(found, statuses); !list.More {
			break
		}
		page.After = &list.Last
	}
	same(t, "pages", found, [][]outreach.OfferStatus{{"unread"}, {"unread"}, {"unread", "unread"}})
	same(t, "read", len(
		got(s.ListOffers(s.ctx, s.ws, outreach.OfferFilter{Status: new(outreach.OfferRead)}, outreach.Page{Limit: 10}))(t).Rows), 1)
	same(t, "reread",
		len(got(s.ListOffers(s.ctx, s.ws, outreach.OfferFilter{Status: new(outreach.OfferReread)}, outreach.Page{Limit: 10}))(t).Rows), 1)
}
