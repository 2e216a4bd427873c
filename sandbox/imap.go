package sandbox

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
)

const delimiter = '/'

// The memory server of go-imap is not used, because it loses UIDs and flags at a restart, does not
// support SPECIAL-USE, and holds the lock of a folder while it writes to a client.
func (s *MailServer) newIMAP() *imapserver.Server {
	return imapserver.New(&imapserver.Options{
		NewSession: func(conn *imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &imapSession{server: s, store: s.store, conn: conn}, &imapserver.GreetingData{}, nil
		},
		Caps: imap.CapSet{
			imap.CapIMAP4rev1: {}, imap.CapNamespace: {}, imap.CapUIDPlus: {}, imap.CapESearch: {},
			imap.CapListExtended: {}, imap.CapListStatus: {}, imap.CapStatusSize: {}, imap.CapSpecialUse: {}, imap.CapCreateSpecialUse: {},
		},
		InsecureAuth: true, // the server listens on loopback only
		Logger:       slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelDebug),
	})
}

// imapSession is one IMAP connection. The server calls it from one goroutine,
// or from two while idle, of which only one touches it.
type imapSession struct {
	server *MailServer
	store  *store

	email    string
	folder   *folder
	tracker  *imapserver.SessionTracker
	readOnly bool
	conn     *imapserver.Conn
	expiry   *time.Timer // closes the connection when the token that opened it ends; nil without one
}

var (
	_ imapserver.SessionNamespace = (*imapSession)(nil)
	_ imapserver.SessionSASL      = (*imapSession)(nil)
)

var errUnsupported = &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeCannot, Text: "The sandbox does not support this"}

// Login is LOGIN and AUTHENTICATE PLAIN.
func (c *imapSession) Login(username, password string) error {
	if c.server.accounts.quirksOf(username).Throttled == ThrottleIMAP {
		return errManyIMAP
	}
	email, ok := c.server.accounts.login(username, password)
	if !ok {
		return imapserver.ErrAuthFailed
	}
	c.email = email
	return nil
}

// AuthenticateMechanisms are PLAIN and those for tokens.
func (c *imapSession) AuthenticateMechanisms() []string {
	return []string{sasl.Plain, xoauth2, sasl.OAuthBearer}
}

// Authenticate starts an exchange that ends in a login or in NO.
func (c *imapSession) Authenticate(mechanism string) (sasl.Server, error) {
	switch mechanism {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, username, password string) error { return c.Login(username, password) }), nil
	case xoauth2, sasl.OAuthBearer:
		return &tokenServer{mechanism: mechanism, login: c.loginWithToken}, nil
	}
	return nil, &imap.Error{Type: imap.StatusResponseTypeNo, Text: "SASL mechanism not supported"}
}

// loginWithToken opens a session that ends with its token, like those of the providers.
func (c *imapSession) loginWithToken(username, text string) error {
	if c.server.accounts.quirksOf(username).Throttled == ThrottleIMAP {
		return errManyIMAP
	}
	ends, ok := c.server.openID.login(username, text)
	if !ok {
		return imapserver.ErrAuthFailed
	}
	c.email = fold(username)
	conn := c.conn.NetConn()
	c.expiry = time.AfterFunc(ends.Sub(c.server.config.Now()), func() { _ = conn.Close() })
	return nil
}

// Close forgets the selected folder.
func (c *imapSession) Close() error {
	if c.expiry != nil {
		c.expiry.Stop()
	}
	return c.Unselect()
}

// Select is SELECT and, read-only, EXAMINE.
func (c *imapSession) Select(name string, options *imap.SelectOptions) (*imap.SelectData, error) {
	quirks := c.server.accounts.quirksOf(c.email)
	if quirks.Throttled == ThrottleRead {
		return nil, errThrottled
	}
	if quirks.CutsSent && name == folderSent {
		_ = c.conn.NetConn().Close()
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	f, err := c.store.folder(c.email, name)
	if err != nil {
		return nil, err
	}
	c.folder, c.tracker, c.readOnly = f, f.tracker.NewSession(), options.ReadOnly
	flags := []imap.Flag{imap.FlagSeen, imap.FlagAnswered, imap.FlagFlagged, imap.FlagDeleted, imap.FlagDraft}
	return &imap.SelectData{
		Flags:             flags,
		PermanentFlags:    append(flags, imap.FlagWildcard),
		NumMessages:       uint32(len(f.messages)),
		FirstUnseenSeqNum: firstUnseen(f),
		UIDNext:           f.next,
		UIDValidity:       f.validity,
	}, nil
}

func firstUnseen(f *folder) uint32 {
	i := slices.IndexFunc(f.messages, func(m *message) bool { return !slices.Contains(m.flags, imap.FlagSeen) })
	return uint32(i + 1)
}

// Unselect leaves the folder; without one it does nothing.
func (c *imapSession) Unselect() error {
	if c.tracker != nil {
		c.tracker.Close()
	}
	c.folder, c.tracker = nil, nil
	return nil
}

// Create makes a folder that is kept like the others.
func (c *imapSession) Create(name string, options *imap.CreateOptions) error {
	c.store.mu.Lock()
	_, err := c.store.folder(c.email, name)
	c.store.mu.Unlock()
	if err == nil {
		return &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeAlreadyExists, Text: "The folder exists"}
	}
	var use imap.MailboxAttr
	if len(options.SpecialUse) > 0 {
		use = options.SpecialUse[0]
	}
	return c.store.addFolder(c.email, name, use)
}

// Delete is refused, so that received mail is not deleted with its folder.
func (c *imapSession) Delete(string) error { return errUnsupported }

// Rename is refused.
func (c *imapSession) Rename(string, string, *imap.RenameOptions) error { return errUnsupported }

// Subscribe has no effect: LIST shows every folder.
func (c *imapSession) Subscribe(string) error { return nil }

// Unsubscribe has no effect.
func (c *imapSession) Unsubscribe(string) error { return nil }

// Namespace returns only the personal namespace (RFC 2342).
func (c *imapSession) Namespace() (*imap.NamespaceData, error) {
	return &imap.NamespaceData{Personal: []imap.NamespaceDescriptor{{Delim: delimiter}}}, nil
}

// List shows the folders with their special use, asked for or not (RFC 6154,
// section 2 allows both).
func (c *imapSession) List(w *imapserver.ListWriter, ref string, patterns []string, options *imap.ListOptions) error {
	if len(patterns) == 0 {
		return w.WriteList(&imap.ListData{Attrs: []imap.MailboxAttr{imap.MailboxAttrNoSelect}, Delim: delimiter})
	}
	for _, data := range c.listing(ref, patterns, options) {
		if err := w.WriteList(&data); err != nil {
			return fmt.Errorf("write folder list: %w", err)
		}
	}
	return nil
}

func (c *imapSession) listing(ref string, patterns []string, options *imap.ListOptions) (list []imap.ListData) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	folders := c.store.boxes[c.email].folders
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		f := folders[name]
		matches := slices.ContainsFunc(patterns, func(p string) bool { return imapserver.MatchList(name, delimiter, ref, p) })
		if !matches || options.SelectSpecialUse && f.use == "" {
			continue
		}
		data := imap.ListData{Mailbox: name, Delim: delimiter}
		if f.use != "" {
			data.Attrs = append(data.Attrs, f.use)
		}
		if options.ReturnStatus != nil {
			data.Status = f.status(options.ReturnStatus)
		}
		list = append(list, data)
	}
	return list
}

// Status answers about a folder without selecting it.
func (c *imapSession) Status(name string, options *imap.StatusOptions) (*imap.StatusData, error) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	f, err := c.store.folder(c.email, name)
	if err != nil {
		return nil, err
	}
	return f.status(options), nil
}

// Append stores a message of the client.
func (c *imapSession) Append(name string, r imap.LiteralReader, options *imap.AppendOptions) (*imap.AppendData, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read appended message: %w", err)
	}
	return c.store.append(c.email, name, raw, record{At: options.Time}, options.Flags)
}

// Poll sends the client the changes since the last command.
func (c *imapSession) Poll(w *imapserver.UpdateWriter, allowExpunge bool) error {
	if c.tracker == nil {
		return nil
	}
	return c.tracker.Poll(w, allowExpunge)
}

// Idle sends changes when they happen, until stop is closed (RFC 2177). The tracker's own Idle
// would miss changes between the last command and its start.
func (c *imapSession) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	for {
		changed := c.nextChange()
		if err := c.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-stop:
			return nil
		case <-changed:
		}
	}
}

// nextChange returns a channel that never closes if no folder is selected.
func (c *imapSession) nextChange() <-chan struct{} {
	if c.folder == nil {
		return nil
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	return c.folder.nextChange()
}
