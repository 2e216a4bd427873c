package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"

	"outreach"
)

// IMAPConfig configures the connection to an IMAP server.
type IMAPConfig struct {
	Server  outreach.MailServer
	Network Network
	// Memory limits how much data from servers is held, nil: no limit. Owner is the user of the
	// share.
	Memory *Memory
	Owner  string
}

// Mailbox is one IMAP session. It opens folders read-only, so flags and the
// unread count stay as the owner left them. It is not safe for concurrent use.
// After an error other than one of handle the session is over.
type Mailbox struct {
	times   Timeouts
	wire    *wire
	client  *imapclient.Client
	changed chan struct{} // the server announced a new message
	keeps   bool          // data that was read stays in use after the phase that read it
	broken  bool
}

// OpenMailbox connects, secures the connection as configured and logs in. With
// starttls it fails when the server does not offer it. Errors are *ServerError.
func OpenMailbox(ctx context.Context, config IMAPConfig) (*Mailbox, error) {
	w, err := config.Network.dial(ctx, config.Server)
	if err != nil {
		return nil, err
	}
	return openOn(ctx, w, config)
}

// openOn opens a session on a connection.
func openOn(ctx context.Context, w *wire, config IMAPConfig) (*Mailbox, error) {
	w.held = newHolding(config.Memory, config.Owner)
	m := &Mailbox{times: config.Network.Timeouts.withDefaults(), wire: w, changed: make(chan struct{}, 1)}
	_, err := phase(ctx, m, m.times.Connect, controlBytes, func() (struct{}, error) { return struct{}{}, m.open(config) })
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// phase runs one exchange with the server within a time and a number of bytes. The library does
// not return on every broken connection (emersion/go-imap#668), and a server may never answer. So
// the exchange runs in its own goroutine, which only stores its result. If it does not end in
// time, the connection is dropped and the caller continues.
func phase[T any](ctx context.Context, m *Mailbox, d time.Duration, bytes int64, exchange func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	m.wire.allow(d, bytes)
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if broken := recover(); broken != nil { // in the library, caused by data from the server
				r.err = &ServerError{Kind: KindProtocol, Reason: "the server sent an answer that is not valid",
					cause: fmt.Errorf("panic: %v", broken)}
			}
			done <- r
		}()
		r.value, r.err = exchange()
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	var cause error
	select {
	case r := <-done:
		if r.err == nil {
			m.wire.rest()
			if !m.keeps {
				m.wire.held.release()
			}
			return r.value, nil
		}
		// The deadlines of the wire and of the context are often equal.
		if cause = ctx.Err(); cause == nil {
			cause = m.wire.cause(r.err)
		}
	case <-ctx.Done():
		cause = ctx.Err()
	case <-timer.C:
		cause = context.DeadlineExceeded
	}
	m.broken = true
	_ = m.wire.Close()
	m.wire.held.close()
	var none T
	if errors.Is(cause, ErrBusy) {
		return none, ErrBusy
	}
	return none, explain(cause)
}

func (m *Mailbox) open(config IMAPConfig) error {
	server := config.Server
	options := &imapclient.Options{
		TLSConfig:             config.Network.tlsConfig(server),
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: m.announce},
		MaxResponseSize:       responseBytes,
		MaxSearchSize:         searchBytes,
	}
	switch server.Security {
	case outreach.SecurityTLS:
		conn, err := handshake(m.wire, options.TLSConfig)
		if err != nil {
			return err
		}
		m.client = imapclient.New(conn, options)
	case outreach.SecurityStartTLS:
		client, err := imapclient.NewStartTLS(m.wire, options)
		if err != nil {
			return imapStartTLSRefused(err)
		}
		m.client = client
	case outreach.SecurityNone:
		m.client = imapclient.New(m.wire, options)
	default:
		return &ServerError{Kind: KindTLS, Reason: fmt.Sprintf("unknown security %q", server.Security)}
	}
	if err := m.client.WaitGreeting(); err != nil {
		return err
	}
	return m.login(server)
}

func imapStartTLSRefused(err error) error {
	if _, ok := errors.AsType[*imap.Error](err); ok {
		return &ServerError{Kind: KindTLS, Reason: "the server does not offer STARTTLS", cause: err}
	}
	return err
}

func (m *Mailbox) announce(data *imapclient.UnilateralDataMailbox) {
	if data.NumMessages == nil {
		return
	}
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

// login does nothing without a user name, because Greet only checks whether a server is there.
func (m *Mailbox) login(server outreach.MailServer) error {
	if server.Username == "" {
		return nil
	}
	supports := func(mechanism string) bool { return m.client.Caps().Has(imap.AuthCap(mechanism)) }
	var err error
	if server.Token == "" && !supports(sasl.Plain) {
		err = m.client.Login(server.Username, server.Password).Wait()
	} else {
		mechanism, none := saslFor(supports, server)
		if none != nil {
			return none
		}
		err = m.client.Authenticate(mechanism)
	}
	if err != nil {
		return loginRefused(err, server)
	}
	return nil
}

// Close ends the session; a server that does not answer has five seconds.
func (m *Mailbox) Close() {
	if !m.broken && m.client != nil {
		_, _ = phase(context.Background(), m, goodbye, controlBytes, func() (struct{}, error) {
			return struct{}{}, m.client.Logout().Wait()
		})
	}
	m.broken = true
	_ = m.wire.Close()
	m.wire.held.close()
}

// CheckIMAP logs in, opens the inbox, looks for folders that NamedFolder returned, and logs out.
// Errors are *ServerError, of KindFolder for a folder that is missing.
func CheckIMAP(ctx context.Context, config IMAPConfig, folders ...Folder) error {
	m, err := OpenMailbox(ctx, config)
	if err != nil {
		return err
	}
	defer m.Close()
	if _, err = m.examine(ctx, "INBOX"); err != nil {
		return err
	}
	return m.missing(ctx, folders)
}

// Folder is the purpose of a folder, or its name (NamedFolder).
type Folder string

// The folders that the service reads; the sent folder only in FetchSent, FindInSent and FileInSent.
const (
	FolderInbox Folder = "inbox"
	FolderJunk  Folder = "junk"
	// FolderAll holds all mail but junk and trash, also what was sent. It is known by its mark alone.
	FolderAll Folder = "all"

	// Where a mail may be that was once read from the inbox.
	folderArchive Folder = "archive"
	folderTrash   Folder = "trash"
)

// usualNames are names of folders on servers that do not mark their purpose (RFC 6154), in common
// languages, in lower case.
var usualNames = map[Folder][]string{
	FolderJunk: {"junk", "spam", "junk e-mail", "junk email", "bulk mail", "bulk", "courrier indésirable", "indésirables",
		"spamverdacht", "junk-e-mail", "correo no deseado", "posta indesiderata", "ongewenste e-mail"},
	FolderSent: {"sent", "sent items", "sent messages", "sent mail", "gesendet", "gesendete elemente", "gesendete objekte",
		"éléments envoyés", "messages envoyés", "envoyés", "enviados", "elementos enviados", "posta inviata", "verzonden items"},
	folderArchive: {"archive", "archives", "archiv"},
	folderTrash:   {"trash", "deleted items", "deleted messages", "papierkorb", "gelöschte elemente", "corbeille"},
}

var specialUse = map[Folder]imap.MailboxAttr{
	FolderJunk: imap.MailboxAttrJunk, FolderSent: imap.MailboxAttrSent, folderArchive: imap.MailboxAttrArchive,
	FolderAll: imap.MailboxAttrAll, folderTrash: imap.MailboxAttrTrash,
}

// name returns the name of the folder on this server, "" if it has none.
func (m *Mailbox) name(ctx context.Context, folder Folder) (string, error) {
	if folder == FolderInbox {
		return "INBOX", nil
	}
	list, err := m.folders(ctx)
	if err != nil {
		return "", err
	}
	if name, named := folder.named(); named {
		return findNamed(list, name), nil
	}
	return pickFolder(list, folder), nil
}

// folders lists the folders with their purpose, if the server states it.
func (m *Mailbox) folders(ctx context.Context) ([]*imap.ListData, error) {
	return phase(ctx, m, m.times.Command, controlBytes, func() ([]*imap.ListData, error) {
		var options *imap.ListOptions
		if caps := m.client.Caps(); caps.Has(imap.CapSpecialUse) && caps.Has(imap.CapListExtended) {
			options = &imap.ListOptions{ReturnSpecialUse: true}
		}
		return firstFolders(m.client.List("", "*", options))
	})
}

// maxFolders is how many folders of a mailbox are looked at.
const maxFolders = 5000

func firstFolders(cmd *imapclient.ListCommand) ([]*imap.ListData, error) {
	var list []*imap.ListData
	for data := cmd.Next(); data != nil; data = cmd.Next() {
		if len(list) < maxFolders {
			list = append(list, data)
		}
	}
	return list, cmd.Close()
}

// pickFolder prefers a mark to a name, and earlier names to later ones.
func pickFolder(list []*imap.ListData, folder Folder) string {
	found, rank := "", len(usualNames[folder])
	for _, box := range list {
		if hasAttr(box.Attrs, imap.MailboxAttrNoSelect) || hasAttr(box.Attrs, imap.MailboxAttrNonExistent) {
			continue
		}
		if hasAttr(box.Attrs, specialUse[folder]) {
			return box.Mailbox
		}
		leaf := box.Mailbox
		if box.Delim != 0 {
			leaf = leaf[strings.LastIndex(leaf, string(box.Delim))+1:]
		}
		for i, usual := range usualNames[folder][:rank] {
			if strings.ToLower(leaf) == usual {
				found, rank = box.Mailbox, i
				break
			}
		}
	}
	return found
}

func hasAttr(attrs []imap.MailboxAttr, want imap.MailboxAttr) bool {
	for _, attr := range attrs {
		if strings.EqualFold(string(attr), string(want)) {
			return true
		}
	}
	return false
}

// examine opens a folder read-only (RFC 9051 6.3.3).
func (m *Mailbox) examine(ctx context.Context, name string) (*imap.SelectData, error) {
	return phase(ctx, m, m.times.Command, controlBytes, func() (*imap.SelectData, error) {
		return m.client.Select(name, &imap.SelectOptions{ReadOnly: true}).Wait()
	})
}

// FileInSent stores a sent message in the Sent folder, marked as read. It reports false if the
// server has no such folder. If the process dies right before, nothing is stored; if it dies right
// after, the message is stored. The caller finds out with FindInSent.
func (m *Mailbox) FileInSent(ctx context.Context, raw []byte, at time.Time) (bool, error) {
	name, err := m.name(ctx, FolderSent)
	if err != nil || name == "" {
		return false, err
	}
	return phase(ctx, m, m.times.Data, controlBytes, func() (bool, error) {
		cmd := m.client.Append(name, int64(len(raw)), &imap.AppendOptions{Flags: []imap.Flag{imap.FlagSeen}, Time: at})
		if _, err := cmd.Write(raw); err != nil {
			return false, err
		}
		if err := cmd.Close(); err != nil {
			return false, err
		}
		_, err := cmd.Wait()
		return err == nil, err
	})
}

// search returns the UIDs as ranges: a hostile "1:4294967295" takes eight bytes.
func (m *Mailbox) search(ctx context.Context, criteria *imap.SearchCriteria) (imap.UIDSet, error) {
	return phase(ctx, m, m.times.Command, listBytes, func() (imap.UIDSet, error) {
		data, err := m.client.UIDSearch(criteria, nil).Wait()
		if err != nil {
			return nil, err
		}
		set, _ := data.All.(imap.UIDSet)
		return set, nil
	})
}
