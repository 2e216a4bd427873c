package classify

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"strings"
)

// Bounds of reading. A message is read as a stream. The content of attachments is left out, so that
// text after them is found and memory stays small.
const (
	maxRead       = 64 << 20 // of the raw message
	maxBytes      = 4 << 20  // of what is kept of it
	maxAttached   = 1 << 10  // kept of the content of an attachment
	maxPartHeader = 64 << 10
	lineBytes     = 64 << 10 // a longer line is read in pieces
)

// compact reads a raw message and leaves out what is not read as text. It returns an error only if
// r does.
func compact(r io.Reader) ([]byte, error) {
	c := compactor{source: bufio.NewReaderSize(io.LimitReader(r, maxRead), lineBytes), header: true}
	if sized, ok := r.(interface{ Len() int }); ok {
		c.out = make([]byte, 0, min(sized.Len(), maxBytes))
	}
	for len(c.out) < maxBytes {
		line, err := c.source.ReadSlice('\n')
		c.line(line)
		switch {
		case errors.Is(err, io.EOF):
			return c.out, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		c.middle = err != nil
	}
	c.out = c.out[:maxBytes]
	return c.out, nil
}

// compactor follows the structure of a message line by line.
type compactor struct {
	source     *bufio.Reader
	out        []byte
	boundaries [][]byte
	header     bool // inside the header of the message or of a part
	middle     bool // the line before was too long to be read at once
	started    bool // a line with text was read
	head       int  // where the header begins in out
	attached   bool // the part is not read as text
	kept       int  // of the content of an attachment
}

func (c *compactor) line(line []byte) {
	text := bytes.TrimRight(line, "\r\n")
	switch {
	case c.header:
		c.out = append(c.out, line...)
		c.started = c.started || len(text) > 0
		if len(text) == 0 && c.started && !c.middle || len(c.out)-c.head > maxPartHeader && len(c.boundaries) > 0 {
			c.endHeader()
		}
	case !c.middle && c.boundary(text):
		c.out = append(c.out, line...)
		c.header, c.started, c.head, c.attached, c.kept = true, true, len(c.out), false, 0
	case !c.attached:
		c.out = append(c.out, line...)
	case c.kept < maxAttached:
		c.out = append(c.out, line...)
		c.kept += len(line)
	}
}

// boundary reports whether a line opens or closes a part.
func (c *compactor) boundary(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("--")) {
		return false
	}
	for _, b := range c.boundaries {
		if bytes.HasPrefix(line[2:], b) {
			return true
		}
	}
	return false
}

// endHeader looks at the header that was read: it may name a boundary, and it shows whether text
// follows.
func (c *compactor) endHeader() {
	c.header = false
	raw := c.out[c.head:]
	if c.head == 0 {
		raw = skipEnvelopeLine(raw)
	}
	fields, _ := splitHeader(raw)
	stated := fields.Get("Content-Type")
	mediaType, params, _ := mime.ParseMediaType(stated)
	name := params["boundary"]
	if name == "" {
		name = looseBoundary(stated)
	}
	if name != "" && len(c.boundaries) < maxNesting {
		c.boundaries = append(c.boundaries, []byte(name))
	}
	if mediaType == "" {
		mediaType, _, _ = strings.Cut(strings.ToLower(stated), ";")
	}
	c.attached = len(c.boundaries) > 0 && isAttached(strings.TrimSpace(mediaType), fields.Get("Content-Disposition"))
}

// looseBoundary finds the boundary of a Content-Type that is not well-formed.
func looseBoundary(stated string) string {
	at := strings.Index(strings.ToLower(stated), "boundary=")
	if at < 0 {
		return ""
	}
	value := stated[at+len("boundary="):]
	if rest, quoted := strings.CutPrefix(value, `"`); quoted {
		value, _, _ = strings.Cut(rest, `"`)
		return value
	}
	value, _, _ = strings.Cut(value, ";")
	return strings.TrimSpace(value)
}

// isAttached reports whether a part is never read as words.
func isAttached(mediaType, disposition string) bool {
	if strings.HasPrefix(mediaType, "multipart/") || strings.HasPrefix(mediaType, "message/") {
		return false
	}
	kind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(disposition)), ";")
	return mediaType != "" && !readable(mediaType) && !strings.HasPrefix(mediaType, "application/pgp") ||
		strings.TrimSpace(kind) == "attachment" && !returnedType(mediaType)
}
