package sandbox

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/jhillyerd/enmime/v2"
)

// Search answers SEARCH and UID SEARCH.
func (c *imapSession) Search(kind imapserver.NumKind, criteria *imap.SearchCriteria, _ *imap.SearchOptions) (*imap.SearchData, error) {
	if c.server.accounts.quirksOf(c.email).NoFieldSearch {
		known := *criteria
		known.Header = slices.DeleteFunc(slices.Clone(known.Header), func(h imap.SearchCriteriaHeaderField) bool {
			return !strings.EqualFold(h.Key, "Message-ID")
		})
		criteria = &known
	}
	data := &imap.SearchData{}
	var seqs imap.SeqSet
	var uids imap.UIDSet
	for _, seen := range c.look(imap.UIDSet{{Start: 1, Stop: 0}}) {
		fits, err := c.fits(&candidate{sighting: seen, store: c.store}, criteria)
		if err != nil {
			return nil, err
		}
		if !fits {
			continue
		}
		number := uint32(seen.uid)
		if kind == imapserver.NumKindSeq {
			number = seen.seq
		}
		seqs.AddNum(seen.seq)
		uids.AddNum(seen.uid)
		if data.Count++; data.Count == 1 {
			data.Min = number
		}
		data.Max = number
	}
	data.All = uids
	if kind == imapserver.NumKindSeq {
		data.All = seqs
	}
	return data, nil
}

// candidate is a message that is compared with the criteria. Its text is read once, when a
// criterion needs it.
type candidate struct {
	sighting
	store *store
	read  []byte
}

func (l *candidate) text() ([]byte, error) {
	if l.read != nil {
		return l.read, nil
	}
	var err error
	l.read, err = l.store.text(l.message)
	return l.read, err
}

// fits reports whether the message meets all criteria (RFC 3501, section 6.4.4).
func (c *imapSession) fits(l *candidate, criteria *imap.SearchCriteria) (bool, error) {
	if !c.fitsIndex(l.sighting, criteria) {
		return false, nil
	}
	if ok, err := fitsText(l, criteria); !ok || err != nil {
		return false, err
	}
	for i := range criteria.Not {
		if ok, err := c.fits(l, &criteria.Not[i]); ok || err != nil {
			return false, err
		}
	}
	for i := range criteria.Or {
		first, err := c.fits(l, &criteria.Or[i][0])
		if err != nil {
			return false, err
		}
		second, err := c.fits(l, &criteria.Or[i][1])
		if err != nil || !first && !second {
			return false, err
		}
	}
	return true, nil
}

// fitsIndex checks the criteria that need only the index.
func (c *imapSession) fitsIndex(l sighting, criteria *imap.SearchCriteria) bool {
	for _, set := range criteria.SeqNum {
		if !c.in(l, set) {
			return false
		}
	}
	for _, set := range criteria.UID {
		if !c.in(l, set) {
			return false
		}
	}
	for _, flag := range canonical(criteria.Flag) {
		if !slices.Contains(l.flags, flag) {
			return false
		}
	}
	for _, flag := range canonical(criteria.NotFlag) {
		if slices.Contains(l.flags, flag) {
			return false
		}
	}
	return inDays(l.at, criteria.Since, criteria.Before) &&
		(criteria.Larger == 0 || l.size() > criteria.Larger) && (criteria.Smaller == 0 || l.size() < criteria.Smaller)
}

func (c *imapSession) in(l sighting, set imap.NumSet) bool {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	return c.matcher(set)(l.seq, l.uid)
}

// inDays compares dates without their time zones (RFC 3501, section 6.4.4). A zero bound does not
// limit.
func inDays(at, since, before time.Time) bool {
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	return (since.IsZero() || !day.Before(since)) && (before.IsZero() || day.Before(before))
}

// fitsText checks the criteria that need header and body.
func fitsText(l *candidate, criteria *imap.SearchCriteria) (bool, error) {
	if len(criteria.Header)+len(criteria.Body)+len(criteria.Text) == 0 && criteria.SentSince.IsZero() && criteria.SentBefore.IsZero() {
		return true, nil
	}
	text, err := l.text()
	if err != nil {
		return false, err
	}
	return fitsHeader(text, criteria) && fitsBody(text, criteria), nil
}

func fitsHeader(text []byte, criteria *imap.SearchCriteria) bool {
	h := header(text)
	for _, want := range criteria.Header {
		found := slices.ContainsFunc(h.Values(want.Key), func(value string) bool { return holds(value, want.Value) })
		if !found {
			return false
		}
	}
	if criteria.SentSince.IsZero() && criteria.SentBefore.IsZero() {
		return true
	}
	sent, err := time.Parse(time.RFC1123Z, h.Get("Date"))
	return err == nil && inDays(sent, criteria.SentSince, criteria.SentBefore)
}

// fitsBody searches the decoded text parts and, for TEXT, also the header.
func fitsBody(text []byte, criteria *imap.SearchCriteria) bool {
	if len(criteria.Body)+len(criteria.Text) == 0 {
		return true
	}
	body := string(text)
	if content, err := enmime.ReadEnvelope(bytes.NewReader(text)); err == nil {
		body = content.Text + "\n" + content.HTML
	}
	head, _, _ := bytes.Cut(text, []byte("\r\n\r\n"))
	all := string(head) + "\n" + body
	return !slices.ContainsFunc(criteria.Body, func(want string) bool { return !holds(body, want) }) &&
		!slices.ContainsFunc(criteria.Text, func(want string) bool { return !holds(all, want) })
}

func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
