package rest

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Files reads files of replies from their mailbox.
type Files interface {
	// Begin counts a download of a workspace until done is called, after the last byte was sent. It
	// returns CodeRateLimited if there are too many.
	Begin(workspace uuid.UUID) (done func(), err error)
	// Attachment returns a file of a reply. It returns CodeNotFound if the reply has no such file or
	// the mail is no longer in the mailbox, CodeMailboxUnreachable if the mailbox cannot be read, and
	// CodeRateLimited if too many mails are read at once. It ends by itself within half a minute.
	Attachment(ctx context.Context, workspace, reply uuid.UUID, id string) (outreach.File, error)
}

// fileRead limits the time in which a mailbox is read for a file.
const fileRead = 30 * time.Second

// readFile answers with a file of the reply of a call.
func (a *api) readFile(ctx context.Context, c *call, attachment string) (reply *answer, err error) {
	done, err := a.Files.Begin(c.actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	id, _ := c.variables["id"].(string)
	clock := &deadline{left: fileRead}
	err = clock.run(ctx, func(ctx context.Context) error {
		file, err := a.Files.Attachment(ctx, c.actor.WorkspaceID, uuid.MustParse(id), attachment)
		if err == nil {
			reply = &answer{Status: c.shape.status, file: &file, sent: done}
		}
		return err
	})
	if err != nil {
		done()
	}
	if told, ok := errors.AsType[*outreach.Error](err); ok && told.Code == outreach.CodeMailboxUnreachable {
		return nil, outreach.Errorf(outreach.CodeUnavailable, "%s", told.Message)
	}
	return reply, err
}

// A write of chunkSize bytes of a file ends after fileWrite. The whole file has no time limit.
const (
	fileWrite = 30 * time.Second
	chunkSize = 256 << 10
)

// SendFile sends an untrusted file: browsers save it and never show it.
func SendFile(w http.ResponseWriter, file outreach.File) {
	header := w.Header()
	header.Set("Content-Type", file.ContentType)
	header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Filename}))
	header.Set("Content-Length", strconv.Itoa(len(file.Content)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cache-Control", "private, no-store")
	out := http.NewResponseController(w)
	for chunk := range slices.Chunk(file.Content, chunkSize) {
		_ = out.SetWriteDeadline(time.Now().Add(fileWrite))
		if _, err := w.Write(chunk); err != nil {
			return // the client has closed the connection
		}
	}
}
