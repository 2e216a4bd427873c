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

// trackedPath is what a link that counts clicks has in its path.
const trackedPath = "/t/c/"

// browser is the User-Agent of a person's browser; scanners are told by theirs.
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// oneClick is the body of a one-click unsubscription (RFC 8058, section 3.2).
const oneClick = "List-Unsubscribe=One-Click"

// errNothingToDo says that a message has no link of the kind that the persona
// follows.
var errNothingToDo = errors.New("the message has no such link")

// visit makes the request that the persona owes. The act is noted right before:
// a process that dies between note and request leaves a persona that never acts,
// one that dies after the request does not repeat it, for a click counted twice
// would mislead more than one that is missing. A request that got no answer at
// all is unnoted and tried again.
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
	// The target of a tracked link may lie anywhere; the sandbox stays home.
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

// postpone puts a request that failed back on the agenda, a few times.
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

// click is the visit to the first tracked link.
func (l incoming) click(ctx context.Context) (*http.Request, error) {
	link, err := l.trackedLink()
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

func (l incoming) trackedLink() (string, error) {
	for _, link := range append(anchors(l.content.HTML), textLink.FindAllString(l.content.Text, -1)...) {
		if u, err := url.Parse(link); err == nil && strings.Contains(u.Path, trackedPath) {
			return link, nil
		}
	}
	return "", errNothingToDo
}

// anchors lists the targets of a page's links in their order.
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

// unsubscribe is the POST that a mail program makes for its unsubscribe button
// (RFC 8058, section 3.2), if the message offers it.
func (l incoming) unsubscribe(ctx context.Context) (*http.Request, error) {
	// A service without https must not offer one click (RFC 8058, section 3.1); here
	// that of a trial installation is used all the same.
	plain := strings.Contains(l.header("List-Unsubscribe"), "<http://")
	if !plain && !strings.EqualFold(l.header("List-Unsubscribe-Post"), oneClick) {
		return nil, errNothingToDo
	}
	for entry := range strings.SplitSeq(l.header("List-Unsubscribe"), ",") {
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
