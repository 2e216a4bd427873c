package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"outreach"
	"outreach/mail"
	"outreach/mail/classify"
)

// The bounds of what one incoming message may put into the store.
const (
	maxKey        = 900 // bytes of a Message-ID
	maxAddress    = 320
	maxSubject    = 1000
	maxReferences = 100
	maxBounces    = 100
)

var faults = map[classify.Class]outreach.Fault{
	classify.RecipientFault: outreach.FaultRecipient,
	classify.Transient:      outreach.FaultTransient,
	classify.SenderFault:    outreach.FaultSender,
}

// readIncoming sorts one message that arrived in the mailbox of own. It cannot
// fail: what makes no sense is ignored.
func readIncoming(msg mail.Incoming, own string, now time.Time) (in outreach.Received) {
	in = outreach.Received{Key: hashOf(msg.Raw), Kind: outreach.ReceivedIgnored}
	defer func() {
		if recover() != nil { // whatever a stranger can write must not stop a mailbox
			in = outreach.Received{Key: in.Key, Kind: outreach.ReceivedIgnored}
		}
	}()
	m, err := classify.Read(bytes.NewReader(msg.Raw))
	if err != nil {
		return in
	}
	verdict := m.Kind(now)
	if m.MessageID != "" && len(m.MessageID) <= maxKey {
		in.Key = storable(m.MessageID, maxKey)
	}
	in.From = storable(m.From, maxAddress)
	if subject := storable(m.Subject, maxSubject); subject != "" {
		in.Subject = &subject
	}
	in.References = references(verdict, m)
	fill(&in, m, verdict)
	if isOwn := outreach.FoldEmail(m.From) == outreach.FoldEmail(own); isOwn && (in.Kind == outreach.ReceivedReply || in.Kind == outreach.ReceivedAutomatic) {
		return outreach.Received{Key: in.Key, Kind: outreach.ReceivedIgnored}
	}
	return in
}

// fill adds what belongs to the kind of the message.
func fill(in *outreach.Received, m *classify.Message, v classify.Verdict) {
	switch {
	case v.Class == classify.Reply:
		in.Kind, in.Text = outreach.ReceivedReply, storable(m.NewText, len(m.NewText))
		interest, reason := classify.Interest(m.NewText, m.Subject)
		in.Interest, in.Reason = new(outreach.Interest(interest)), new(storable(reason, maxSubject))
	case v.Class == classify.Automatic:
		in.Kind, in.Text = outreach.ReceivedAutomatic, storable(m.NewText, len(m.NewText))
		in.Reason, in.ReturnDate = new(storable(v.Reason, maxSubject)), v.ReturnDate
	case v.Class == classify.Complaint && v.FeedbackType != "auth-failure":
		in.Kind, in.Bounces = outreach.ReceivedComplaint, addressesOf(v)
	case v.Class.Bounce() && !v.Delayed:
		if in.Bounces = bouncesOf(v); len(in.Bounces) > 0 {
			in.Kind = outreach.ReceivedBounce
		}
	}
}

// bouncesOf gives the recipients that a report gives up. One that is still being
// tried may yet get the message.
func bouncesOf(v classify.Verdict) (bounces []outreach.Bounce) {
	for _, r := range v.Recipients[:min(len(v.Recipients), maxBounces)] {
		if r.Delayed || !r.Class.Bounce() {
			continue
		}
		words := r.Diagnostic
		if words == "" {
			words = strings.TrimSpace(r.Status + " " + r.Reason)
		}
		bounces = append(bounces, outreach.Bounce{Address: addressOf(r), Fault: faults[r.Class], Error: storable(words, maxSubject)})
	}
	return bounces
}

// addressesOf gives whom a complaint is from, without a fault: nothing failed.
func addressesOf(v classify.Verdict) (who []outreach.Bounce) {
	for _, r := range v.Recipients[:min(len(v.Recipients), maxBounces)] {
		if address := addressOf(r); address != "" {
			who = append(who, outreach.Bounce{Address: address, Error: storable(v.Reason, maxSubject)})
		}
	}
	return who
}

// addressOf prefers the address that we wrote to over the one it led to.
func addressOf(r classify.Recipient) string {
	if r.Original != "" {
		return storable(r.Original, maxAddress)
	}
	return storable(r.Address, maxAddress)
}

// ours is what mail.NewMessageID makes, as far as a quotation shows it.
var ours = regexp.MustCompile(`<?\b([a-z2-7]{24}@[A-Za-z0-9.-]{1,200}[A-Za-z0-9])>?`)

// references are the ids that a message may be about, likeliest first: those that
// it names in its header or returns, then any that its text quotes.
func references(v classify.Verdict, m *classify.Message) []string {
	ids := slices.Clone(v.OriginalMessageIDs)
	for _, quoted := range ours.FindAllStringSubmatch(m.Text, maxReferences) {
		ids = append(ids, "<"+quoted[1]+">")
	}
	seen := map[string]bool{"": true, m.MessageID: true}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		useless := seen[id] || len(id) > maxKey || storable(id, maxKey) != id
		seen[id] = true
		return useless
	})
	return ids[:min(len(ids), maxReferences)]
}

// hashOf knows a message again that has no Message-ID.
func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// storable is text that Postgres takes: valid UTF-8 without NUL, at most so many
// bytes.
func storable(s string, most int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
