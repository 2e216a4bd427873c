package mail

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html/charset"

	"outreach"
)

// The limits of reading the parts of a mail.
const (
	maxFiles     = 50      // attachments that are listed
	maxParts     = 500     // parts that are looked at
	maxDepth     = 8       // of parts within parts
	maxFilename  = 200     // bytes
	maxHTML      = 4 << 20 // bytes that are shown
	maxPictures  = 4 << 20 // bytes of all pictures within the HTML
	maxInserted  = 8 << 20 // bytes that pictures add to the HTML, which may show each of them many times
	maxMediaType = 100
)

// errEnough ends the walk through the parts.
var errEnough = errors.New("enough")

// leaf is a part without parts of its own.
type leaf struct {
	header    textproto.MIMEHeader
	mediaType string
	params    map[string]string
	attached  bool   // it is meant as a file
	filename  string // "" without one
	body      io.Reader
}

// file reports whether a leaf is a file, rather than text of the mail or a picture within it.
func (l *leaf) file() bool {
	if l.attached {
		return true
	}
	text := l.mediaType == "text/plain" || l.mediaType == "text/html"
	picture := strings.HasPrefix(l.mediaType, "image/") && l.header.Get("Content-Id") != ""
	return l.filename != "" && !picture || !text && !picture
}

// Attachments lists the files of a raw mail in their order. A truncated mail may have more
// of them, and the size of its last one is not known.
func Attachments(raw []byte, truncated bool) []outreach.Attachment {
	var files []outreach.Attachment
	var last io.Reader
	walk(raw, func(l *leaf) error {
		if !l.file() {
			return nil
		}
		if len(files) == maxFiles {
			return errEnough
		}
		size, _ := io.Copy(io.Discard, l.body)
		last = l.body
		files = append(files, describe(l, len(files)+1, int(size)))
		return nil
	})
	if truncated && last != nil {
		files[len(files)-1].Size = nil
	}
	return files
}

// ReadAttachment returns the file of that id, with ok false if the mail has none.
func ReadAttachment(raw []byte, id string) (f outreach.File, ok bool) {
	n := 0
	walk(raw, func(l *leaf) error {
		if !l.file() {
			return nil
		}
		if n++; strconv.Itoa(n) != id {
			return nil
		}
		f.Content, _ = io.ReadAll(l.body) // as much as can be decoded
		f.Attachment, ok = describe(l, n, len(f.Content)), true
		return errEnough
	})
	return f, ok
}

// HTMLOf returns the body of a raw mail as unsafe HTML: its HTML with its embedded images, else
// its text.
func HTMLOf(raw []byte) string {
	var page, text string
	pictures, room := map[string]string{}, maxPictures
	walk(raw, func(l *leaf) error {
		id := strings.Trim(l.header.Get("Content-Id"), "<> ")
		switch {
		case pictureTypes[l.mediaType] && id != "":
			if content, _ := io.ReadAll(io.LimitReader(l.body, int64(room)+1)); len(content) <= room {
				room -= len(content)
				pictures[id] = "data:" + l.mediaType + ";base64," + base64.StdEncoding.EncodeToString(content)
			}
		case l.attached:
		case l.mediaType == "text/html" && page == "":
			page = readText(l)
		case l.mediaType == "text/plain" && text == "":
			text = readText(l)
		}
		return nil
	})
	if page == "" {
		return "<pre>" + html.EscapeString(text) + "</pre>"
	}
	left := maxInserted
	return contentID.ReplaceAllStringFunc(page, func(found string) string {
		picture := pictures[found[len("cid:"):]]
		if picture == "" || len(picture) > left {
			return found
		}
		left -= len(picture)
		return picture
	})
}

// pictureTypes are the pictures that HTML may bring along.
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

var contentID = regexp.MustCompile(`(?i)cid:[^"'\s<>)]{1,250}`)

func readText(l *leaf) string {
	limited := io.LimitReader(l.body, maxHTML)
	if decoded, err := charset.NewReaderLabel(cmp.Or(l.params["charset"], "utf-8"), limited); err == nil {
		limited = decoded
	}
	text, _ := io.ReadAll(limited)
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// walk calls visit for each leaf of a mail until visit returns an error. It skips malformed parts.
func walk(raw []byte, visit func(*leaf) error) {
	head := bufio.NewReader(bytes.NewReader(raw))
	header, err := textproto.NewReader(head).ReadMIMEHeader()
	if err != nil && len(header) == 0 {
		return
	}
	parts := maxParts
	_ = walkPart(header, head, maxDepth, &parts, visit)
}

func walkPart(header textproto.MIMEHeader, body io.Reader, depth int, parts *int, visit func(*leaf) error) error {
	if *parts--; *parts < 0 {
		return errEnough
	}
	mediaType, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil && mediaType == "" {
		mediaType = "text/plain" // RFC 2045, section 5.2
	}
	if strings.HasPrefix(mediaType, "multipart/") && params["boundary"] != "" && depth > 0 {
		inner := multipart.NewReader(body, params["boundary"])
		for {
			part, _ := inner.NextRawPart()
			if part == nil {
				return nil // its end, or what follows is broken
			}
			if err := walkPart(part.Header, part, depth-1, parts, visit); err != nil {
				return err
			}
		}
	}
	disposition, dispositionParams, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	return visit(&leaf{
		header: header, mediaType: mediaType, params: params, attached: disposition == "attachment",
		filename: filenameOf(cmp.Or(dispositionParams["filename"], params["name"])),
		body:     decodeBody(header.Get("Content-Transfer-Encoding"), body),
	})
}

func decodeBody(encoding string, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// encodedWords decodes names that are written as encoded words, as many programs do.
var encodedWords = mime.WordDecoder{CharsetReader: charset.NewReaderLabel}

// filenameOf returns a name under which a person may save a file: without a path and without
// characters that hide its extension.
func filenameOf(name string) string {
	if decoded, err := encodedWords.DecodeHeader(name); err == nil {
		name = decoded
	}
	if at := strings.LastIndexAny(name, `/\`); at >= 0 {
		name = name[at+1:]
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if len(name) > maxFilename {
		ending := name[max(len(name)-20, strings.LastIndexByte(name, '.')):]
		name = strings.ToValidUTF8(name[:maxFilename-len(ending)], "") + strings.ToValidUTF8(ending, "")
	}
	return strings.Trim(name, " .")
}

var plainMediaType = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*$`)

func describe(l *leaf, n, size int) outreach.Attachment {
	a := outreach.Attachment{ID: strconv.Itoa(n), Filename: l.filename, ContentType: l.mediaType, Size: &size}
	if len(a.ContentType) > maxMediaType || !plainMediaType.MatchString(a.ContentType) {
		a.ContentType = "application/octet-stream"
	}
	if a.Filename == "" {
		a.Filename = "attachment-" + a.ID
		if a.ContentType == "message/rfc822" {
			a.Filename += ".eml"
		}
	}
	return a
}
