package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
)

// The kinds of record in a journal.
const (
	recordOrigin  = "origin"  // first record: the UIDVALIDITY of this store
	recordAccount = "account" // a mail account was created
	recordFolder  = "folder"  // an IMAP client created a folder
	recordMail    = "mail"    // a message, with the folders that hold it
	recordFlags   = "flags"   // the flags of one message from now on
	recordExpunge = "expunge" // one message was removed
	recordAct     = "act"     // a persona acted, or may act again
)

// record is one change of the mail store. Which fields matter depends on Kind.
type record struct {
	Kind        string           `json:"kind"`
	At          time.Time        `json:"at"`
	UIDValidity uint32           `json:"uid_validity,omitempty"`
	Account     string           `json:"account,omitempty"`
	Folder      string           `json:"folder,omitempty"`
	Use         imap.MailboxAttr `json:"use,omitempty"`
	UID         imap.UID         `json:"uid,omitempty"`
	Flags       []imap.Flag      `json:"flags,omitempty"`

	// Of a message.
	Login     string   `json:"login,omitempty"`
	From      string   `json:"from,omitempty"`
	Prospects []string `json:"prospects,omitempty"`
	MessageID string   `json:"message_id,omitempty"`
	Places    []place  `json:"places,omitempty"`
	Size      int      `json:"size,omitempty"`
	Body      int      `json:"body,omitempty"` // bytes that follow the record

	// Of a persona: its address, and whether it has acted.
	Persona string `json:"persona,omitempty"`
	Acted   bool   `json:"acted,omitempty"`
}

// place is one folder with a message, and the header lines that delivery added to the message
// there.
type place struct {
	Account string      `json:"account"`
	Folder  string      `json:"folder"`
	UID     imap.UID    `json:"uid"`
	Flags   []imap.Flag `json:"flags,omitempty"`
	Trace   string      `json:"trace,omitempty"`
}

// journal is an append-only file: for each record a line of JSON, the bytes that it announces, and
// a line end. Records survive the death of the process once append has returned. The file is not
// synced, so a power failure may lose the last seconds.
type journal struct {
	mu   sync.Mutex
	file *os.File
	end  int64
}

// open passes every complete record to replay, with the offset of its body, and cuts off an
// incomplete last record.
func (j *journal) open(path string, replay func(record, int64) error) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open mail journal: %w", err)
	}
	end, err := scan(file, replay)
	if err == nil {
		err = file.Truncate(end)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("read mail journal %s: %w", path, err), file.Close())
	}
	j.file, j.end = file, end
	return nil
}

// scan returns the offset after the last complete record.
func scan(file *os.File, replay func(record, int64) error) (end int64, err error) {
	reader := bufio.NewReaderSize(file, 1<<16)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return end, nil
		}
		if err != nil {
			return end, err
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return end, fmt.Errorf("record at byte %d: %w", end, err)
		}
		body := end + int64(len(line))
		if _, err := reader.Discard(r.Body + 1); err == io.EOF {
			return end, nil
		} else if err != nil {
			return end, err
		}
		if err := replay(r, body); err != nil {
			return end, fmt.Errorf("record at byte %d: %w", end, err)
		}
		end = body + int64(r.Body) + 1
	}
}

// append writes one record and returns the offset of its body. After an error
// the journal is as it was before.
func (j *journal) append(r record, body []byte) (offset int64, err error) {
	r.Body = len(body)
	line, err := json.Marshal(r)
	if err != nil {
		return 0, fmt.Errorf("encode mail record: %w", err)
	}
	buffer := make([]byte, 0, len(line)+len(body)+2)
	buffer = append(append(append(append(buffer, line...), '\n'), body...), '\n')

	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.WriteAt(buffer, j.end); err != nil {
		// The next record overwrites an incomplete one. It is cut off so that a restart before that
		// does not read it.
		return 0, errors.Join(fmt.Errorf("write mail record: %w", err), j.file.Truncate(j.end))
	}
	offset = j.end + int64(len(line)) + 1
	j.end += int64(len(buffer))
	return offset, nil
}

// read returns the size bytes of a body.
func (j *journal) read(offset int64, size int) ([]byte, error) {
	body := make([]byte, size)
	if _, err := j.file.ReadAt(body, offset); err != nil {
		return nil, fmt.Errorf("read mail body: %w", err)
	}
	return body, nil
}

func (j *journal) close() error { return j.file.Close() }
