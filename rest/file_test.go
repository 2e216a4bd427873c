package rest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/rest"
)

// A file of a stranger is saved and never shown, whatever it is called and says it is.
func TestFilesAreNeverShown(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	rest.SendFile(w, outreach.File{
		Attachment: outreach.Attachment{Filename: "preis\u00e4.html", ContentType: "text/html"},
		Content:    []byte("<script>"),
	})
	want := http.Header{
		"Content-Type":            {"text/html"},
		"Content-Disposition":     {"attachment; filename*=utf-8''preis%C3%A4.html"},
		"Content-Length":          {"8"},
		"X-Content-Type-Options":  {"nosniff"},
		"Content-Security-Policy": {"default-src 'none'; sandbox"},
		"Cache-Control":           {"private, no-store"},
	}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Body.String() != "<script>" {
		t.Error(diff, w.Body.String())
	}
}

// files is a mailbox with one file of one reply.
type files struct {
	workspace, reply uuid.UUID
	err, full        error
	begun, sent      int
}

func (f *files) Begin(uuid.UUID) (func(), error) {
	if f.full != nil {
		return nil, f.full
	}
	f.begun++
	return func() { f.sent++ }, nil
}

func (f *files) Attachment(_ context.Context, workspace, reply uuid.UUID, id string) (outreach.File, error) {
	switch {
	case f.err != nil:
		return outreach.File{}, f.err
	case workspace != f.workspace || reply != f.reply || id != "1":
		return outreach.File{}, outreach.ErrNotFound
	}
	return outreach.File{Attachment: outreach.Attachment{Filename: "offer.pdf", ContentType: "application/pdf"}, Content: []byte("%PDF")}, nil
}

// A file of a reply is sent as a download to the workspace that has the reply, and to no other.
func TestAttachment(t *testing.T) {
	t.Parallel()
	held := &files{reply: uuid.New()}
	s := newStage(t, func(c *rest.Config) { c.Files = held })
	ws, other := s.workspace(), s.workspace()
	held.workspace = ws
	path := "/replies/" + held.reply.String() + "/attachments/"
	w := s.call(s.checked, ws, http.MethodGet, path+"1", "")
	if w.Code != http.StatusOK || w.Body.String() != "%PDF" || w.Header().Get("Content-Disposition") != "attachment; filename=offer.pdf" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	busy := outreach.Errorf(outreach.CodeRateLimited, "Several mails are being read.")
	away := outreach.Errorf(outreach.CodeMailboxUnreachable, "The mailbox could not be read: timeout.")
	large := outreach.Errorf(outreach.CodeInvalidState, "The mail is too large.")
	for name, c := range map[string]struct {
		ws     uuid.UUID
		method string
		path   string
		err    error
		status int
	}{
		"another workspace":         {other, http.MethodGet, path + "1", nil, 404},
		"an unknown file":           {ws, http.MethodGet, path + "2", nil, 404},
		"no file":                   {ws, http.MethodGet, path, nil, 404},
		"an unknown reply":          {ws, http.MethodGet, "/replies/" + uuid.NewString() + "/attachments/1", nil, 404},
		"a reply that is not an id": {ws, http.MethodGet, "/replies/x/attachments/1", nil, 404},
		"a deeper path":             {ws, http.MethodGet, path + "1/2", nil, 404},
		"another method":            {ws, http.MethodPost, path + "1", nil, 405},
		"a parameter":               {ws, http.MethodGet, path + "1?inline=true", nil, 400},
		"too many at once":          {ws, http.MethodGet, path + "1", busy, 429},
		"a server that is away":     {ws, http.MethodGet, path + "1", away, 503},
		"a large mail":              {ws, http.MethodGet, path + "1", large, 409},
	} {
		held.err = c.err
		if w := s.call(s.checked, c.ws, c.method, c.path, ""); w.Code != c.status {
			t.Errorf("%s: %d, want %d: %s", name, w.Code, c.status, w.Body)
		}
	}
	if held.begun == 0 || held.begun != held.sent {
		t.Errorf("%d downloads were begun, %d ended", held.begun, held.sent)
	}
	held.full = outreach.Errorf(outreach.CodeRateLimited, "Several files are being downloaded.")
	if w := s.call(s.checked, ws, http.MethodGet, path+"1", ""); w.Code != http.StatusTooManyRequests {
		t.Errorf("one download too many: %d", w.Code)
	}
}
