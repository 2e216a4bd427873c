package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// trackedPath is part of the path of every tracked link.
const trackedPath = "/t/c/"

// browser is the User-Agent of a person's browser; the service recognises scanners by theirs.
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// oneClick is the body of a one-click unsubscription (RFC 8058, section 3.2).
const oneClick = "List-Unsubscribe=One-Click"

// errNothingToDo reports that a message has no link for the persona.
var errNothingToDo = errors.New("the message has no such link")

// visit makes the request of the persona. It records the action right before: if the process dies
// between the record and the request, the persona never acts; if it dies after the request, the
// request is not repeated, because a click that counts twice is worse than a missing one. If a
// request gets no answer, the record is removed and the request is tried again.
func (s *MailServer) visit(ctx context.Context, t task, build func(context.Context) (*http.Request, error)) error {
	persona := fold(t.To)
	request, err := build(ctx)
	if err != nil {
		s.store.release(persona)
		if errors.Is(err, errNothingToDo) {
			return nil
		}
		return err
	}
	if err := s.store.setActed(persona, true); err != nil {
		return err
	}
	if err := s.send(request); err != nil {
		return errors.Join(err, s.postpone(t))
	}
	return nil
}

func (s *MailServer) send(request *http.Request) error {
	client := *s.config.HTTPClient
	// The target of a tracked link may be any site, so the sandbox does not follow it.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("follow link: %w", err)
	}
	response.Body.Close()
	if response.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("follow link: %s", response.Status)
	}
	return nil
}

// postpone adds a failed request to the agenda again, up to personaTries times.
func (s *MailServer) postpone(t task) error {
	if err := s.store.setActed(fold(t.To), false); err != nil {
		return err
	}
	if t.tries++; t.tries >= personaTries {
		s.store.release(fold(t.To))
		return nil
	}
	s.agenda.add(t)
	return nil
}

// click returns the request for the first tracked link.
func (m incoming) click(ctx context.Context) (*http.Request, error) {
	link, err := m.trackedLink()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return nil, fmt.Errorf("read tracked link: %w", err)
	}
	request.Header.Set("User-Agent", browser)
	request.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	request.Header.Set("Accept-Language", "en-GB,en;q=0.7")
	request.Header.Set("Upgrade-Insecure-Requests", "1")
	request.Header.Set("Sec-Fetch-Dest", "document")
	request.Header.Set("Sec-Fetch-Mode", "navigate")
	return request, nil
}

var textLink = regexp.MustCompile(`https?://[^\s<>"']+`)

func (m incoming) trackedLink() (string, error) {
	for _, link := range append(anchors(m.content.HTML), textLink.FindAllString(m.content.Text, -1)...) {
		if u, err := url.Parse(link); err == nil && strings.Contains(u.Path, trackedPath) {
			return link, nil
		}
	}
	return "", errNothingToDo
}

// anchors returns the targets of the links of a page in order.
func anchors(page string) (links []string) {
	tokens := html.NewTokenizer(strings.NewReader(page))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if token := tokens.Token(); token.Data == "a" {
			for _, attribute := range token.Attr {
				if attribute.Key == "href" {
					links = append(links, strings.TrimSpace(attribute.Val))
				}
			}
		}
	}
	return links
}

// unsubscribe returns the POST of a mail program's unsubscribe button (RFC 8058, section 3.2), if
// the message offers it.
func (m incoming) unsubscribe(ctx context.Context) (*http.Request, error) {
	// A service without https must not offer one click (RFC 8058, section 3.1). The sandbox uses
	// the link of a trial installation anyway.
	plain := strings.Contains(m.header("List-Unsubscribe"), "<http://")
	if !plain && !strings.EqualFold(m.header("List-Unsubscribe-Post"), oneClick) {
		return nil, errNothingToDo
	}
	for entry := range strings.SplitSeq(m.header("List-Unsubscribe"), ",") {
		link := strings.Trim(strings.TrimSpace(entry), "<>")
		if strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") {
			return unsubscribeRequest(ctx, link)
		}
	}
	return nil, errNothingToDo
}

func unsubscribeRequest(ctx context.Context, link string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, link, bytes.NewReader([]byte(oneClick)))
	if err != nil {
		return nil, fmt.Errorf("read unsubscribe link: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("User-Agent", "Sandbox-Mail/1 (one-click unsubscribe)")
	return request, nil
}
