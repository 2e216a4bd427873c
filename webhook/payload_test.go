package webhook

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file, or writes it under -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func id(last byte) uuid.UUID {
	return uuid.UUID{0x01, 0x93, 0x4a, 0x5b, 0x6c, 0x7d, 0x70, 0x01, 0x80, 15: last}
}

// event has every field set, a time with a fraction in another zone, and text
// that careless encoders damage.
func event(kind outreach.EventType, metadata any) outreach.Event {
	prospect, campaign := id(3), id(4)
	email, name := "zoë.o'hara+x@exämple.com", `R&D <"pilot"> – naïve 日本 🙂`
	return outreach.Event{
		ID:            id(1),
		WorkspaceID:   id(2),
		Type:          kind,
		OccurredAt:    time.Date(2026, 11, 20, 18, 5, 9, 999_999_999, time.FixedZone("", 7200)),
		ProspectID:    &prospect,
		ProspectEmail: &email,
		CampaignID:    &campaign,
		CampaignName:  &name,
		Metadata:      metadata,
	}
}

func testEvent() outreach.Event {
	return outreach.Event{
		ID:          id(1),
		WorkspaceID: id(2),
		Type:        outreach.EventTest,
		OccurredAt:  time.Date(2026, 11, 20, 16, 5, 9, 0, time.UTC),
		Metadata:    outreach.TestMetadata{},
	}
}

func goldenEvents() map[string]outreach.Event {
	deleted := event(outreach.EventClicked, outreach.ClickedMetadata{URL: "https://example.com/?a=1&b=<2>#é", MessageID: "<m.1@example.com>"})
	deleted.ProspectEmail = nil
	outside := event(outreach.EventReplied, outreach.RepliedMetadata{ReplyID: id(5), From: "zoë@example.com"})
	outside.CampaignID, outside.CampaignName = nil, nil
	positive := event(outreach.EventReplied, outreach.RepliedMetadata{ReplyID: id(5), From: "zoë@example.com"})
	positive.ID = id(5)
	return map[string]outreach.Event{
		"sent":           event(outreach.EventSent, outreach.SentMetadata{Step: 1, MessageID: "<m.1@example.com>"}),
		"replied":        outside,
		"positive_reply": positive,
		"clicked":        deleted,
		"bounced": event(outreach.EventBounced,
			outreach.BouncedMetadata{Error: "550 5.1.1 <zoe>: no \"such\" user\r\n\ttry & again", Step: 2}),
		"unsubscribed":     event(outreach.EventUnsubscribed, outreach.UnsubscribedMetadata{}),
		"test":             testEvent(),
		"invalid_encoding": event(outreach.EventBounced, outreach.BouncedMetadata{Error: "caf\xe9 \x00\u2028", Step: 1}),
	}
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	for name, event := range goldenEvents() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := Encode(event)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "payload", name+".json"), body)
		})
	}
}

// Compact means that a compacting encoder finds nothing to remove; the keys are
// those of the specification, no more and no fewer.
func TestEncodeShape(t *testing.T) {
	t.Parallel()
	metadataKeys := map[string][]string{
		"sent":         {"messageId", "step"},
		"replied":      {"from", "replyId"},
		"clicked":      {"messageId", "url", "via"},
		"bounced":      {"error", "step"},
		"unsubscribed": {"via"},
		"test":         {"note"},
	}
	for name, event := range goldenEvents() {
		body, err := Encode(event)
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, body); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(compact.String(), string(body)); diff != "" {
			t.Errorf("%s is not compact (-want +got):\n%s", name, diff)
		}
		var got map[string]any
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		want := []string{"campaign_id", "campaign_name", "id", "metadata", "occurred_at", "prospect_email", "prospect_id", "type", "workspace_id"}
		if diff := cmp.Diff(want, keys(got)); diff != "" {
			t.Errorf("%s keys (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(metadataKeys[string(event.Type)], keys(got["metadata"].(map[string]any))); diff != "" {
			t.Errorf("%s metadata keys (-want +got):\n%s", name, diff)
		}
		if got["occurred_at"] != "2026-11-20T16:05:09Z" {
			t.Errorf("%s occurred_at = %v", name, got["occurred_at"])
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	orphan := event(outreach.EventSent, outreach.SentMetadata{Step: 1})
	orphan.ProspectID = nil
	for name, event := range map[string]outreach.Event{
		"opened":            event("opened", outreach.SentMetadata{}),
		"internal type":     event(outreach.EventOfferRead, outreach.OfferReadMetadata{}),
		"interest marked":   event(outreach.EventInterestMarked, outreach.InterestMarkedMetadata{}),
		"no metadata":       event(outreach.EventSent, nil),
		"foreign metadata":  event(outreach.EventSent, outreach.BouncedMetadata{}),
		"loose metadata":    event(outreach.EventSent, map[string]any{"step": 1}),
		"missing prospect":  orphan,
		"no type, all else": event("", outreach.SentMetadata{}),
	} {
		if body, err := Encode(event); err == nil {
			t.Errorf("%s: encoded as %s", name, body)
		}
	}
}
