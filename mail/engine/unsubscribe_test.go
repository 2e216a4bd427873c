package engine_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

// A mail whose subject holds our token unsubscribes, and is not a reply.
func TestUnsubscribingByMail(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	c, d := composer(t), draft(outreach.Step{Subject: new("Hello"), BodyText: new("Hi")})
	header, _ := bodies(t, compose(t, c, d).Raw)
	_, address, _ := strings.Cut(header.Get("List-Unsubscribe"), "<mailto:")
	_, subject, _ := strings.Cut(strings.TrimSuffix(address, ">"), "?subject=")
	subject, err := url.PathUnescape(subject)
	must(t, err)
	p.write("From: ada@away.test\r\nMessage-ID: <u1@away.test>\r\nSubject: " + subject + "\r\n\r\n")
	p.write("From: ada@away.test\r\nMessage-ID: <u2@away.test>\r\nSubject: unsubscribe AAAA" + subject[len("unsubscribe AAAA"):] + "\r\n\r\n")
	p.write("From: ada@away.test\r\nMessage-ID: <u3@away.test>\r\nSubject: unsubscribe me\r\n\r\nplease\r\n")
	e := fakeEngine(store, func(config *engine.Config) { config.Composer = c })
	read(t, e, store)
	if diff := cmp.Diff([]uuid.UUID{d.ID}, store.unsubscribed); diff != "" {
		t.Errorf("unsubscribed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"<u2@away.test>", "<u3@away.test>"}, keys(store.taken)); diff != "" {
		t.Errorf("ingested (-want +got):\n%s", diff)
	}
}
